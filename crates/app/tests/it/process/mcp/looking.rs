//! Tools that look: what may be read is shown, what may not is not, by whichever of them.

use bailiwick_domain::json;

use super::client::Client;
use crate::process::machine::Machine;

// K-36, D-39: search shows no more than reading does
#[test]
fn a_search_shows_what_reading_would_show() {
    let machine = Machine::new();
    machine.write(".env", "TOKEN=needle\n");
    machine.write("src/auth/keys.rs", "// needle\n");
    machine.write("secret/plan.txt", "needle\n");
    machine.write(".intentignore", "[INT-*] read\nsecret/\n");
    machine.write("build/out.rs", "needle\n");
    machine.write(".gitignore", "build/\n");
    let client = Client::selected(&machine);
    let hidden = client.code("read_file", &json!({"path": ".env"}));
    assert_eq!(hidden, "PROTECTED_PATH");
    assert_eq!(client.code("read_file", &json!({"path": "secret/plan.txt"})), "INTENT_IGNORED");
    let found = client.ok("search_files", &json!({"regex": "need.e"}));
    assert_eq!(found, "src/auth/keys.rs:1:// needle");
    // Nothing that is said tells a hit in a hidden file from a miss.
    let hit = client.ok("search_files", &json!({"regex": "^TOKEN=n"}));
    let miss = client.ok("search_files", &json!({"regex": "^TOKEN=x"}));
    assert_eq!((hit.as_str(), miss.as_str()), ("[nothing found]", "[nothing found]"));
    assert_eq!(
        client.ok("search_files", &json!({"regex": "needle", "file_pattern": "*.txt", "path": "src"})),
        "[nothing found]"
    );
    assert_eq!(
        client.ok("search_files", &json!({"regex": "login", "path": "src/auth/login.rs"})),
        "src/auth/login.rs:1:pub fn login() {}"
    );
    let refused = client.refused("search_files", &json!({"regex": "needle", "file_pattern": "["}));
    assert_eq!(refused["code"], "MALFORMED_CALL");
    assert!(refused["message"].as_str().unwrap().contains("`[` is no file pattern"), "{refused}");
    for out in ["..", "/etc"] {
        assert_eq!(client.code("search_files", &json!({"regex": "root", "path": out})), "OUTSIDE_WORKSPACE");
        assert_eq!(client.code("list_files", &json!({"path": out})), "OUTSIDE_WORKSPACE");
    }
    client.end();
}

#[test]
fn a_listing_is_of_one_folder_or_of_all_below_it() {
    let machine = Machine::new();
    std::os::unix::fs::symlink("/etc", machine.root().join("src/link")).unwrap();
    let client = Client::of(&machine);
    assert_eq!(client.ok("list_files", &json!({"path": "src"})), "src/auth/\nsrc/core/\nsrc/link");
    let all = client.ok("list_files", &json!({"path": "src", "recursive": true}));
    assert_eq!(all, "src/auth/\nsrc/auth/login.rs\nsrc/core/\nsrc/core/main.rs\nsrc/link");
    let top = client.ok("list_files", &json!({}));
    assert!(top.lines().any(|name| name == "src/") && !top.contains(".git/"), "{top}");
    assert_eq!(client.code("list_files", &json!({"path": "src/none"})), "MALFORMED_CALL");
    assert_eq!(client.code("list_files", &json!({"path": "src/auth/login.rs"})), "MALFORMED_CALL");
    client.end();
}

