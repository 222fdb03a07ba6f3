//! The MCP server's entry in the host's own big file (D-08, D-19).

use bailiwick_adapters_hooks::claude_code::{
    InstallError, McpCommand, mcp_install, mcp_is_foreign, mcp_registered, mcp_uninstall,
};
use bailiwick_domain::{Value, json};

const THEIRS: &str = r#"{
  "numStartups": 42,
  "projects": {
    "/other": {
      "allowedTools": [],
      "mcpServers": {}
    },
    "/repo": {
      "allowedTools": [],
      "mcpServers": {
        "github": {
          "type": "http",
          "url": "https://example.invalid"
        }
      },
      "hasTrustDialogAccepted": true
    }
  },
  "userID": "x"
}
"#;

fn server() -> McpCommand {
    McpCommand { command: "/opt/bailiwick".into(), args: vec!["mcp".into()] }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_entry_lands_in_its_project_and_nothing_else_moves() {
    // D-08
    let installed = mcp_install(Some(THEIRS), "/repo", &server()).unwrap();
    let mut expected = value(THEIRS);
    expected["projects"]["/repo"]["mcpServers"]["bailiwick"] =
        json!({"type": "stdio", "command": "/opt/bailiwick", "args": ["mcp"], "env": {}});
    assert_eq!(value(&installed.text), expected);
    let kept: Vec<&str> = THEIRS.lines().filter(|line| !installed.text.contains(line.trim_end())).collect();
    assert_eq!(kept, Vec::<&str>::new());
    assert!(!mcp_install(Some(&installed.text), "/repo", &server()).unwrap().changed);
}

#[test]
fn what_is_registered_is_read_back() {
    // D-19
    for existing in [None, Some(THEIRS), Some("{}")] {
        let installed = mcp_install(existing, "/repo", &server()).unwrap();
        assert_eq!(mcp_registered(&installed.text, "/repo"), Some(server()));
        assert_eq!(mcp_registered(&installed.text, "/other"), None);
        assert_eq!(mcp_registered(&installed.text, "/repo/"), None);
    }
    let moved = McpCommand { command: "/new/bailiwick".into(), args: vec!["mcp".into()] };
    let first = mcp_install(Some(THEIRS), "/repo", &server()).unwrap();
    let second = mcp_install(Some(&first.text), "/repo", &moved).unwrap();
    assert_eq!(mcp_registered(&second.text, "/repo"), Some(moved));
}

#[test]
fn a_server_that_is_no_local_command_is_not_proof() {
    // D-19
    let with =
        |entry: Value| json!({"projects": {"/repo": {"mcpServers": {"bailiwick": entry}}}}).to_string();
    for entry in [
        json!({"type": "http", "url": "https://example.invalid"}),
        json!({"type": "sse", "command": "/opt/bailiwick", "args": ["mcp"]}),
        json!({"type": "stdio", "args": ["mcp"]}),
        json!({"command": "/opt/bailiwick", "args": [7]}),
        json!({"command": "/opt/bailiwick", "args": "mcp"}),
        json!("/opt/bailiwick"),
        // A15: the same command in another environment is another program.
        json!({"command": "/opt/bailiwick", "args": ["mcp"], "env": {"LD_PRELOAD": "/tmp/x.so"}}),
        json!({"command": "/opt/bailiwick", "args": ["mcp"], "env": {"PATH": "/tmp"}}),
        json!({"command": "/opt/bailiwick", "args": ["mcp"], "env": "PATH=/tmp"}),
        json!({"command": "/opt/bailiwick", "args": ["mcp"], "cwd": "/tmp"}),
    ] {
        assert_eq!(mcp_registered(&with(entry.clone()), "/repo"), None, "{entry}");
    }
    let short = McpCommand { command: "/opt/bailiwick".into(), args: vec![] };
    assert_eq!(mcp_registered(&with(json!({"command": "/opt/bailiwick"})), "/repo"), Some(short));
    assert_eq!(mcp_registered("{", "/repo"), None);
}

#[test]
fn uninstalling_leaves_what_was_there() {
    let installed = mcp_install(Some(THEIRS), "/repo", &server()).unwrap();
    let left = mcp_uninstall(&installed.text, "/repo").unwrap();
    assert_eq!((left.text.as_deref(), left.changed), (Some(THEIRS), true));
    let fresh = mcp_install(Some("{\n  \"userID\": \"x\"\n}\n"), "/repo", &server()).unwrap();
    let left = mcp_uninstall(&fresh.text, "/repo").unwrap();
    assert_eq!(left.text.as_deref(), Some("{\n  \"userID\": \"x\"\n}\n"));
    assert!(!mcp_uninstall(THEIRS, "/repo").unwrap().changed);
    assert!(!mcp_uninstall("{}", "/repo").unwrap().changed);
}

#[test]
fn another_server_of_that_name_stays_and_ours_is_not_registered() {
    // D-08
    for mine in [
        json!({"command": "mine"}),
        json!({"command": "/opt/mine", "args": ["mcp"]}),
        json!({"command": "/opt/bailiwick", "args": ["serve"]}),
        json!({"type": "http", "url": "https://example.invalid"}),
        json!("mine"),
    ] {
        let text = json!({"projects": {"/repo": {"mcpServers": {"bailiwick": mine}}}}).to_string();
        assert!(mcp_is_foreign(&text, "/repo") && !mcp_is_foreign(&text, "/other"), "{mine}");
        assert_eq!(mcp_install(Some(&text), "/repo", &server()).unwrap().text, text);
        let left = mcp_uninstall(&text, "/repo").unwrap();
        assert_eq!((left.text.as_deref(), left.changed), (Some(text.as_str()), false));
    }
    for ours in [
        json!({"command": "bailiwick", "args": ["mcp"]}),
        json!({"command": r"C:\x\bailiwick.exe", "args": ["mcp"], "env": {"A": "b"}}),
        json!({"command": "/x/moved", "args": ["--root", "/repo", "mcp", "--state", "/s"]}),
    ] {
        let text = json!({"projects": {"/repo": {"mcpServers": {"bailiwick": ours}}}}).to_string();
        assert!(!mcp_is_foreign(&text, "/repo"), "{ours}");
        let installed = mcp_install(Some(&text), "/repo", &server()).unwrap();
        assert_eq!(mcp_registered(&installed.text, "/repo"), Some(server()));
        assert!(mcp_uninstall(&text, "/repo").unwrap().changed);
    }
}

#[test]
fn a_file_that_cannot_be_understood_is_never_edited() {
    assert!(matches!(mcp_install(Some("{"), "/repo", &server()), Err(InstallError::Malformed { .. })));
    for odd in [
        "[]",
        "{\"projects\":[]}",
        "{\"projects\":{\"/repo\":7}}",
        "{\"projects\":{\"/repo\":{\"mcpServers\":[]}}}",
    ] {
        assert!(
            matches!(mcp_install(Some(odd), "/repo", &server()), Err(InstallError::Unexpected { .. })),
            "{odd}"
        );
    }
}
