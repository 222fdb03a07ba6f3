//! Commands that a person trusts, at the gate and with the real reader of commands (D-32).

use bailiwick::gate::{AllowError, Because, CheckCommand, HostTraits, Outcome};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    Action, Allowance, AllowanceStore, AllowanceTerms, AllowedFile, ContentHash, Settings, ToolCall,
    TrustedCommand, json,
};
use pollster::block_on;

use super::world::{HUMAN, World, command};

const MANIFEST: &str = "{\"scripts\": {\"test\": \"vitest\"}}\n";

/// A world with something to test, in which `INT-001` is selected.
fn world() -> World {
    let world = World::with_shell(HostTraits::default());
    world.prompt();
    world.select("INT-001");
    world.edit_outside("Cargo.toml", "[workspace]\n");
    world.edit_outside("web/package.json", MANIFEST);
    world
}

impl World {
    fn written(&self, text: &str, folder: Option<&str>) -> TrustedCommand {
        let folder = folder.map(sample::path);
        block_on(self.gate.allowances().written_command(text, folder.as_ref())).unwrap()
    }

    fn trusts(&self, text: &str) -> Allowance {
        block_on(self.gate.allowances().allow(&self.written(text, None), None, None, HUMAN)).unwrap()
    }

    /// A call that a person need not be asked about, as the command is allowed.
    #[track_caller]
    fn passes_as_allowed(&self, call: &ToolCall) {
        let outcome = self.pre(call);
        assert!(matches!(outcome, Outcome::Allow(Because::Allowed { .. })), "{:?}: {outcome:?}", call.params);
    }

    fn check(&self, text: &str) -> CheckCommand {
        let intent = sample::intent_id("INT-001");
        block_on(self.gate.allowances().for_check(text, &intent, &Settings::default())).unwrap()
    }
}

#[test]
fn the_log_tells_what_was_allowed_for_which_intent_and_what_was_taken_back() {
    let world = world();
    let intent = sample::intent_id("INT-001");
    let cargo = world.written("cargo test …", None);
    let allowance = block_on(world.gate.allowances().allow(&cargo, Some(&intent), None, HUMAN)).unwrap();
    let line = world.decisions.records().pop().unwrap();
    assert_eq!(
        (line.action, &line.actor.session, line.intent),
        (Action::Granted, &HUMAN.into(), Some(intent))
    );
    assert_eq!(
        (line.approval, line.command.as_deref()),
        (Some(allowance.id.as_approval()), Some("cargo test …"))
    );
    assert_eq!(line.note, "ada allowed `cargo test …`");
    block_on(world.gate.allowances().revoke_allowance(allowance.id, HUMAN)).unwrap();
    let line = world.decisions.records().pop().unwrap();
    assert_eq!((line.action, line.approval), (Action::GrantEnded, Some(allowance.id.as_approval())));
    world.asks(&command(&world, "cargo test"));
}

#[test]
fn a_command_that_was_offered_is_allowed_as_long_as_its_files_are_what_they_were() {
    let world = world();
    let request = world.asks_what(&command(&world, "cargo test"));
    let (offered, asked) = (request.allows.unwrap(), request.premise.unwrap().allows.unwrap());
    let named: Vec<&str> = asked.iter().map(|file| file.path.as_str()).collect();
    assert!(named.contains(&"Cargo.toml") && named.len() > 1, "{named:?}");
    world.edit_outside("Cargo.toml", "[package]\n");
    let allowances = world.gate.allowances();
    match block_on(allowances.allow_offered(&offered, &asked, HUMAN)) {
        Err(AllowError::Never(why)) => assert_eq!(why, "Cargo.toml changed since it was asked"),
        other => panic!("{other:?}"),
    }
    world.edit_outside("Cargo.toml", "[workspace]\n");
    block_on(allowances.allow_offered(&offered, &asked, HUMAN)).unwrap();
    world.passes_as_allowed(&command(&world, "cargo test"));
}

