//! `init` and `uninstall` of the real binary: what they write, what they leave alone, and what they give back.

use std::path::Path;

use serde_json::Value;

use crate::world::{World, git, json, read, said, write};

/// The hosts that `init` knows, each with the file that it writes.
const HOSTS: [(&str, &str); 13] = [
    ("antigravity", ".agents/hooks.json"),
    ("claude-code", ".claude/settings.local.json"),
    ("cline", ".cline/plugins/bailiwick.js"),
    ("codex", ".codex/hooks.json"),
    ("copilot", ".github/hooks/bailiwick.json"),
    ("cursor", ".cursor/hooks.json"),
    ("droid", ".factory/settings.local.json"),
    ("gemini", ".gemini/settings.json"),
    ("kiro", ".kiro/hooks/bailiwick.json"),
    ("opencode", ".opencode/plugin/bailiwick.js"),
    ("qwen", ".qwen/settings.json"),
    ("vscode", ".github/hooks/bailiwick-vscode.json"),
    ("windsurf", ".windsurf/hooks.json"),
];

const BINARY: &str = env!("CARGO_BIN_EXE_bailiwick");

fn hook_lines(settings: &str, event: &str) -> Vec<String> {
    let settings = json(settings);
    let groups = settings["hooks"][event].as_array().cloned().unwrap_or_default();
    let handlers = groups.iter().flat_map(|group| group["hooks"].as_array().cloned().unwrap_or_default());
    handlers.filter_map(|handler| handler["command"].as_str().map(str::to_owned)).collect()
}

#[test]
fn init_governs_for_one_person_and_git_shows_only_the_store() {
    // D-08, D-15, REQ 117
    let world = World::new();
    world.ok(&["init", "--agent", "claude-code"]);
    assert_eq!(world.git_status(), "?? .orchestration/\n");
    assert!(world.path("repo/.git/bailiwick").is_dir());

    let state = world.path("home/.local/state/bailiwick");
    let lines = hook_lines(&read(&world.local_settings()), "PreToolUse");
    assert_eq!(lines.len(), 1);
    let beginning =
        format!("'{BINARY}' hook --agent claude-code --governed --state '{}' || ", state.display());
    assert!(lines[0].starts_with(&beginning), "{}", lines[0]);

    let root = world.root().display().to_string();
    let server = &json(&read(&world.servers()))["projects"][&root]["mcpServers"]["bailiwick"];
    assert_eq!(server["command"], BINARY);
    assert_eq!(server["args"], serde_json::json!(["--root", root, "mcp", "--state", state]));
    assert!(read(&state.join("roots.json")).contains(&root));
}

#[test]
fn init_a_second_time_changes_nothing_and_says_so() {
    // D-08
    let world = World::new();
    world.ok(&["init", "--agent", "claude-code"]);
    let before = world.everything();
    let second = world.ok(&["init", "--agent", "claude-code"]);
    assert!(second.contains("already governed"), "{second}");
    assert_eq!(world.changes_since(&before), [""; 0]);
    let report = json(&world.ok(&["init", "--agent", "claude-code", "--json"]));
    assert_eq!(
        (&report["created"], &report["changed"]),
        (&Value::from(Vec::<Value>::new()), &Value::from(Vec::<Value>::new()))
    );
}

#[test]
fn another_server_under_the_gates_name_stays_and_is_told() {
    // D-08
    let world = World::new();
    let root = world.root().display().to_string();
    let mine = serde_json::json!({"projects": {root: {"mcpServers": {"bailiwick": {"command": "mine"}}}}});
    let mine = format!("{mine:#}\n");
    write(&world.servers(), &mine);
    for dry in [&["--dry-run"][..], &[]] {
        let args = [&["init", "--agent", "claude-code"], dry].concat();
        let told = said(&world.run(&args));
        assert!(told.contains("you have another MCP server called `bailiwick`"), "{told}");
        assert_eq!(read(&world.servers()), mine);
    }
    let checked = said(&world.run(&["doctor"]));
    assert!(checked.contains("Give yours another name and run `bailiwick init`"), "{checked}");
    world.ok(&["uninstall"]);
    assert_eq!(read(&world.servers()), mine);
}

