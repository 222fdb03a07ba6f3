//! Samples of what earlier versions stored (`tests/fixtures/state`): this version answers as the one that wrote them, and
//! where a later version stores what this one does not know, this one asks or refuses.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use bailiwick_domain::{ContentHash, Timestamp, Value, canonical_json, json};

use super::machine::{Hooked, Machine};
use crate::world::{World, json as parsed, read, write};

/// The members of requests and grants that hold a time.
const TIMES: &[&str] = &["created", "expires", "at", "opened", "approved_at"];

/// Every sample.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/state");
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all: Vec<PathBuf> = all.filter(|path| path.is_dir()).collect();
    assert!(!all.is_empty());
    all
}

/// A sample on a machine of its own.
struct Sample {
    machine: Machine,
    answers: Value,
    /// How much time has gone by since the sample was written, in milliseconds.
    age: i64,
}

impl Sample {
    fn open(folder: &Path) -> Self {
        let world = World::new();
        world.ok(&["init"]);
        let machine = Machine { world };
        write(&machine.root().join(".git/HEAD"), "ref: refs/heads/main\n");
        write(&machine.world.path("agent.sh"), "/bin/sh -c \"$1\"\nexit $?\n");
        for taken in [machine.private(), machine.root().join(".orchestration")] {
            std::fs::remove_dir_all(taken).unwrap();
        }
        let answers = parsed(&read(&folder.join("answers.json")));
        let sample = Self { age: age(folder), machine, answers };
        sample.copy(&folder.join("repo"), &sample.machine.root());
        sample.copy(&folder.join("private"), &sample.machine.private());
        sample.copy(&folder.join("user"), &sample.machine.state());
        for name in names(&sample.machine.private().join("approvals")) {
            sample.rewrite(&format!("approvals/{name}"), |stored| sample.move_times(stored));
        }
        sample.rewrite("grants/1.json", |stored| sample.move_times(stored));
        sample
    }

    fn copy(&self, from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let target = to.join(self.named(name));
            if path.is_dir() {
                self.copy(&path, &target);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let bytes = match String::from_utf8(bytes) {
                Ok(text) => text
                    .replace("@BASE@", self.machine.world.path("").to_str().unwrap().trim_end_matches('/'))
                    .into_bytes(),
                Err(no_text) => no_text.into_bytes(),
            };
            std::fs::write(&target, bytes).unwrap();
            // Git keeps no such mode, and a key that others can read is none.
            std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
    }

    /// The name of a file here.
    fn named(&self, name: &str) -> String {
        let hash = |path: &Path| ContentHash::of(path.as_os_str().as_encoded_bytes()).digits().to_owned();
        let name = name.replace("@ROOT@", &hash(&self.machine.root()));
        let name = name.replace("@PRIVATE@", &hash(&self.machine.private()));
        let name = name.replace("@CLONE@", &clone_of(&self.machine.root().join(".git")));
        name.strip_prefix("dot.").map_or(name.clone(), |rest| format!(".{rest}"))
    }

    /// Changes a sealed file as the program that holds the key would write it: sealed again over everything in it, known
    /// here or not.
    fn rewrite(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let file = self.machine.private().join(name);
        let mut stored = parsed(&read(&file));
        change(&mut stored);
        let key = std::fs::read(self.machine.state().join("approval.key")).unwrap();
        if stored.get("grant").is_some() {
            let store = self.machine.private().join("grants").display().to_string();
            stored["seal"] = seal(&key, &json!({"grant": stored["grant"], "store": store}));
        } else {
            let approval = stored["approval"].clone();
            let mut asked = approval.clone();
            for answered in ["status", "amended"] {
                asked.as_object_mut().unwrap().remove(answered);
            }
            stored["asked_seal"] = seal(&key, &json!({ "asked": asked }));
            if !stored["answer_seal"].is_null() {
                let answer = json!({"approval": approval, "process": stored["answered_by_process"]});
                stored["answer_seal"] = seal(&key, &json!({ "answer": answer }));
            }
        }
        write(&file, &stored.to_string());
    }

    /// Brings the times of a stored value to where they would be if it had been written a moment ago.
    fn move_times(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value
                        .as_str()
                        .filter(|_| TIMES.contains(&name.as_str()))
                        .and_then(|text| Timestamp::parse(text).ok())
                    {
                        Some(then) => *value = json!(Timestamp::from_unix_ms(then.unix_ms() + self.age)),
                        None => self.move_times(value),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.move_times(item)),
            _ => {}
        }
    }

