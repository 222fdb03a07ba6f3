//! `docs/watch-wide.svg` and `docs/watch-narrow.svg`: the screen of `bailiwick watch` over a real queue, captured from
//! a real terminal of two sizes.
//!
//! Three agents ask through the installed hook; nobody answers. What is in the picture is what the program drew.

use anstyle::RgbColor;
use anstyle_svg::Term;
use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::stage::hook_driver::HookDriver;
use crate::stage::product;
use crate::stage::world::{PATIENCE, World};
use crate::workspace;

const INTENTS: &str = "\
active_intents:
  - id: INT-001
    name: Fix login timeout
    status: IN_PROGRESS
    why: Sessions end after five minutes instead of thirty.
    owned_scope: [\"src/auth/\", \"!src/auth/legacy/**\", \"tests/auth/\"]
  - id: INT-002
    name: Nightly price import
    status: IN_PROGRESS
    why: Prices of partners are a day old.
    owned_scope: [\"src/import/\", \"scripts/\"]
";

const SESSION_TS: &str = "\
import { clock, settings, store } from '../platform';
import { Session, User } from './types';

export function open(user: User): Session {
  const session = { user: user.id, started: clock.now(), roles: user.roles };
  store.put(session);
  return session;
}

export function isAlive(session: Session): boolean {
  const age = clock.now() - session.started;
  return age < 5 * 60 * 1000;
}

export function close(session: Session): void {
  if (!session.user) throw new Error('no user');
  store.remove(session);
}

export function renew(session: Session, user: User): Session {
  if (!user.mayRenew(session)) throw new Forbidden(session);
  store.remove(session);
  return open(user);
}
";

/// Writes both pictures.
pub(super) fn write() -> Result<()> {
    let world = World::new(&product::binary()?)?;
    world.write("src/auth/session.ts", SESSION_TS)?;
    world.write(
        "src/import/prices.py",
        "import csv\n\n\ndef read(path):\n    return list(csv.DictReader(open(path)))\n",
    )?;
    world.govern_with(INTENTS)?;
    for intent in ["INT-001", "INT-002"] {
        world.accept_intent(intent)?;
    }
    let hook = HookDriver::installed(&world)?;
    for event in asked(&world) {
        hook.send(&event)?;
    }
    for (name, (columns, rows)) in [("watch-wide", (140, 36)), ("watch-narrow", (64, 30))] {
        let terminal = world.terminal_of(columns, rows, "bailiwick watch")?;
        terminal.wait_for(&["quit", "scroll"], PATIENCE)?;
        // The first screen may be one of half a queue; the next look is soon.
        std::thread::sleep(std::time::Duration::from_secs(1));
        let shown =
            terminal.screen_in_colour()?.replace(&world.repo().display().to_string(), &padded(&world));
        let path = workspace::root().join(format!("docs/{name}.svg"));
        std::fs::write(&path, drawn(&shown, columns)).with_context(|| path.display().to_string())?;
        println!("{}", path.display());
    }
    Ok(())
}

/// A repository's usual place, as long as the real one, so that nothing moves.
fn padded(world: &World) -> String {
    format!("{:<width$}", "~/shop", width = world.repo().display().to_string().len())
}

fn drawn(shown: &str, columns: u16) -> String {
    let term = Term::new()
        .fg_color(RgbColor(0xd4, 0xd7, 0xdd).into())
        .bg_color(RgbColor(0x14, 0x17, 0x1c).into())
        .min_width_px(usize::from(columns) * CELL);
    let picture = term.render_svg(shown);
    COLOURS.iter().fold(picture, |picture, (plain, soft)| picture.replace(plain, soft))
}

/// The width of a sign, in pixels.
const CELL: usize = 8;

/// The sixteen colours of old terminals, and those that are told apart on a dark ground.
const COLOURS: &[(&str, &str)] = &[
    ("#00AA00", "#7fbf6a"),
    ("#AA0000", "#e06c75"),
    ("#FF5555", "#ef7b84"),
    ("#AA5500", "#e5b567"),
    ("#FFFF55", "#f0c674"),
    ("#00AAAA", "#6cb6c4"),
    ("#555555", "#7d8590"),
];

/// What three agents ask, in the order in which they ask.
fn asked(world: &World) -> Vec<Value> {
    let root = world.repo().display().to_string();
    let file = |name: &str| format!("{root}/{name}");
    let event = |session: &str, id: &str, tool: &str, input: Value| {
        json!({
            "session_id": session, "cwd": root, "permission_mode": "bypassPermissions", "tool_use_id": id,
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
        })
    };
    let select = |session: &str, intent: &str| {
        let command = format!("bailiwick tool select_active_intent '{{\"intent_id\":\"{intent}\"}}'");
        event(session, "select", "Bash", json!({"command": command}))
    };
    let (first, second) = ("6f0c2d1e-90aa-4c57", "b41d77f0-02c9-4e1b");
    let after = SESSION_TS
        .replace("5 * 60 * 1000", "settings.get('session.minutes', 30) * 60 * 1000")
        .replace(
            "  if (!session.user) throw new Error('no user');\n",
            "  if (session === undefined) return;\n",
        )
        .replace("  if (!user.mayRenew(session)) throw new Forbidden(session);\n", "");
    let read = event(first, "r1", "Read", json!({"file_path": file("src/auth/session.ts")}));
    let mut was_read = read.clone();
    was_read["hook_event_name"] = json!("PostToolUse");
    was_read["tool_response"] = json!({"type": "text"});
    let mut child = event(first, "c1", "Bash", json!({"command": "npm test -- tests/auth"}));
    child["agent_id"] = json!("tests-1");
    vec![
        select(first, "INT-001"),
        read,
        was_read,
        event(first, "w1", "Write", json!({"file_path": file("src/auth/session.ts"), "content": after})),
        child,
        select(second, "INT-002"),
        event(
            second,
            "w2",
            "Write",
            json!({
                "file_path": file("scripts/import.sh"),
                "content": "#!/bin/sh\nset -e\ncurl -fsSL https://partner.example/prices.csv > prices.csv\npython3 src/import/prices.py prices.csv\n",
            }),
        ),
    ]
}
