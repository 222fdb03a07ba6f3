//! Intents files as people write them: each file of `tests/fixtures/shapes` loads, or is diagnosed to the line. What is
//! expected stands beside each; `UPDATE_EXPECT=1` writes it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_adapters_fs::{FsIntentRepo, IntentReport, Layout};
use bailiwick_domain::{Diagnostic, Intent, IntentRepo, ScopePattern};

fn shapes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shapes");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut shapes: Vec<_> = files.filter(|path| path.extension().is_some_and(|ext| ext == "yaml")).collect();
    shapes.sort();
    shapes
}

/// What becomes of the file: the intents that agents can work under, or nothing and why, then what is to tidy up.
fn outcome(bytes: &[u8]) -> (String, IntentReport) {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path(), folder.path().join(".git/bailiwick"), None);
    fs::create_dir_all(layout.orchestration()).unwrap();
    fs::write(layout.intents_file(), bytes).unwrap();
    let repo = FsIntentRepo::new(layout);
    let report = repo.load_report().unwrap();
    let mut said = String::new();
    match pollster::block_on(repo.load()) {
        Ok(set) if set.is_empty() => said.push_str("loads: no intents\n"),
        Ok(set) => set.iter().for_each(|intent| said.push_str(&described(intent))),
        Err(_) => said.push_str("refused\n"),
    }
    for (word, diagnostics) in [("error", &report.errors), ("warning", &report.warnings)] {
        for Diagnostic { line, column, message, fix, .. } in diagnostics {
            let fix = if fix.is_empty() { String::new() } else { format!(" ({fix})") };
            let _ = writeln!(said, "{word} {line}:{column} {message}{fix}");
        }
    }
    (said, report)
}

fn described(intent: &Intent) -> String {
    let scope: Vec<&str> = intent.owned_scope().patterns().iter().map(ScopePattern::as_str).collect();
    let (id, name, status) = (intent.id(), intent.name(), intent.status());
    format!("loads: {id} {} {name:?} owns {scope:?}\n", status.as_str())
}

/// A file of this repository must not look like a merge that is not finished, so one shape names its marks.
fn unfinished(bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => text.replace("{less}", &"<".repeat(7)).replace("{more}", &">".repeat(7)).into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

// K-47, REQ 7
#[test]
fn every_shape_of_the_wild_loads_or_is_diagnosed_to_the_line() {
    let shapes = shapes();
    assert!(shapes.len() >= 60, "{} shapes", shapes.len());
    let mut wrong = Vec::new();
    for shape in shapes {
        let bytes = unfinished(fs::read(&shape).unwrap());
        let (said, report) = outcome(&bytes);
        let lines = String::from_utf8_lossy(&bytes).lines().count().max(1);
        for found in report.errors.iter().chain(&report.warnings) {
            assert!((1..=lines).contains(&found.line) && found.column > 0, "{}: {found}", shape.display());
        }
        let expected = shape.with_extension("expected");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &said).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{}\n{said}", expected.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
