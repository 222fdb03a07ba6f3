//! The launcher of a team's shared installation: a small POSIX shell script in the repository that finds `bailiwick` on
//! each machine, and what it says to Claude Code where there is none. Pure text.

use crate::settings::Launcher;

/// The script.
pub fn launcher_text(mode: Launcher) -> String {
    TEMPLATE.replace("@MODE@", mode.name())
}

/// What the script in the repository does; `None` when it is not, to the byte, one that this version writes.
pub fn launcher_of(text: &str) -> Option<Launcher> {
    [Launcher::Advisory, Launcher::Required].into_iter().find(|mode| launcher_text(*mode) == text)
}

/// Programs inside the repository do not count: an agent could have put one there.
const TEMPLATE: &str = r#"#!/bin/sh
# Runs Bailiwick for the agent hosts of this repository. Written by `bailiwick init --shared`; do not edit.
# Another mode: `bailiwick init --shared --launcher advisory|required`. Out again: `bailiwick uninstall --shared`.
mode=@MODE@

here=$(cd "${0%/*}/.." 2>/dev/null && pwd -P)
usable() {
  case $1 in
    "$here"/*) return 1 ;;
    /* | ?:[/\\]*) test -x "$1" && test ! -d "$1" ;;
    *) return 1 ;;
  esac
}
for program in "$(command -v bailiwick 2>/dev/null)" "$HOME/.cargo/bin/bailiwick" "$HOME/.local/bin/bailiwick" \
  /usr/local/bin/bailiwick /opt/homebrew/bin/bailiwick; do
  if usable "$program"; then
    exec "$program" "$@"
  fi
done

install='Install Bailiwick: cargo install --locked --path crates/app in its source. See docs/teams.md there.'
if test "$1" != hook; then
  echo "Bailiwick is not installed on this machine. $install" >&2
  exit 1
fi
event=$(cat)
is() {
  case $event in
    *"\"hook_event_name\":\"$1\""* | *"\"hook_event_name\": \"$1\""*) return 0 ;;
    *) return 1 ;;
  esac
}
note() {
  printf '{"systemMessage":"%s","hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"%s"}}\n' "$1" "$1"
  exit 0
}
if test "$mode" = advisory; then
  is SessionStart && note "Bailiwick is not installed on this machine, so agents are not governed in this repository. $install"
  exit 0
fi
if is PreToolUse; then
  printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"}}\n' \
    "This repository requires Bailiwick, which is not installed on this machine. Ask the human. $install"
  exit 0
fi
is SessionStart && note "This repository requires Bailiwick, which is not installed on this machine: every tool call is refused. $install"
for other in UserPromptSubmit PostToolUse PostToolUseFailure PostToolBatch SessionEnd Stop SubagentStart SubagentStop ConfigChange; do
  is "$other" && exit 0
done
echo "This repository requires Bailiwick, which is not installed on this machine. $install" >&2
exit 2
"#;
