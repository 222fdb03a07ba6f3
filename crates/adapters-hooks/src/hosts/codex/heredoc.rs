//! Patches that an agent gives to the shell: `apply_patch <<'EOF'`, alone in its command, perhaps behind `cd FOLDER &&`.
//! Codex takes such a command as the patch and starts no shell.
//!
//! Only what every reader takes for the same patch is one here; anything else stays a command, whose effect is unknown.
//! Not every version tells the folder that the call names beside the command, so Codex is handed the patch back with the
//! folder in which it was judged ([`command`]).

/// A patch in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Patch<'a> {
    /// The patch.
    pub(super) text: &'a str,
    /// The absolute folder that it counts from, when the command names one.
    pub(super) folder: Option<&'a str>,
}

/// The command that is this patch in that folder and nothing else; `None` when no quotes can hold the folder.
pub(super) fn command(patch: &str, folder: &str) -> Option<String> {
    let mut mark = "EOF".to_owned();
    while patch.lines().any(|line| line == mark) {
        mark.push('_');
    }
    let end = if patch.ends_with('\n') { "" } else { "\n" };
    is_quotable(folder).then(|| format!("cd '{folder}' && apply_patch <<'{mark}'\n{patch}{end}{mark}"))
}

fn is_quotable(folder: &str) -> bool {
    folder.starts_with('/') && !folder.contains(|sign: char| sign == '\'' || sign.is_control())
}

/// The patch that a command is.
pub(super) fn patch(command: &str) -> Option<Patch<'_>> {
    let (first, rest) = command.split_once('\n')?;
    let (folder, start) = split_folder(first.trim())?;
    let start = start.strip_prefix("apply_patch").or_else(|| start.strip_prefix("applypatch"))?;
    let (mark, is_quoted) = delimiter(start.trim_start_matches(' ').strip_prefix("<<")?)?;
    let text = body(rest, mark)?;
    let is_literal = is_quoted || !text.contains(['$', '`', '\\']);
    is_literal.then_some(Patch { text, folder })
}

/// The absolute folder in `cd FOLDER && …`, and what follows it.
fn split_folder(line: &str) -> Option<(Option<&str>, &str)> {
    let Some(rest) = line.strip_prefix("cd ") else { return Some((None, line)) };
    let (folder, rest) = rest.split_once("&&")?;
    let folder = folder.trim();
    let quoted = folder.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    let folder = quoted.or_else(|| Some(folder).filter(|folder| folder.bytes().all(is_plain)))?;
    is_quotable(folder).then_some((Some(folder), rest.trim_start()))
}

/// The word that ends the patch, and whether it is quoted, so that a shell would expand nothing.
fn delimiter(word: &str) -> Option<(&str, bool)> {
    let word = word.trim();
    let inner = ['\'', '"'].iter().find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote));
    let mark = inner.unwrap_or(word);
    let is_word = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word.then_some((mark, inner.is_some()))
}

/// What stands before the line with the mark; behind it is nothing.
fn body<'a>(rest: &'a str, mark: &str) -> Option<&'a str> {
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.strip_suffix('\n').unwrap_or(line) == mark {
            let behind = rest.get(at + line.len()..)?;
            return if behind.trim().is_empty() { rest.get(..at) } else { None };
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Add File: /repo/b.txt\n+hi\n*** End Patch\n";
    const RELATIVE: &str =
        "*** Begin Patch\n*** Update File: a\n*** Move to: ../b\n@@\n-1\n+$2\n*** End Patch\n";

    #[test]
    fn a_patch_is_read_where_every_reader_takes_it_for_the_same() {
        for (command, text, folder) in [
            (format!("apply_patch <<'EOF'\n{PATCH}EOF"), PATCH, None),
            (format!("applypatch << EOF\n{PATCH}EOF\n"), PATCH, None),
            (format!("apply_patch <<\"X_1\"\n{PATCH}X_1\n\n"), PATCH, None),
            (format!("apply_patch <<'EOF'\n{RELATIVE}EOF"), RELATIVE, None),
            (format!("cd /repo/sub && apply_patch <<'EOF'\n{RELATIVE}EOF"), RELATIVE, Some("/repo/sub")),
            (format!("cd '/my repo' && apply_patch <<'EOF'\n{RELATIVE}EOF"), RELATIVE, Some("/my repo")),
        ] {
            assert_eq!(patch(&command), Some(Patch { text, folder }), "{command}");
        }
    }

    #[test]
    fn what_could_be_read_otherwise_stays_a_command() {
        for command in [
            format!("apply_patch <<EOF\n{RELATIVE}EOF"),
            format!("cd '/it'\\''s' && apply_patch <<'EOF'\n{PATCH}EOF"),
            format!("cd sub && apply_patch <<'EOF'\n{PATCH}EOF"),
            format!("cd /r || apply_patch <<'EOF'\n{PATCH}EOF"),
            format!("cd /r && apply_patch <<EOF\n{RELATIVE}EOF"),
            format!("apply_patch <<'EOF'\n{PATCH}EOF\ntouch x"),
            format!("apply_patch <<'EOF' && touch x\n{PATCH}EOF"),
            format!("apply_patch <<'EOF'; touch x\n{PATCH}EOF"),
            format!("touch x; apply_patch <<'EOF'\n{PATCH}EOF"),
            format!("apply_patch <<-'EOF'\n{PATCH}EOF"),
            format!("apply_patch <<''\n{PATCH}\n"),
            format!("apply_patch <<'EOF'\n{PATCH}"),
            format!("apply_patch --x <<'EOF'\n{PATCH}EOF"),
            "cat a.txt".to_owned(),
        ] {
            assert_eq!(patch(&command), None, "{command}");
        }
    }

    #[test]
    fn a_patch_that_is_handed_back_is_the_same_in_its_folder() {
        for text in [PATCH, RELATIVE, "*** Begin Patch\nEOF\n*** End Patch", ""] {
            let whole = command(text, "/my repo").unwrap();
            let read = patch(&whole).unwrap();
            assert_eq!((read.text.trim_end(), read.folder), (text.trim_end(), Some("/my repo")), "{whole}");
        }
        for folder in ["", "repo", "/it's", "/a\nb"] {
            assert_eq!(command(PATCH, folder), None, "{folder:?}");
        }
    }
}
