//! What a person asks of the ledger about code: who wrote a line, why, and where code is now (row 163).

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use super::trace::change;
use crate::world::{World, json as parsed};

const JWT: &str = "pub fn refresh(token: &str) -> Token {\n    let claims = decode(token);\n    claims.check_expiry();\n    sign(claims)\n}\n";

/// A machine on which an agent wrote two files, and the first entry's id.
fn written() -> (Machine, String) {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let jwt = change(&machine, &mut wire, "src/auth/jwt.rs", JWT);
    change(&machine, &mut wire, "src/auth/keys.rs", "pub const KEY_LENGTH_IN_BYTES: usize = 32;\n");
    wire.end();
    (machine, jwt)
}

fn numbered(count: usize) -> String {
    (0..count).map(|line| format!("use crate::part_{line};\n")).collect()
}

fn blamed(machine: &Machine, file: &str) -> Vec<Value> {
    let blame = parsed(&machine.world.ok(&["trace", "blame", "--json", file]));
    blame["lines"].as_array().unwrap().clone()
}

fn entries(lines: &[Value]) -> Vec<Option<&str>> {
    lines.iter().map(|line| line["entry"].as_str()).collect()
}

/// The word for where the entry's block is, the file, and its first line there.
fn located(machine: &Machine, entry: &str) -> (String, Value, Value) {
    let answer = parsed(&machine.world.ok(&["trace", "locate", entry, "--json"]));
    let block = &answer["blocks"][0];
    let word = block["place"].as_str().unwrap().to_owned();
    (word, block["path"].clone(), block["lines"][0]["start_line"].clone())
}

// REQ 163
#[test]
fn blame_names_the_entry_of_each_line_and_nothing_for_a_stranger() {
    let (machine, jwt) = written();
    machine.write("src/auth/jwt.rs", &format!("// by hand\n{JWT}"));
    let lines = blamed(&machine, "src/auth/jwt.rs");
    assert_eq!(entries(&lines), [None, Some(&*jwt), Some(&jwt), Some(&jwt), Some(&jwt), Some(&jwt)]);
    assert_eq!(lines[1]["certainty"], "moved", "{lines:?}");
    assert_eq!((&lines[1]["intent"], &lines[1]["requirements"]), (&json!("INT-001"), &json!(["REQ-AUTH-1"])));
    let text = machine.world.ok(&["trace", "blame", "src/auth/jwt.rs", "-L", "1,2"]);
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows.len() == 2 && rows[0].starts_with("- ") && rows[0].ends_with("// by hand"), "{text}");
    assert!(rows[1].starts_with("INT-001") && rows[1].contains("REQ-AUTH-1"), "{text}");
    assert!(rows.iter().all(|row| row.chars().count() <= 100), "{text}");
    let porcelain = machine.world.ok(&["trace", "blame", "src/auth/jwt.rs", "--porcelain"]);
    let fields: Vec<&str> = porcelain.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!((fields.len(), fields[1], fields[2], fields[6]), (9, "moved", "INT-001", &*jwt), "{fields:?}");
    assert_eq!((fields[7], &lines[1]["class"]), ("evo", &json!("INTENT_EVOLUTION")), "{fields:?}");
    let of_class = |class: &str| {
        machine.world.ok(&["trace", "blame", "src/auth/jwt.rs", "--class", class]).lines().count()
    };
    assert_eq!((of_class("evolution"), of_class("AST_REFACTOR")), (5, 0));
    let logged = |class: &str| machine.world.ok(&["trace", "log", "--class", class]).lines().count();
    assert_eq!((logged("INTENT_EVOLUTION"), logged("refactor")), (2, 0));
}

