//! Hooks that stand in a person's settings for all projects: they come when their agent is named, say nothing where nothing
//! is governed, and go with the last repository that uses them (D-08).

use std::path::Path;
use std::process::Command;

use bailiwick_adapters_hooks::settings::installed_hooks;
use bailiwick_adapters_hooks::{Probe, host};
use serde_json::json;

use super::machine::fed;
use crate::world::{World, git, json as parsed, read, said, write};

/// A file of Kimi Code that a person wrote.
const KIMI: &str = "default_model = \"m1\"\n\n[models.m1] # mine\nmodel = 'm1'\n";

#[test]
fn hooks_for_all_projects_come_when_they_are_named_and_go_with_the_last_root() {
    let world = World::new();
    let file = world.path("home/.kimi-code/config.toml");
    write(&file, KIMI);
    assert_eq!(parsed(&world.ok(&["init", "--json"]))["agents"], json!([]), "nobody named it");
    let words = ["init", "--agent", "kimi"];
    let before = world.everything();
    let shown = world.ok(&["init", "--agent", "kimi", "--dry-run"]);
    assert!(shown.contains("+[[hooks]]") && shown.contains(".kimi-code/config.toml"), "{shown}");
    assert_eq!(world.changes_since(&before), [""; 0]);
    world.ok(&words);
    assert!(read(&file).starts_with(KIMI) && !read(&file).contains("--governed"), "{}", read(&file));
    assert_eq!(world.git_status(), "?? .orchestration/\n");
    assert!(world.ok(&words).contains("already governed"));
    assert_eq!(parsed(&world.ok(&["init", "--json"]))["agents"], json!(["kimi"]), "it was named");
    let said = world.ok(&["doctor"]);
    assert!(said.contains("a forbidden write is denied with STATE_VIOLATION"), "{said}");
    assert!(said.contains("hooks for 7 events, failing closed where it matters"), "{said}");

    let other = world.path("other");
    std::fs::create_dir(&other).unwrap();
    git(&other, &["init", "-q"]);
    let in_other = |words: &[&str]| said_in(&world, &other, words);
    in_other(&words);
    let hooked = read(&file);
    let said = said_in(&world, &world.root(), &["uninstall"]);
    assert!(said.contains("keeps the hooks for all your projects") && said.contains("other"), "{said}");
    assert_eq!(read(&file), hooked);
    write(&file, &hooked.replace("# mine", "# still mine"));
    in_other(&["uninstall"]);
    assert_eq!(read(&file), KIMI.replace("# mine", "# still mine"));
}

#[test]
fn hooks_for_all_projects_say_nothing_where_nothing_is_governed() {
    let world = World::new();
    let bare = world.path("bare");
    std::fs::create_dir(&bare).unwrap();
    git(&bare, &["init", "-q"]);
    world.ok(&["init", "--agent", "kimi"]);
    let host = host("kimi").unwrap();
    let file = read(&world.path("home/.kimi-code/config.toml"));
    let hooks = installed_hooks(host.settings.unwrap(), &file);
    for (root, refuses) in [(&bare, false), (&world.root(), true)] {
        let root = root.display().to_string();
        let event = (host.probe)(&Probe {
            session: "s1",
            call: "c1",
            root: &root,
            file: &format!("{root}/a.rs"),
            content: "x",
        });
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &hooks[0].command]).current_dir(&root).env_clear();
        let output = fed(&mut shell, &event);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{}", said(&output));
        assert_eq!(output.stdout.is_empty(), !refuses, "{}", said(&output));
    }
}

#[test]
fn a_plain_uninstall_leaves_hooks_for_all_projects_that_came_from_elsewhere() {
    let world = World::new();
    world.ok(&["init", "--agent", "claude-code"]);
    let file = world.path("home/.kimi-code/config.toml");
    let by_hand = "[[hooks]]\nevent = \"Stop\"\ncommand = \"/opt/bailiwick hook --agent kimi\"\n";
    write(&file, by_hand);
    world.ok(&["uninstall"]);
    assert_eq!(read(&file), by_hand);
    world.ok(&["uninstall", "--agent", "kimi"]);
    assert_eq!(read(&file), "");
}

#[test]
fn a_file_of_kimi_that_cannot_be_understood_stops_init() {
    let world = World::new();
    let file = world.path("home/.kimi-code/config.toml");
    for text in ["a = = 1\n", "hooks = [{ event = \"Stop\", command = \"x\" }]\n"] {
        write(&file, text);
        let output = world.run(&["init", "--agent", "kimi"]);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("nothing was changed"), "{}", said(&output));
        assert_eq!(read(&file), text);
        assert!(!world.path("repo/.orchestration").exists());
    }
}

fn said_in(world: &World, folder: &Path, words: &[&str]) -> String {
    let output = world.command_in(folder, words).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}
