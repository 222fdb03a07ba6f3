//! Reading parameters of every known shape.

use std::collections::BTreeMap;

use bailiwick_domain::{Value, json};
use bailiwick_policy::patch::HunkLine;
use bailiwick_policy::registry::classify;
use bailiwick_policy::targets;
use bailiwick_policy::{Access, Targets, Unreadable};

fn read(tool: &str, params: &Value) -> Result<Targets, Unreadable> {
    targets(&classify(tool, &BTreeMap::new()), params.as_object().unwrap())
}

#[track_caller]
fn check(tool: &str, params: Value, expected: &[(&str, Access)]) -> Targets {
    let found = read(tool, &params).unwrap();
    let paths: Vec<(&str, Access)> =
        found.paths.iter().map(|target| (target.requested.as_str(), target.access)).collect();
    assert_eq!(paths, expected, "{tool}");
    found
}

#[track_caller]
fn check_refused(tool: &str, params: Value) {
    assert!(read(tool, &params).is_err(), "{tool} {params} should be malformed");
}

#[test]
fn every_hosts_way_to_write_is_understood() {
    let expected = [("a.rs", Access::Overwrite)];
    for (tool, params) in [
        ("write_to_file", json!({"path": "a.rs", "content": "x"})),
        ("Write", json!({"file_path": "a.rs", "content": "x"})),
        ("Write", json!({"path": "a.rs", "contents": "x"})),
        ("create", json!({"path": "a.rs", "file_text": "x"})),
        ("create_file", json!({"filePath": "a.rs", "content": "x"})),
        ("fs_write", json!({"command": "create", "path": "a.rs", "file_text": "x"})),
        ("editor", json!({"path": "a.rs", "new_text": "x"})),
    ] {
        assert_eq!(check(tool, params, &expected).content_for("a.rs").as_deref(), Some("x"), "{tool}");
    }
}

#[test]
fn every_hosts_way_to_edit_is_understood() {
    for (tool, params) in [
        ("edit_file", json!({"path": "a.rs", "old_string": "1", "new_string": "2"})),
        ("Edit", json!({"file_path": "a.rs", "old_string": "1", "new_string": "2", "replace_all": false})),
        ("edit", json!({"path": "a.rs", "old_str": "1", "new_str": "2"})),
        ("replace_string_in_file", json!({"filePath": "a.rs", "oldString": "1", "newString": "2"})),
        (
            "replace",
            json!({"file_path": "a.rs", "old_string": "1", "new_string": "2", "allow_multiple": "false"}),
        ),
        ("MultiEdit", json!({"file_path": "a.rs", "edits": [{"old_string": "1", "new_string": "2"}]})),
        ("pre_write_code", json!({"file_path": "a.rs", "edits": [{"old_string": "1", "new_string": "2"}]})),
        ("editor", json!({"path": "a.rs", "old_text": "1", "new_text": "2"})),
        (
            "str_replace_editor",
            json!({"command": "str_replace", "path": "a.rs", "old_str": "1", "new_str": "2"}),
        ),
    ] {
        let found = check(tool, params, &[("a.rs", Access::Anchored)]);
        assert_eq!(found.edits.len(), 1, "{tool}");
        assert_eq!((found.edits[0].old.as_str(), found.edits[0].new.as_str()), ("1", "2"), "{tool}");
    }
}

#[test]
fn how_often_an_edit_replaces_is_a_yes_or_no_and_a_count_also_as_text() {
    let edit = |key: &str, value: Value| {
        let mut params = json!({"path": "a", "old_string": "1", "new_string": "2"});
        params.as_object_mut().unwrap().insert(key.to_owned(), value);
        read("edit_file", &params).map(|found| (found.edits[0].replace_all, found.edits[0].expected))
    };
    for (key, value, expected) in [
        ("replace_all", json!(true), (true, None)),
        ("replace_all", json!("true"), (true, None)),
        ("replace_all", json!("false"), (false, None)),
        ("replace_all", json!(""), (false, None)),
        ("replace_all", json!(null), (false, None)),
        ("expected_replacements", json!(3), (false, Some(3))),
        ("expected_replacements", json!("3"), (false, Some(3))),
        ("expected_replacements", json!(null), (false, None)),
    ] {
        assert_eq!(edit(key, value.clone()), Ok(expected), "{key} {value}");
    }
    for (key, value) in [
        ("replace_all", json!("yes")),
        ("replace_all", json!(1)),
        ("expected_replacements", json!(-1)),
        ("expected_replacements", json!(1.5)),
        ("expected_replacements", json!("x")),
        ("expected_replacements", json!(true)),
    ] {
        assert!(edit(key, value.clone()).is_err(), "{key} {value}");
    }
}