    /// What the hook says to an event of the sample, which names its folder by the variable of the host alone.
    fn hook(&self, event: &Value) -> Hooked {
        let root = self.machine.root().display().to_string();
        let line = format!("CLAUDE_PROJECT_DIR='{root}' {}", self.machine.bare_line());
        self.machine.through(&line, event.to_string().as_bytes())
    }

    /// The first thing that was tried with that file.
    fn event(&self, path: &str) -> &Value {
        let tried = self.answers["tried"].as_array().unwrap();
        let found = tried.iter().find(|tried| tried["event"]["tool_input"]["file_path"] == path);
        &found.unwrap()["event"]
    }

    /// The stored request about that file.
    fn request(&self, path: &str) -> String {
        let folder = self.machine.private().join("approvals");
        let is_it = |name: &String| {
            parsed(&read(&folder.join(name)))["approval"]["request"]["changed_paths"] == json!([path])
        };
        format!("approvals/{}", names(&folder).into_iter().find(is_it).unwrap())
    }
}

/// The names of the JSON files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let all =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    all.filter(|name| name.ends_with(".json")).collect()
}

/// How the witness of a clone is called: by the number of its folder and the moment in which that was made.
fn clone_of(folder: &Path) -> String {
    let metadata = std::fs::metadata(folder).unwrap();
    let made = metadata.created().map(|made| made.duration_since(UNIX_EPOCH).unwrap().as_nanos());
    let place = if made.is_ok() { "" } else { folder.to_str().unwrap() };
    let text = format!("{} {} {place}", metadata.ino(), made.unwrap_or_default());
    ContentHash::of(text.as_bytes()).digits().get(..32).unwrap().to_owned()
}

/// The age of a sample: its last decision was taken a moment ago.
fn age(folder: &Path) -> i64 {
    let log = read(&folder.join("private/decisions.jsonl"));
    let last = parsed(log.lines().last().unwrap());
    let then = Timestamp::parse(last["at"].as_str().unwrap()).unwrap();
    now().unix_ms() - then.unix_ms()
}

fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap())
}

fn seal(key: &[u8], value: &Value) -> Value {
    let keyed = |bytes: &[u8]| ContentHash::of(&[key, bytes].concat());
    json!(keyed(keyed(canonical_json(value).as_bytes()).as_str().as_bytes()))
}

/// Whether everything that was said is still said; more may be said today.
fn is_said(before: &Value, now: &Value) -> bool {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => before.iter().all(|(key, value)| {
            now.get(key).is_some_and(|now| is_said(value, now) || is_weaker(key, value, now))
        }),
        (Value::Array(before), Value::Array(now)) => {
            before.len() == now.len() && before.iter().zip(now).all(|(before, now)| is_said(before, now))
        }
        _ => before == now,
    }
}

/// An entry that does not say how its lines follow is no proof any more, only likely.
fn is_weaker(key: &str, before: &Value, now: &Value) -> bool {
    key == "certainty" && before == "in_place" && now == "likely"
}

