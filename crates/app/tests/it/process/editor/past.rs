//! What was answered, as the views show it, and taking it back there; and the pages of a ledger.

use bailiwick_domain::{Value, json};

use super::client::{Call, Editor};
use crate::process::machine::Machine;
use crate::world::read;

const LOGIN: &str = "src/auth/login.rs";

fn root(machine: &Machine) -> String {
    machine.root().display().to_string()
}

fn history(machine: &Machine, editor: &mut Editor, before: Option<&str>) -> Value {
    let mut params = json!({"root": root(machine)});
    if let Some(before) = before {
        params["before"] = json!(before);
    }
    editor.done("history", &params)
}

/// A write that the person answers in the window; what was answered is the newest of the history then.
fn answered(machine: &Machine, editor: &mut Editor, id: &str, path: &str, answer: &Value) {
    let call = Call::start(machine, &machine.write_call(id, path));
    let (asked, _) = editor.question();
    editor.say(&asked, answer);
    call.answer();
    editor.over();
}

// REQ 75, K-42
#[test]
fn req_075_what_was_answered_is_listed_and_taken_back_as_it_was_shown() {
    let machine = Machine::selected();
    machine.writes("w0", LOGIN, "pub fn login() { new() }\n");
    let mut editor = Editor::focused(&machine);
    let no = json!({"decision": "reject", "feedback": "keep the old name"});
    answered(&machine, &mut editor, "w1", "src/auth/other.rs", &no);
    let page = history(&machine, &mut editor, None);
    assert_eq!(page["more"], false);
    let [rejected, used] = page["answered"].as_array().unwrap().as_slice() else { panic!("{page}") };
    assert_eq!(
        [&rejected["outcome"], &rejected["by"], &rejected["feedback"], &rejected["entry"]],
        [&json!("rejected"), &json!("dana"), &json!("keep the old name"), &Value::Null]
    );
    assert_eq!([&used["outcome"], &used["by"]], [&json!("used"), &json!("dana")]);
    assert_eq!([&used["changed_paths"], &used["undone"]], [&json!([LOGIN]), &json!(false)]);
    let entry = machine.trace().last().unwrap()["id"].clone();
    assert_eq!(used["entry"], entry);
    let undo = json!({"root": root(&machine), "entry": entry});
    let plan = editor.done("undo/plan", &undo);
    assert_eq!((&plan["obstacles"], &plan["files"][0]["what"]), (&json!([]), &json!("changes back")));
    assert!(plan["files"][0]["diff"].as_str().unwrap().contains("+pub fn login() {}\n"), "{plan}");
    let finish = |shown: &Value| json!({"root": root(&machine), "entry": entry, "shown": shown});
    // Only as it was shown: somebody wrote meanwhile.
    machine.write(LOGIN, "pub fn mine() {}\n");
    let (code, why) = editor.refused("undo/finish", &finish(&plan["shown"]));
    assert!(code == -32012 && why.contains("changed since they were shown"), "{why}");
    let blocked = editor.done("undo/plan", &undo);
    assert_eq!(blocked["obstacles"][0]["path"], LOGIN);
    assert_eq!(editor.refused("undo/finish", &finish(&blocked["shown"])).0, -32012);
    assert_eq!(
        read(&machine.root().join(LOGIN)),
        "pub fn mine() {}\n",
        "a later change is never overwritten"
    );
    machine.write(LOGIN, "pub fn login() { new() }\n");
    let done = editor.done("undo/finish", &finish(&plan["shown"]));
    assert_eq!(done["message"], "1 file put back, and recorded as your change");
    assert_eq!(read(&machine.root().join(LOGIN)), "pub fn login() {}\n");
    let page = history(&machine, &mut editor, None);
    assert_eq!(page["answered"][1]["undone"], true);
    assert_eq!(editor.refused("undo/finish", &finish(&plan["shown"])).0, -32012, "once");
    let unknown = json!({"root": root(&machine), "entry": "00000000-0000-4000-8000-000000000000"});
    assert_eq!(editor.refused("undo/plan", &unknown).0, -32012);
}