#[test]
fn edits_of_several_files_know_their_files() {
    let pair = |path: &str, old: &str| json!({"filePath": path, "oldString": old, "newString": "n"});
    let params = json!({"explanation": "", "replacements": [pair("a", "1"), pair("b", "2"), pair("a", "3")]});
    let found =
        check("multi_replace_string_in_file", params, &[("a", Access::Anchored), ("b", Access::Anchored)]);
    let of = |path| found.edits_for(path).iter().map(|edit| edit.old.clone()).collect::<Vec<_>>();
    assert_eq!((of("a"), of("b")), (vec!["1".to_owned(), "3".to_owned()], vec!["2".to_owned()]));
}

#[test]
fn reading_accepts_texts_lists_and_lists_written_as_text() {
    let expected = [("a", Access::Read), ("b", Access::Read)];
    for params in [
        json!({"files": [{"path": "a", "start_line": 1}, "b"]}),
        json!({"paths": ["a", "b"]}),
        json!({"file_paths": ["a", "b"]}),
        json!({"files": "[{\"path\":\"a\"},{\"path\":\"b\"}]"}),
        json!({"path": "a", "files": ["b"]}),
    ] {
        check("read_files", params, &expected);
    }
    check("Read", json!({"file_path": "a", "offset": 1}), &[("a", Access::Read)]);
    for name in ["7", "true", "\"a\""] {
        check("read_files", json!({ "files": name }), &[(name, Access::Read)]);
    }
}

#[test]
fn searching_without_a_path_looks_below_the_calls_directory() {
    for tool in ["search_files", "Grep", "list", "Glob"] {
        check(tool, json!({"pattern": "*.rs"}), &[(".", Access::Read)]);
    }
    check("list_directory", json!({"dir_path": "src"}), &[("src", Access::Read)]);
    check("grep_search", json!({"SearchPath": "src", "query": "x"}), &[("src", Access::Read)]);
    let of_errors = json!({"filePaths": ["src/a", ".env"]});
    check("lsp", of_errors, &[("src/a", Access::Read), (".env", Access::Read)]);
}

#[test]
fn a_search_tells_the_names_it_goes_by() {
    let found = read("Grep", &json!({"pattern": "x", "glob": "*.rs", "type": "py"})).unwrap();
    assert_eq!((found.names, found.listed), (vec!["*.rs".to_owned(), "*.py".to_owned()], None));
    let found = read("Glob", &json!({"pattern": "src/*.rs"})).unwrap();
    assert_eq!((found.names, found.listed), (Vec::new(), Some("src/*.rs".to_owned())));
}

#[test]
fn a_pattern_that_leads_elsewhere_is_a_target() {
    // threat C13
    check("Glob", json!({"pattern": "/etc/*.conf"}), &[("/etc", Access::Read)]);
    check("Glob", json!({"pattern": "../x/**"}), &[("../x", Access::Read)]);
    check(
        "Glob",
        json!({"path": "src", "pattern": "~/.ssh/*"}),
        &[("src", Access::Read), ("~/.ssh", Access::Read)],
    );
    check("Glob", json!({"pattern": "*/../../x"}), &[("/..", Access::Read)]);
}