// D-08
#[test]
fn what_an_earlier_version_stored_gives_the_answer_that_it_gave() {
    for folder in samples() {
        let sample = Sample::open(&folder);
        for told in sample.answers["told"].as_array().unwrap() {
            let words: Vec<&str> =
                told["asked"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
            let now = parsed(&sample.machine.world.ok(&words));
            assert!(is_said(&told["said"], &now), "{folder:?}: {words:?}: {now:#}\nwas {:#}", told["said"]);
        }
        for tried in sample.answers["tried"].as_array().unwrap() {
            let hooked = sample.hook(&tried["event"]);
            let decision = json!(hooked.decision());
            let code = if decision == "deny" { hooked.denied()["code"].clone() } else { Value::Null };
            let answer = json!({"decision": decision, "code": code});
            let path = &tried["event"]["tool_input"]["file_path"];
            assert_eq!(answer, tried["answer"], "{folder:?}: {path} in {}", tried["event"]["session_id"]);
        }
    }
}

/// A change of the sample as a later version would write it, and the write that passed without it.
type Change = (&'static str, &'static str, fn(&Sample));

const APPROVED: &str = "src/auth/approved.ts";
const GRANTED: &str = "src/auth/more.ts";

/// Something that a later version stores, in a place where it could mean *only if …*.
fn only_if() -> Value {
    json!({"later": ["than", 1]})
}

const LATER: &[Change] = &[
    ("a member of what is asked", APPROVED, |sample| {
        sample.rewrite(&sample.request(APPROVED), |stored| {
            stored["approval"]["request"]["only_if"] = only_if()
        });
    }),
    ("a member of a request", APPROVED, |sample| {
        sample.rewrite(&sample.request(APPROVED), |stored| stored["approval"]["only_if"] = only_if());
    }),
    ("a member of a yes", APPROVED, |sample| {
        sample
            .rewrite(&sample.request(APPROVED), |stored| stored["approval"]["status"]["only_if"] = only_if());
    }),
    ("another kind of yes", APPROVED, |sample| {
        sample.rewrite(&sample.request(APPROVED), |stored| {
            stored["approval"]["status"]["status"] = json!("approved_by_two");
        });
    }),
    ("another kind of question", APPROVED, |sample| {
        sample.rewrite(&sample.request(APPROVED), |stored| {
            stored["approval"]["request"]["kind"] = json!("of_a_later_version");
        });
    }),
    ("another form of requests", APPROVED, |sample| {
        sample.rewrite(&sample.request(APPROVED), |stored| stored["format"] = json!(2));
    }),
    ("a member of the bounds of a grant", GRANTED, |sample| {
        sample.rewrite("grants/1.json", |stored| stored["grant"]["terms"]["bounds"]["only_if"] = only_if());
    }),
    ("a member of the terms of a grant", GRANTED, |sample| {
        sample.rewrite("grants/1.json", |stored| stored["grant"]["terms"]["only_if"] = only_if());
    }),
    ("a member of a grant", GRANTED, |sample| {
        sample.rewrite("grants/1.json", |stored| stored["grant"]["only_if"] = only_if());
    }),
    ("another status of a grant", GRANTED, |sample| {
        sample.rewrite("grants/1.json", |stored| stored["grant"]["status"]["status"] = json!("paused"));
    }),
    ("another form of grants", GRANTED, |sample| {
        sample.rewrite("grants/1.json", |stored| stored["format"] = json!(2));
    }),
    ("another state of a session", APPROVED, |sample| {
        state(sample, |state| state["state"] = json!("SUSPENDED"))
    }),
    ("a member of what an intent was accepted for", GRANTED, |sample| {
        accepted(sample, |file| file["states"][0]["only_if"] = only_if());
    }),
    ("a member of the file of accepted intents", GRANTED, |sample| {
        accepted(sample, |file| file["only_if"] = only_if());
    }),
    ("another status of an intent", APPROVED, |sample| {
        let file = sample.machine.root().join(".orchestration/active_intents.yaml");
        write(&file, &read(&file).replace("IN_PROGRESS", "IN_REVIEW"));
    }),
    ("another form of the whole", APPROVED, |sample| {
        write(&sample.machine.private().join("lock"), "format 3");
    }),
];

/// Changes the state of the session that the approved call is of; its sum is left out, as earlier versions do.
fn state(sample: &Sample, change: impl FnOnce(&mut Value)) {
    let actors = sample.machine.private().join("actors");
    let session = &sample.event(APPROVED)["session_id"];
    for actor in std::fs::read_dir(actors).unwrap() {
        let file = actor.unwrap().path().join("state.json");
        let mut stored = parsed(read(&file).trim_end());
        if stored["actor"]["session"] == *session {
            stored.as_object_mut().unwrap().remove("sum");
            change(&mut stored);
            return write(&file, &stored.to_string());
        }
    }
    panic!("no state of {session}");
}

fn accepted(sample: &Sample, change: impl FnOnce(&mut Value)) {
    let folder = sample.machine.state().join("accepted").join(sample.named("@PRIVATE@.intents"));
    let [name] = &names(&folder)[..] else { panic!("one intent is accepted") };
    let mut stored = parsed(&read(&folder.join(name)));
    change(&mut stored);
    write(&folder.join(name), &stored.to_string());
}

// D-08, D-16
#[test]
fn an_old_hook_beside_a_new_one_asks_or_refuses() {
    for folder in samples() {
        for path in [APPROVED, GRANTED] {
            let sample = Sample::open(&folder);
            let answer = sample.hook(sample.event(path));
            assert_eq!(answer.decision().as_deref(), Some("allow"), "{path}: {answer:?}");
        }
        let passes = |(what, path, change): &Change| {
            let sample = Sample::open(&folder);
            change(&sample);
            let answer = sample.hook(sample.event(path));
            (answer.decision().as_deref() != Some("deny")).then_some(*what)
        };
        let passed: Vec<&str> = LATER.iter().filter_map(passes).collect();
        assert!(passed.is_empty(), "{folder:?}: what is not known is passed over: {passed:?}");
    }
}