// D-38: the window that had the question is closed, which is no person's no
#[test]
fn req_074_what_a_closed_editor_ended_is_no_persons_no() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    let call = Call::start(&machine, &machine.write_call("w1", "src/auth/renew.rs"));
    editor.question();
    assert_eq!(editor.close().code(), Some(0));
    assert_eq!(call.code(), "DESTRUCTIVE_ACTION_REJECTED");
    let mut again = Editor::focused(&machine);
    let call = Call::start(&machine, &machine.write_call("w2", "src/auth/killed.rs"));
    again.question();
    again.kill();
    assert_eq!(call.code(), "DESTRUCTIVE_ACTION_REJECTED");
    let mut editor = Editor::focused(&machine);
    let page = history(&machine, &mut editor, None);
    let answered = page["answered"].as_array().unwrap();
    assert_eq!(answered.len(), 2, "{page}");
    for one in answered {
        assert_eq!((&one["outcome"], &one["by"]), (&json!("ended"), &json!("the editor")), "{one}");
        assert_eq!(one["feedback"], "the editor in which the question was open was closed");
    }
}

// K-42: pages of the same length, each request once
#[test]
fn req_144_what_was_answered_comes_in_pages() {
    let machine = Machine::selected();
    let mut editor = Editor::focused(&machine);
    assert_eq!(history(&machine, &mut editor, None), json!({"answered": [], "more": false}));
    let before = editor.snapshot()["marks"]["answered"].clone();
    let no = json!({"decision": "reject"});
    for at in 0..22 {
        answered(&machine, &mut editor, &format!("w{at}"), &format!("src/auth/{at}.rs"), &no);
    }
    assert_ne!(editor.snapshot()["marks"]["answered"], before);
    let first = history(&machine, &mut editor, None);
    let ids = |page: &Value| -> Vec<String> {
        let all = page["answered"].as_array().unwrap().iter();
        all.map(|one| one["changed_paths"][0].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((ids(&first).len(), &first["more"]), (20, &json!(true)));
    assert_eq!(ids(&first)[0], "src/auth/21.rs");
    let last = first["answered"][19]["id"].as_str().unwrap();
    let second = history(&machine, &mut editor, Some(last));
    assert_eq!(
        (ids(&second), &second["more"]),
        (vec!["src/auth/1.rs".into(), "src/auth/0.rs".into()], &json!(false))
    );
    let gone = history(&machine, &mut editor, Some("ap-00000000"));
    assert_eq!(gone, json!({"answered": [], "more": false}));
}

// K-42
#[test]
fn req_124_the_ledger_is_asked_for_page_by_page() {
    let machine = Machine::selected();
    for at in 0..5 {
        machine.writes(&format!("w{at}"), &format!("src/auth/{at}.rs"), "pub fn new() {}\n");
    }
    let mut editor = Editor::hidden(&machine);
    let all: Vec<Value> = machine.trace().iter().map(|entry| entry["id"].clone()).collect();
    let seqs: Vec<String> = machine
        .trace()
        .iter()
        .map(|entry| format!("--seq={}", entry["metadata"]["dev.bailiwick"]["seq"]))
        .collect();
    let mut page = |words: &[&str]| -> Vec<Value> {
        let args = [&["trace", "log", "--limit", "2"], words].concat();
        let answer = editor.done("query", &json!({"root": root(&machine), "args": args}));
        let entries = answer["value"]["entries"].as_array().unwrap_or_else(|| panic!("{answer}"));
        entries.iter().map(|entry| entry["id"].clone()).collect()
    };
    assert_eq!(page(&[]), all[3..]);
    let before = |id: &Value| format!("--before={}", id.as_str().unwrap());
    assert_eq!(page(&[&before(&all[3])]), all[1..3]);
    assert_eq!(page(&[&before(&all[1])]), all[..1]);
    assert_eq!(page(&[&before(&all[0])]), [Value::Null; 0]);
    assert_eq!(page(&[&before(&all[3]), &seqs[3]]), all[1..3], "by its place");
    assert_eq!(page(&[&before(&all[3]), &seqs[3], "--path=src/auth/0.rs"]), all[..1]);
    assert_eq!(page(&[&before(&all[3]), &seqs[2]]), all[1..3], "whatever place is said");
    let unknown =
        editor.done("query", &json!({"root": root(&machine), "args": ["trace", "log", "--before=x"]}));
    assert_eq!(unknown["exit"], 2, "{unknown}");
}

// K-42: the place of a page has nothing to do with what is wanted of it
#[test]
fn req_124_a_page_begins_at_any_entry_whatever_else_is_asked_for() {
    let machine = Machine::selected();
    machine.writes("w0", "src/auth/0.rs", "pub fn new() {}\n");
    assert_eq!(machine.hook(&machine.prompt("s1")).code, Some(0));
    machine.select("INT-002");
    // Of seventeen ids, two begin alike.
    for at in 1..17 {
        machine.writes(&format!("w{at}"), &format!("src/core/{at}.rs"), "pub fn new() {}\n");
    }
    let all: Vec<String> =
        machine.trace().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect();
    let page = |intent: &str, before: &str| -> Vec<String> {
        let (intent, before) = (format!("--intent={intent}"), format!("--before={before}"));
        let said = machine.world.ok(&["trace", "log", "--json", &intent, &before]);
        let said: Value = crate::world::json(&said);
        let entries = said["entries"].as_array().unwrap().iter();
        entries.map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(page("INT-001", &all[5]), all[..1]);
    assert_eq!(page("INT-001", &all[0]), [""; 0]);
    assert_eq!(page("INT-002", &all[5]), all[1..5]);
    assert_eq!(page("INT-002", all[5].split_at(18).0), all[1..5]);
    let first = |id: &String| id.chars().next().unwrap();
    let alike = all.iter().map(first).find(|one| all.iter().filter(|id| first(id) == *one).count() > 1);
    for (before, why) in
        [(String::new(), "needs the id"), (alike.unwrap().to_string(), "several entries begin")]
    {
        let refused = machine.world.run(&["trace", "log", &format!("--before={before}")]);
        let said = crate::world::said(&refused);
        assert!(refused.status.code() == Some(2) && said.contains(why), "{said}");
    }
}

// REQ 75: of two files, one is put back elsewhere
#[test]
fn req_075_what_was_taken_back_in_part_can_be_taken_back_whole() {
    let machine = Machine::selected();
    let other = "src/auth/other.rs";
    machine.write(other, "fn other() {}\n");
    machine.sees(LOGIN);
    machine.sees(other);
    let patch =
        format!("*** Begin Patch\n*** Delete File: {LOGIN}\n*** Delete File: {other}\n*** End Patch\n");
    machine.patches("p1", &patch, |root| {
        [LOGIN, other].into_iter().for_each(|path| std::fs::remove_file(root.join(path)).unwrap());
    });
    let mut editor = Editor::focused(&machine);
    let mut newest = || history(&machine, &mut editor, None)["answered"][0].clone();
    let whole = newest();
    assert_eq!([&whole["undone"], &whole["undone_in_part"]], [&json!(false), &json!(false)], "{whole}");
    assert_eq!(machine.restores(&["--call", "p1", "--file", LOGIN]).0, Some(0));
    let part = newest();
    assert_eq!([&part["undone"], &part["undone_in_part"]], [&json!(false), &json!(true)], "{part}");
    assert_eq!(part["entry"], whole["entry"]);
    assert_eq!(machine.restores(&["--call", "p1"]).0, Some(0));
    let done = newest();
    assert_eq!([&done["undone"], &done["undone_in_part"]], [&json!(true), &json!(false)], "{done}");
}

// A plan of many long files is no message without end.
#[test]
fn req_075_a_plan_shows_so_much_of_all_files_together() {
    let machine = Machine::selected();
    let line = "// a line of a long file, and then some\n";
    let paths: Vec<String> = (0..5).map(|at| format!("src/auth/long{at}.rs")).collect();
    for path in &paths {
        machine.write(path, &line.repeat(4_000));
        machine.sees(path);
    }
    let deleted: Vec<String> = paths.iter().map(|path| format!("*** Delete File: {path}\n")).collect();
    let patch = format!("*** Begin Patch\n{}*** End Patch\n", deleted.concat());
    machine.patches("p1", &patch, |root| {
        paths.iter().for_each(|path| std::fs::remove_file(root.join(path)).unwrap());
    });
    let entry = machine.trace().last().unwrap()["id"].clone();
    let plan = Editor::focused(&machine).done("undo/plan", &json!({"root": root(&machine), "entry": entry}));
    let files = plan["files"].as_array().unwrap();
    let diffs: Vec<&str> = files.iter().map(|file| file["diff"].as_str().unwrap()).collect();
    let sum: usize = diffs.iter().map(|diff| diff.len()).sum();
    assert!(diffs.len() == 5 && sum < 450_000, "{} files, {sum} bytes", diffs.len());
    assert!(diffs[0].len() > 150_000 && diffs[4].contains("are not shown"), "{}", diffs[4]);
}