// REQ 163
#[test]
fn code_that_moved_is_still_found() {
    let (machine, jwt) = written();
    let at = |path: &str, line: usize| (json!(path), json!(line));
    let place = || {
        let (word, path, line) = located(&machine, &jwt);
        (word, (path, line))
    };
    assert_eq!(place(), ("in_place".to_owned(), at("src/auth/jwt.rs", 1)));
    machine.write("src/auth/jwt.rs", &format!("{}{JWT}", numbered(50)));
    assert_eq!(place(), ("moved".to_owned(), at("src/auth/jwt.rs", 51)));
    assert_eq!(entries(&blamed(&machine, "src/auth/jwt.rs"))[50..], [Some(&*jwt); 5]);
    machine.write("src/auth/jwt.rs", &JWT.replace('\n', "\r\n"));
    assert_eq!(place().0, "in_place", "line ends are no change");
    assert_eq!(entries(&blamed(&machine, "src/auth/jwt.rs")), [Some(&*jwt); 5]);

    std::fs::remove_file(machine.root().join("src/auth/jwt.rs")).unwrap();
    machine.write("src/auth/token.rs", JWT);
    assert_eq!(place(), ("moved_file".to_owned(), at("src/auth/token.rs", 1)), "the file was renamed");
    assert_eq!(entries(&blamed(&machine, "src/auth/token.rs")), [Some(&*jwt); 5]);
    machine.write("src/auth/token.rs", "mod other;\n");
    machine.write("src/core/main.rs", &format!("fn main() {{}}\n\n{JWT}"));
    assert_eq!(place(), ("moved_file".to_owned(), at("src/core/main.rs", 3)), "the function was moved");
    assert_eq!(blamed(&machine, "src/core/main.rs")[2]["certainty"], "from_elsewhere");
}

// REQ 163: three words say how sure an answer is
#[test]
fn where_code_is_and_what_was_changed_is_proved_likely_or_unknown() {
    let (machine, jwt) = written();
    let located = || {
        let said = machine.world.run(&["trace", "locate", &jwt, "--json"]);
        let proof = parsed(std::str::from_utf8(&said.stdout).unwrap())["blocks"][0]["proof"].clone();
        (proof, String::from_utf8(machine.world.run(&["trace", "locate", &jwt]).stdout).unwrap())
    };
    let (proof, text) = located();
    assert!(proof == "proved" && text.contains("proved, in place"), "{text}");
    machine.write("src/auth/jwt.rs", &JWT.replace("check_expiry()", "check_expiry(now)"));
    let (proof, text) = located();
    assert!(proof == "likely" && text.contains("likely, similar"), "{text}");
    machine.write("src/auth/jwt.rs", "fn main() {}\n");
    let (proof, text) = located();
    assert!(proof == "unknown" && text.contains("gone: nothing of it is there"), "{text}");
    let log = parsed(&machine.world.ok(&["trace", "log", "--json"]));
    assert_eq!(log["trust"][0]["proof"], "proved", "{log}");
    let map = parsed(&machine.world.ok(&["map", "--files", "INT-001", "--json"]));
    assert_eq!(map["rows"][0]["proof"], "proved", "{map}");
}

// REQ 163
#[test]
fn code_that_changed_is_never_called_the_same() {
    let (machine, jwt) = written();
    let indented: String = JWT.lines().map(|line| format!("        {line}\n")).collect();
    machine.write("src/auth/jwt.rs", &format!("impl Auth {{\n{indented}}}\n"));
    assert_eq!(located(&machine, &jwt).0, "reformatted");
    machine.write("src/auth/jwt.rs", &JWT.replace("check_expiry()", "check_expiry(now)"));
    assert_eq!(located(&machine, &jwt).0, "similar");
    machine.write("src/auth/jwt.rs", &format!("{JWT}mod other;\n{JWT}"));
    assert_eq!(located(&machine, &jwt).0, "in_place");
    machine.write("src/auth/jwt.rs", "fn main() {}\n");
    let gone = machine.world.run(&["trace", "locate", &jwt]);
    assert_eq!(gone.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&gone.stdout).contains("gone"), "{gone:?}");
}

