//! The table against labelled commands and against every way to dress a command up.
#![expect(clippy::panic, reason = "tests fail by panicking")]

mod builtins;
mod cases;
mod judges;
mod metamorphic;
mod pipelines;
mod trust;
mod xargs;

/// Every module of this folder is part of the binary: a forgotten file would never run.
#[test]
fn no_test_file_is_forgotten() {
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(name == "main" || main.contains(&format!("mod {name};")), "tests/it/{name}.rs is not run");
    }
}
