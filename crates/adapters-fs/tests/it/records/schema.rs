//! Generates the published schema of a record, and keeps it honest: it names every member that is ever written, it says
//! what each is for, and what it requires is always there.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_domain::{Value, json};

use super::{assert_valid, forms, record, validator, written};

/// A member: its name, whether it is always there, and its schema.
type Member = (&'static str, bool, Value);

const ALWAYS: bool = true;
const SOMETIMES: bool = false;

fn object(description: &str, members: Vec<Member>) -> Value {
    let required: Vec<&str> = members.iter().filter(|member| member.1).map(|member| member.0).collect();
    let properties: Vec<(String, Value)> =
        members.into_iter().map(|(name, _, schema)| (name.to_owned(), schema)).collect();
    json!({
        "type": "object",
        "description": description,
        "required": required,
        "properties": properties.into_iter().collect::<serde_json::Map<_, _>>(),
    })
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn text_or_null(description: &str) -> Value {
    json!({"type": ["string", "null"], "description": description})
}

fn texts(description: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn flag(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}

fn whole(least: u64, description: &str) -> Value {
    json!({"type": "integer", "minimum": least, "description": description})
}

fn one_of(words: &[&str], description: &str) -> Value {
    json!({"enum": words, "description": description})
}

fn list(description: &str, items: Value) -> Value {
    json!({"type": "array", "items": items, "description": description})
}

fn hash(description: &str) -> Value {
    json!({"type": "string", "pattern": "^sha256:[0-9a-f]{64}$", "description": description})
}

fn hash_or_null(description: &str) -> Value {
    json!({"type": ["string", "null"], "pattern": "^sha256:[0-9a-f]{64}$", "description": description})
}

fn ed25519(digits: usize, description: &str) -> Value {
    json!({"type": "string", "pattern": format!("^ed25519:[0-9a-f]{{{digits}}}$"), "description": description})
}

fn moment(description: &str) -> Value {
    json!({"type": "string", "format": "date-time", "pattern": "\\.[0-9]{3}Z$", "description": description})
}

/// What an entry says of the ledger that it is in.
fn ledger() -> Value {
    let adopted = object(
        "A run of them.",
        vec![
            ("at", ALWAYS, moment("When, in UTC.")),
            ("by", ALWAYS, text("Who.")),
            ("first", ALWAYS, whole(0, "The place of the first.")),
            ("head", ALWAYS, hash("The checksum of the newest entry then.")),
            ("last", ALWAYS, whole(0, "The place of the last.")),
        ],
    );
    let continues = object(
        "The ledger that this one goes on from; only in the first entry.",
        vec![
            ("by", SOMETIMES, text("Who decided it, where a person had to.")),
            ("chain", ALWAYS, hash("The checksum of its first entry.")),
            ("entries", ALWAYS, whole(0, "How many entries it had.")),
            ("head", ALWAYS, hash("The checksum of the newest of them.")),
            (
                "why",
                ALWAYS,
                text(
                    "`new_place`, `no_witness`, `older_copy`, `other_key`, `unsigned`; later versions may say other words.",
                ),
            ),
        ],
    );
    let since =
        "Entries that a person took as written, though nobody accounted for them, since the entry before.";
    let signed =
        "The place of this entry, when it is the first signed one of a ledger that was not signed before.";
    object(
        "What the entry says of its ledger; only where there is something to say.",
        vec![
            ("adopted", SOMETIMES, list(since, adopted)),
            ("continues", SOMETIMES, continues),
            ("signed_from", SOMETIMES, whole(0, signed)),
        ],
    )
}

/// The schema as it is published: unknown members are allowed, since later versions add some.
pub(super) fn published() -> Value {
    let mut schema = object(
        "One recorded mutation: one line of the ledger in RFC 8785 form. It is an Agent Trace 0.1.0 record with the older \
         names beside and everything else under `metadata`. Members of later versions are to be ignored.",
        vec![
            ("version", ALWAYS, json!({"const": "0.1.0", "description": "The version of Agent Trace."})),
            ("id", ALWAYS, json!({"type": "string", "format": "uuid", "description": "A version 4 UUID."})),
            ("timestamp", ALWAYS, moment("When it was recorded, in UTC.")),
            ("vcs", SOMETIMES, vcs()),
            ("tool", ALWAYS, tool()),
            ("agent", ALWAYS, agent()),
            ("files", ALWAYS, list("The changed files, in the order of `metadata`.", file())),
            ("metadata", ALWAYS, object("Members of vendors.", vec![("dev.bailiwick", ALWAYS, own())])),
            ("prev", ALWAYS, hash_or_null("The checksum of the line before; null for the first.")),
            ("checksum", ALWAYS, hash("SHA-256 over the RFC 8785 form without `checksum` and `signature`.")),
            ("signature", SOMETIMES, ed25519(128, "Of the checksum, by the key that `signed_by` names.")),
        ],
    );
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Trace record");
    schema
}

fn vcs() -> Value {
    object(
        "The commit that the working copy stood on; left out where there is none, never made up.",
        vec![
            ("type", ALWAYS, json!({"const": "git", "description": "The version control system."})),
            ("revision", ALWAYS, text("The full commit id.")),
            ("revision_id", ALWAYS, text("The same under its older name.")),
        ],
    )
}

fn tool() -> Value {
    object(
        "What wrote the record.",
        vec![
            ("name", ALWAYS, json!({"const": "bailiwick", "description": "This program."})),
            ("version", ALWAYS, text("Its version.")),
        ],
    )
}

fn agent() -> Value {
    let contributor = object(
        "Who contributed.",
        vec![
            (
                "entity_type",
                ALWAYS,
                one_of(&["AI", "HUMAN"], "An agent, or a person: who put files back, or wrote a lesson."),
            ),
            (
                "model_identifier",
                ALWAYS,
                text("The model as the host tells it, or `unknown`; `none` of a person."),
            ),
        ],
    );
    object(
        "Who acted, under the older names.",
        vec![
            ("session_id", ALWAYS, text("The host's id of the conversation.")),
            ("contributor", ALWAYS, contributor),
        ],
    )
}

fn file() -> Value {
    let contributor = object(
        "Who contributed.",
        vec![
            (
                "type",
                ALWAYS,
                one_of(&["ai", "human"], "An agent, or a person: who put files back, or wrote a lesson."),
            ),
            ("model_id", SOMETIMES, text("The model as `provider/model`, when the host told it.")),
        ],
    );
    let link = object(
        "Something that the change belongs to.",
        vec![
            ("type", ALWAYS, one_of(&["intent", "requirement", "session"], "What it is.")),
            ("value", ALWAYS, text("Its id, under the older name.")),
            ("url", ALWAYS, text("Its id as a URN: `urn:TYPE:ID`, percent-encoded.")),
            ("derived", SOMETIMES, flag("That the requirement was derived from the intent's id.")),
        ],
    );
    let conversation = object(
        "The conversation that made the change.",
        vec![
            ("url", ALWAYS, text("`urn:session:` and the session's id, percent-encoded.")),
            ("contributor", ALWAYS, contributor),
            (
                "ranges",
                ALWAYS,
                list(
                    "The runs of changed lines in the new text; none for deletions, pure removals, unchanged renames and binaries.",
                    range(),
                ),
            ),
            ("related", ALWAYS, list("The intent, its requirements, the session.", link)),
        ],
    );
    object(
        "A changed file.",
        vec![
            ("path", ALWAYS, text("Relative to the root, with `/`.")),
            ("relative_path", ALWAYS, text("The same under its older name.")),
            ("conversations", ALWAYS, list("Exactly one.", conversation)),
        ],
    )
}

fn range() -> Value {
    let symbol = object(
        "The innermost named unit around the run, where there is one.",
        vec![
            ("path", ALWAYS, text("Names from the outermost unit to this one, joined by `.`.")),
            (
                "kind",
                ALWAYS,
                text("`function`, `type`, `module`, `constant`; later versions may say other words."),
            ),
            ("structural_hash", ALWAYS, hash("The hash of the unit's syntax, comments and layout left out.")),
        ],
    );
    object(
        "A run of changed lines, 1-based and inclusive.",
        vec![
            ("start_line", ALWAYS, whole(1, "The first line.")),
            ("end_line", ALWAYS, whole(1, "The last line.")),
            (
                "content_hash",
                ALWAYS,
                hash(
                    "Of the lines joined with LF: CRLF is read as LF, nothing is trimmed, no final newline.",
                ),
            ),
            ("symbol", SOMETIMES, symbol),
        ],
    )
}

fn own() -> Value {
    let approval =
        "The approval in the queue (`ap-…`), the grant (`grant#…`) or `paused`; null where the host asked.";
    object(
        "Our own members.",
        vec![
            (
                "schema",
                ALWAYS,
                json!({"const": 1, "description": "The version of these members; it rises when a member changes its meaning."}),
            ),
            ("seq", ALWAYS, whole(0, "Its place in the chain, counted from 0.")),
            ("working_copy", SOMETIMES, text("Which working copy of the clone it was written from.")),
            ("signed_by", SOMETIMES, ed25519(64, "The public key that the record is signed with.")),
            ("call", ALWAYS, text("The host's id of the call.")),
            ("host", ALWAYS, text("The host.")),
            ("session_id", ALWAYS, text("The host's id of the conversation.")),
            ("agent_id", ALWAYS, text_or_null("The sub-agent; null for the conversation itself.")),
            ("tool", ALWAYS, text("The canonical name of the tool.")),
            ("intent", ALWAYS, text("The active intent.")),
            ("revision", ALWAYS, hash("The hash of everything in the intent that governs or instructs.")),
            ("requirements", ALWAYS, texts("The requirements that the change serves; at least one.")),
            ("derived", ALWAYS, flag("Whether the requirements were derived from the intent's id.")),
            ("fingerprint", ALWAYS, hash("What the yes was bound to: this call, on these files.")),
            ("approval", ALWAYS, text_or_null(approval)),
            ("approved_by", ALWAYS, text_or_null("Who said yes; null where the host asked.")),
            ("approved_at", SOMETIMES, moment("When; for a grant, when it was given.")),
            ("scope_override", ALWAYS, flag("Whether a human let it leave the scope.")),
            ("late", ALWAYS, flag("Whether the outcome was found without the host's event.")),
            ("ledger", SOMETIMES, ledger()),
            ("amended", ALWAYS, flag("Whether the content is not exactly what was approved.")),
            ("model", ALWAYS, text_or_null("The model as the host told it.")),
            ("mutation", SOMETIMES, mutation()),
            ("restores", SOMETIMES, restores()),
            ("vcs", ALWAYS, vcs_or_why()),
            ("revision_id", SOMETIMES, text_or_null("The commit once more, null where there is none.")),
            ("files", ALWAYS, list("What is known of each file, in the order of `files`.", own_file())),
        ],
    )
}

fn vcs_or_why() -> Value {
    let mut schema = object(
        "The commit, or why there is none.",
        vec![
            ("commit", SOMETIMES, text("The full commit id.")),
            ("none", SOMETIMES, text("Why there is none.")),
        ],
    );
    schema["minProperties"] = json!(1);
    schema["maxProperties"] = json!(1);
    schema
}

fn restores() -> Value {
    object(
        "What a person took back with it; left out for what an agent changed.",
        vec![
            (
                "entries",
                ALWAYS,
                texts("The entries whose changes of these files were taken back, newest first."),
            ),
            ("grant", SOMETIMES, text("The grant in whose review it was done.")),
        ],
    )
}

fn mutation() -> Value {
    let evidence = object(
        "One thing to know about the change.",
        vec![
            ("path", ALWAYS, text("The file.")),
            ("line", ALWAYS, whole(1, "The line after the change, or before it where something is gone.")),
            ("what", ALWAYS, text("One short sentence.")),
        ],
    );
    object(
        "What the change means.",
        vec![
            (
                "class",
                ALWAYS,
                one_of(&["AST_REFACTOR", "INTENT_EVOLUTION"], "A proved refactor, or anything else."),
            ),
            (
                "method",
                ALWAYS,
                text(
                    "What proved it (`same_tokens`, `same_items`, `renamed`, `expanded`) or stood against a proof (`unexplained`, `whole_file`, `syntax`, `unknown_language`, `limit`); later versions may say other words.",
                ),
            ),
            ("evidence", ALWAYS, list("What it rests on.", evidence)),
            (
                "claimed",
                SOMETIMES,
                one_of(&["AST_REFACTOR", "INTENT_EVOLUTION"], "What the agent claimed; it decides nothing."),
            ),
        ],
    )
}

fn state(description: &str) -> Value {
    json!({
        "description": description,
        "oneOf": [
            {"enum": ["absent", "other"], "description": "Nothing is there; something that is no regular file."},
            object("A regular file.", vec![("content", ALWAYS, hash("SHA-256 of its bytes."))]),
        ],
    })
}

/// So many whole numbers in a row.
fn numbers(count: usize, description: &str) -> Value {
    json!({
        "type": "array",
        "description": description,
        "items": { "type": "integer", "minimum": 0 },
        "minItems": count,
        "maxItems": count,
    })
}

fn own_file() -> Value {
    let removed = object(
        "Lines that are gone without a replacement.",
        vec![
            (
                "anchor",
                ALWAYS,
                whole(0, "The line of the new text that they stood behind; 0 before the first."),
            ),
            ("previous_hash", ALWAYS, hash("Of what was there, as for `content_hash`.")),
        ],
    );
    let lines = "eight hexadecimal digits for each line: the loose hash of the line without the blanks at its ends, \
                 `00000000` for a blank line";
    let landmarks = object(
        "What a run is found again by.",
        vec![
            ("lines", ALWAYS, text(&format!("The lines of the run, {lines}."))),
            ("above", ALWAYS, text("The three lines above it, in the same form.")),
            ("below", ALWAYS, text("The three lines below it, in the same form.")),
        ],
    );
    object(
        "What is known of a changed file.",
        vec![
            ("path", ALWAYS, text("Relative to the root, with `/`.")),
            ("change", ALWAYS, one_of(&["created", "modified", "deleted"], "What happened.")),
            ("before", ALWAYS, state("What was on disk before the call.")),
            ("after", ALWAYS, state("What was on disk after it.")),
            ("removed", ALWAYS, list("Removed lines; a range never stands for them.", removed)),
            (
                "binary",
                ALWAYS,
                flag(
                    "Whether the content is no text, or was too big to look into: then only the hashes of the whole are known.",
                ),
            ),
            (
                "moved_from",
                SOMETIMES,
                text("Where its content was moved from; the runs are the difference to that."),
            ),
            ("moved_to", SOMETIMES, text("Where its content was moved to.")),
            (
                "hunks",
                SOMETIMES,
                list(
                    "The changed runs in the order of the lines; all other lines are those from before. Older versions did not say.",
                    numbers(
                        4,
                        "Where the run began before, counted from 1, and how many lines it had; where it begins after, and how many it has.",
                    ),
                ),
            ),
            (
                "doubtful",
                SOMETIMES,
                list(
                    "Lines after the change of which another comparison is as good; never proof.",
                    numbers(2, "The first and the last line, counted from 1."),
                ),
            ),
            ("landmarks", SOMETIMES, list("For each range of the file, in the same order.", landmarks)),
        ],
    )
}

/// The same without leave for unknown members.
pub(super) fn closed() -> Value {
    fn close(schema: &mut Value) {
        match schema {
            Value::Object(members) => {
                members.values_mut().for_each(close);
                if members.contains_key("properties") && members.get("type") == Some(&json!("object")) {
                    members.insert("additionalProperties".into(), json!(false));
                }
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    let mut schema = published();
    close(&mut schema);
    schema
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol/trace-record.schema.json")
}

// REQ 136, K-19: whoever changes the form runs this test, which writes the page, and commits it.
#[test]
fn the_published_schema_is_the_one_that_is_generated() {
    let text = format!("{:#}\n", published());
    let there = fs::read_to_string(page()).unwrap_or_default();
    if there != text {
        fs::write(page(), &text).unwrap();
    }
    assert!(there == text, "the page was old and is written anew: commit it");
}

// K-19
#[test]
fn every_member_that_is_written_is_published_and_explained() {
    fn explained(schema: &Value, at: &str) {
        match schema {
            Value::Object(members) => {
                for (name, member) in
                    members.get("properties").and_then(Value::as_object).into_iter().flatten()
                {
                    let told = member["description"].as_str().unwrap_or_default();
                    assert!(told.ends_with('.'), "{at}/{name} is not explained");
                }
                members.iter().for_each(|(name, member)| explained(member, &format!("{at}/{name}")));
            }
            Value::Array(items) => items.iter().for_each(|item| explained(item, at)),
            _ => {}
        }
    }
    explained(&published(), "");
    let closed = validator(&closed());
    for (_, entry) in forms::all() {
        let record = record(&written(&[entry]).remove(0));
        assert_valid(&closed, &record);
        let mut more = record;
        more["metadata"]["dev.bailiwick"]["files"][0]["news"] = json!(1);
        assert!(!closed.is_valid(&more) && validator(&published()).is_valid(&more));
    }
}
