//! How an answer is known: entries of a segment that anybody could have put there answer nothing until a person trusts the
//! key that signed them, or asks for what is claimed.

use std::path::Path;

use bailiwick_domain::{Value, json};

use super::machine::Machine;
use super::sealing::{bailiwick_in, git};
use super::trace::change;
use crate::world::{json as parsed, said};

const CODE: &str = "pub fn new() -> Session {\n    Session::default()\n}\n";
const FILE: &str = "src/auth/new.rs";

fn recorded() -> Machine {
    let machine = Machine::new();
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, FILE, CODE);
    wire.end();
    assert!(bailiwick_in(&machine, &machine.root(), &["trace", "seal"]).status.success());
    machine
}

/// A machine of somebody else, with a file that a person wrote, and a segment that says otherwise.
fn with_segment_of(other: &Machine) -> Machine {
    let machine = Machine::new();
    machine.write(FILE, CODE);
    let (from, to) = [other, &machine].map(|one| one.root().join(".orchestration/trace")).into();
    std::fs::create_dir_all(&to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    machine
}

fn key_of(machine: &Machine) -> String {
    parsed(&machine.world.ok(&["trace", "key", "--json"]))["own"].as_str().unwrap().to_owned()
}

fn ask(machine: &Machine, words: &[&str]) -> Value {
    let words = [words, &["--json"]].concat();
    let output = machine.world.run(&words);
    parsed(std::str::from_utf8(&output.stdout).unwrap())
}

// Issue example 3: a made-up segment about a file that a person wrote
#[test]
fn a_segment_that_nobody_vouches_for_answers_only_when_it_is_asked_for() {
    let dana = recorded();
    let machine = with_segment_of(&dana);
    let world = &machine.world;
    assert_eq!(ask(&machine, &["trace", "blame", FILE])["lines"][0]["entry"], json!(null));
    assert_eq!(ask(&machine, &["trace", "why", &format!("{FILE}:1")])["entry"], json!(null));
    assert_eq!(ask(&machine, &["trace", "log"])["entries"], json!([]));
    assert_eq!(ask(&machine, &["map", "--files", "INT-001"])["rows"], json!([]));
    let hint = said(&world.run(&["trace", "blame", FILE]));
    assert!(hint.contains("--claimed"), "{hint}");
    let claimed = ask(&machine, &["trace", "blame", FILE, "--claimed"]);
    assert_eq!(claimed["lines"][0]["trust"], "unvouched", "{claimed}");
    assert_eq!(claimed["lines"][0]["intent"], "INT-001");
    assert!(world.ok(&["trace", "blame", FILE, "--claimed"]).contains(" ! 1"));
    let log = world.ok(&["trace", "log", "--claimed"]);
    assert!(log.contains(" unknown, ") && log.contains("claimed: anybody could have written it"), "{log}");
    let map = ask(&machine, &["map", "--files", "INT-001", "--claimed"]);
    assert_eq!(map["rows"][0]["proof"], "unknown", "{map}");
    assert!(world.ok(&["map", "--files", "INT-001", "--claimed"]).contains("  unknown"));
    let id = claimed["lines"][0]["entry"].as_str().unwrap().to_owned();
    assert_eq!(ask(&machine, &["trace", "locate", &id, "--claimed"])["trust"], "unvouched");
    assert!(!world.run(&["trace", "locate", &id]).status.success());
    world.ok(&["trace", "key", "trust", &key_of(&dana), "dana"]);
    let known = ask(&machine, &["trace", "blame", FILE]);
    let line = &known["lines"][0];
    assert_eq!((&line["trust"], &line["signer"]), (&json!("signed"), &json!("dana")), "{known}");
    let porcelain = world.ok(&["trace", "blame", FILE, "--porcelain=2"]);
    let fields: Vec<&str> = porcelain.lines().next().unwrap().split('\t').collect();
    assert_eq!((fields.len(), &fields[2..5]), (11, &["signed", "dana", "INT-001"][..]), "{porcelain}");
    assert_eq!(
        world.ok(&["trace", "blame", FILE, "--porcelain"]).lines().next().unwrap().split('\t').count(),
        9
    );
    assert!(world.ok(&["trace", "why", &format!("{FILE}:1")]).contains("signed by dana"));
    assert!(world.ok(&["trace", "log"]).contains("signed by dana"));
    let log = ask(&machine, &["trace", "log"]);
    assert_eq!(log["trust"], json!([{"entry": id, "proof": "proved", "trust": "signed", "signer": "dana"}]));
    let rows = ask(&machine, &["map", "--files", "INT-001"]);
    assert_eq!(rows["rows"][0]["trust"], json!([{"trust": "signed", "signer": "dana"}]), "{rows}");
    let own = ask(&dana, &["trace", "blame", FILE]);
    assert_eq!((&own["lines"][0]["trust"], &own["lines"][0]["signer"]), (&json!("own"), &json!(null)));
}

// A claim whose lines stood there already at the commit that it names is contradicted, where that can be read
#[test]
fn a_claim_about_lines_that_stood_there_already_is_contradicted() {
    let forger = Machine::new();
    forger.write(FILE, CODE);
    git(&forger, &["add", "-A"]);
    git(&forger, &["commit", "-qm", "by a person"]);
    std::fs::remove_file(forger.root().join(FILE)).unwrap();
    let mut wire = forger.wire();
    wire.select("INT-001");
    change(&forger, &mut wire, FILE, CODE);
    wire.end();
    assert!(bailiwick_in(&forger, &forger.root(), &["trace", "seal"]).status.success());
    let machine = with_segment_of(&forger);
    let ask_git = |words: &[&str]| {
        let output = bailiwick_in(&machine, &machine.root(), words);
        String::from_utf8(output.stdout).unwrap()
    };
    let log = parsed(&ask_git(&["trace", "log", "--claimed", "--json"]));
    assert_eq!(
        (&log["trust"][0]["trust"], &log["trust"][0]["contradicted"]),
        (&json!("unvouched"), &json!(null))
    );
    let from = forger.root().display().to_string();
    git(&machine, &["fetch", "-q", &from, "HEAD"]);
    let log = parsed(&ask_git(&["trace", "log", "--claimed", "--json"]));
    assert_eq!(log["trust"][0]["contradicted"]["path"], FILE, "{log}");
    let id = log["trust"][0]["entry"].as_str().unwrap();
    for words in [&["trace", "log", "--claimed"][..], &["trace", "show", id, "--claimed"]] {
        let said = ask_git(words);
        assert!(said.contains("had these lines already at commit"), "{said}");
    }
    assert!(
        !parsed(&ask_git(&["trace", "verify", "--json"]))["findings"].to_string().contains("alarm"),
        "it is no alarm"
    );
    contradicted_in_every_answer(&machine, id);
    machine.world.ok(&["trace", "key", "trust", &key_of(&forger), "dana"]);
    let log = parsed(&ask_git(&["trace", "log", "--json"]));
    assert_eq!(log["trust"][0]["contradicted"], json!(null), "nor said of what somebody vouches for");
}

/// Every question that a contradicted claim answers says so.
fn contradicted_in_every_answer(machine: &Machine, id: &str) {
    let answer = |words: &[&str]| {
        let output = bailiwick_in(machine, &machine.root(), &[words, &["--claimed"]].concat());
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        (text, said(&output))
    };
    let as_json = |words: &[&str]| parsed(&answer(&[words, &["--json"]].concat()).0);
    let stood = "had these lines already at commit";
    let place = format!("{FILE}:1");
    let line = &as_json(&["trace", "blame", FILE])["lines"][0];
    assert_eq!((&line["certainty"], &line["proof"]), (&json!("contradicted"), &json!("unknown")), "{line}");
    assert_eq!((&line["trust"], &line["contradicted"]["path"]), (&json!("unvouched"), &json!(FILE)));
    let (rows, all) = answer(&["trace", "blame", FILE]);
    assert!(rows.contains(" x 1  pub fn new") && all.contains(stood), "{all}");
    let porcelain = answer(&["trace", "blame", FILE, "--porcelain=2"]).0;
    let fields: Vec<&str> = porcelain.lines().next().unwrap().split('\t').collect();
    assert_eq!(fields[..3], ["1", "contradicted", "unvouched"], "{porcelain}");
    let why = as_json(&["trace", "why", &place]);
    assert_eq!((&why["certainty"], &why["proof"]), (&json!("contradicted"), &json!("unknown")), "{why}");
    assert_eq!(why["contradicted"]["path"], FILE);
    let (text, _) = answer(&["trace", "why", &place]);
    assert!(text.contains(&format!("contradicted: {FILE} {stood}")), "{text}");
    let located = as_json(&["trace", "locate", id]);
    let block = &located["blocks"][0];
    assert_eq!((&block["place"], &block["proof"]), (&json!("in_place"), &json!("unknown")), "{located}");
    assert_eq!(located["contradicted"]["path"], FILE);
    let (text, _) = answer(&["trace", "locate", id]);
    assert!(text.contains(&format!("contradicted: {FILE} {stood}")), "{text}");
    let map = as_json(&["map", "--intents", FILE]);
    assert_eq!(map["rows"][0]["contradicted"]["path"], FILE, "{map}");
    assert!(answer(&["map", "--files", "INT-001"]).0.contains("  contradicted"));
}

fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_all(&from, &to);
        } else {
            std::fs::copy(&from, &to).unwrap();
        }
    }
}

