//! The generated files say what the types say.

use std::fmt::Write as _;

use expect_test::expect_file;
use schemars::{SchemaGenerator, generate::SchemaSettings};
use ts_rs::TS;

use super::*;

/// Calls a macro with every type of the wire.
macro_rules! every_type {
    ($call:ident) => {
        $call!(
            Initialize,
            Client,
            Initialized,
            Folders,
            FoldersAre,
            Nothing,
            Named,
            Files,
            DiffFile,
            Decision,
            AnswerGiven,
            Said,
            GrantGiven,
            Allowed,
            LessBounds,
            DraftEdited,
            DraftAccepted,
            Change,
            Revoke,
            Review,
            History,
            HistoryPage,
            Answered,
            Outcome,
            Undo,
            UndoPlan,
            UndoFile,
            Obstacle,
            UndoGiven,
            Query,
            Queried,
            CheckText,
            Checked,
            Diagnostic,
            Severity,
            Attention,
            Ask,
            AskAnswer,
            AskDecision,
            Over,
            Changed,
            Approval,
            ApprovalStatus,
            Kind,
            AskedBy,
            Draft,
            Bounds,
            Breadth,
            Mutation,
            Evidence,
            FirstLine,
            LineKind,
            IntentFacts,
            Snapshot,
            Folder,
            State,
            Trouble,
            FolderSnapshot,
            Marks,
            Pause,
            Grant,
            Used,
            Left,
            Reviewed,
            ReviewFile,
            Done,
            Agent
        )
    };
}

/// A method, what it takes and what it gives; nothing for notifications.
const METHODS: &[(&str, &str, &str, Option<&str>)] = &[
    ("INITIALIZE", method::INITIALIZE, "Initialize", Some("Initialized")),
    ("SNAPSHOT", method::SNAPSHOT, "Nothing", Some("Snapshot")),
    ("FOLDERS", method::FOLDERS, "Folders", Some("FoldersAre")),
    ("FILES", method::FILES, "Named", Some("Files")),
    ("ANSWER", method::ANSWER, "AnswerGiven", Some("Said")),
    ("GRANT", method::GRANT, "GrantGiven", Some("Said")),
    ("ALLOW", method::ALLOW, "Allowed", Some("Said")),
    ("CHANGE", method::CHANGE, "DraftEdited", Some("Change")),
    ("AMEND", method::AMEND, "DraftAccepted", Some("Said")),
    ("REVOKE", method::REVOKE, "Revoke", Some("Said")),
    ("REVIEW", method::REVIEW, "Review", Some("Said")),
    ("HISTORY", method::HISTORY, "History", Some("HistoryPage")),
    ("UNDO_PLAN", method::UNDO_PLAN, "Undo", Some("UndoPlan")),
    ("UNDO", method::UNDO, "UndoGiven", Some("Said")),
    ("QUERY", method::QUERY, "Query", Some("Queried")),
    ("CHECK_TEXT", method::CHECK_TEXT, "CheckText", Some("Checked")),
    ("ATTENTION", method::ATTENTION, "Attention", None),
    ("ASK", method::ASK, "Ask", Some("AskAnswer")),
    ("OVER", method::OVER, "Over", None),
    ("CHANGED", method::CHANGED, "Changed", None),
];

const CODES: &[(&str, i32)] = &[
    ("NOT_INITIALIZED", code::NOT_INITIALIZED),
    ("OTHER_PROTOCOL", code::OTHER_PROTOCOL),
    ("NOT_A_PERSON", code::NOT_A_PERSON),
    ("NOT_DONE", code::NOT_DONE),
    ("BUSY", code::BUSY),
];

fn typescript() -> String {
    let cfg = ts_rs::Config::new();
    let mut text = format!(
        "// Generated from crates/adapters-vscode/src/protocol; do not edit. Write it anew with\n\
         // UPDATE_EXPECT=1 cargo test -p bailiwick-adapters-vscode\n\n\
         /** The number of this protocol. */\nexport const PROTOCOL = {PROTOCOL};\n\n\
         /** Error codes beyond those of JSON-RPC. */\nexport const code = {{\n"
    );
    for (name, number) in CODES {
        let _ = writeln!(text, "  {name}: {number},");
    }
    text.push_str(
        "} as const;\n\n/** The methods; each has its parameters and its answer in `Methods`. */\n",
    );
    text.push_str("export const method = {\n");
    for (name, word, ..) in METHODS {
        let _ = writeln!(text, "  {name}: \"{word}\",");
    }
    text.push_str("} as const;\n\n/** What each method takes and gives; notifications give nothing. */\n");
    text.push_str("export interface Methods {\n");
    for (_, word, takes, gives) in METHODS {
        let gives = gives.unwrap_or("void");
        let _ = writeln!(text, "  \"{word}\": {{ params: {takes}; result: {gives} }};");
    }
    text.push_str("}\n");
    macro_rules! declare {
        ($($name:ident),*) => {$({
            let docs = <$name as TS>::docs().unwrap_or_default();
            let _ = write!(text, "\n{}\nexport {}\n", docs.trim_end(), <$name as TS>::decl(&cfg));
        })*};
    }
    every_type!(declare);
    text
}

fn schema() -> String {
    let mut generator = SchemaGenerator::new(SchemaSettings::draft2020_12());
    macro_rules! define {
        ($($name:ident),*) => {$(
            let _ = generator.subschema_for::<$name>();
        )*};
    }
    every_type!(define);
    let definitions = generator.take_definitions(true);
    let schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The wire between an editor and `bailiwick serve`",
        "$defs": definitions,
    });
    format!("{}\n", serde_json::to_string_pretty(&schema).unwrap())
}

// K-42
#[test]
fn req_124_the_types_of_the_extension_are_those_of_the_wire() {
    expect_file!["../../extension/src/protocol.ts"].assert_eq(&typescript());
}

// K-42
#[test]
fn req_124_the_published_schema_is_that_of_the_wire() {
    expect_file!["../../../../docs/protocol/editor.schema.json"].assert_eq(&schema());
}
