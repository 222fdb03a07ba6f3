//! `bailiwick intent import`: what it writes for each fixture, who may run it, what an agent may do then, and what another
//! import does to a file that a person edited.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_domain::{Value, json};

use super::machine::{Machine, fed};
use crate::world::{World, json as parsed, read, said};

const FILE: &str = ".orchestration/active_intents.yaml";
const SPEC: &str = "specs/001-photo-albums/spec.md";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters-specs/tests/fixtures").join(name)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

/// A governed repository with the specs of a fixture.
fn world(name: &str) -> World {
    let world = World::new();
    world.ok(&["init"]);
    copy(&fixture(name), &world.root());
    world
}

fn machine(name: &str) -> Machine {
    let machine = Machine::new();
    copy(&fixture(name), &machine.root());
    machine
}

fn intents(world: &World) -> String {
    read(&world.root().join(FILE))
}

fn run(world: &World, words: &[&str]) -> (Option<i32>, String) {
    let output = world.run(words);
    (output.status.code(), said(&output))
}

/// Changes a file of the specs.
#[track_caller]
fn change(world: &World, name: &str, from: &str, to: &str) {
    let path = world.root().join(name);
    let text = read(&path);
    assert!(text.contains(from), "{name} does not say {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// The list of the file, hashes taken out.
fn listed(world: &World) -> String {
    let text = intents(world);
    let list = text.split_once("active_intents:\n").map(|(_, list)| list.to_owned()).unwrap_or_default();
    let is_hash =
        |line: &&str| !line.trim_start().starts_with("sha256:") && !line.trim_start().starts_with("seen:");
    list.lines().filter(is_hash).fold(String::new(), |out, line| out + line + "\n")
}

// REQ 7: each fixture becomes valid intents; another import writes nothing, and a dry run never does
#[test]
fn req_007_each_kind_of_specs_becomes_valid_intents() {
    for entry in fs::read_dir(fixture("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let world = world(&name);
        let fresh = intents(&world);
        let (code, shown) = run(&world, &["intent", "import", "--dry-run"]);
        assert_eq!(code, Some(0), "{name}: {shown}");
        assert!(
            shown.contains("Nothing was written.") && shown.contains("+active_intents:"),
            "{name}: {shown}"
        );
        assert_eq!(intents(&world), fresh, "{name}: a dry run writes nothing");
        let told = world.ok(&["intent", "import"]);
        insta::assert_snapshot!(format!("import-{name}"), format!("{told}---\n{}", listed(&world)));
        let (code, checked) = run(&world, &["intent", "check", "--level", "1"]);
        assert_eq!(code, Some(0), "{name}: {checked}");
        let written = intents(&world);
        let again = world.ok(&["intent", "import"]);
        assert!(again.contains("says all of this already"), "{name}: {again}");
        assert_eq!(intents(&world), written, "{name}: the same specs write nothing");
        assert!(world.ok(&["intent", "fmt", "--check"]).contains("is formatted"), "{name}");
    }
}

// REQ 7, K-30: the command is a person's
#[test]
fn req_007_no_agent_imports() {
    let machine = machine("speckit-albums");
    let before = intents(&machine.world);
    for words in [&["intent", "import"][..], &["intent", "import", "speckit", ".", "--dry-run"]] {
        let mut below = machine.world.command_in(&machine.root(), words);
        let output = below.env("CLAUDECODE", "1").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("CLAUDECODE is set"), "{}", said(&output));
    }
    let command = json!({"command": "bailiwick intent import speckit ."});
    machine.select("INT-001");
    machine.hook(&machine.pre("b1", "Bash", &command)).denied();
    assert_eq!(intents(&machine.world), before);
}

// REQ 7, D-01: what is proposed lets nobody change anything, until a person has seen what it owns and says yes
#[test]
fn req_007_a_proposed_scope_counts_for_nothing_until_a_person_accepts_it() {
    let machine = machine("speckit-albums");
    machine.write("app/albums/store.ts", "export {}\n");
    machine.world.ok(&["intent", "import"]);
    machine.select("SPEC-001-US1");
    let refused = machine.hook(&machine.write_call("w1", "app/albums/store.ts")).denied();
    assert!(["NO_SCOPE", "SCOPE_VIOLATION"].contains(&refused["code"].as_str().unwrap()), "{refused}");
    let shown = machine.world.ok(&["intent", "show", "SPEC-001-US1"]);
    assert!(shown.contains("proposed  app/albums/store.ts"), "{shown}");
    let alone = machine.world.run(&["intent", "accept", "SPEC-001-US1"]);
    assert_eq!(alone.status.code(), Some(2), "{}", said(&alone));
    let before = intents(&machine.world);
    let no = said(&machine.typed(&["intent", "accept", "SPEC-001-US1"], "n\n"));
    assert!(no.contains("matches 1 of") && no.contains("app/albums/store.ts"), "{no}");
    assert_eq!(intents(&machine.world), before);
    let yes = machine.typed(&["intent", "accept", "SPEC-001-US1"], "y\n");
    assert_eq!(yes.status.code(), Some(0), "{}", said(&yes));
    let text = intents(&machine.world);
    let item = text.split("- id: ").find(|item| item.starts_with("SPEC-001-US1\n")).unwrap();
    assert!(
        item.contains("    owned_scope:\n      - tests/albums/make.test.ts\n      - app/albums/store.ts\n"),
        "{item}"
    );
    assert!(!item.contains("proposed_scope"), "{item}");
    assert!(!machine.world.ok(&["intent", "show", "SPEC-001-US1"]).contains("intent accept"));
    machine.select("SPEC-001-US1");
    let asked = machine.hook(&machine.write_call("w2", "app/albums/store.ts"));
    assert!(!asked.stdout.contains("SCOPE_VIOLATION") && !asked.stdout.contains("NO_SCOPE"), "{asked:?}");
    let outside = machine.hook(&machine.write_call("w3", "app/albums/list.ts")).denied();
    assert_eq!(outside["code"], "SCOPE_VIOLATION", "{outside}");
    machine.world.ok(&["intent", "import"]);
    assert_eq!(intents(&machine.world), text, "what was accepted is no news");
}

// REQ 7, D-01, D-31: a person accepts other patterns, and a broad scope takes a second word
#[test]
fn req_007_a_person_narrows_a_proposal_and_a_broad_one_takes_a_second_word() {
    let machine = machine("speckit-albums");
    for number in 0..30 {
        machine.write(&format!("app/albums/more/{number}.ts"), "\n");
    }
    machine.world.ok(&["intent", "import"]);
    let words = ["intent", "accept", "SPEC-001-SHARED", "--scope", "app/"];
    let one = said(&machine.typed(&words, "y\nno\n"));
    assert!(one.contains("broad"), "{one}");
    assert!(intents(&machine.world).contains("app/shell/main.ts"), "nothing was written");
    let two = machine.typed(&words, "y\nbroad\n");
    assert_eq!(two.status.code(), Some(0), "{}", said(&two));
    let shown = machine.world.ok(&["intent", "show", "SPEC-001-SHARED"]);
    assert!(shown.contains("scope     app/") && !shown.contains("proposed"), "{shown}");
}

// REQ 7: another import changes what changed, keeps what a person wrote, and marks what is gone
#[test]
fn req_007_another_import_keeps_what_a_person_wrote() {
    let machine = machine("speckit-albums");
    let world = &machine.world;
    world.ok(&["intent", "import"]);
    let edited = intents(world)
        .replace("    name: Make an album\n", "    name: Make one album  # shorter\n")
        .replace(
            "      - \"Given no album, When the person names one, Then it is in the list\"\n",
            "      # checked\n      - text: \"Given no album, When the person names one, Then it is in the list\"\n        check: {run: npm test}\n",
        );
    fs::write(world.root().join(FILE), &edited).unwrap();
    assert!(world.ok(&["intent", "import"]).contains("says all of this already"));
    assert_eq!(intents(world), edited);
    change(world, SPEC, "User Story 1 - Make an album", "User Story 1 - Create an album");
    change(world, SPEC, "list albums by date", "list albums by name");
    change(world, SPEC, "- FR-004: Thumbnails may be made later\n", "");
    change(
        world,
        SPEC,
        "### User Story 2 - Move albums around (Priority: P2)",
        "### User Story 2 - Sort (Priority: P1)",
    );
    let shown = world.ok(&["intent", "import", "--dry-run"]);
    for part in [
        "kept      SPEC-001-US1  name: yours stays; the specs say: Create an album",
        "changed   SPEC-001  REQ-001-FR-002: The app MUST list albums by date → The app MUST list albums by name",
        "vanished  SPEC-001  REQ-001-FR-004 is no longer in the specs; it is marked, and stays",
        "changed   SPEC-001-US2  name: Move albums around → Sort",
        "changed   SPEC-001-US2  priority: P2 → P1",
        "+        vanished: true",
    ] {
        assert!(shown.contains(part), "{part}\nis not in\n{shown}");
    }
    assert_eq!(intents(world), edited);
    world.ok(&["intent", "import"]);
    let after = intents(world);
    let own =
        ["    name: Make one album  # shorter\n", "      # checked\n", "        check: {run: npm test}\n"];
    assert!(own.iter().all(|line| after.contains(line)), "{after}");
    let of = |text: &str, start: &str| {
        text.split("  - id: ").find(|item| item.starts_with(start)).unwrap().to_owned()
    };
    assert_eq!(of(&after, "INT-001\n"), of(&edited, "INT-001\n"));
    assert_eq!(of(&after, "SPEC-CONSTITUTION\n"), of(&edited, "SPEC-CONSTITUTION\n"));
    assert!(world.ok(&["intent", "import"]).contains("says all of this already"));
    fs::remove_dir_all(world.root().join("specs/001-photo-albums")).unwrap();
    machine.write("specs/002-next/spec.md", "# Next\n\nMore.\n");
    let told = world.ok(&["intent", "import"]);
    assert!(
        told.contains("vanished  SPEC-001  is no longer in the specs; it is marked, and stays"),
        "{told}"
    );
    assert!(world.ok(&["intent", "show", "SPEC-001"]).contains("it is no longer in the specs"));
}

// REQ 7, D-18: a requirement that says something else is another revision of each intent that serves it
#[test]
fn req_007_a_changed_requirement_is_a_new_revision() {
    let machine = machine("speckit-albums");
    machine.world.ok(&["intent", "import"]);
    machine.typed(&["intent", "accept", "SPEC-001-US1"], "y\n");
    let revision = || {
        let shown: Value = parsed(&machine.world.ok(&["intent", "show", "SPEC-001-US1", "--json"]));
        (shown["revision"].clone(), shown["wording"].clone())
    };
    let (before, says) = revision();
    assert_eq!(
        says[0],
        "REQ-001-FR-001: The app MUST let people make albums; with a name of 1 to 80 letters"
    );
    change(&machine.world, SPEC, "1 to 80 letters", "1 to 40 letters");
    machine.world.ok(&["intent", "import"]);
    assert_ne!(revision().0, before);
    assert!(
        machine.world.ok(&["intent", "show", "SPEC-001-US1"]).contains("not accepted on this machine yet")
    );
    let shown = said(&machine.typed(&["intent", "accept", "SPEC-001-US1"], "n\n"));
    assert!(shown.contains("1 to 40 letters"), "{shown}");
}

// REQ 7: the kind is found out, or asked for
#[test]
fn req_007_the_kind_is_found_out_or_asked_for() {
    let world = World::new();
    world.ok(&["init"]);
    let (code, text) = run(&world, &["intent", "import"]);
    assert_eq!(code, Some(1), "{text}");
    for part in
        ["there are no specs in `.`", "specs/*/spec.md (spec-kit)", ".kiro/specs/*/requirements.md (Kiro)"]
    {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    copy(&fixture("kiro-bugfix"), &world.root());
    assert!(world.ok(&["intent", "import", "--dry-run"]).contains("These are specs of Kiro"));
    let (code, text) = run(&world, &["intent", "import", "speckit"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("there are no specs of spec-kit") && text.contains("there are those of Kiro"),
        "{text}"
    );
    copy(&fixture("openspec-refactor"), &world.root());
    let (code, text) = run(&world, &["intent", "import"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("`bailiwick intent import openspec .` or `bailiwick intent import kiro .`"),
        "{text}"
    );
    assert!(world.ok(&["intent", "import", "kiro"]).contains("1 intent added"));
    let (code, text) = run(&world, &["intent", "import", "cursor", "."]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("say speckit, openspec or kiro"), "{text}");
    let (code, text) = run(&world, &["intent", "import", "nowhere"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("there is no folder `nowhere`"), "{text}");
}

// REQ 7: one spec of many, a project in a folder, a project elsewhere
#[test]
fn req_007_a_part_of_a_project_and_a_project_elsewhere() {
    let world = world("speckit-same-number");
    let told = world.ok(&["intent", "import", ".specify/specs/004-a", "--dry-run"]);
    assert!(told.contains("SPEC-004") && !told.contains("Part b"), "{told}");
    world.ok(&["intent", "import"]);
    fs::remove_dir_all(world.root().join(".specify/specs/004-b")).unwrap();
    let told = world.ok(&["intent", "import", "speckit", ".specify/specs/004-a"]);
    assert!(told.contains("says all of this already"), "only what was looked for can be gone: {told}");
    copy(&fixture("speckit-albums"), &world.root().join("packages/photos"));
    let told = world.ok(&["intent", "import", "packages/photos"]);
    assert!(told.contains("5 intents added") && !told.contains("vanished"), "{told}");
    let text = intents(&world);
    assert!(text.contains("path: packages/photos/specs/001-photo-albums/spec.md"), "{text}");
    assert!(text.contains("- packages/photos/app/albums/store.ts"), "{text}");
    let outside = tempfile::tempdir().unwrap();
    let project = outside.path().join("photos");
    copy(&fixture("kiro-bugfix"), &project);
    let told = world.ok(&["intent", "import", &project.display().to_string()]);
    assert!(told.contains("1 intent added") && !told.contains("vanished"), "{told}");
    assert!(intents(&world).contains("path: photos/.kiro/specs/crash-on-empty/bugfix.md"));
}

// REQ 7: one spec of a kind whose folder holds `specs` itself
#[test]
fn req_007_one_spec_is_imported_by_its_path() {
    for (name, path) in [
        ("openspec-accounts", "openspec/specs/accounts/spec.md"),
        ("openspec-accounts", "openspec/changes/add-second-factor/proposal.md"),
        ("kiro-login", ".kiro/specs/user-login/requirements.md"),
        ("speckit-same-number", ".specify/specs/004-a/spec.md"),
    ] {
        let world = world(name);
        for part in [path, path.rsplit_once('/').unwrap().0] {
            let told = world.ok(&["intent", "import", part]);
            assert!(!told.contains("vanished"), "{told}");
            let text = intents(&world).replace('"', "");
            assert!(text.contains(&format!("      path: {path}\n")), "{part}: {text}");
            assert!(!text.contains("- .specify/"), "{text}");
        }
    }
}

// REQ 7: a change that is archived is done
#[test]
fn req_007_an_archived_change_is_to_be_closed() {
    let world = world("openspec-accounts");
    world.ok(&["intent", "import"]);
    let changes = world.root().join("openspec/changes");
    fs::create_dir_all(changes.join("archive")).unwrap();
    fs::rename(changes.join("add-second-factor"), changes.join("archive/2026-01-02-add-second-factor"))
        .unwrap();
    let told = world.ok(&["intent", "import"]);
    let line = "archived  CHANGE-add-second-factor  is archived; close it: bailiwick intent close CHANGE-add-second-factor";
    assert!(told.contains(line) && !told.contains("vanished"), "{told}");
    assert!(world.ok(&["intent", "import"]).contains("says all of this already"));
}

// REQ 7: specs whose work is done say so
#[test]
fn req_007_ticked_tasks_are_counted() {
    let world = world("kiro-bugfix");
    change(&world, ".kiro/specs/crash-on-empty/tasks.md", "- [ ]", "- [x]");
    let told = world.ok(&["intent", "import"]);
    assert!(told.contains("1 of 1 tasks are ticked"), "{told}");
}

// REQ 7, D-01: a bare name is proposed only where it is one file
#[test]
fn req_007_a_bare_name_is_proposed_where_it_is_one_file() {
    let machine = machine("kiro-bugfix");
    let tasks = "- [ ] 1. Change `one.ts`, `two.ts`, `none.ts` and `root.ts`\n";
    machine.write(".kiro/specs/crash-on-empty/tasks.md", tasks);
    for name in ["src/one.ts", "a/two.ts", "b/two.ts", "root.ts", "a/root.ts"] {
        machine.write(name, "\n");
    }
    let told = machine.world.ok(&["intent", "import"]);
    let text = intents(&machine.world);
    assert!(text.contains("proposed_scope:\n      - src/one.ts\n      - root.ts\n"), "{text}");
    for part in [
        "`two.ts` is not proposed for SPEC-crash-on-empty: 2 files have this name; name its folder",
        "`none.ts` is not proposed for SPEC-crash-on-empty: no file has this name; name its folder",
    ] {
        assert!(told.contains(part), "{told}");
    }
}

// REQ 7: links that lead out, huge files and files that are no text are left out, and said
#[test]
fn req_007_what_leads_out_or_is_no_text_is_left_out_and_said() {
    let world = world("speckit-albums");
    let secret = tempfile::tempdir().unwrap();
    fs::write(secret.path().join("spec.md"), "# Secret\n\n- **FR-001**: x MUST y\n").unwrap();
    let specs = world.root().join("specs");
    std::os::unix::fs::symlink(secret.path(), specs.join("002-link")).unwrap();
    for (name, bytes) in [("003-huge", vec![b'x'; (1 << 20) + 1]), ("004-bytes", vec![0xff, 0xfe, 0x00])] {
        fs::create_dir(specs.join(name)).unwrap();
        fs::write(specs.join(name).join("spec.md"), bytes).unwrap();
    }
    fs::create_dir(specs.join("005-file-link")).unwrap();
    std::os::unix::fs::symlink(secret.path().join("spec.md"), specs.join("005-file-link/spec.md")).unwrap();
    fs::create_dir(specs.join("006-pipe")).unwrap();
    assert!(
        std::process::Command::new("mkfifo").arg(specs.join("006-pipe/spec.md")).status().unwrap().success()
    );
    let told = world.ok(&["intent", "import"]);
    for part in [
        "left out  specs/003-huge/spec.md: it is larger than 1024 KiB",
        "left out  specs/004-bytes/spec.md: it is not UTF-8",
        "left out  specs/005-file-link/spec.md: it is no file, or a link that leads elsewhere",
        "left out  specs/006-pipe/spec.md: it is no file, or a link that leads elsewhere",
    ] {
        assert!(told.contains(part), "{part}\nis not in\n{told}");
    }
    assert!(!intents(&world).contains("Secret"));
    fs::write(world.root().join(SPEC), [0xff]).unwrap();
    let told = world.ok(&["intent", "import"]);
    assert!(!told.contains("vanished"), "a file that cannot be read is not gone: {told}");
}

// REQ 7: programs read what happened
#[test]
fn req_007_an_import_speaks_json() {
    let world = world("kiro-login");
    let out = |words: &[&str]| -> Value { parsed(&String::from_utf8(world.run(words).stdout).unwrap()) };
    let dry = out(&["intent", "import", "--dry-run", "--json"]);
    assert_eq!((&dry["tool"], &dry["written"]), (&json!("kiro"), &json!(false)));
    let done = out(&["intent", "import", "--json"]);
    assert_eq!(
        (&done["written"], &done["requirements"], &done["questions"]),
        (&json!(true), &json!(5), &json!(1))
    );
    assert_eq!(
        done["changes"][0],
        json!({"intent": "SPEC-STEERING", "what": "new", "field": null, "was": null, "now": "Steering"})
    );
    let again = out(&["intent", "import", "--json"]);
    assert_eq!(
        (&again["changes"], &again["written"], &again["diff"]),
        (&json!([]), &json!(false), &json!(""))
    );
}

// REQ 7: a person who reads an intent sees all of it
#[test]
fn req_007_an_imported_intent_is_shown_whole() {
    let world = world("kiro-login");
    world.ok(&["intent", "import"]);
    let page = world.ok(&["intent", "show", "SPEC-user-login", "--md"]);
    assert!(page.contains("- REQ-user-login-1.1: WHEN a customer"), "{page}");
    assert!(page.contains("(MUST, `.kiro/specs/user-login/requirements.md:19`)"), "{page}");
    let page = world.ok(&["intent", "show", "SPEC-user-login-R2", "--md"]);
    assert!(
        page.contains("## Questions\n\n- keep it longer? (.kiro/specs/user-login/requirements.md:30)"),
        "{page}"
    );
    assert!(page.contains("- proposed, not accepted: `src/login/session.ts`"), "{page}");
    let shown = world.ok(&["intent", "show", "SPEC-user-login-R2"]);
    for part in [
        "question  keep it longer?",
        "source    .kiro/specs/user-login/requirements.md:23-30",
        "serves    REQ-user-login-2.1: WHEN",
    ] {
        assert!(shown.contains(part), "{part}\nis not in\n{shown}");
    }
}

// REQ 7, K-30: an import never opens what nobody may work under
#[test]
fn req_007_an_intent_with_an_open_question_cannot_be_selected() {
    let machine = machine("kiro-login");
    machine.world.ok(&["intent", "import"]);
    let command =
        json!({"command": "bailiwick tool select_active_intent '{\"intent_id\":\"SPEC-user-login-R2\"}'"});
    let answer = machine.hook(&machine.pre("select", "Bash", &command));
    assert!(answer.stdout.contains("BLOCKED"), "{answer:?}");
    let accepted = fed(&mut machine.terminal(&["intent", "accept", "SPEC-user-login-R2"]), b"y\n");
    assert!(said(&accepted).contains("It stays BLOCKED"), "{}", said(&accepted));
    change(
        &machine.world,
        ".kiro/specs/user-login/requirements.md",
        "SHOULD [NEEDS CLARIFICATION: keep it longer?]",
        "SHOULD last",
    );
    let told = machine.world.ok(&["intent", "import"]);
    assert!(told.contains("changed   SPEC-user-login-R2  status: BLOCKED → PENDING"), "{told}");
    machine.select("SPEC-user-login-R2");
}
