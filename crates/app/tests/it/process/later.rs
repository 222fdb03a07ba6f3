//! What runs later, through the installed hook on real files (A3, A4, A5; threats F6, F7).
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use bailiwick_domain::json;

use super::machine::Machine;
use crate::world::git;

const STATUS: &str = "git status";

impl Machine {
    /// The reason for asking about a command, or `None` where it passes unasked.
    fn asks_about(&self, id: &str, command: &str) -> Option<String> {
        let call = self.pre(id, "Bash", &json!({"command": command}));
        let answer = self.hook(&call);
        if answer.decision().as_deref() != Some("deny") {
            return None;
        }
        let waiting = self.open_requests();
        Some(waiting.last().expect("a request waits")["reason"].as_str().unwrap().to_owned())
    }
}

#[test]
fn git_is_a_reader_until_its_configuration_names_a_file_of_the_tree() {
    let machine = Machine::selected();
    assert_eq!(machine.asks_about("1", STATUS), None);
    git(&machine.root(), &["config", "core.pager", "less -R"]);
    git(&machine.root(), &["config", "diff.x.textconv", "python3 src/auth/show.py"]);
    assert_eq!(machine.asks_about("2", STATUS), None, "no such file is there");
    machine.write("src/auth/show.py", "print()\n");
    let reason = machine.asks_about("3", STATUS).expect("git would run the file");
    assert!(reason.contains("git runs src/auth/show.py (`diff.x.textconv`)"), "{reason}");
    assert_eq!(machine.asks_about("4", "ls src"), None, "other readers do not ask git");
}

#[test]
fn a_question_about_a_file_that_runs_later_says_what_runs_it_and_offers_no_grant() {
    let machine = Machine::selected();
    machine.write("src/auth/tool", "one\n");
    machine.write("src/auth/plain.rs", "one\n");
    let tool = machine.root().join("src/auth/tool");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o4755)).unwrap();
    git(&machine.root(), &["config", "filter.x.clean", "./src/auth/clean.rs %f"]);
    let files = [
        ("src/auth/tool", Some("src/auth/tool: its mode makes it a program.")),
        ("src/auth/clean.rs", Some("src/auth/clean.rs: git runs it, by its configuration.")),
        ("src/auth/Dockerfile.dev", Some("src/auth/Dockerfile.dev: Docker runs it.")),
        ("src/auth/plain.rs", None),
    ];
    for (path, _) in files {
        machine.sees(path);
        machine.pending(path, path);
    }
    let waiting = machine.open_requests();
    for ((path, says), request) in files.iter().zip(&waiting) {
        let reason = request["reason"].as_str().unwrap();
        assert!(reason.contains(path) && says.is_none_or(|says| reason.contains(says)), "{path}: {reason}");
        assert_eq!(request["offer"].is_null(), says.is_some(), "{path}: {request}");
    }
    assert_eq!(waiting.len(), files.len());
}
