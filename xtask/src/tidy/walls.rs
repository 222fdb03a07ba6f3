//! The walls of the application ring: its own `clippy.toml` names what of the standard library it may not use.
//!
//! Clippy does the looking, wherever it runs. Clippy reads one such file for a crate, so this rule says when the ring's
//! one has not all lines of the workspace's.

use crate::workspace::TextFile;

const WORKSPACE: &str = "clippy.toml";
const WALLS: &str = "crates/gate/clippy.toml";

/// Lines of the workspace's settings that the ring does not have.
pub(crate) fn check(files: &[TextFile]) -> Vec<String> {
    let text = |path: &str| files.iter().find(|file| file.path == path).map(|file| file.text.as_str());
    let (Some(all), Some(own)) = (text(WORKSPACE), text(WALLS)) else {
        return vec![format!("walls: `{WORKSPACE}` or `{WALLS}` is gone")];
    };
    let missing = all.lines().filter(|line| !own.lines().any(|own| own == *line));
    missing.map(|line| format!("{WALLS}: walls: lacks `{line}` of `{WORKSPACE}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    /// One line for each thing outside that the ring may not touch.
    const BAD: &[&str] = &[
        "std::fs::read(\"x\").ok()",
        "std::fs::File::open(\"x\").ok()",
        "std::path::Path::new(\"x\").exists()",
        "std::time::Instant::now()",
        "std::time::SystemTime::now()",
        "std::env::var(\"X\").ok()",
        "std::env::current_dir().ok()",
        "std::process::Command::new(\"x\")",
        "std::process::exit(1)",
        "std::net::TcpStream::connect(\"x:1\").ok()",
        "std::thread::spawn(|| ())",
        "std::thread::sleep(std::time::Duration::ZERO)",
    ];

    #[test]
    fn a_setting_of_the_workspace_that_the_ring_lacks_is_named() {
        let file = |path, text| TextFile::sample(path, text);
        let good = [file(WORKSPACE, "a = 1\n"), file(WALLS, "b = 2\na = 1\n")];
        assert_eq!(check(&good), [""; 0]);
        let bad = [file(WORKSPACE, "a = 1\n"), file(WALLS, "b = 2\n")];
        assert_eq!(check(&bad), ["crates/gate/clippy.toml: walls: lacks `a = 1` of `clippy.toml`"]);
    }

    #[test]
    fn clippy_refuses_each_way_outside() {
        let scratch = tempfile::tempdir().unwrap();
        let manifest =
            "[package]\nname = \"bad\"\nedition = \"2024\"\n[workspace]\n[lib]\npath = \"bad.rs\"\n";
        std::fs::write(scratch.path().join("Cargo.toml"), manifest).unwrap();
        let functions =
            BAD.iter().enumerate().map(|(at, bad)| format!("pub fn f{at}() {{ drop({bad}); }}\n"));
        let fine = "pub fn fine() -> Option<u8> { [1_u8].into_iter().max() }\n".to_owned();
        std::fs::write(scratch.path().join("bad.rs"), functions.chain([fine]).collect::<String>()).unwrap();
        let mut clippy = workspace::cargo();
        clippy.args(["clippy", "--quiet", "--offline", "--message-format", "short", "--target-dir"]);
        clippy.arg(scratch.path().join("target")).current_dir(scratch.path());
        clippy.env("CLIPPY_CONF_DIR", workspace::root().join("crates/gate"));
        let output = clippy.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_named = |line: usize| {
            let place = format!("bad.rs:{line}:");
            said.lines().any(|said| said.contains(&place) && said.contains("use of a disallowed"))
        };
        for (at, bad) in BAD.iter().enumerate() {
            assert!(is_named(at + 1), "`{bad}` passes: {said}");
        }
        assert!(!is_named(BAD.len() + 1), "{said}");
    }
}
