//! Commands that are proved to read, judged where they run, with the real reader of commands.

use bailiwick::gate::HostTraits;
use bailiwick_domain::{ErrorCode, ToolCall, json};

use super::world::{World, command};

/// A world in which `INT-001` is selected.
fn world() -> World {
    let world = World::with_shell(HostTraits::default());
    world.prompt();
    world.select("INT-001");
    world
}

// "Time"
#[test]
fn the_patterns_of_a_line_name_so_many_files_and_no_more() {
    let world = world();
    for nth in 0..100 {
        world.edit_outside(&format!("src/many/a{nth}.rs"), "x\n");
        world.edit_outside(&format!("src/many/b{nth}.rs"), "x\n");
    }
    let line = "wc -l src/many/a*.rs src/many/b*.rs";
    world.passes_unasked(&command(&world, line));
    world.edit_outside("src/many/b100.rs", "x\n");
    let reason = world.asks_what(&command(&world, line)).reason;
    assert!(reason.contains("its patterns name more than 200 files"), "{reason}");
}

// K-16: a pattern in several parts of a path is walked down
#[test]
fn a_pattern_in_several_parts_of_a_path_names_each_file_below() {
    let world = world();
    for path in ["one/a/n.txt", "one/b/n.txt", "one/b/deep/m.txt", "one/plain.txt", "one/b/deep/.env"] {
        world.edit_outside(path, "x\n");
    }
    for line in
        ["cat one/*/n.txt", "cat one/*/n*", "cat one/*/*/m.txt", "cat */*/n.txt", "ls one/*/missing.txt"]
    {
        world.passes_unasked(&command(&world, line));
    }
    world.refuses(&command(&world, "cat one/*/*/.e*"), ErrorCode::ProtectedPath);
    world.refuses(&command(&world, "cat one/*/deep/.env"), ErrorCode::ProtectedPath);
    for nth in 0..101 {
        world.edit_outside(&format!("two/a/x{nth}"), "x\n");
        world.edit_outside(&format!("two/b/x{nth}"), "x\n");
    }
    let reason = world.asks_what(&command(&world, "wc -l two/*/x*")).reason;
    assert!(reason.contains("its patterns name more than 200 files"), "{reason}");
}

// "Time"
#[test]
fn the_patterns_of_a_line_are_bounded() {
    let world = world();
    let line = |count: usize, of: &dyn Fn(usize) -> String| {
        let patterns: Vec<String> = (0..count).map(of).collect();
        command(&world, &format!("ls {}", patterns.join(" ")))
    };
    let asked = |call: &ToolCall, why: &str| {
        let reason = world.asks_what(call).reason;
        assert!(reason.contains(why), "{reason}");
    };
    let short = |nth: usize| format!("q{nth}*");
    world.passes_unasked(&line(64, &short));
    asked(&line(65, &short), "too many, or too long");
    world.passes_unasked(&line(1, &|_| format!("{}*", "q".repeat(255))));
    asked(&line(1, &|_| format!("{}*", "q".repeat(256))), "too many, or too long");
    for nth in 0..1000 {
        world.edit_outside(&format!("big/{nth}"), "");
    }
    let big = |nth: usize| format!("big/q{nth}*");
    world.passes_unasked(&line(50, &big));
    asked(&line(51, &big), "held against too many names");
}

// A3: a version manager looks for its file in the folder of the command and in all above it
#[test]
fn a_chooser_above_the_folder_of_a_command_chooses_its_program_too() {
    for (chooser, line, is_believed) in [
        ("rust-toolchain.toml", "cargo --version", false),
        ("rust-toolchain.toml", "cd src/auth && cargo --version", false),
        ("src/rust-toolchain.toml", "cd src/auth && cargo --version", false),
        ("src/rust-toolchain.toml", "cargo --version", true),
        ("src/billing/rust-toolchain.toml", "cd src/auth && cargo --version", true),
    ] {
        let world = world();
        world.edit_outside(chooser, "[toolchain]\npath = \"evil\"\n");
        let call = command(&world, line);
        match is_believed {
            true => world.passes_unasked(&call),
            false => {
                let reason = world.asks_what(&call).reason;
                assert!(reason.contains(&format!("{chooser} may name the program")), "{line}: {reason}");
            }
        }
    }
}

// A3: a chooser that names a version is read, and chooses nothing strange
#[test]
fn a_chooser_that_names_a_version_makes_no_question() {
    let world = world();
    world.edit_outside("rust-toolchain.toml", "[toolchain]\nchannel = \"1.98.0\"\n");
    world.passes_unasked(&command(&world, "cargo --version"));
}

// A3: out of the repository only git obeys settings that nobody looked at
#[test]
fn a_call_from_out_of_the_repository_is_believed_where_it_runs_no_git() {
    let world = world();
    let from = |line: &str| ToolCall { cwd: Some("/elsewhere".to_owned()), ..command(&world, line) };
    world.passes_unasked(&from("cargo --version"));
    let reason = world.asks_what(&from("git status")).reason;
    assert!(reason.contains("it runs outside of this repository"), "{reason}");
}

// D-19
#[test]
fn an_own_tool_behind_a_cd_elsewhere_says_how_it_is_called() {
    let world = world();
    let line = "cd src && bailiwick tool list_intents";
    let reason = world.asks_what(&world.call("execute_command", json!({ "command": line }))).reason;
    assert!(reason.contains("`cd src` does not lead to the root"), "{reason}");
    assert!(reason.contains("write `bailiwick tool` alone"), "{reason}");
}
