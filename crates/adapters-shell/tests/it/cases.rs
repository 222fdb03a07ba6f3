//! Labelled commands, as data: `tests/data/commands.jsonl`. Nothing here is ever run.

use bailiwick_adapters_shell::ReadOnlyTable;
use bailiwick_domain::testing::contract;
use bailiwick_domain::{CommandReader, CommandReading, LookedAt, Moves, Params, ReadOnly, Starts, Value};

/// One line of the data file.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Case {
    pub(crate) command: String,
    pub(crate) want: String,
    #[serde(default)]
    shows: Vec<String>,
    #[serde(default)]
    reads: Vec<String>,
    #[serde(default)]
    folder: Option<String>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    patterns: Vec<String>,
    #[serde(default)]
    git_in: Vec<String>,
    #[serde(default)]
    looks: Vec<String>,
    #[serde(default)]
    looked_patterns: Vec<String>,
    #[serde(default)]
    others: Vec<Other>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    if_missing: Vec<Other>,
    #[serde(default)]
    braces: bool,
    #[serde(default)]
    splits: bool,
    #[serde(default)]
    name: String,
    #[serde(default)]
    params: Params,
}

/// What one of them reads in another folder.
#[derive(Debug, serde::Deserialize)]
struct Other {
    #[serde(default)]
    folder: Option<String>,
    #[serde(default)]
    reads: Vec<String>,
    #[serde(default)]
    looks: Vec<String>,
}

impl Other {
    fn reading(&self) -> ReadOnly {
        let Self { folder, reads, looks } = self;
        let looks = LookedAt { paths: looks.clone(), ..LookedAt::default() };
        ReadOnly { folder: folder.clone(), reads: reads.clone(), looks, ..ReadOnly::default() }
    }
}

impl Case {
    fn reading(&self) -> ReadOnly {
        let Self {
            folder,
            others,
            needs,
            if_missing,
            braces,
            splits,
            shows,
            reads,
            patterns,
            looks,
            looked_patterns,
            names,
            files,
            git_in,
            ..
        } = self;
        ReadOnly {
            folder: folder.clone(),
            moves: Box::new(Moves {
                others: others.iter().map(Other::reading).collect(),
                needs: needs.clone(),
                if_missing: if_missing.iter().map(Other::reading).collect(),
                doubted: Vec::new(),
                ends: Vec::new(),
            }),
            posix: *braces,
            splits: *splits,
            shows: shows.clone(),
            reads: reads.clone(),
            patterns: patterns.clone(),
            looks: LookedAt { paths: looks.clone(), patterns: looked_patterns.clone() },
            listed: Vec::new(),
            names: names.clone(),
            files: files.clone(),
            git_in: git_in.clone(),
            starts: Starts::default(),
        }
    }
}

pub(crate) fn table() -> ReadOnlyTable {
    ReadOnlyTable::new(vec![
        "/opt/bailiwick/bin/bailiwick".to_owned(),
        "/opt/my tools/bailiwick".to_owned(),
        "/opt/other/program".to_owned(),
        "opt/bailiwick".to_owned(),
    ])
}

