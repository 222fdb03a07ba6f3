//! The three questions of `init` (D-08): asked at a terminal, taken as flags, written down, and never asked of a script.

use super::machine::Machine;
use crate::world::{World, json, read, said};

fn value(world: &World, key: &str) -> String {
    let shown = json(&world.ok(&["config", "show", "--json"]));
    let settings = shown["settings"].as_array().unwrap().clone();
    let found = settings.iter().find(|setting| setting["key"] == key);
    found.unwrap_or_else(|| panic!("no {key}"))["value"].to_string()
}

fn config(world: &World) -> String {
    read(&world.path("repo/.orchestration/config.yaml"))
}

const STRICT: [&str; 7] = ["init", "--commands", "ask", "--edits", "each", "--ledger-in-git", "no"];

// D-08
#[test]
fn flags_are_written_down_once() {
    let world = World::new();
    world.ok(&STRICT);
    let text = config(&world);
    for part in [
        "\ncommands:\n  read_only: destructive\n",
        "\napproval:\n  grants: false\n",
        "\ntrace:\n  in_git: false\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert!(text.starts_with("# How strict the gate is."), "the explanations stay: {text}");
    assert_eq!(value(&world, "commands.read_only"), "\"destructive\"");
    let ignored = read(&world.path("repo/.orchestration/.gitignore"));
    assert!(ignored.ends_with("state/\ntrace/\n"), "{ignored}");
    let before = world.everything();
    for words in [&STRICT[..], &["init"], &["init", "--yes"]] {
        world.ok(words);
        assert_eq!(world.changes_since(&before), [""; 0], "{words:?}");
    }
    world.ok(&["init", "--ledger-in-git", "yes"]);
    assert!(config(&world).contains("\ntrace:\n  in_git: true\n"));
    assert!(!read(&world.path("repo/.orchestration/.gitignore")).contains("trace/"));
    world.ok(&["config", "check"]);
}

// D-08
#[test]
fn nobody_is_asked_without_a_terminal_and_the_fresh_settings_change_nothing() {
    let world = World::new();
    assert!(!world.ok(&["init"]).contains("Commands of agents"));
    assert!(config(&world).lines().all(|line| line.is_empty() || line.starts_with('#')));
    let machine = Machine::new();
    for words in [&["init", "--yes"][..], &["init", "--dry-run"]] {
        let output = machine.typed(words, "");
        assert!(
            output.status.success() && !said(&output).contains("Commands of agents"),
            "{}",
            said(&output)
        );
    }
}

// D-08
#[test]
fn a_person_is_asked_with_the_values_in_force_as_defaults() {
    let machine = Machine::new();
    let output = machine.typed(&["init"], "2\nnonsense\n2\n\n");
    assert!(output.status.success(), "{}", said(&output));
    let told = said(&output);
    for part in ["Commands of agents", "Edits of agents", "The ledger in git"] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(value(&machine.world, "commands.read_only"), "\"destructive\"");
    assert!(config(&machine.world).contains("grants: false"));
    assert!(
        config(&machine.world).contains("in_git: true"),
        "an empty line is the usual answer, written down too"
    );
    let before = config(&machine.world);
    let again = machine.typed(&["init"], "\n\n\n");
    assert!(said(&again).contains("ask: every one is asked about"), "{}", said(&again));
    assert_eq!(config(&machine.world), before, "the answers of before are the defaults");
    let one_is_given = machine.typed(&["init", "--commands", "read-only-free"], "\n\n");
    assert!(!said(&one_is_given).contains("Commands of agents"), "{}", said(&one_is_given));
    assert_eq!(value(&machine.world, "commands.read_only"), "\"safe\"");
}

// D-08
#[test]
fn a_word_of_the_screen_is_an_answer_and_what_is_not_understood_changes_nothing() {
    let machine = Machine::new();
    let before = config(&machine.world);
    for keys in ["", "2\n", "huh\nwhat\nno\n"] {
        let output = machine.typed(&["init"], keys);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("nothing was changed"), "{}", said(&output));
        assert_eq!(config(&machine.world), before);
    }
    let output = machine.typed(&["init"], "ask\neach\nno\n");
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(value(&machine.world, "commands.read_only"), "\"destructive\"");
    for line in ["grants: false", "in_git: false"] {
        assert!(config(&machine.world).contains(line), "{line}");
    }
}

// D-08, D-18
#[test]
fn settings_that_a_human_accepted_stay_accepted_and_others_do_not_become_so() {
    for accepts in [true, false] {
        let machine = Machine::new();
        machine.write(".orchestration/config.yaml", "# mine\nloop: { repeats: 9 }\n");
        if accepts {
            let output = machine.typed(&["config", "accept"], "y\n");
            let text = crate::world::said(&output);
            assert!(output.status.success(), "{text}");
            assert!(text.contains("9 (default 3): ") && text.contains("loosens"), "{text}");
            assert!(!text.contains("run `bailiwick config accept`"), "{text}");
        }
        machine.world.ok(&STRICT);
        assert!(config(&machine.world).starts_with("# mine\nloop: { repeats: 9 }\n"));
        assert_eq!(value(&machine.world, "loop.repeats"), if accepts { "9" } else { "3" });
    }
}

// D-08: fail closed
#[test]
fn settings_that_cannot_be_changed_safely_stop_init_before_anything_is_written() {
    let world = World::new();
    world.ok(&["init"]);
    crate::world::write(&world.path("repo/.orchestration/config.yaml"), "commands: [\n");
    let before = world.everything();
    let output = world.run(&STRICT);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("config.yaml:"), "{}", said(&output));
    assert_eq!(world.changes_since(&before), [""; 0]);
}