#[test]
fn what_a_person_has_not_accepted_is_asked_about_although_its_command_is_allowed() {
    let world = world();
    world.trusts("cargo test …");
    world.passes_as_allowed(&command(&world, "cargo test"));
    world.intents.accept_only(Vec::new());
    let request = world.asks_what(&command(&world, "cargo test -q"));
    assert_eq!(request.allows, None, "an offer that would say yes to the intent, too");
}

#[test]
fn an_allowed_command_with_further_parameters_is_asked_about_and_not_offered() {
    let world = world();
    world.trusts("cargo test …");
    let call =
        world.call("execute_command", json!({"command": "cargo test", "env": {"RUSTC_WRAPPER": "./x"}}));
    assert_eq!(world.asks_what(&call).allows, None);
}

// A3: what a reader beside it reads is looked up where the line runs
#[test]
fn a_reader_beside_an_allowed_command_reads_in_the_folder_of_the_call() {
    let world = world();
    world.trusts("cd web && npm test …");
    world.settings(|settings| settings.protect_read = vec!["web/notes.txt".to_owned()]);
    for path in ["notes.txt", "web/notes.txt", "web/more.txt"] {
        world.edit_outside(path, "x\n");
    }
    let in_web = |line: &str| world.call("execute_command", json!({"command": line, "cwd": "web"}));
    world.passes_as_allowed(&in_web("npm test && cat more.txt"));
    world.passes_as_allowed(&in_web("npm test && cat ../notes.txt"));
    world.asks(&in_web("npm test && cat notes.txt"));
}

// A4, D-32: the entries of a manifest, and what an older version wrote down of them
#[test]
fn an_entry_that_was_not_there_binds_nothing_by_itself() {
    let world = world();
    let entry = |path: &str, name: &str, text: Option<&str>| AllowedFile {
        path: sample::path(path),
        entry: Some(format!("scripts.{name}")),
        hash: text.map(|text| ContentHash::of(json!(text).to_string().as_bytes())),
    };
    let there = entry("web/package.json", "test", Some("vitest"));
    for (files, passes) in [
        (vec![there.clone(), entry("web/package.json", "pretest", None)], true),
        (vec![entry("web/package.json", "pretest", None)], false),
        // Another manifest binds nothing of this one.
        (vec![there, entry("api/package.json", "pretest", None)], false),
    ] {
        let command = TrustedCommand { folder: Some(sample::path("web")), ..world.written("npm test", None) };
        let terms = AllowanceTerms {
            command,
            intent: None,
            setting: None,
            files: files.clone(),
            by: HUMAN.to_owned(),
            at: world.now(),
        };
        let allowance = block_on(world.allowances.allow(&terms)).unwrap();
        let changed = block_on(world.gate.allowances().changed_since(&allowance));
        assert_eq!(changed.is_empty(), passes, "{files:?}: {changed:?}");
    }
}

#[test]
fn a_script_that_is_allowed_is_a_file_of_the_repository() {
    let world = world();
    world.edit_outside("scripts/check.sh", "exit 0\n");
    let allowances = world.gate.allowances();
    block_on(allowances.allowable(&world.written("./scripts/check.sh", None))).unwrap();
    for (there, script) in [("check.sh", "./scripts/gone.sh"), ("gone.sh", "./scripts/none.sh")] {
        // Its words name a file that is there, and it is not the script.
        world.edit_outside(there, "exit 0\n");
        match block_on(allowances.allowable(&world.written(&format!("{script} {there}"), None))) {
            Err(AllowError::Never(why)) => assert!(why.contains("is not a file of this repository"), "{why}"),
            other => panic!("{script}: {other:?}"),
        }
    }
}