// D-44
#[test]
fn a_long_file_is_shown_in_parts() {
    let machine = Machine::new();
    let text: String = (1..=5_000).map(|line| format!("line {line}\n")).collect();
    machine.write("src/auth/long.rs", &text);
    machine.write("src/auth/wide.rs", &format!("{}é\nend\n", "x".repeat((256 << 10) - 1)));
    let client = Client::selected(&machine);
    let wide = client.ok("read_file", &json!({"path": "src/auth/wide.rs"}));
    assert!(
        wide.starts_with("xxx") && wide.contains("[line 1 of 3, its first 262143 of 262145 bytes"),
        "{}",
        wide.len()
    );
    let end = client.ok("read_file", &json!({"path": "src/auth/wide.rs", "offset": 2}));
    assert_eq!(end, "end\n\n[lines 2 to 3 of 3]");
    let behind = client.ok("read_file", &json!({"path": "src/auth/wide.rs", "offset": 50}));
    assert_eq!(behind, "[there is no line 50: the last one is 3]");
    let first = client.ok("read_file", &json!({"path": "src/auth/long.rs"}));
    assert!(first.starts_with("line 1\n") && first.ends_with("[lines 1 to 2000 of 5001]"), "{}", first.len());
    let more = client.ok("read_file", &json!({"path": "src/auth/long.rs", "offset": 4_999, "limit": 1}));
    assert_eq!(more, "line 4999\n[lines 4999 to 4999 of 5001]");
    assert_eq!(
        client.code("write_to_file", &json!({"path": "src/auth/long.rs", "content": "x"})),
        "STALE_FILE"
    );
    let edit = json!({"path": "src/auth/long.rs", "old_string": "line 4999\n", "new_string": "changed\n"});
    client.approved(&machine, "edit_file", &edit);
    assert_eq!(client.code("read_file", &json!({"path": "src/auth"})), "MALFORMED_CALL");
    client.end();
}

// D-44: parts of one content add up, and those of another do not
#[test]
fn a_long_file_that_was_read_part_by_part_was_read() {
    let machine = Machine::new();
    let text = |head: &str| (1..=4_000).map(|line| format!("{head} {line}\n")).collect::<String>();
    machine.write("src/auth/long.rs", &text("line"));
    let client = Client::selected(&machine);
    let (replaced, deleted) =
        (json!({"path": "src/auth/long.rs", "content": "x"}), json!({"path": "src/auth/long.rs"}));
    let page = |offset: u64| client.ok("read_file", &json!({"path": "src/auth/long.rs", "offset": offset}));
    assert!(page(2_001).contains("line 4000\n"));
    assert_eq!(client.code("write_to_file", &replaced), "STALE_FILE");
    machine.write("src/auth/long.rs", &text("other"));
    assert!(page(1).contains("other 2000\n"));
    assert_eq!(client.code("write_to_file", &replaced), "STALE_FILE", "the other half was another content");
    page(2_001);
    client.pending("write_to_file", &replaced);
    client.approved(&machine, "delete_file", &deleted);
    assert!(!machine.root().join("src/auth/long.rs").exists());
    client.end();
}

// D-44: otherwise nobody could ever replace or delete it
#[test]
fn a_file_that_cannot_be_shown_is_told_by_its_content_and_counts_as_read() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let wide = format!("{}\n", "x".repeat(300 << 10));
    for (name, content, told) in [
        ("bytes.bin", [0xff, 0x00].as_slice(), "not text in UTF-8. It counts as read"),
        ("wide.js", wide.as_bytes(), "no more of it can be shown; the file counts as read"),
    ] {
        let path = format!("src/auth/{name}");
        std::fs::write(machine.root().join(&path), content).unwrap();
        let call = json!({"path": path});
        assert_eq!(client.code("delete_file", &call), "STALE_FILE", "{name}");
        let shown = client.ok("read_file", &call);
        assert!(shown.contains(told), "{name}: {}", shown.get(shown.len().saturating_sub(200)..).unwrap());
        std::fs::write(machine.root().join(&path), [content, b"\xfe"].concat()).unwrap();
        assert_eq!(client.code("delete_file", &call), "STALE_FILE", "{name}: it has another content");
        client.ok("read_file", &call);
        client.approved(&machine, "delete_file", &call);
        assert!(!machine.root().join(&path).exists());
    }
    client.end();
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_as_a_file_is_called_what_it_is() {
    let machine = Machine::new();
    let client = Client::selected(&machine);
    let root = machine.root();
    std::fs::create_dir(root.join("src/empty")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(root.join("src/pipe")).status().unwrap().success());
    for (path, told) in [
        ("src/auth", "`src/auth` is a folder: `list_files` shows what is in it"),
        ("src/empty", "`src/empty` is a folder"),
        ("src/pipe", "`src/pipe` is no regular file"),
        ("src/none.rs", "there is no file `src/none.rs`"),
    ] {
        let refused = client.refused("read_file", &json!({"path": path})).to_string();
        assert!(refused.contains(told), "{path}: {refused}");
    }
    client.end();
}