#[test]
fn a_pattern_that_leads_elsewhere_by_a_backslash_braces_or_a_blank_is_a_target() {
    // A2, threat C13
    for pattern in [r"\../x/*", r".\./x/*", r"..\x\*", " ../x/*", "{../x,src}/*", "{.,src}./x/*"] {
        let call = json!({"pattern": pattern});
        let found = targets(&classify("Glob", &Default::default()), call.as_object().unwrap()).unwrap();
        assert!(
            found.paths.iter().any(|target| target.requested.starts_with("../x")),
            "{pattern}: {found:?}"
        );
    }
    check("Glob", json!({"pattern": "src/{a,b}/*.rs"}), &[(".", Access::Read)]);
    check("Glob", json!({"pattern": "src/{a"}), &[(".", Access::Read)]);
    let many = format!("src/{{{}}}", vec!["a"; 300].join(","));
    check("Glob", json!({ "pattern": many }), &[("/", Access::Read)]);
    check("Glob", json!({"pattern": r"src/\*.rs"}), &[(".", Access::Read)]);
}

#[cfg(unix)]
#[test]
fn a_new_name_may_hold_a_backslash() {
    // D-45
    let expected = [("d/a", Access::MoveFrom), (r"d/b\c", Access::MoveTo)];
    check("rename_file", json!({"path": "d/a", "new_name": r"b\c"}), &expected);
    let expected = [(r"d\a", Access::MoveFrom), ("b", Access::MoveTo)];
    check("rename_file", json!({"path": r"d\a", "new_name": "b"}), &expected);
}

#[test]
fn req_085_every_target_of_a_patch_is_found() {
    let text = "*** Begin Patch\n*** Add File: new.rs\n+x\n*** Update File: src/a.rs\n*** Move to: src/b.rs\n@@\n-1\n+2\n\
                *** Delete File: old.rs\n*** Update File: c.rs\n@@\n-1\n+2\n*** End Patch\n";
    let expected = [
        ("new.rs", Access::Overwrite),
        ("src/a.rs", Access::MoveFrom),
        ("src/b.rs", Access::MoveTo),
        ("old.rs", Access::Delete),
        ("c.rs", Access::Patch),
    ];
    for params in [
        json!({"patch": text}),
        json!({"input": text}),
        json!({"command": text}),
        json!({"command": ["apply_patch", text]}),
        json!({"patchText": text}),
    ] {
        let found = check("apply_patch", params, &expected);
        assert_eq!(found.content_for("new.rs").as_deref(), Some("x\n"));
        assert_eq!(found.patched("c.rs", "0\n1\n").as_deref(), Some("0\n2\n"));
        assert_eq!(found.patched("src/b.rs", "1\n").as_deref(), Some("2\n"));
        assert_eq!(found.paths[1].moved_to.as_deref(), Some("src/b.rs"));
        let changed = |path: &str| found.hunks_for(path).len();
        assert_eq!((changed("c.rs"), changed("src/a.rs"), changed("src/b.rs")), (1, 1, 0));
    }
}

#[test]
fn what_a_patch_says_of_a_link_is_said_of_that_link_alone() {
    let link = |path: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 120000\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n\
             +{path}.target\n"
        )
    };
    let found = read("apply_patch", &json!({"patch": format!("{}{}", link("x"), link("y"))})).unwrap();
    let of = |path: &str| {
        let hunks = found.quoted_hunks(path);
        hunks.iter().flat_map(|hunk| hunk.lines.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("x"), [HunkLine::Add("x.target".to_owned())]);
    assert_eq!(of("y"), [HunkLine::Add("y.target".to_owned())]);
    assert_eq!(of("z"), []);
}

#[test]
fn each_file_that_a_patch_adds_or_copies_has_its_own_text() {
    let added = "*** Begin Patch\n*** Add File: a\n+1\n*** Add File: b\n+2\n*** End Patch\n";
    let found = read("apply_patch", &json!({ "patch": added })).unwrap();
    let of = |path: &str| found.content_for(path);
    assert_eq!((of("a").as_deref(), of("b").as_deref(), of("c")), (Some("1\n"), Some("2\n"), None));
    let copied = "diff --git a/x b/y\ncopy from x\ncopy to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n";
    let found = read("apply_patch", &json!({ "patch": copied })).unwrap();
    let of = |path: &str| found.patched(path, "1\n");
    assert_eq!((of("y").as_deref(), of("x"), of("z")), (Some("2\n"), None, None), "the source stays");
}