#[test]
fn a_command_is_written_down_for_the_folder_that_it_moves_to() {
    let world = world();
    let folder =
        |text: &str, here: Option<&str>| world.written(text, here).folder.map(|found| found.to_string());
    assert_eq!(folder("cargo test", None), None);
    assert_eq!(folder("cargo test", Some("web")).as_deref(), Some("web"));
    assert_eq!(folder("cd src && cargo test", Some("web")).as_deref(), Some("web/src"));
    assert_eq!(folder("cd .. && cargo test", Some("web")), None);
    let out = block_on(world.gate.allowances().written_command("cd .. && cargo test", None));
    assert!(out.unwrap_err().to_string().contains("is not in the governed root"));
}

// D-42: what a check reads is of this repository alone, and it names its own program
#[test]
fn a_check_that_reads_out_of_the_repository_is_asked_about() {
    let world = world();
    assert_eq!(world.check("cat README.md"), CheckCommand::Reads);
    for line in ["cat /etc/hostname", "ls ..", "cargo --version"] {
        assert!(matches!(world.check(line), CheckCommand::Ask(_)), "{line}: {:?}", world.check(line));
    }
    world.files.add_read_root("/opt/docs");
    world.passes_unasked(&command(&world, "cat /opt/docs/a.md"));
    assert!(matches!(world.check("cat /opt/docs/a.md"), CheckCommand::Ask(_)), "agents may read it");
    let allowance = world.trusts("git fetch");
    assert_eq!(world.check("git fetch"), CheckCommand::Allowed(Box::new(allowance)));
    assert!(matches!(world.check("git fetch && cat README.md"), CheckCommand::Ask(_)));
    world.vcs.distrust("", "git runs ./evil there");
    assert_eq!(world.check("git fetch"), CheckCommand::Ask(Some("git runs ./evil there.".to_owned())));
}

/// Each line is asked about although its command is allowed.
fn are_asked(world: &World, lines: &[&str]) {
    for line in lines {
        world.asks(&command(world, line));
    }
}

// A14, D-32: a word of an allowed command is judged like a reading of what it names
#[test]
fn an_allowance_takes_no_secret_for_a_further_word() {
    let world = world();
    for path in [".env", "secrets.yaml", "a.pem", "src/a.rs", "tests/.env", "notes/a.md"] {
        world.edit_outside(path, "x\n");
    }
    for allowed in [
        "rustfmt …",
        "node --test …",
        "black …",
        "flake8 …",
        "markdownlint …",
        "prettier …",
        "git add …",
        "shellcheck …",
        "rspec …",
        "gofmt …",
        "npm test …",
        "cargo run …",
        "pytest …",
    ] {
        world.trusts(allowed);
    }
    for line in [
        "rustfmt src/a.rs",
        "prettier --check 'src/**/*.{ts,tsx}'",
        "git add -A src tests",
        "rspec spec/a_spec.rb:12",
        "npm test -- src/a.test.ts",
        "prettier --write .",
        "prettier .env.example",
        "pytest 'tests/a.py::test_b[1.5-(x)]'",
    ] {
        world.passes_as_allowed(&command(&world, line));
    }
    are_asked(
        &world,
        &[
            "rustfmt .env",
            "node --test .env",
            "black --diff tests/.env",
            "flake8 ./.env",
            "markdownlint a.pem",
            "prettier .npmrc",
            "prettier '.e*'",
            "prettier '*.pe[m]'",
            "prettier '{a,.env}'",
            "prettier 'secrets+(.)yaml'",
            "prettier '+(x::y|.env)'",
            "prettier '(a|.env)'",
            "prettier 'a|.env'",
            "prettier '.e(nv)'",
            "prettier '(.e)*'",
            "git add .env",
            "shellcheck .env",
            "rspec .env:3",
            "rspec '.env[1:2]'",
            "gofmt .env",
            "npm test -- .env",
            "pytest '.e[n]v::x'",
            "pytest '.en[v::]'",
            "cargo run -- .env",
        ],
    );
    world.settings(|settings| settings.protect_read = vec!["secrets.yaml".to_owned()]);
    world.ignore("[*] read\nnotes/\n");
    are_asked(
        &world,
        &[
            "prettier secrets.yaml",
            "prettier notes/a.md",
            "prettier 'secret(s).yaml'",
            "prettier '(notes)/a.md'",
            "prettier '(secr)*.yaml'",
        ],
    );
    world.passes_as_allowed(&command(&world, "prettier 'app/(group)/[id]/page.tsx' src/+page.svelte"));
    world.passes_as_allowed(&command(&world, "rustfmt src/a.rs"));
}