/// Puts the segments of the one in the place of those of the other.
fn with_segments_anew(from: &Machine, to: &Machine) {
    let [from, to] = [from, to].map(|one| one.root().join(".orchestration/trace"));
    std::fs::remove_dir_all(&to).unwrap();
    copy_all(&from, &to);
}

// A signed head that was seen here: every answer looks at it
#[test]
fn answers_say_where_a_ledger_departs_from_the_head_that_was_seen() {
    let dana = recorded();
    let next = |path: &str| {
        let mut wire = dana.wire();
        wire.select("INT-001");
        change(&dana, &mut wire, path, CODE);
        wire.end();
        assert!(bailiwick_in(&dana, &dana.root(), &["trace", "seal"]).status.success());
    };
    let (ledger, witness) = (dana.private().join("ledger"), dana.state().join("witness"));
    let before = dana.world.path("before");
    copy_all(&ledger, &before.join("ledger"));
    copy_all(&witness, &before.join("witness"));
    let sealed = dana.world.path("sealed");
    copy_all(&dana.root().join(".orchestration/trace"), &sealed);
    next("src/auth/one.rs");
    let machine = with_segment_of(&dana);
    machine.world.ok(&["trace", "key", "trust", &key_of(&dana), "dana"]);
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "start"]);
    let ask_all = || {
        let id = ask(&machine, &["trace", "log"])["entries"][0]["id"].as_str().unwrap().to_owned();
        let place = format!("{FILE}:1");
        let asked = [
            vec!["trace", "log"],
            vec!["trace", "blame", FILE],
            vec!["trace", "why", &place],
            vec!["trace", "locate", &id],
            vec!["map", "--intents", FILE],
            vec!["audit"],
        ];
        let asked = asked.map(|words| {
            let output = bailiwick_in(&machine, &machine.root(), &[&words[..], &["--json"]].concat());
            let answer = parsed(std::str::from_utf8(&output.stdout).unwrap());
            (answer["findings"].clone(), said(&bailiwick_in(&machine, &machine.root(), &words)))
        });
        let export = bailiwick_in(&machine, &machine.root(), &["trace", "export", "--format", "json"]);
        (asked, said(&export))
    };
    machine.world.ok(&["trace", "verify"]);
    assert!(ask_all().0.iter().all(|(findings, _)| *findings == json!(null)), "{:?}", ask_all());
    // The same hand wrote another entry in the place of the newest: a stolen key, or a ledger that was put back.
    for (from, to) in [("ledger", &ledger), ("witness", &witness)] {
        std::fs::remove_dir_all(to).unwrap();
        copy_all(&before.join(from), to);
    }
    std::fs::remove_dir_all(dana.root().join(".orchestration/trace")).unwrap();
    copy_all(&sealed, &dana.root().join(".orchestration/trace"));
    next("src/auth/two.rs");
    with_segments_anew(&dana, &machine);
    let sentence = "is not the one that was seen here before, signed";
    let (asked, export) = ask_all();
    for (findings, text) in &asked {
        assert_eq!(findings[0]["kind"], "rechained", "{findings}: {text}");
        assert!(text.contains(sentence), "{text}");
    }
    assert!(export.contains(sentence), "{export}");
    let verified = ask(&machine, &["trace", "verify"])["findings"].to_string();
    assert!(verified.contains(sentence), "{verified}");
    assert_eq!(
        ask(&machine, &["trace", "blame", FILE])["lines"][0]["trust"],
        "signed",
        "of the entry itself"
    );
}