#[test]
fn a1_two_parameters_with_different_patches_are_malformed() {
    // threat D11
    let patch = |path: &str| format!("*** Begin Patch\n*** Delete File: {path}\n*** End Patch");
    for (key, other) in [("patch", "b"), ("input", "b"), ("diff", "b")] {
        check_refused("apply_patch", json!({"command": ["apply_patch", patch("a")], key: patch(other)}));
        check_refused("apply_patch", json!({"command": patch("a"), key: patch(other)}));
    }
    check_refused("apply_patch", json!({"command": ["sh", patch("a")]}));
    check(
        "apply_patch",
        json!({"command": ["apply_patch", patch("a")], "patch": patch("a")}),
        &[("a", Access::Delete)],
    );
}

#[test]
fn a1_a_file_that_is_changed_and_copied_is_a_changed_one() {
    let text = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n\
                diff --git a/x b/y\ncopy from x\ncopy to y\n";
    let expected = [("x", Access::Patch), ("x", Access::Read), ("y", Access::MoveTo)];
    let found = check("apply_patch", json!({"patch": text}), &expected);
    assert_eq!(found.mode_of("x").map(|note| note.new.as_str()), Some("100755"));
    assert_eq!(found.mode_of("y"), None);
}

#[test]
fn blocks_are_edits_of_whole_lines_and_each_marker_has_its_place() {
    let blocks = |diff: &str| {
        let found = read("apply_diff", &json!({"path": "a", "diff": diff}));
        found.map(|found| {
            found.edits.into_iter().map(|edit| (edit.old, edit.new, edit.whole_lines)).collect::<Vec<_>>()
        })
    };
    let edit = |old: &str, new: &str| (old.to_owned(), new.to_owned(), true);
    let block = "<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n";
    let other = "------- SEARCH\n3\n=======\n4\n+++++++ REPLACE\n";
    assert_eq!(blocks(&format!("{block}\n{other}")), Ok(vec![edit("1\n", "2\n"), edit("3\n", "4\n")]));
    // A back-slash makes a line of a marker, and is one before anything else.
    for marker in
        ["<<<<<<< SEARCH", "------- SEARCH", "=======", ">>>>>>> REPLACE", "+++++++ REPLACE", "-------"]
    {
        let escaped = format!("<<<<<<< SEARCH\nx\n\\{marker}\n=======\n\\{marker}\n\\x\n>>>>>>> REPLACE\n");
        assert_eq!(blocks(&escaped), Ok(vec![edit(&format!("x\n{marker}\n"), &format!("{marker}\n\\x\n"))]));
    }
    for (odd, marker) in [
        (format!("=======\n{block}"), "======="),
        (format!("{block}>>>>>>> REPLACE\n"), ">>>>>>> REPLACE"),
        (block.replace("1\n", "1\n<<<<<<< SEARCH\n"), "<<<<<<< SEARCH"),
        (block.replace("1\n", "1\n>>>>>>> REPLACE\n"), ">>>>>>> REPLACE"),
        (block.replace("2\n", "2\n<<<<<<< SEARCH\n"), "<<<<<<< SEARCH"),
        (block.replace("2\n", "2\n=======\n"), "======="),
    ] {
        let why = format!("a SEARCH/REPLACE marker is out of place: `{marker}`");
        assert_eq!(blocks(&odd), Err(Unreadable::Malformed(why)), "{odd}");
    }
    let none = "the diff has no SEARCH/REPLACE block".to_owned();
    assert_eq!(blocks("words alone\n"), Err(Unreadable::Malformed(none)));
    let open = "a SEARCH/REPLACE block is not closed".to_owned();
    assert_eq!(blocks(&block.replace(">>>>>>> REPLACE\n", "")), Err(Unreadable::Malformed(open)));
}