// A8: what a pattern asks for counts as if it were named
#[test]
fn an_allowance_takes_no_pattern_for_what_governs_agents() {
    let world = world();
    world.trusts("prettier …");
    are_asked(
        &world,
        &[
            "prettier --write '.orchestratio[n]/*.yaml'",
            "prettier --write '.orch*/*'",
            "prettier --write '?orchestration/*.yaml'",
            "prettier --write 'CLAUD?.md'",
            "prettier --write '.claud+(e)/settings.json'",
            "prettier --write '.claud(e)/settings.json'",
            "prettier --write '(.orch)*/*.yaml'",
        ],
    );
    world.passes_as_allowed(&command(&world, "prettier --write '**/*.yaml' 'docs/*.md'"));
}

// A14, D-32: a folder of Go's packages counts as a folder
#[test]
fn packages_of_go_are_judged_by_their_folder() {
    let world = world();
    world.trusts("go test …");
    world.settings(|settings| {
        settings.protect_read = vec!["secrets/**".to_owned()];
        settings.protect_write = vec!["infra".to_owned()];
    });
    for line in ["go test ./...", "go test -race -run TestX ./... ./pkg/..."] {
        world.passes_as_allowed(&command(&world, line));
    }
    are_asked(&world, &["go test ../...", "go test /...", "go test ./infra/..."]);
}

// D-32: the form in which agents write a message of several lines
#[test]
fn a_message_of_several_lines_is_a_text() {
    let world = world();
    world.trusts("git add …");
    world.trusts("git commit …");
    let message = "fix(api): a\n\nIt's (so), see `.env`.\n\n🤖 Generated with [x](https://x)";
    let line = format!("git add -A && git commit -m \"$(cat <<'EOF'\n{message}\nEOF\n)\" && git status");
    world.passes_as_allowed(&command(&world, &line));
    are_asked(
        &world,
        &[
            &line.replace("'EOF'", "EOF"),
            &line.replace("<<", "<<-"),
            &line.replace("\nEOF\n)", "\nEOF\ntouch out)"),
        ],
    );
    // Only to the bash of macOS it ends there.
    let open = command(&world, &line.replace("(so)", "so)\"; touch out; \""));
    if cfg!(target_os = "linux") { world.passes_as_allowed(&open) } else { drop(world.asks(&open)) }
}

// D-32: patterns of many alternatives take no time
#[test]
fn a_line_of_many_alternatives_is_asked_about_at_once() {
    let world = world();
    world.trusts("prettier …");
    let before = std::time::Instant::now();
    let words = ["'{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}/7/*'"; 60].join(" ");
    world.asks(&command(&world, &format!("prettier {words}")));
    assert!(before.elapsed().as_secs() < 10, "{:?}", before.elapsed());
    let words = ["'src/**/*.{ts,tsx,js,jsx}'"; 12].join(" ");
    world.passes_as_allowed(&command(&world, &format!("prettier {words}")));
}

