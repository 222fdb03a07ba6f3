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
        "ls; cd src && ls; cd ../web && npm test 2>&1 | tail -5".to_owned(),
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

// D-32, D-45: what a line does to its folders, and brackets, count before what stands behind them
#[test]
fn no_command_runs_where_nobody_looked() {
    let machine = machine();
    machine.write("deep/dir/x", "x\n");
    machine.write("build/Makefile", "test:\n\techo ok\n");
    machine.write("Makefile", "test:\n\techo ok\nclean:\n\trm -rf build\n");
    for command in ["make test", "make clean", "cd build && make test"] {
        machine.allows(&["allow", "--", command]);
    }
    machine.passes("make clean && cd build && make test");
    machine.passes("make clean && cd web && npm test && cd .. && make test");
    for line in [
        "(cd web && ls) | cat ../secret.txt",
        "(cd web && ls) | for f in a; do cat ../secret.txt; done",
        "make clean; cd build; cd ..; cat ../secret.txt",
        "make clean; cd build || cat ../secret.txt",
        "make clean; cd build; make test",
        "make test; export PYTHONPATH=src && pip --version",
        "make test; export ARGV0=git-branch; git ls-files HEAD",
    ] {
        stops(&machine, line);
    }
    // An environment is spelled from where it was activated, whatever link leads to where it is used.
    for place in [".venv/bin/activate", "deep/.venv/bin/activate"] {
        machine.write(place, "PATH=x\n");
    }
    symlink("deep/dir", machine.root().join("lnk")).unwrap();
    machine.allows(&["allow", "--", "cd deep/dir && source ../.venv/bin/activate && pytest"]);
    machine.passes("cd deep && source .venv/bin/activate && cd dir && pytest");
    stops(&machine, "source .venv/bin/activate && cd lnk && pytest");
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
        "export SKIP_SLOW=1 && make test | tail -3 && echo ok",
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
        "export SKIP_SLOW=1; SKIP_SLOW=0; make test",
        "RAILS_ENV=production; ls",
        "export SKIP_SLOW=1 && make test && git status",
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

// D-45: folders of a web application are called like patterns
#[test]
fn a_folder_with_brackets_in_its_name_is_read_as_any() {
    let machine = machine();
    for file in ["app/[id]/page.tsx", "app/[[...slug]]/page.tsx", "app/[...all]/page.tsx"] {
        machine.write(file, "x\n");
        machine.passes(&format!("cat '{file}'"));
    }
    machine.passes("cat app/[id]/page.tsx");
    machine.passes("wc -l app/*/page.tsx");
    machine.write("app/i/page.tsx", "x\n");
    machine.passes("cat app/[id]/page.tsx");
    machine.write(".env", "x\n");
    stops(&machine, "cat [.]env");
    stops(&machine, "cat [[.e.]]nv");
}

// D-32: a file of the repository may run in place of a program that the words name
#[test]
fn a_file_that_would_run_in_place_of_a_program_makes_it_a_question() {
    let machine = machine();
    machine.allows(&["allow", "--", "python3 -m pytest ..."]);
    machine.allows(&["allow", "--", "uv run ruff check ..."]);
    machine.passes("python3 -m pytest -q");
    machine.passes("uv run ruff check src");
    machine.write("pytest.py", "x\n");
    machine.write("ruff/__main__.py", "x\n");
    machine.is_a_question("python3 -m pytest -q");
    machine.is_a_question("uv run ruff check src");
}
