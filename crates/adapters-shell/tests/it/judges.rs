//! What other programs make of words of ours: the programs on this machine are the judges. One that is not here is passed over.

use std::path::Path;
use std::process::{Command, Stdio};

use bailiwick_domain::{CommandReader, CommandReading};

use crate::cases::table;

fn is_proved(command: &str) -> bool {
    matches!(table().read(command), CommandReading::ReadOnly(_))
}

/// What a line prints in a folder; nothing where the shell cannot be started.
fn printed(folder: &Path, line: &str) -> Option<String> {
    let output =
        Command::new("sh").args(["-c", line]).current_dir(folder).stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

// A14: GNU programs put what a file says in the place of `@FILE`, also where a value stands
#[test]
fn no_proved_line_takes_its_options_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".env"), "TOKEN=hushhush\n").unwrap();
    std::fs::write(folder.path().join("a.md"), "plain text\n").unwrap();
    std::fs::write(folder.path().join("number"), "4 .env\n").unwrap();
    std::fs::write(folder.path().join("base"), "x .env\n").unwrap();
    for line in [
        "strings -n @number a.md",
        "strings -n@number a.md",
        "strings -t @base a.md",
        "strings -a -t @base a.md",
        "strings @number a.md",
        "strings a.md @number",
        "strings -n 4 a.md",
        "strings -an4 -td a.md",
    ] {
        let shows = printed(folder.path(), line).is_some_and(|text| text.contains("hushhush"));
        assert!(!(shows && is_proved(line)), "{line}");
    }
    assert!(is_proved("strings -n 4 a.md") && is_proved("strings -an4 -td a.md"));
}
