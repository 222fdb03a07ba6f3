//! The words of the domain, tested through their public API.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "tests fail by panicking")]

mod approval;
mod contracts;
mod decision;
mod grant;
mod hash;
mod intent;
mod path;
mod scope;
mod session;
mod timestamp;
mod tool_error;

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