// REQ 163: a file that the ledger knows by its content alone is not said to be unseen by the gate.
#[test]
fn why_names_the_entry_that_changed_a_file_without_lines() {
    let (machine, _) = written();
    let file = machine.root().join("src/auth/names.txt");
    std::fs::write(&file, b"caf\xe9 one\nline two is here\n").unwrap();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let read = json!({"path": "src/auth/names.txt"});
    wire.pre("read_file", &read);
    wire.post("read_file", &read, true);
    let params = json!({"path": "src/auth/names.txt", "old_string": "is here", "new_string": "was changed"});
    let id = wire.pre("edit_file", &params)["approvalId"].clone();
    wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
    std::fs::write(&file, b"caf\xe9 one\nline two was changed\n").unwrap();
    let recorded = wire.post("edit_file", &params, true)["traceIds"][0].clone();
    wire.end();
    let why = |words: &[&str]| {
        let output = machine.world.run(&[&["trace", "why", "src/auth/names.txt:2"], words].concat());
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    let short = recorded.as_str().unwrap().get(..8).unwrap();
    assert!(why(&[]).contains(&format!("{short} changed this file")), "{}", why(&[]));
    assert_eq!(parsed(&why(&["--json"]))["whole_file"], recorded);
}

// REQ 163: a copy in another file proves nothing where copies at home leave it open.
#[test]
fn of_equal_copies_none_is_called_the_one_that_was_written() {
    let (machine, jwt) = written();
    machine.write("src/auth/jwt.rs", &format!("// one\n{JWT}// two\n{JWT}"));
    machine.write("src/core/main.rs", &format!("fn main() {{}}\n{JWT}"));
    assert_eq!(located(&machine, &jwt), ("ambiguous".to_owned(), json!("src/auth/jwt.rs"), json!(2)));
    std::fs::remove_file(machine.root().join("src/auth/jwt.rs")).unwrap();
    machine.write("src/auth/login.rs", &format!("// one\n{JWT}// two\n{JWT}"));
    assert_eq!(located(&machine, &jwt).0, "ambiguous", "two in one file, one in another");
}

// REQ 163
#[test]
fn a_change_without_lines_is_called_what_it_was() {
    let (machine, _) = written();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let empty = change(&machine, &mut wire, "src/auth/empty.rs", "");
    wire.end();
    let text = machine.world.ok(&["trace", "locate", &empty]);
    assert!(text.contains("src/auth/empty.rs was made empty"), "{text}");
}

// REQ 163
#[test]
fn why_leads_from_a_line_to_the_approval_the_requirement_and_the_intents_reason() {
    let (machine, jwt) = written();
    machine.write(
        ".orchestration/active_intents.yaml",
        "active_intents:\n  - id: GOAL-1\n    name: Sessions survive\n    why: users are thrown out\n    status: IN_PROGRESS\n    owned_scope: [docs/]\n  - id: INT-001\n    name: Fix login timeout\n    status: IN_PROGRESS\n    parent: GOAL-1\n    owned_scope: [src/auth/]\n    requirements: [REQ-AUTH-1]\n",
    );
    let text = machine.world.ok(&["trace", "why", "src/auth/jwt.rs:3"]);
    for part in [
        "claims.check_expiry();",
        jwt.get(..8).unwrap(),
        "by dana",
        "REQ-AUTH-1",
        "INT-001 Fix login timeout (IN_PROGRESS)",
        "written under revision",
        "GOAL-1 Sessions survive (IN_PROGRESS): users are thrown out",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let value = parsed(&machine.world.ok(&["trace", "why", "src/auth/jwt.rs:3", "--json"]));
    assert_eq!(value["entry"]["id"], jwt.as_str(), "{value}");
    assert_eq!((&value["certainty"], &value["parents"][0]["id"]), (&json!("in_place"), &json!("GOAL-1")));

    let stranger = machine.world.run(&["trace", "why", "src/auth/login.rs:1"]);
    assert_eq!(stranger.status.code(), Some(1), "nobody is accused of a line that is not in the ledger");
    assert!(String::from_utf8_lossy(&stranger.stdout).contains("no entry of the ledger wrote this line"));
    for place in ["src/auth/jwt.rs:99", "/etc/passwd:1", "none.rs:1", "src/auth:1"] {
        assert_eq!(machine.world.run(&["trace", "why", place]).status.code(), Some(2), "{place}");
    }
}

// REQ 163
#[test]
fn colours_are_there_when_they_are_asked_for_and_only_then() {
    let (machine, _) = written();
    for question in [&["trace", "blame", "src/auth/jwt.rs"][..], &["trace", "why", "src/auth/jwt.rs:3"]] {
        let said = |when: &[&str]| machine.world.ok(&[question, when].concat());
        let (plain, coloured) = (said(&[]), said(&["--color", "always"]));
        assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}["), "{plain}{coloured}");
        assert_eq!(said(&["--color", "never"]), plain);
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
        assert!(plain.lines().all(|line| line.chars().count() <= 100), "{plain}");
    }
    assert_eq!(machine.world.run(&["status", "--color", "sometimes"]).status.code(), Some(2));
}

// REQ 163: what was written later covers what was there before.
#[test]
fn an_edit_takes_its_lines_and_leaves_the_others_to_the_older_entry() {
    let (machine, jwt) = written();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let read = json!({"path": "src/auth/jwt.rs"});
    wire.pre("read_file", &read);
    wire.post("read_file", &read, true);
    let text = JWT.replace("decode(token)", "decode(token, &KEY)");
    let edited = change(&machine, &mut wire, "src/auth/jwt.rs", &text);
    wire.end();
    let lines = blamed(&machine, "src/auth/jwt.rs");
    let expected = [Some(&*jwt), Some(&edited), Some(&jwt), Some(&jwt), Some(&jwt)];
    assert_eq!(entries(&lines), expected, "{lines:?}");
    assert_eq!((&lines[0]["certainty"], &lines[1]["certainty"]), (&json!("in_place"), &json!("in_place")));
    assert_eq!((&lines[0]["proof"], &lines[1]["proof"]), (&json!("proved"), &json!("proved")));
}

// REQ 138, K-19: what is exported holds nothing that the strict schema does not know.
#[test]
fn an_export_has_the_records_in_the_form_that_was_asked_for() {
    let (machine, jwt) = written();
    let stored = machine.world.ok(&["trace", "export", "--format", "json"]);
    let live = crate::world::read(&machine.private().join("ledger/live.jsonl"));
    assert_eq!(stored.trim_end(), live.trim_end(), "as it is stored");
    let strict =
        machine.world.ok(&["trace", "export", "--format", "agent-trace", "--path", "src/auth/jwt.rs"]);
    let record = parsed(&strict);
    let mut names: Vec<&String> = record.as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(names, ["files", "id", "metadata", "timestamp", "tool", "version"]);
    assert_eq!(record["id"], jwt.as_str());
    let file = &record["files"][0];
    assert_eq!(file.as_object().unwrap().keys().collect::<Vec<_>>(), ["conversations", "path"]);
    assert_eq!(
        file["conversations"][0]["related"][0],
        json!({"type": "intent", "url": "urn:intent:INT-001"})
    );
    assert!(record["metadata"]["dev.bailiwick"]["checksum"].is_string(), "the chain is kept: {record}");
    let range = file["conversations"][0]["ranges"][0].as_object().unwrap();
    assert_eq!(range.keys().collect::<Vec<_>>(), ["content_hash", "end_line", "start_line"]);
    let symbol = &record["metadata"]["dev.bailiwick"]["files"][0]["symbols"][0];
    assert_eq!((&symbol["path"], &symbol["kind"]), (&json!("refresh"), &json!("function")), "{record}");
    let schema = include_str!("../../../../adapters-fs/tests/data/agent-trace-0.1.0-strict.schema.json");
    let schema = jsonschema::options().should_validate_formats(true).build(&parsed(schema)).unwrap();
    let errors: Vec<String> = schema.iter_errors(&record).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let csv = machine.world.ok(&["trace", "export", "--format", "csv", "--intent", "INT-001"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].starts_with("entry,timestamp,intent,") && rows.len() == 3, "{csv}");
    assert!(rows[1].contains(&jwt) && rows[1].contains(",src/auth/jwt.rs,created,1,5,sha256:"), "{csv}");
    let nothing = machine.world.ok(&["trace", "export", "--format", "json", "--requirement", "REQ-NONE"]);
    assert_eq!(nothing, "");
    let file = machine.world.path("out.csv");
    machine.world.ok(&["trace", "export", "--format", "csv", "--output", file.to_str().unwrap()]);
    assert!(crate::world::read(&file).starts_with(rows[0]));
}

// REQ 6, K-44, K-48: the map is made from the ledger alone, and the same twice; it answers in both directions.
#[test]
fn the_map_has_one_row_for_each_intent_and_file() {
    let (machine, _) = written();
    let mut wire = machine.wire();
    wire.select("INT-002");
    change(&machine, &mut wire, "src/core/new.rs", "pub fn new() {}\n");
    wire.end();
    let world = &machine.world;
    world.ok(&["map"]);
    let file = machine.root().join(".orchestration/intent_map.md");
    let text = crate::world::read(&file);
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| INT")).collect();
    assert_eq!(
        rows,
        [
            "| INT-001 | src/auth/jwt.rs | refresh | REQ-AUTH-1 |  |",
            "| INT-001 | src/auth/keys.rs | KEY_LENGTH_IN_BYTES | REQ-AUTH-1 |  |",
            "| INT-002 | src/core/new.rs | new | REQ-INT-002 |  |",
        ]
    );
    world.ok(&["map"]);
    assert_eq!(crate::world::read(&file), text, "no counter, no date");
    assert!(!world.git_status().contains("intent_map"), "{}", world.git_status());
    assert!(world.ok(&["map", "--files", "INT-001"]).starts_with("src/auth/jwt.rs  refresh  REQ-AUTH-1"));
    assert!(world.ok(&["map", "--intents", "src/core"]).starts_with("INT-002  src/core/new.rs"));
    for nothing in ["src/none.rs", "src/auth/jwt.rs:sign", "src/auth/jwt.rs:ref", "src/auth:refresh"] {
        assert_eq!(world.run(&["map", "--intents", nothing]).status.code(), Some(1), "{nothing}");
    }
    let asked = parsed(&world.ok(&["map", "--json", "--intents", "src/auth/jwt.rs:refresh"]));
    assert_eq!(asked["rows"][0]["symbols"], json!(["refresh"]), "{asked}");
}

/// Asks in vain: nothing on standard output, what was looked for and what to do on standard error.
#[track_caller]
fn assert_in_vain(world: &World, words: &[&str], says: &[&str]) {
    let output = world.run(words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{words:?}: {said}");
    for part in says {
        assert!(said.contains(part), "{part} in {said}");
    }
    let words = [words, &["--json"]].concat();
    let output = world.run(&words);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &b""[..]), "{words:?}");
    assert_eq!(parsed(&String::from_utf8_lossy(&output.stdout)), json!({"rows": []}));
}

// REQ 6: a question without an answer says what was looked for, and what can be asked instead.
#[test]
fn a_question_to_the_map_without_an_answer_says_what_to_ask_instead() {
    let (machine, _) = written();
    let world = &machine.world;
    let files = |name, says: &[&str]| assert_in_vain(world, &["map", "--files", name], says);
    files("INT-404", &["under the intent `INT-404`", "changes under INT-001"]);
    files("src/auth", &["under the intent `src/auth`", "`bailiwick map --intents src/auth`"]);
    let intents = |name, says: &[&str]| assert_in_vain(world, &["map", "--intents", name], says);
    intents("src/none.rs", &["no change of `src/none.rs`", "name a file or a folder"]);
    intents("INT-001", &["no change of `INT-001`", "`bailiwick map --files INT-001`"]);
    intents("src/auth/jwt.rs:sign", &["`src/auth/jwt.rs:sign`", "`bailiwick map --intents src/auth/jwt.rs`"]);
    let empty = Machine::new();
    assert_in_vain(
        &empty.world,
        &["map", "--files", "INT-001"],
        &["no change at all yet", "bailiwick status"],
    );
}

// K-19: a table has its heading even where it has no row, so that a program that reads it finds its columns.
#[test]
fn a_table_without_a_row_has_a_heading() {
    let (machine, _) = written();
    let table = |machine: &Machine, more: &[&str]| {
        machine.world.ok(&[&["trace", "export", "--format", "csv"], more].concat())
    };
    let full = table(&machine, &[]);
    let heading = full.lines().next().unwrap();
    assert_eq!(table(&machine, &["--intent", "INT-404"]).lines().collect::<Vec<_>>(), [heading]);
    assert_eq!(table(&Machine::new(), &[]).lines().collect::<Vec<_>>(), [heading]);
}

#[test]
fn what_cannot_be_asked_says_what_to_ask_instead() {
    let (machine, _) = written();
    machine.write("src/auth/picture.rs", "\0\0");
    machine.write("src/auth/short.rs", "fn one() {}\n");
    for (words, says) in [
        (&["trace", "blame", "src/auth/gone.rs"][..], "`src/auth/gone.rs` is not there"),
        (&["trace", "blame", "src/auth"], "`src/auth` is not a file: name one file, or ask `bailiwick map"),
        (&["trace", "why", "src/auth/picture.rs:1"], "is not text: its entries are in `bailiwick trace log"),
        (&["trace", "blame", "src/auth/short.rs", "-L", "7"], "src/auth/short.rs has 1 line\n"),
        (&["trace", "locate", "ffff"], "the ledger has no entry `ffff`; `bailiwick trace log` has all"),
    ] {
        let output = machine.world.run(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{words:?}: {said}");
        assert!(said.contains(says), "{words:?}: {said}");
    }
}

// Whoever reads JSON reads it of a mistake, too
#[test]
fn what_is_typed_wrong_is_json_where_json_is_asked_for() {
    let machine = Machine::new();
    for words in [
        &["trace", "log", "--since", "banana", "--json"][..],
        &["trace", "export", "--format", "csv", "--json"],
        &["--json", "trace", "nonsense"],
    ] {
        let output = machine.world.run(words);
        let error = parsed(&String::from_utf8(output.stdout).unwrap());
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error["error"].as_str().is_some_and(|said| !said.is_empty()), "{words:?}: {error}");
        assert!(output.stderr.is_empty(), "{words:?}");
    }
}

// A table goes to other programs, which may have read enough
#[cfg(unix)]
#[test]
fn a_table_that_nobody_reads_on_is_no_error_and_holds_no_signs_for_a_terminal() {
    let machine = Machine::new();
    let mut wire = machine.wire_of("s\u{1b}[31m");
    wire.select("INT-001");
    for number in 0..60 {
        change(&machine, &mut wire, &format!("src/auth/f{number}.rs"), "fn f() {}\n");
    }
    wire.end();
    let words = ["trace", "export", "--format", "csv"];
    assert!(!machine.world.ok(&words).contains('\u{1b}'));
    let mut command = machine.world.command_in(&machine.root(), &words);
    let piped = std::process::Stdio::piped;
    let mut process = command.stdout(piped()).stderr(piped()).spawn().unwrap();
    drop(process.stdout.take());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
