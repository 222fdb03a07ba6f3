//! Signed entries, from the setting to what a person is told (row 146).

use bailiwick_domain::json;

use super::machine::Machine;
use super::sealing::{bailiwick_in, changed, git, sealing};
use super::trace::change;
use crate::world::{json as parsed, read, said};

// REQ 146
#[test]
fn req_146_a_signed_change_says_whose_key_it_was() {
    let machine = Machine::new();
    let world = &machine.world;
    assert!(world.ok(&["trace", "key"]).contains("you have no key yet"));
    assert!(world.ok(&["config", "show"]).contains("trace.sign"));
    let mut wire = machine.wire();
    wire.select("INT-001");
    let id = change(&machine, &mut wire, "src/auth/new.rs", "pub fn new() {}\n");
    wire.end();
    let keys = parsed(&world.ok(&["trace", "key", "--json"]));
    let key = keys["own"].as_str().unwrap();
    assert!(key.starts_with("ed25519:") && world.ok(&["trace", "key"]).contains(key), "{keys}");
    assert!(world.ok(&["trace", "show", &id]).contains(&format!("by you with {key}")));
    let verified = parsed(&world.ok(&["trace", "verify", "--strict", "--json"]));
    assert_eq!((&verified["extent"]["signed"], &verified["findings"]), (&json!(1), &json!([])), "{verified}");
    assert!(world.ok(&["trace", "verify"]).contains("signed   1 with keys that are known here"));
    let record = parsed(&world.ok(&["trace", "export", "--format", "agent-trace"]));
    let own = &record["metadata"]["dev.bailiwick"];
    assert!(record.get("signature").is_none() && own["signature"].as_str().unwrap().starts_with("ed25519:"));
    assert!(said(&world.run(&["doctor"])).contains(&format!("entries of the ledger are signed with {key}")));
    let live = machine.private().join("ledger/live.jsonl");
    let cut = read(&live).replace("\"signature\":\"ed25519:", "\"signature\":\"ed25519:0");
    std::fs::write(&live, cut).unwrap();
    let output = world.run(&["trace", "verify"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("has a signature that does not fit this record"), "{}", said(&output));
}

// REQ 146, D-18
#[test]
fn signing_is_the_default_and_turning_it_off_counts_only_when_a_person_accepts_it() {
    let machine = Machine::new();
    machine.write(".orchestration/config.yaml", "trace:\n  sign: false\n");
    let mut wire = machine.wire();
    wire.select("INT-001");
    let signed = |id: &str| machine.world.ok(&["trace", "show", id]).contains("by you with ed25519:");
    let first = change(&machine, &mut wire, "src/auth/a.rs", "pub fn a() {}\n");
    assert!(signed(&first), "a file of the tree does not turn it off");
    wire.end();
    let checked = machine.world.ok(&["config", "check"]);
    assert!(checked.trim_end().ends_with("config.yaml has no error, but 1 warning"), "{checked}");
    let accepted = machine.typed(&["config", "accept"], "y\n");
    assert!(accepted.status.success());
    let shown = said(&accepted);
    assert!(shown.contains("false (default true): ") && shown.contains("loosens"), "{shown}");
    assert!(!shown.contains("approval.channel"), "only what the file says: {shown}");
    let mut wire = machine.wire();
    wire.select("INT-001");
    let second = change(&machine, &mut wire, "src/auth/b.rs", "pub fn b() {}\n");
    wire.end();
    assert!(!signed(&second));
}

// REQ 146, K-24: fail closed
#[test]
fn without_a_usable_key_no_change_is_let_through() {
    let machine = Machine::new();
    std::fs::write(machine.state().join("trace.key"), "no key").unwrap();
    let mut wire = machine.wire();
    wire.select("INT-001");
    let params = json!({"path": "src/auth/new.rs", "content": "x\n"});
    let id = wire.pre("write_to_file", &params)["approvalId"].clone();
    let refused = wire.ask(json!({"phase": "resolve", "approvalId": id, "decision": "approve"}));
    assert_eq!(
        (&refused["action"], &refused["error"]["code"]),
        (&json!("block"), &json!("ORCHESTRATION_INVALID"))
    );
    assert!(refused["error"]["reason"].as_str().unwrap().contains("trace.key"), "{refused}");
    wire.end();
    assert_eq!(read(&machine.state().join("trace.key")), "no key");
    assert_eq!(parsed(&machine.world.ok(&["trace", "log", "--json"]))["entries"], json!([]));
    let doctor = said(&machine.world.run(&["doctor"]));
    assert!(doctor.contains("no entry can be signed, so every change is refused"), "{doctor}");
    let problem = machine.world.run(&["trace", "key"]);
    assert!(!problem.status.success() && said(&problem).contains("not a 32-byte key"), "{}", said(&problem));
}

// REQ 146, D-16: whose key counts is a person's to say.
#[test]
fn keys_of_others_are_named_and_forgotten_by_a_person() {
    let machine = Machine::new();
    let world = &machine.world;
    let key = "ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";
    assert!(world.ok(&["trace", "key", "trust", key, "dana"]).contains("trusted as dana"));
    let keys = parsed(&world.ok(&["trace", "key", "show", "--json"]));
    assert_eq!(keys, json!({"own": null, "known": [{"key": key, "name": "dana"}]}));
    for words in [&["trace", "key", "trust", "ed25519:00", "x"][..], &["trace", "key", "forget", "x"]] {
        assert!(!world.run(words).status.success(), "{words:?}");
    }
    let marked =
        world.command_in(&world.root(), &["trace", "key", "forget", "dana"]).env("CLAUDECODE", "1").output();
    assert!(!marked.unwrap().status.success(), "not below an agent");
    world.ok(&["trace", "key", "forget", "dana"]);
    assert!(!world.ok(&["trace", "key"]).contains("dana"));
}

// REQ 146: a key that is there is not lost, and no one else's
#[test]
fn your_own_key_gets_no_second_name_while_it_signs() {
    let machine = Machine::new();
    let world = &machine.world;
    let mut wire = machine.wire();
    wire.select("INT-001");
    change(&machine, &mut wire, "src/auth/a.rs", "pub fn a() {}\n");
    wire.end();
    let keys = || parsed(&world.ok(&["trace", "key", "--json"]));
    let before = keys();
    let key = before["own"].as_str().unwrap();
    for (word, why) in [("lost", "is not lost: it is here"), ("trust", "already counts as you")] {
        let output = world.run(&["trace", "key", word, key, "dana"]);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{word}: {said}");
        assert!(said.contains(why) && said.contains("`bailiwick trace key rotate NAME`"), "{word}: {said}");
    }
    assert_eq!(keys(), before);
    std::fs::remove_file(machine.state().join("trace.key")).unwrap();
    assert!(world.ok(&["trace", "key", "lost", key, "dana before"]).contains("makes another key"));
}

// C: a connection that is open already signs from the moment on that the settings ask for it
#[test]
fn a_running_gate_follows_the_settings() {
    let machine = Machine::new();
    machine.write(".orchestration/config.yaml", "trace:\n  sign: false\n");
    assert!(machine.typed(&["config", "accept"], "y\n").status.success());
    let mut wire = machine.wire();
    wire.select("INT-001");
    let before = change(&machine, &mut wire, "src/auth/a.rs", "pub fn a() {}\n");
    let params = json!({"path": "src/auth/b.rs", "content": "pub fn b() {}\n"});
    let waits = wire.pre("write_to_file", &params)["approvalId"].clone();
    machine.write(".orchestration/config.yaml", "trace:\n  sign: true\n");
    let answered = wire.ask(json!({"phase": "resolve", "approvalId": waits, "decision": "approve"}));
    assert_eq!(answered["action"], "allow", "what waited on the connection still does: {answered}");
    let after = change(&machine, &mut wire, "src/auth/c.rs", "pub fn c() {}\n");
    wire.end();
    let signed = |id: &str| machine.world.ok(&["trace", "show", id]).contains("by you with ed25519:");
    assert_eq!((signed(&before), signed(&after)), (false, true));
}

/// The ledger with that entry's signature taken off, or made another one.
fn without_signature(text: &str, entry: usize, is_gone: bool) -> String {
    let changed = |(number, line): (usize, &str)| {
        let parts = line.split_once("\"signature\":\"ed25519:").filter(|_| number == entry);
        let Some((before, rest)) = parts else { return format!("{line}\n") };
        let (_, after) = rest.split_once('"').unwrap();
        match is_gone {
            true => format!("{}{after}\n", before.trim_end_matches(',')).replace("{,", "{"),
            false => format!("{before}\"signature\":\"ed25519:{}\"{after}\n", "0".repeat(128)),
        }
    };
    text.lines().enumerate().map(changed).collect()
}

// REQ 146, D-22: what verify calls an alarm does not travel with git as if nothing were
#[test]
fn entries_whose_signature_is_gone_or_wrong_are_not_sealed() {
    for (entry, is_gone, what) in [
        (0, true, "entry 0 names its signing key, but the signature is missing"),
        (1, true, "entry 1 names its signing key, but the signature is missing"),
        (0, false, "entry 0 has a signature that does not fit this record"),
        (1, false, "entry 1 has a signature that does not fit this record"),
    ] {
        let machine = sealing();
        changed(&machine, &["one", "two"]);
        let live = machine.private().join("ledger/live.jsonl");
        let whole = read(&live);
        std::fs::write(&live, without_signature(&whole, entry, is_gone)).unwrap();
        let output = bailiwick_in(&machine, &machine.root(), &["trace", "verify"]);
        assert_eq!(output.status.code(), Some(1), "{what}: {}", said(&output));
        let output = bailiwick_in(&machine, &machine.root(), &["trace", "seal"]);
        assert!(!output.status.success() && said(&output).contains(what), "{what}: {}", said(&output));
        assert!(said(&output).contains("bailiwick trace verify"), "{}", said(&output));
        // The hook says it and lets the commit through.
        git(&machine, &["add", "src"]);
        git(&machine, &["commit", "-qm", "work"]);
        assert!(!machine.root().join(".orchestration/trace").exists(), "{what}");
        std::fs::write(&live, whole).unwrap();
        let output = bailiwick_in(&machine, &machine.root(), &["trace", "seal"]);
        assert!(said(&output).contains("sealed 2 entries"), "{}", said(&output));
    }
}

/// A command of a colleague, in a clone of their own and with a home of their own.
fn colleague(machine: &Machine, words: &[&str]) -> std::process::Output {
    let mut command = machine.world.command_in(&machine.world.path("clone"), words);
    command.env("HOME", machine.world.path("elsewhere")).env("PATH", std::env::var_os("PATH").unwrap());
    command.output().unwrap()
}

// D-18: what a thief signs later proves nothing, and no hint leads back to trusting the key
#[test]
fn a_stolen_key_proves_nothing_that_is_newer_than_the_checkpoint() {
    let machine = sealing();
    let of_owner = |words: &[&str]| said(&bailiwick_in(&machine, &machine.root(), words));
    let file = |name: &str| machine.world.path(name).display().to_string();
    let kept = |name: &str, words: &[&str]| std::fs::write(file(name), of_owner(words)).unwrap();
    changed(&machine, &["one"]);
    kept("then", &["trace", "checkpoint"]);
    let key = parsed(&of_owner(&["trace", "key", "--json"]))["own"].as_str().unwrap().to_owned();
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "one"]);
    let mut wire = machine.wire();
    wire.select("INT-001");
    let later = change(&machine, &mut wire, "src/auth/evil.rs", "fn evil() {}\n");
    wire.end();
    git(&machine, &["add", "-A"]);
    git(&machine, &["commit", "-qm", "evil"]);
    kept("now", &["trace", "checkpoint"]);
    kept("proof", &["trace", "prove", &later]);
    git(&machine, &["clone", "-q", ".", &file("clone")]);
    let asked = |words: &[&str]| {
        let output = colleague(&machine, words);
        (output.status.code(), said(&output))
    };
    let (then, now, proof) = (&file("then"), &file("now"), &file("proof"));
    for words in [
        &["trace", "key", "trust", &key, "alice"][..],
        &["trace", "check", proof],
        &["trace", "verify", "--against", now],
        &["trace", "key", "stolen", &key, "--until", then],
        &["trace", "verify", "--against", then, "--keys", "/dev/null"],
    ] {
        let (code, text) = asked(words);
        let is_unknown = words.contains(&"--keys");
        assert_eq!(code == Some(0), !is_unknown, "{words:?}: {text}");
    }
    for (words, why) in [
        (&["trace", "check", proof][..], "signed with the key of alice, which was stolen"),
        (&["trace", "check", proof, "--key", &key], "signed with the key of alice, which was stolen"),
        (&["trace", "verify", "--against", now], "the checkpoint is signed with a key that was stolen"),
        (&["trace", "verify"], "which was stolen from alice"),
        (&["trace", "key", "trust", &key, "alice"], "was stolen"),
        (&["trace", "key", "lost", &key, "alice"], "was stolen"),
        (&["trace", "key", "stolen", &key, "--until", now], "is signed with a key that was stolen"),
    ] {
        let (code, text) = asked(words);
        assert!(code != Some(0) && text.contains(why), "{words:?}: {text}");
        assert!(!text.contains("key trust"), "{words:?}: {text}");
    }
    let settings = machine.world.path("clone/.orchestration/config.yaml");
    std::fs::write(settings, format!("trace:\n  keys: [\"{key} alice\"]\n")).unwrap();
    let (_, text) = asked(&["trace", "key", "trust", "--from-config"]);
    assert!(text.contains("no new key"), "{text}");
    assert_eq!(asked(&["trace", "key", "stolen", &key, "--until", then]).0, Some(0), "the bound stays");
    let (_, log) = asked(&["trace", "log"]);
    assert!(log.contains("src/auth/one") && !log.contains("evil"), "{log}");
    let (_, shown) = asked(&["trace", "show", "--claimed", &later]);
    assert!(shown.contains("by whoever has the key that was stolen from alice"), "{shown}");
}