// What is hidden is not called missing, and there is a way to see it
#[test]
fn where_nobody_is_trusted_an_empty_answer_says_that_entries_are_hidden() {
    let dana = recorded();
    let machine = with_segment_of(&dana);
    let world = &machine.world;
    for words in [&["trace", "log"][..], &["trace", "log", "--intent", "INT-001"]] {
        let text = said(&world.run(words));
        assert!(!text.contains("nothing yet") && !text.contains("without a filter"), "{text}");
        for part in ["no entry that you recorded", "`--claimed`", "`bailiwick trace key trust`"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let id = ask(&machine, &["trace", "log", "--claimed"])["entries"][0]["id"].as_str().unwrap().to_owned();
    for command in ["show", "locate"] {
        let output = world.run(&["trace", command, &id]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(!text.contains("has all of them"), "{text}");
        assert!(text.contains("`--claimed`") && text.contains("`bailiwick trace key trust`"), "{text}");
        assert!(world.run(&["trace", command, &id, "--claimed"]).status.success());
        assert!(
            said(&world.run(&["trace", command, "zzzz"])).contains("`bailiwick trace log` has all of them")
        );
    }
}

// Keys in the settings are a proposal; CI names its own
#[test]
fn keys_count_after_a_person_took_them_or_ci_named_them() {
    let dana = recorded();
    let machine = with_segment_of(&dana);
    let key = key_of(&dana);
    let strict = |more: &[&str]| {
        let words = [&["trace", "verify", "--strict"][..], more].concat();
        bailiwick_in(&machine, &machine.root(), &words).status.success()
    };
    assert!(!strict(&[]), "its key is not known");
    machine.write(".orchestration/config.yaml", &format!("trace:\n  keys: [\"{key} dana\"]\n"));
    assert!(!strict(&[]), "a proposal of the tree changes nothing");
    let refused = machine.world.run(&["trace", "key", "trust", "--from-config"]);
    assert!(!refused.status.success(), "{}", said(&refused));
    let keys = machine.world.path("keys");
    std::fs::write(&keys, format!("# of the team\n{key} dana\n")).unwrap();
    assert!(strict(&["--keys", keys.to_str().unwrap()]));
    std::fs::write(&keys, "nobody\n").unwrap();
    assert!(!strict(&["--keys", keys.to_str().unwrap()]));
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "keys"]);
    machine.write(".orchestration/config.yaml", "trace:\n  keys: []\n");
    assert!(strict(&["--keys-at", "HEAD"]));
    assert!(!strict(&["--keys-at", "nothing"]));
    machine.write(".orchestration/config.yaml", &format!("trace:\n  keys: [\"{key} dana\"]\n"));
    assert!(machine.typed(&["trace", "key", "trust", "--from-config"], "n\n").status.success());
    assert!(!strict(&[]), "a no is a no");
    assert!(machine.typed(&["trace", "key", "trust", "--from-config"], "y\n").status.success());
    assert!(strict(&[]));
    machine.world.ok(&["trace", "key", "forget", "dana"]);
    assert!(bailiwick_in(&machine, &machine.root(), &["trace", "verify"]).status.success(), "and no alarm");
}

// Lost, rotated and stolen
#[test]
fn what_happened_to_a_key_is_a_command() {
    let dana = recorded();
    let first = key_of(&dana);
    let note = dana.world.ok(&["trace", "checkpoint"]);
    dana.world.ok(&["trace", "key", "rotate", "dana before"]);
    let second = key_of(&dana);
    assert_ne!(first, second);
    assert!(dana.world.ok(&["trace", "key"]).contains("dana before"));
    let machine = with_segment_of(&dana);
    let world = &machine.world;
    let file = world.path("then.checkpoint");
    std::fs::write(&file, note).unwrap();
    world.ok(&["trace", "key", "trust", &first, "dana"]);
    let until = ["trace", "key", "stolen", &first, "--until", file.to_str().unwrap()];
    assert!(world.ok(&until).contains("1 entry"));
    assert_eq!(ask(&machine, &["trace", "blame", FILE])["lines"][0]["signer"], "dana");
    assert!(world.ok(&["trace", "key", "stolen", &first]).contains("0 entries"));
    assert_eq!(ask(&machine, &["trace", "blame", FILE])["lines"][0]["entry"], json!(null));
    assert!(world.ok(&["trace", "key"]).contains("dana, stolen"));
    assert!(!world.run(&["trace", "key", "stolen", &second]).status.success(), "nobody's here");
    assert!(
        !dana.world.run(&["trace", "key", "stolen", &second]).status.success(),
        "one's own is rotated first"
    );
    assert!(!world.run(&["trace", "key", "lost", &first, "dana"]).status.success(), "it is stolen");
    world.ok(&["trace", "key", "forget", "dana"]);
    world.ok(&["trace", "key", "lost", &first, "dana"]);
    assert_eq!(ask(&machine, &["trace", "blame", FILE])["lines"][0]["signer"], "dana");
}
