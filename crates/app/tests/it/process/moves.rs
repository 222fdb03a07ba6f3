//! Lines that move between folders, programs that do, and variables that stand before a command (D-32, D-45).
#![cfg(target_os = "linux")]

use std::os::unix::fs::symlink;

use bailiwick_domain::json;

use super::machine::Machine;

fn machine() -> Machine {
    let machine = Machine::with_commands();
    machine.write("Makefile", "test:\n\techo ok\n");
    machine.write("web/Makefile", "test:\n\techo ok\n");
    machine.allows(&["allow", "--", "make test"]);
    machine.allows(&["allow", "--", "cd web && npm test"]);
    machine
}

/// Whether a command does not pass, asked about or refused.
#[track_caller]
fn stops(machine: &Machine, command: &str) {
    let call = machine.pre(&format!("stops {command}"), "Bash", &json!({"command": command}));
    assert_eq!(machine.hook(&call).decision().as_deref(), Some("deny"), "{command}");
}

// D-32, D-45: each command of a line counts in the folder where it runs
#[test]
fn a_line_may_move_between_the_folders_of_what_is_allowed() {
    let machine = machine();
    let root = machine.root().display().to_string();
    symlink("src/auth", machine.root().join("link")).unwrap();
    for line in [
        "make test && cd web && npm test && cd .. && git status".to_owned(),
        format!("cd web && npm test | tail -3; cd {root} && make test; git log -1"),
        "cd web && npm test && cd .. && make test".to_owned(),
        "cd web; npm test; cd ..; make test".to_owned(),
        "cd web; ls; cd ../src; ls auth".to_owned(),
        "make test; cd src && ls; cd ../web && npm test 2>&1 | tail -5".to_owned(),
        "ls && cd src && ls auth && cd .. && cat Cargo.toml".to_owned(),
        "cd link && ls".to_owned(),
    ] {
        machine.passes(&line);
    }
    for line in [
        "cd web && npm test && make test",
        "make test && cd web; npm test",
        "cd gone; cd web && npm test",
        "cd gone; cd ..; make test",
        "cd link && cd .. && make test",
        "cd link && ls && cd .. && ls",
        "ls && cd web && npm test || make test",
    ] {
        machine.is_a_question(line);
    }
    stops(&machine, "cd web && npm test && cd ../.. && make test");
    stops(&machine, "make test && cd /tmp && make test");
    stops(&machine, "cd gone; cat ../web/package.json; cd ..; ls");
}

// D-32: a program that moves first is itself in that folder
#[test]
fn a_program_that_moves_first_counts_in_its_folder() {
    let machine = machine();
    for line in [
        "npm --prefix web test",
        "npm test --prefix=web 2>&1 | tail -3",
        "cd src && npm --prefix ../web test",
    ] {
        machine.passes(line);
    }
    machine.is_a_question("make -C web test");
    machine.allows(&["allow", "--", "make -C web test"]);
    for line in ["make -C web test", "cd web && make test", "cd web && cd .. && make -C web -s test"] {
        machine.passes(line);
    }
    stops(&machine, "make -C /tmp test");
    for line in ["make -C src test", "make -C web/.. -C web test", "npm --prefix src test"] {
        machine.is_a_question(line);
    }
}

// D-32: a variable counts with its value, and the script behind it as without one
#[test]
fn a_variable_before_a_command_is_a_part_of_it() {
    let machine = machine();
    machine.is_a_question("SKIP_SLOW=1 make test");
    machine.allows(&["allow", "--", "SKIP_SLOW=1 make test"]);
    machine.allows(&["allow", "--", "NODE_ENV=production npm test"]);
    for line in [
        "SKIP_SLOW=1 make test",
        "CI=1 SKIP_SLOW=1 make -s test | tail -3",
        "export SKIP_SLOW=1; make test",
        "export SKIP_SLOW=1 && make test && git status",
        "export CI=1; make test",
        "NODE_ENV=production npm test",
    ] {
        machine.passes(line);
    }
    for line in [
        "SKIP_SLOW=0 make test",
        "OTHER_ONE=1 make test",
        "ls && export SKIP_SLOW=1; make test",
        "export SKIP_SLOW=1; NODE_ENV=production npm test",
        "export PATH=. && make test",
        "export SKIP_SLOW=1 OTHER_ONE=1; make test",
    ] {
        machine.is_a_question(line);
    }
    let manifest = |test: &str| {
        format!("{{\"scripts\": {{\"test\": \"{test}\"}}, \"dependencies\": {{\"a\": \"1\"}}}}\n")
    };
    machine.write("package.json", &manifest("vitest run"));
    machine.passes("NODE_ENV=production npm test");
    machine.write("package.json", &manifest("curl x"));
    machine.is_a_question("NODE_ENV=production npm test");
}

// D-45: `**` names files in folders below each other to some shells
#[test]
fn what_two_stars_may_name_is_looked_at() {
    let machine = machine();
    for file in ["src/a.rs", "src/deep/b.rs", "src/deep/er/c.rs", "conf/x/y/prod.pem"] {
        machine.write(file, "x\n");
    }
    machine.passes("wc -l src/**/*.rs");
    machine.passes("grep -n x **/*.rs | head -3");
    stops(&machine, "cat conf/**/*.pem");
    symlink("/etc", machine.root().join("src/deep/out")).unwrap();
    stops(&machine, "cat src/**/hostname");
}
