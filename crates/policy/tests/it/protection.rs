//! Protected, sensitive and secret paths.

use bailiwick_domain::{Settings, WorkspacePath};
use bailiwick_policy::protection::{Protection, of_change, of_reading, of_reading_outside};

use crate::support::repo;

fn located(path: &str) -> WorkspacePath {
    WorkspacePath { folded: path.to_lowercase(), path: repo(path), spelled: None }
}

fn change(path: &str) -> Protection {
    of_change(&located(path), &Settings::default())
}

#[test]
fn protected_by_file_at_any_depth_and_in_any_case() {
    // D-13 threat C8 threat F1 threat F3
    for path in [
        ".orchestration/active_intents.yaml",
        ".orchestration",
        ".intentignore",
        ".git/hooks/pre-commit",
        ".git/config",
        ".git",
        ".Git/hooks/x",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".CLAUDE/Settings.json",
        ".claude/hooks/a.sh",
        ".mcp.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".cursor/hooks.json",
        ".cursor/mcp.json",
        ".gemini/settings.json",
        ".gemini/antigravity-cli/settings.json",
        ".codeium/hooks.json",
        ".codeium/windsurf/hooks.json",
        ".factory/hooks.json",
        ".factory/hooks/a.sh",
        ".kimi-code/mcp.json",
        ".kimi-code/config.toml",
        ".kimi-code/local.toml",
        ".github/hooks/x.json",
        ".clinerules/hooks/PreToolUse",
        ".opencode/plugin/a.ts",
        ".opencode/plugins/b/c.ts",
        "opencode.json",
        "sub/dir/.claude/settings.json",
        "a/.orchestration/x",
        ".claude/worktrees/w/.claude/settings.json",
        // threat F4: where the home folder itself is the governed root
        ".local/state/bailiwick/accepted/x.json",
    ] {
        assert!(matches!(change(path), Protection::Protected(_)), "{path}");
    }
}

#[test]
fn what_holds_a_protected_file_is_protected() {
    for path in [".claude", ".codex", "sub/.cursor", ".github", ".opencode"] {
        assert!(matches!(change(path), Protection::Protected(_)), "{path}");
    }
}

#[test]
fn sensitive_files() {
    // threat F6 threat F7
    for path in [
        "AGENTS.md",
        "docs/CLAUDE.md",
        "AGENT.md",
        ".vscode/settings.json",
        ".vscode/tasks.json",
        ".gitattributes",
        "a/.gitignore",
        ".github/workflows/ci.yml",
        ".gitlab-ci.yml",
        ".husky/pre-commit",
        ".envrc",
        ".npmrc",
        ".clinerules/rule.md",
        ".claude/rules/style.md",
        ".agents/skills/x/SKILL.md",
        ".github/workflows",
        ".devcontainer/devcontainer.json",
    ] {
        assert!(matches!(change(path), Protection::Sensitive(_)), "{path}");
    }
}

#[test]
fn ordinary_files_are_ordinary() {
    for path in [
        "src/main.rs",
        ".claude/worktrees/w/src/a.rs",
        "src/git/config",
        "claude/settings.json",
        "settings.json",
        ".github/ISSUE_TEMPLATE.md",
        "docs/agents.md.txt",
        "x.git/config",
        ".vscode/extensions.json",
        "Cargo.toml",
        "orchestration/a",
        "src/.env",
    ] {
        assert_eq!(change(path), Protection::None, "{path}");
    }
}

#[test]
fn a_link_with_a_protected_name_is_protected() {
    // threat C3
    let path = WorkspacePath { spelled: Some(repo(".Claude/settings.json")), ..located("src/a.json") };
    assert!(matches!(of_change(&path, &Settings::default()), Protection::Protected(_)));
}

#[test]
fn secrets_and_private_state_are_not_read() {
    // K-32
    let reading = |path: &str| of_reading(&located(path), &Settings::default()).is_some();
    for path in [
        ".env",
        "a/.env",
        ".env.production",
        ".ENV.Local",
        "key.pem",
        "certs/server.key",
        "id_rsa",
        "id_ed25519.pub",
        ".ssh/config",
        ".ssh",
        ".aws/credentials",
        ".netrc",
        ".git/bailiwick/sessions/x",
        ".orchestration/state/ledger",
        ".git/bailiwick",
        ".local/state/bailiwick/approval.key",
        "home/.cargo/credentials.toml",
        ".claude/.credentials.json",
        ".config/gh/hosts.yml",
        "login.ppk",
        ".ssh/.env.example",
        "*/server.key",
        "?/server.key",
    ] {
        assert!(reading(path), "{path}");
    }
    for path in [
        ".env.example",
        ".env.sample",
        "x/.env.template",
        ".env.dist",
        ".env.local.example",
        ".cargo/config.toml",
        "credentials.toml",
        ".git/config",
        ".git/HEAD",
        ".orchestration/active_intents.yaml",
        "src/env.rs",
        "keys/a.rs",
        ".aws/config",
        ".claude/settings.json",
        "monkey",
    ] {
        assert!(!reading(path), "{path}");
    }
    assert!(of_reading_outside("/home/dev/.SSH/id").is_some());
    assert!(of_reading_outside("/usr/share/doc/x").is_none());
}

#[test]
fn settings_add_patterns() {
    let settings = Settings {
        protect_write: vec!["Migrations/**".to_owned(), "!migrations/draft/".to_owned()],
        protect_read: vec!["**/*.secret".to_owned()],
        ..Settings::default()
    };
    assert!(matches!(of_change(&located("migrations/1.sql"), &settings), Protection::Protected(_)));
    assert_eq!(of_change(&located("migrations/draft/1.sql"), &settings), Protection::None);
    assert!(of_reading(&located("a/B.Secret"), &settings).is_some());
}

#[test]
fn a_pattern_that_cannot_be_read_guards_everything() {
    let settings = Settings { protect_write: vec!["a[".to_owned()], ..Settings::default() };
    assert!(matches!(of_change(&located("src/a.rs"), &settings), Protection::Protected(_)));
}
