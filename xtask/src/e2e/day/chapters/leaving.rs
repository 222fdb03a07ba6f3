//! The same client where there is no gate: on a teammate's machine, and after `uninstall`.

use crate::e2e::staged::line::{Expected, Line, command, edit, read, reader};
use crate::e2e::staged::session::Session;

/// A session that nobody stops and nobody is asked in.
pub(crate) fn plain(name: &'static str) -> Session {
    let lines = vec![
        read("src/billing/contact.js"),
        edit("src/billing/contact.js", "rate = 1;", "rate = 9;"),
        reader("git status --short"),
        command("npm test --silent").shows("pass 1"),
    ];
    let silent = |line: Line| Line { expected: Expected::Silent, ..line };
    Session::new(name, lines.into_iter().map(silent).collect())
}