#[test]
fn a1_a_diff_of_another_file_beside_blocks_is_malformed() {
    let block = "<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n";
    let other = "--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-x\n+y\n";
    for diff in [format!("{block}{other}"), format!("{other}{block}")] {
        check_refused("apply_diff", json!({"path": "a.ts", "diff": diff}));
    }
    let prose = format!("Here it is:\n{block}Done.\n");
    check("apply_diff", json!({"path": "a.ts", "diff": prose}), &[("a.ts", Access::Anchored)]);
}

#[test]
fn a_path_beside_a_patch_is_a_target_too() {
    let text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n";
    check("apply_patch", json!({"patch": text, "path": "y"}), &[("y", Access::Patch), ("x", Access::Patch)]);
    check("apply_patch", json!({"patch": text, "path": "x"}), &[("x", Access::Patch)]);
}

#[test]
fn moves_name_both_ends() {
    let expected = [("d/a", Access::MoveFrom), ("d/b", Access::MoveTo)];
    check("move_file", json!({"from": "d/a", "to": "d/b"}), &expected);
    check("rename_file", json!({"path": "d/a", "new_name": "b"}), &expected);
    check("rename_file", json!({"oldPath": "d/a", "newPath": "d/b"}), &expected);
    let ends = |to| [("d/a", Access::MoveFrom), (to, Access::MoveTo)];
    check("rename_file", json!({"path": "d/a", "new_name": "e/b"}), &ends("e/b"));
    check("move_file", json!({"from": "d/a", "to": "b"}), &ends("b"));
}

#[test]
fn what_is_changed_without_a_quotation_is_a_patch() {
    let expected = [("a", Access::Patch)];
    for (tool, params) in [
        ("edit_file", json!({"target_file": "a", "code_edit": "x"})),
        ("str_replace_editor", json!({"command": "insert", "path": "a", "insert_line": 1, "new_str": "x"})),
        ("str_replace_editor", json!({"command": "undo_edit", "path": "a"})),
        ("fs_write", json!({"command": "append", "path": "a", "new_str": "x"})),
        ("editor", json!({"path": "a", "insert_line": 1, "new_text": "x"})),
    ] {
        let found = check(tool, params, &expected);
        assert_eq!((found.edits, found.content), (Vec::new(), None), "{tool}");
    }
    let nothing = "there is neither a new text nor a `command`".to_owned();
    assert_eq!(read("editor", &json!({"path": "a"})), Err(Unreadable::Malformed(nothing)));
}

#[test]
fn notebooks_images_and_blocks() {
    check(
        "NotebookEdit",
        json!({"notebook_path": "n.ipynb", "new_source": "x", "cell_id": "1"}),
        &[("n.ipynb", Access::Patch)],
    );
    let expected = [("o.png", Access::Overwrite), ("i.png", Access::Read)];
    check("generate_image", json!({"prompt": "p", "path": "o.png", "image": "i.png"}), &expected);
    let diff = "<<<<<<< SEARCH\n:start_line:2\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n";
    let found = check("apply_diff", json!({"path": "a", "diff": diff}), &[("a", Access::Anchored)]);
    assert_eq!((found.edits[0].line, found.edits[0].old.as_str()), (Some(2), "old\n"));
    check("delete_file", json!({"path": "a"}), &[("a", Access::Delete)]);
}

#[test]
fn commands_of_every_shape_become_one_text() {
    let command = |tool, params| read(tool, &params).unwrap().command.unwrap();
    assert_eq!(command("Bash", json!({"command": "ls -l", "description": "x"})), "ls -l");
    assert_eq!(command("run_command", json!({"CommandLine": "ls", "Cwd": "/r"})), "ls");
    assert_eq!(
        command("run_commands", json!({"commands": ["a", {"command": "b", "args": ["c", "d"]}]})),
        "a\nb c d"
    );
    assert_eq!(command("shell", json!({"command": ["bash", "-lc", "rm it's"]})), r"bash -lc 'rm it'\''s'");
    assert_eq!(
        read("Shell", &json!({"command": "ls", "working_directory": "w"})).unwrap().cwd.as_deref(),
        Some("w")
    );
}