#[test]
fn init_reports_as_one_json_value() {
    let world = World::new();
    write(&world.servers(), "{}\n");
    let report = json(&world.ok(&["init", "--agent", "claude-code", "--json"]));
    let servers = world.servers().display().to_string();
    assert_eq!(report["root"], world.root().display().to_string());
    assert_eq!(report["agents"], serde_json::json!(["claude-code"]));
    let created: Vec<&str> = report["created"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(created.contains(&".orchestration/active_intents.yaml"), "{created:?}");
    assert!(created.contains(&".claude/settings.local.json"), "{created:?}");
    let changed: Vec<&str> = report["changed"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(changed.contains(&".git/info/exclude") && changed.contains(&servers.as_str()), "{changed:?}");
}

#[test]
fn a_dry_run_shows_every_change_and_writes_nothing() {
    // D-08
    let world = World::new();
    write(&world.local_settings(), "{\n  \"model\": \"x\"\n}\n");
    let before = world.everything();
    let shown = world.ok(&["init", "--agent", "claude-code", "--dry-run"]);
    for part in
        ["settings.local.json", "+  \"hooks\": {", ".claude.json", "active_intents.yaml", "info/exclude"]
    {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    assert_eq!(world.changes_since(&before), [""; 0]);
    let report = json(&world.ok(&["init", "--agent", "claude-code", "--dry-run", "--json"]));
    assert_eq!(report["dry_run"], true);
    assert!(report["diff"].as_str().unwrap().contains("+  \"hooks\": {"));
    assert_eq!(world.changes_since(&before), [""; 0]);
}

#[test]
fn a_dry_run_of_uninstall_shows_every_change_and_makes_none() {
    // D-08
    let world = World::new();
    world.ok(&["init", "--agent", "claude-code"]);
    let before = world.everything();
    let shown = world.ok(&["uninstall", "--dry-run", "--purge"]);
    for part in
        ["settings.local.json", "-  \"hooks\": {", "info/exclude", "would delete ", "nothing was changed"]
    {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    let report = json(&world.ok(&["uninstall", "--dry-run", "--json"]));
    assert_eq!((&report["dry_run"], &report["deleted"]), (&serde_json::json!(true), &Value::Null));
    assert!(report["diff"].as_str().unwrap().contains("info/exclude"), "{report}");
    assert_eq!(world.changes_since(&before), [""; 0]);
}

#[test]
fn a_bare_repository_is_not_governed() {
    // D-08
    let world = World::new();
    let bare = world.path("bare.git");
    crate::world::git(&world.root(), &["init", "--quiet", "--bare", &bare.display().to_string()]);
    for inside in [bare.clone(), bare.join("hooks"), world.root().join(".git")] {
        let output = world.run(&["init", "--root", &inside.display().to_string()]);
        let text = crate::world::said(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("a bare repository has no files to govern"), "{text}");
    }
    assert!(!bare.join(".orchestration").exists());
}

#[test]
fn a_working_copy_inside_of_its_bare_repository_is_governed() {
    let world = World::new();
    let bare = world.path("shop.git");
    let tree = bare.join("main");
    crate::world::git(&world.root(), &["commit", "--quiet", "--allow-empty", "-m", "x"]);
    crate::world::git(&world.root(), &["clone", "--quiet", "--bare", ".", &bare.display().to_string()]);
    crate::world::git(&bare, &["worktree", "add", "--quiet", "-b", "work", &tree.display().to_string()]);
    world.ok(&["init", "--agent", "claude-code", "--yes", "--root", &tree.display().to_string()]);
    assert!(tree.join(".orchestration/active_intents.yaml").is_file());
}

#[test]
fn agents_are_found_where_they_left_their_folder() {
    // D-08
    let world = World::new();
    assert_eq!(json(&world.ok(&["init", "--dry-run", "--json"]))["agents"], serde_json::json!([]));
    std::fs::create_dir(world.path("home/.claude")).unwrap();
    assert_eq!(
        json(&world.ok(&["init", "--dry-run", "--json"]))["agents"],
        serde_json::json!(["claude-code"])
    );
    let output = world.run(&["init", "--agent", "claude"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains(
            "known agents: antigravity, claude-code, cline, codex, copilot, cursor, droid, gemini, generic, kimi, kiro, opencode, qwen, vscode, windsurf"
        ),
        "{}",
        said(&output)
    );
}

#[test]
fn uninstall_gives_back_every_file_byte_for_byte() {
    // D-08
    let settings = [
        "{}",
        "{\"hooks\":{}}",
        "\u{feff}{\r\n\t\"model\": \"x\", // mine\r\n\t\"hooks\": { \"Stop\": [] }\r\n}",
        "{\n    \"hooks\": {\n        \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [{\"type\":\"command\",\"command\":\"/x/other\"}] } ]\n    }\n}\n",
    ];
    for text in settings {
        let world = World::new();
        let theirs = format!(
            "{{\"projects\":{{\"{}\":{{\"mcpServers\":{{}}}}}},\"numStartups\":3}}",
            world.root().display()
        );
        write(&world.local_settings(), text);
        write(&world.servers(), &theirs);
        let exclude = read(&world.path("repo/.git/info/exclude"));
        world.ok(&["init", "--agent", "claude-code"]);
        assert_ne!(read(&world.local_settings()), text);
        world.ok(&["uninstall"]);
        assert_eq!(read(&world.local_settings()), text);
        assert_eq!(read(&world.servers()), theirs);
        assert_eq!(read(&world.path("repo/.git/info/exclude")), exclude);
        assert!(!read(&world.path("home/.local/state/bailiwick/roots.json")).contains("repo"));
    }
}

#[test]
fn uninstall_removes_what_init_created_and_keeps_the_records() {
    // D-08, D-15
    let world = World::new();
    let before = world.everything();
    world.ok(&["init", "--agent", "claude-code"]);
    let text = world.ok(&["uninstall"]);
    assert!(text.contains(".orchestration") && text.contains("uninstall --purge"), "{text}");
    let kept = ["/.orchestration", "/.git/bailiwick", "/.local"];
    let changes = world.changes_since(&before);
    let left: Vec<&String> =
        changes.iter().filter(|name| !kept.iter().any(|kept| name.contains(kept))).collect();
    assert_eq!(left, [""; 0]);
    assert!(world.path("repo/.orchestration/active_intents.yaml").exists());
    assert!(world.path("repo/.git/bailiwick").exists());
}

#[test]
fn uninstall_leaves_no_empty_folder_and_no_folder_less() {
    // D-08
    for (agent, file) in HOSTS {
        let folder = file.rsplit_once('/').map(|(folder, _)| folder).unwrap();
        let outer = folder.split('/').next().unwrap();
        let world = World::new();
        world.ok(&["init", "--agent", agent]);
        assert!(world.path("repo").join(file).is_file(), "{agent}");
        world.ok(&["uninstall"]);
        assert!(!world.path("repo").join(outer).exists(), "{agent}");

        let world = World::new();
        let beside = world.path("repo").join(outer).join("theirs.md");
        write(&beside, "mine\n");
        world.ok(&["init", "--agent", agent]);
        world.ok(&["uninstall"]);
        assert_eq!(read(&beside), "mine\n", "{agent}");
    }
}

#[test]
fn uninstall_takes_only_ours_out_of_a_file_that_was_edited_since() {
    // D-08
    for existed in [true, false] {
        let world = World::new();
        if existed {
            write(&world.local_settings(), "{\n  \"model\": \"x\"\n}\n");
        }
        world.ok(&["init", "--agent", "claude-code"]);
        let edited = read(&world.local_settings()).replacen('{', "{\n  \"env\": {\"A\": \"1\"},", 1);
        write(&world.local_settings(), &edited);
        world.ok(&["init", "--agent", "claude-code"]);
        assert_eq!(read(&world.local_settings()), edited);
        world.ok(&["uninstall"]);
        let left = read(&world.local_settings());
        assert!(!left.contains("bailiwick"), "{left}");
        assert_eq!(json(&left)["env"]["A"], "1");
        assert_eq!(json(&left)["model"].is_string(), existed);
    }
}

#[test]
fn uninstall_where_nothing_is_installed_says_so() {
    let world = World::new();
    let before = world.everything();
    assert!(world.ok(&["uninstall"]).contains("nothing of Bailiwick is installed"));
    assert_eq!(world.changes_since(&before), [""; 0]);
}

#[test]
fn a_hook_of_an_older_binary_is_replaced_and_the_first_content_is_still_given_back() {
    // D-08
    let world = World::new();
    write(&world.local_settings(), "{ }\n");
    world.ok(&["init", "--agent", "claude-code"]);
    let record =
        std::fs::read_dir(world.path("repo/.git/bailiwick/install")).unwrap().next().unwrap().unwrap().path();
    let older = read(&world.local_settings()).replace(BINARY, "/old/bailiwick");
    let hash = |text: &str| bailiwick::domain::ContentHash::of(text.as_bytes()).to_string();
    let written = read(&record).replace(&hash(&read(&world.local_settings())), &hash(&older));
    write(&record, &written);
    write(&world.local_settings(), &older);
    world.ok(&["init", "--agent", "claude-code"]);
    assert!(!read(&world.local_settings()).contains("/old/bailiwick"));
    world.ok(&["uninstall"]);
    assert_eq!(read(&world.local_settings()), "{ }\n");
}

#[test]
fn settings_that_cannot_be_understood_stop_init_with_nothing_written() {
    // D-08
    for text in ["{", "[]", "{\"hooks\":[]}", "{\"hooks\":{},\"hooks\":{}}"] {
        let world = World::new();
        write(&world.local_settings(), text);
        check_refused(&world, &world.local_settings());
    }
    for text in ["not json", "{\"projects\":7}"] {
        let world = World::new();
        write(&world.servers(), text);
        check_refused(&world, &world.servers());
    }
    let world = World::new();
    std::fs::create_dir_all(world.path("repo/.claude")).unwrap();
    std::fs::write(world.local_settings(), b"{\"a\":\"\xff\"}").unwrap();
    check_refused(&world, &world.local_settings());
}

#[track_caller]
fn check_refused(world: &World, file: &Path) {
    let before = world.everything();
    let output = world.run(&["init", "--agent", "claude-code"]);
    assert_ne!(output.status.code(), Some(0));
    assert!(said(&output).contains(&file.display().to_string()), "{}", said(&output));
    assert_eq!(world.changes_since(&before), [""; 0]);
}

#[test]
#[cfg(unix)]
fn a_symlinked_settings_file_is_followed_and_stays_a_symlink() {
    // D-08
    use std::os::unix::fs::{PermissionsExt, symlink};
    let world = World::new();
    let dotfile = world.path("home/dotfiles/claude.json");
    write(&dotfile, "{\n}\n");
    std::fs::set_permissions(&dotfile, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::fs::create_dir(world.path("repo/.claude")).unwrap();
    symlink("../../home/dotfiles/claude.json", world.local_settings()).unwrap();
    world.ok(&["init", "--agent", "claude-code"]);
    assert!(world.local_settings().is_symlink());
    assert_eq!(hook_lines(&read(&dotfile), "PreToolUse").len(), 1);
    assert_eq!(dotfile.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    world.ok(&["uninstall"]);
    assert!(world.local_settings().is_symlink());
    assert_eq!(read(&dotfile), "{\n}\n");
}

#[test]
fn the_clients_own_configuration_folder_is_obeyed() {
    let world = World::new();
    let output = world
        .command_in(&world.root(), &["init", "--agent", "claude-code"])
        .env("CLAUDE_CONFIG_DIR", world.path("home/elsewhere"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(read(&world.path("home/elsewhere/.claude.json")).contains("bailiwick"));
    assert!(!world.servers().exists());
}

#[test]
fn without_git_private_state_lies_in_the_store() {
    // D-15
    let world = World::without_git();
    world.ok(&["init", "--agent", "claude-code"]);
    assert!(world.path("repo/.orchestration/state/install").is_dir());
    world.ok(&["uninstall", "--purge", "--yes"]);
    assert!(!world.path("repo/.orchestration/state").exists());
    assert!(world.path("repo/.orchestration/active_intents.yaml").exists());
}

#[test]
fn a_folder_inside_a_working_copy_never_becomes_a_root_of_its_own() {
    // D-14
    let world = World::new();
    let inner = world.path("repo/src");
    std::fs::create_dir(&inner).unwrap();
    let before = world.everything();
    let output = world.run(&["init", "--root", &inner.display().to_string()]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(world.changes_since(&before), [""; 0]);
    let output = world.command_in(&inner, &["init", "--json"]).output().unwrap();
    assert_eq!(json(&String::from_utf8(output.stdout).unwrap())["root"], world.root().display().to_string());
}

#[test]
fn a_whole_home_is_governed_only_when_it_is_named() {
    let world = World::new();
    let home = world.path("home");
    let output = world.command_in(&home, &["init"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(!home.join(".orchestration").exists());
}

#[test]
fn working_copies_share_private_state_and_are_installed_each_by_itself() {
    // D-14
    let world = World::new();
    git(&world.root(), &["commit", "--quiet", "--allow-empty", "-m", "first"]);
    git(&world.root(), &["worktree", "add", "--quiet", "../other"]);
    let other = world.path("other");
    world.ok(&["init", "--agent", "claude-code"]);
    let there = |words: &[&str]| world.command_in(&other, words).output().unwrap();
    assert_eq!(there(&["init", "--agent", "claude-code"]).status.code(), Some(0));
    assert!(!other.join(".git/bailiwick").exists());

    assert_eq!(world.run(&["uninstall", "--purge", "--yes"]).status.code(), Some(1));
    assert!(world.local_settings().exists());
    world.ok(&["uninstall"]);
    assert!(!world.local_settings().exists());
    assert_eq!(hook_lines(&read(&other.join(".claude/settings.local.json")), "PreToolUse").len(), 1);
    assert_eq!(git(&other, &["status", "--porcelain"]), "?? .orchestration/\n");
    let servers = json(&read(&world.servers()));
    assert_eq!(
        servers["projects"].as_object().unwrap().keys().collect::<Vec<_>>(),
        [&other.display().to_string()]
    );
    assert_eq!(there(&["uninstall"]).status.code(), Some(0));
    assert!(!other.join(".claude").exists());
}

/// What the person's state folder holds of repositories: all but the person's own keys.
fn kept_of_repositories(world: &World) -> Vec<String> {
    let state = world.path("home/.local/state/bailiwick").display().to_string();
    let everything = world.everything();
    let files = everything.iter().filter_map(|(name, text)| Some((name.strip_prefix(&state)?, text)));
    let kept = files.filter(|(name, text)| {
        let registry = || serde_json::from_slice::<Value>(text).ok();
        !name.is_empty()
            && !name.ends_with('/')
            && !name.ends_with(".key")
            && registry() != Some(serde_json::json!({"roots": {}}))
    });
    kept.map(|(name, text)| format!("{name}: {}", String::from_utf8_lossy(text))).collect()
}

// C, D-08: nothing of a repository stays in the person's folder
#[test]
fn uninstalling_leaves_no_entry_in_the_persons_folder() {
    let world = World::new();
    git(&world.root(), &["commit", "--quiet", "--allow-empty", "-m", "first"]);
    git(&world.root(), &["worktree", "add", "--quiet", "../other"]);
    let other = world.path("other");
    let there = |words: &[&str]| {
        let output = world.command_in(&other, words).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
    };
    world.ok(&["init", "--agent", "claude-code"]);
    there(&["init", "--agent", "claude-code"]);
    world.ok(&["intent", "new", "Fix it", "--scope", "src/a.rs"]);
    let registered = |root: &Path| {
        let text = read(&world.path("home/.local/state/bailiwick/roots.json"));
        text.contains(&format!("\"{}\"", root.display()))
    };
    assert!(registered(&other) && registered(&world.root()));
    there(&["uninstall"]);
    assert!(!registered(&other) && registered(&world.root()), "each working copy leaves by itself");
    world.ok(&["uninstall", "--purge", "--yes"]);
    assert_eq!(kept_of_repositories(&world), [""; 0]);
}

#[test]
fn private_state_is_deleted_only_after_a_yes() {
    // D-15, threat G7
    let world = World::new();
    world.ok(&["init", "--agent", "claude-code"]);
    let before = world.everything();
    let output = world.run(&["uninstall", "--purge"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(world.changes_since(&before), [""; 0]);
    world.ok(&["uninstall", "--purge", "--yes"]);
    assert!(!world.path("repo/.git/bailiwick").exists());
}

#[test]
fn an_agent_neither_installs_nor_takes_out() {
    // D-16, threat A1
    let world = World::new();
    world.ok(&["init", "--agent", "claude-code"]);
    let before = world.everything();
    for words in [&["uninstall"][..], &["init"], &["uninstall", "--purge", "--yes"]] {
        let output = world.command_in(&world.root(), words).env("CLAUDECODE", "1").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert_eq!(world.changes_since(&before), [""; 0]);
    }
}

#[test]
fn init_never_touches_intents_that_are_there() {
    // D-08
    let world = World::new();
    let intents = world.path("repo/.orchestration/active_intents.yaml");
    write(&intents, "# mine\nactive_intents: []\n");
    world.ok(&["init", "--agent", "claude-code"]);
    assert_eq!(read(&intents), "# mine\nactive_intents: []\n");
}

#[test]
fn there_is_a_completion_script_for_every_shell() {
    let world = World::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(world.ok(&["completions", shell]).contains("uninstall"), "{shell}");
    }
}

// D-08: each host is installed from the same table
#[test]
fn every_host_is_installed_shown_checked_and_taken_out() {
    for (agent, file) in HOSTS {
        let world = World::new();
        let before = world.everything();
        let shown = world.ok(&["init", "--agent", agent, "--dry-run"]);
        assert!(shown.contains(file) && shown.contains(&format!("hook --agent {agent}")), "{shown}");
        assert_eq!(world.changes_since(&before), [""; 0], "{agent}");
        let said = said(&world.run(&["init", "--agent", agent]));
        let trusts = bailiwick_adapters_hooks::host(agent).unwrap().profile.client.trust;
        assert!(trusts.is_none_or(|trusts| said.contains(trusts)), "{agent}: {said}");
        assert_eq!(world.git_status(), "?? .orchestration/\n", "{agent}");
        assert!(world.ok(&["init", "--agent", agent]).contains("already governed"), "{agent}");
        let said = world.ok(&["doctor"]);
        assert!(said.contains("a forbidden write is denied with"), "{agent}: {said}");
        assert!(said.contains("a cut-off event is refused"), "{agent}: {said}");
        world.ok(&["uninstall", "--agent", agent]);
        assert!(!world.path("repo").join(file).exists(), "{agent}");
        assert!(!world.ok(&["uninstall"]).contains(file), "{agent}");
    }
}

// D-08: what stops Cline where its plugin could not be loaded comes, is looked after and goes with the plugin
#[test]
fn the_second_file_of_cline_comes_and_goes_with_the_first() {
    let world = World::new();
    let (plugin, check) =
        (world.path("repo/.cline/plugins/bailiwick.js"), world.path("repo/.cline/hooks/PreToolUse.mjs"));
    write(&check, "console.log('{}')\n");
    let output = world.run(&["init", "--agent", "cline"]);
    assert!(!output.status.success() && said(&output).contains("move it away"), "{}", said(&output));
    assert!(!plugin.exists());
    std::fs::remove_file(&check).unwrap();

    world.ok(&["init", "--agent", "cline"]);
    assert!(world.ok(&["doctor"]).contains("PreToolUse.mjs"));
    std::fs::write(&check, read(&check).replace("cancel: true", "cancel: false")).unwrap();
    let output = world.run(&["doctor"]);
    assert!(!output.status.success() && said(&output).contains("not what `bailiwick init` writes"));
    std::fs::remove_file(&check).unwrap();
    let output = world.run(&["doctor"]);
    assert!(!output.status.success() && said(&output).contains("goes on when it could not load its plugin"));
    world.ok(&["init", "--agent", "cline"]);
    assert!(read(&check).contains("cancel: true"));

    world.ok(&["uninstall", "--agent", "cline"]);
    assert!(!plugin.exists() && !check.exists() && !check.parent().unwrap().exists());
}

// D-08
#[test]
fn two_hosts_stand_side_by_side_and_leave_one_by_one() {
    let world = World::new();
    let theirs = "{\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }]\n  }\n}\n";
    write(&world.path("repo/.codex/hooks.json"), theirs);
    world.ok(&["init", "--agent", "claude-code", "--agent", "codex"]);
    assert!(read(&world.path("repo/.git/info/exclude")).contains("/.codex/hooks.json"));
    world.ok(&["doctor"]);
    world.ok(&["uninstall", "--agent", "codex"]);
    assert_eq!(read(&world.path("repo/.codex/hooks.json")), theirs);
    assert_eq!(hook_lines(&read(&world.local_settings()), "PreToolUse").len(), 1);
}