#[test]
fn a_command_with_a_secret_among_its_words_cannot_be_allowed() {
    let world = world();
    let allowances = world.gate.allowances();
    for text in ["mytool check .env", "mytool --file=.env", "mytool certs/a.pem", "rustfmt .env"] {
        match block_on(allowances.allowable(&world.written(text, None))) {
            Err(AllowError::Never(why)) => assert!(why.contains("which agents do not read here"), "{why}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    for text in ["mytool check", "git commit -m 'do not print .env'", "mytool 'x *.pem'"] {
        block_on(allowances.allowable(&world.written(text, None))).unwrap();
    }
}

// A4, D-32: npx fetches what is not installed, and asks nobody where there is no terminal
#[test]
fn npx_is_covered_only_where_what_it_runs_is_installed() {
    let world = world();
    for allowed in ["npx tsc …", "npx eslint …", "npx @biomejs/biome check …", "npx mytool check"] {
        world.trusts(allowed);
    }
    world.trusts("cd web && npx tsc …");
    let lines = [
        "npx tsc --noEmit",
        "CI=1 npx tsc --noEmit",
        "npx eslint src",
        "npx @biomejs/biome check",
        "npx mytool check",
        "cd web && npx tsc",
    ];
    are_asked(&world, &lines);
    world.edit_outside("node_modules/.bin/tsc", "x\n");
    world.edit_outside("node_modules/.bin/mytool", "x\n");
    world.edit_outside("web/node_modules/.bin/eslint", "x\n");
    world.edit_outside("node_modules/@biomejs/biome/package.json", "{}\n");
    for line in [
        "npx tsc --noEmit",
        "CI=1 npx tsc",
        "npx @biomejs/biome check",
        "npx mytool check",
        "cd web && npx tsc",
    ] {
        world.passes_as_allowed(&command(&world, line));
    }
    are_asked(&world, &["npx eslint src"]);
}

// A4, D-32: Python looks for tests among all modules of the machine
#[test]
fn tests_of_python_are_modules_of_the_repository() {
    let world = world();
    for path in ["tests/test_a.py", "lib/__init__.py", "lib/b.py"] {
        world.edit_outside(path, "x = 1\n");
    }
    world.trusts("python3 -m unittest …");
    for line in [
        "python3 -m unittest",
        "python3 -m unittest -v tests/test_a.py",
        "python3 -m unittest tests.test_a lib.b.Case.test_x",
        "python3 -m unittest discover",
        "python3 -m unittest discover -s tests -p 'test_*.py'",
    ] {
        world.passes_as_allowed(&command(&world, line));
    }
    are_asked(
        &world,
        &[
            "python3 -m unittest antigravity",
            "python3 -m unittest venv.__main__ src/core/newenv",
            "python3 -m unittest tests.test_b.py",
            "python3 -m unittest discover antigravity",
            "python3 -m unittest discover -s antigravity",
        ],
    );
}

// D-32: where what is allowed does not count in a line, the question says why, once
#[test]
fn a_question_says_why_what_is_allowed_does_not_count() {
    let world = world();
    world.trusts("cargo test …");
    let reason = |line: &str| world.asks_what(&command(&world, line)).reason;
    let told = reason("cargo test | tee x");
    assert!(told.contains("What you allowed does not count in this line: `tee` is not"), "{told}");
    for line in ["cargo test > x", "make | tee x"] {
        let told = reason(line);
        assert!(!told.contains("What you allowed"), "{line}: {told}");
    }
}

// A3, D-32: behind a `;` the readers may run where a kept shell stands, which nobody knows
#[test]
fn in_a_shell_that_is_kept_the_whole_line_must_say_where_it_runs() {
    let world = World::with_shell(HostTraits { keeps_shell: true, ..HostTraits::default() });
    world.prompt();
    world.select("INT-001");
    world.edit_outside("Cargo.toml", "[workspace]\n");
    world.trusts("cargo test …");
    world.passes_as_allowed(&command(&world, "cd /repo && cargo test; ls"));
    world.passes_unasked(&command(&world, "cd src && ls"));
    let told = world.asks_what(&command(&world, "cd /repo && cargo test; ls")).reason;
    assert!(told.contains("an earlier `cd` may have left the shell"), "{told}");
    world.passes_as_allowed(&command(&world, "cd /repo && cargo test"));
}