#[test]
fn tools_without_paths_have_none() {
    for (tool, params) in [
        ("WebFetch", json!({"url": "file:///etc/passwd"})),
        ("TodoWrite", json!({"todos": []})),
        ("select_active_intent", json!({"intent_id": "INT-001"})),
        ("mcp__x__y", json!({"path": "/etc"})),
    ] {
        assert_eq!(read(tool, &params).unwrap(), Targets::default(), "{tool}");
    }
}

#[test]
fn two_different_values_for_one_thing_are_refused() {
    // threat D11
    check_refused("write_to_file", json!({"path": "a", "file_path": "b", "content": "x"}));
    check_refused("write_to_file", json!({"path": "a", "content": "x", "contents": "y"}));
    check_refused("Bash", json!({"command": "ls", "CommandLine": "rm -rf ~"}));
    check_refused("edit_file", json!({"path": "a", "old_string": "1", "old_str": "2", "new_string": "3"}));
    check(
        "write_to_file",
        json!({"path": "a", "file_path": "a", "content": "x"}),
        &[("a", Access::Overwrite)],
    );
}

#[test]
fn what_is_not_recognised_is_refused() {
    for (tool, params) in [
        ("write_to_file", json!({"content": "x"})),
        ("write_to_file", json!({"path": "a"})),
        ("write_to_file", json!({"path": ["a"], "content": "x"})),
        ("read_file", json!({})),
        ("read_file", json!({"path": null})),
        ("read_files", json!({"files": [7]})),
        ("edit_file", json!({"path": "a"})),
        ("edit_file", json!({"path": "a", "old_string": "1"})),
        ("search_and_replace", json!({"path": "a", "search": ".*", "replace": "", "use_regex": "true"})),
        ("MultiEdit", json!({"file_path": "a", "edits": ["x"]})),
        (
            "MultiEdit",
            json!({"file_path": "a", "edits": [{"file_path": "b", "old_string": "1", "new_string": "2"}]}),
        ),
        ("apply_patch", json!({"patch": "hello"})),
        ("apply_patch", json!({"command": ["sh", "-c", "x"]})),
        ("apply_diff", json!({"path": "a", "diff": "x"})),
        ("move_file", json!({"from": "a"})),
        ("Bash", json!({})),
        ("Bash", json!({"command": "  "})),
        ("Bash", json!({"command": 7})),
        ("run_commands", json!({"commands": []})),
        ("fs_write", json!({"command": "chmod", "path": "a"})),
        ("editor", json!({"path": "a"})),
    ] {
        check_refused(tool, params);
    }
}

// A8
#[test]
fn words_beside_a_command_are_words_of_it() {
    let command = |params: Value| read("execute_command", &params).unwrap().command.unwrap();
    assert_eq!(command(json!({"command": "ls", "args": []})), "ls");
    assert_eq!(command(json!({"command": "ls", "args": null})), "ls");
    // A host may drop them, so they are kept apart, and no reader takes both for one simple command.
    for params in [
        json!({"command": "make", "args": ["--version"]}),
        json!({"command": "find", "args": [".", "-delete"]}),
        json!({"commands": ["make"], "args": ["--version"]}),
        json!({"command": "git stash", "args": ["list"]}),
        json!({"command": "ls", "args": ["$(x)"]}),
        json!({"command": "ls", "args": "-l; rm x"}),
    ] {
        assert!(command(params.clone()).contains("\\\n"), "{params}");
    }
    check_refused("execute_command", json!({"command": "ls", "args": {"a": 1}}));
    check_refused("execute_command", json!({"command": "ls", "commands": ["x"], "args": ["-l"]}));
}