pub(crate) fn cases() -> Vec<Case> {
    let lines = include_str!("../data/commands.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

// D-03, D-19, threats A1 to A18 and B1 to B17, K-16
#[test]
fn every_labelled_command_is_read_as_labelled() {
    let (table, mut wrong) = (table(), Vec::new());
    for case in cases() {
        let reading = table.read(&case.command);
        let fits = match (&reading, case.want.as_str()) {
            (CommandReading::ReadOnly(found), "read-only") => {
                let posix = found.posix && case.braces;
                let plain = |part: &ReadOnly| ReadOnly { starts: Starts::default(), ..part.clone() };
                let Moves { others, needs, if_missing, .. } = found.moves.as_ref();
                let moves = Moves {
                    others: others.iter().map(plain).collect(),
                    needs: if case.needs.is_empty() { Vec::new() } else { needs.clone() },
                    doubted: Vec::new(),
                    if_missing: if_missing.iter().map(plain).collect(),
                    ends: Vec::new(),
                };
                ReadOnly { posix, moves: Box::new(moves), ..plain(found) } == case.reading()
            }
            (CommandReading::OwnTool { name, params, .. }, "own-tool") => {
                *name == case.name && *params == case.params
            }
            (CommandReading::Unproved { why }, "unproved") => !why.trim().is_empty() && !why.contains('\n'),
            _ => false,
        };
        if !fits {
            wrong.push(format!("{:?} should be {}, is {reading:?}", case.command, case.want));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_data_says_enough() {
    let count = |want: &str| cases().iter().filter(|case| case.want == want).count();
    assert!(count("read-only") >= 100 && count("unproved") >= 300 && count("own-tool") >= 5);
}

#[test]
fn the_contract_of_command_readers_holds() {
    contract::command_reader(&table());
}

// D-19
#[test]
fn a_known_path_is_ours_only_when_it_names_our_program() {
    let read = |command: &str| table().read(command);
    assert!(matches!(read("/opt/other/program tool list_intents"), CommandReading::Unproved { .. }));
    assert!(matches!(read("opt/bailiwick tool list_intents"), CommandReading::Unproved { .. }));
    let bare = ReadOnlyTable::new(Vec::new()).read("bailiwick tool list_intents");
    assert!(matches!(bare, CommandReading::OwnTool { .. }));
    let unknown = ReadOnlyTable::new(Vec::new()).read("/opt/bailiwick/bin/bailiwick tool list_intents");
    assert!(matches!(unknown, CommandReading::Unproved { .. }));
}

// D-19
#[test]
fn parameters_arrive_as_written() {
    let reading =
        table().read("bailiwick tool select_active_intent '{\"intent_id\": \"INT-001\", \"n\": 1}'");
    let CommandReading::OwnTool { params, .. } = reading else { panic!("{reading:?}") };
    assert_eq!(params.get("intent_id"), Some(&Value::from("INT-001")));
    assert_eq!(params.get("n"), Some(&Value::from(1)));
}

// D-19
#[test]
fn an_own_tool_may_stand_behind_a_folder_and_before_what_passes_its_text_on() {
    let folder_of = |command: &str| match table().read(command) {
        CommandReading::OwnTool { folder, name, .. } if name == "list_intents" => folder,
        other => panic!("{command}: {other:?}"),
    };
    assert_eq!(folder_of("bailiwick tool list_intents | head -20"), None);
    assert_eq!(folder_of("bailiwick tool list_intents '{}' 2>&1 | tail -n 5 | cat"), None);
    assert_eq!(folder_of("cd /repo && bailiwick tool list_intents").as_deref(), Some("/repo"));
    assert_eq!(
        folder_of("cd /repo; bailiwick tool list_intents 2>/dev/null | wc -l").as_deref(),
        Some("/repo")
    );
}

// D-19
#[test]
fn a_line_that_means_an_own_tool_is_told_how_to_call_it() {
    let alone = table().read("bailiwick tool list_intents 2>&1");
    assert!(matches!(alone, CommandReading::OwnTool { .. }), "{alone:?}");
    for command in [
        "cd /repo && ls && bailiwick tool list_intents",
        "bailiwick tool list_intents && ls",
        "bailiwick tool list_intents | xargs rm",
        "bailiwick tool list_intents | grep x a",
        "bailiwick tool list_intents < a",
        r#"bailiwick tool select_active_intent "{\"intent_id\":\"INT-001\"}""#,
        "bailiwick tool select_active_intent INT-001",
        "bailiwick tool list_intents list_intents {}",
    ] {
        let CommandReading::Unproved { why } = table().read(command) else { panic!("{command} passes") };
        assert_eq!(why.matches("bailiwick tool NAME '{").count(), 1, "{command}: {why}");
    }
}

// D-19: only a line that calls a tool is told how, and each reason says what would pass
#[test]
fn a_reason_says_what_would_pass() {
    let why = |command: &str| match table().read(command) {
        CommandReading::Unproved { why } => why,
        other => panic!("{command}: {other:?}"),
    };
    assert!(!why("bailiwick approval approve x").contains("bailiwick tool"));
    assert!(!why("bailiwick verify INT-001").contains("bailiwick tool"));
    assert!(why("bailiwick tool list_intents && ls").starts_with("write it alone"));
    for command in ["cat <<EOF\nx\nEOF", "cat <<'E' | wc -l\nx\nE", "cat <<< x"] {
        assert_eq!(
            why(command),
            "a here-document is not read here; use echo or printf, or a file",
            "{command}"
        );
    }
    assert!(why("ls ~/.cargo").contains("write the path without `~`"));
    assert!(why("awk '{print | \"sh\"}' a").ends_with("which ends at `| \"sh\"}`"));
    assert!(why("sed '1p;w x' a").ends_with("which ends at `w x`"));
    assert!(why("jq '.a | env' a").ends_with("which ends at `env`"));
}

#[test]
fn what_a_line_starts_is_told_from_the_words_that_were_proved() {
    let (none, table) = (Starts::default(), table());
    let (git, asked, searcher) =
        (Starts { git: true, ..none }, Starts { asked: true, ..none }, Starts { searcher: true, ..none });
    for (command, wanted) in [
        ("ls src", none),
        ("echo git log; ls", none),
        ("ls && git log -n 3", git),
        ("bailiwick status", git),
        ("cargo --version", asked),
        ("git --version", git.and(asked)),
        ("cat a | grep b", searcher),
        ("cat grep", none),
        ("rg -n x src; git status", searcher.and(git)),
        ("diff a b", searcher),
    ] {
        let CommandReading::ReadOnly(reading) = table.read(command) else { panic!("{command} reads") };
        assert_eq!(reading.starts, wanted, "{command}");
    }
    for (command, wanted) in [
        ("cargo test && git status", git),
        ("git push", git),
        ("LC_ALL=C git push && grep -r x src", git.and(searcher)),
        ("timeout 60 cargo test", none),
    ] {
        assert_eq!(table.line(command).unwrap().readers.starts, wanted, "{command}");
    }
}