// A8: a text that only looks like a list is a command, and a shell reads it
#[test]
fn a_text_in_the_place_of_a_list_of_commands_is_one_command() {
    let command = |text: &str| read("run_commands", &json!({"commands": text})).unwrap().command.unwrap();
    let hidden = "{\"command\":\"echo '`touch pwn`'\"}";
    assert_eq!(command(hidden), hidden);
    assert_eq!(command("ls -l"), "ls -l");
    assert_eq!(command("[ -f a ] && rm b"), "[ -f a ] && rm b");
    assert_eq!(command("[\"ls\", \"pwd\"]"), "ls\npwd");
}

// A8: a host obeys its own spelling and drops the other one, so that what is shown could be another change
#[test]
fn an_edit_that_is_said_in_two_ways_is_refused() {
    for (tool, params) in [
        (
            "edit_file",
            json!({"path": "a", "old_str": "x", "new_str": "EVIL", "edits": [{"old_str": "EVIL", "new_str": "y"}]}),
        ),
        ("edit_file", json!({"path": "a", "old_string": "x", "new_string": "y", "code_edit": "EVIL"})),
        (
            "edit_file",
            json!({"path": "a", "edits": [{"old_string": "x", "new_string": "y"}], "code_edit": "EVIL"}),
        ),
        ("edit_file", json!({"path": "a", "old_str": "x", "new_string": "y"})),
        ("edit_file", json!({"path": "a", "old_string": "x", "old_str": "x", "new_string": "y"})),
        ("edit_file", json!({"path": "a", "edits": [{"oldString": "x", "new_string": "y"}]})),
        ("fs_write", json!({"command": "create", "path": "a", "content": "harmless", "new_str": "EVIL"})),
        ("fs_write", json!({"command": "str_replace", "path": "a", "old_str": "x", "new_string": "y"})),
    ] {
        check_refused(tool, params);
    }
    for (tool, params) in [
        ("edit_file", json!({"path": "a", "old_str": "x", "new_str": "y", "edits": null, "code_edit": null})),
        ("edit_file", json!({"path": "a", "oldString": "x", "newString": "y"})),
        ("edit_file", json!({"path": "a", "search": "x", "replace": "y"})),
        ("editor", json!({"path": "a", "old_text": "x", "new_text": "y"})),
        ("fs_write", json!({"command": "create", "path": "a", "file_text": "x"})),
    ] {
        assert!(read(tool, &params).is_ok(), "{tool} {params}");
    }
}

// A8: a host may put blanks between the words and give them to a shell
#[test]
fn words_that_a_shell_could_read_otherwise_are_kept_apart_from_their_program() {
    let command = |params: Value| read("execute_command", &params).unwrap().command.unwrap();
    for params in [
        json!({"command": ["ls", "; rm x"]}),
        json!({"command": ["find", ".", "-name", "x -delete"]}),
        json!({"command": ["git", "stash", "", "list"]}),
        json!({"commands": [["ls", "; rm x"]]}),
        json!({"commands": [{"command": "ls", "args": ["; rm x"]}]}),
        json!({"commands": [{"command": "git stash", "args": ["list"]}]}),
        json!({"command": ["bash", "-lc", "LC_ALL='; rm x' ls"]}),
        json!({"command": ["bash", "-lc", "ls", "; rm x"]}),
        json!({"command": ["nice", "-c", "ls; rm x"]}),
        json!({"command": ["nice", "-c", "ls && rm x"]}),
        json!({"command": ["bash", "-x", "ls && rm x"]}),
        json!({"command": ["$(x)/bash", "-c", "ls && rm x"]}),
        json!({"command": ["bash", "-c", "$(x) ls"]}),
    ] {
        assert!(command(params.clone()).contains("\\\n"), "{params}");
    }
    for (params, expected) in [
        (json!({"command": ["git", "log", "-n", "3"]}), "git log -n 3"),
        (json!({"command": ["bash", "-lc", "ls -la"]}), "bash -lc 'ls -la'"),
        (json!({"command": ["/bin/sh", "-c", "cd src && ls"]}), "/bin/sh -c 'cd src && ls'"),
        (json!({"commands": [["git", "diff"], {"command": "ls", "args": ["-l"]}]}), "git diff\nls -l"),
    ] {
        assert_eq!(command(params), expected);
    }
}
