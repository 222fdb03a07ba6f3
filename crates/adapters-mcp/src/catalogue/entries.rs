//! The tools, one entry each. No logic lives here.

use bailiwick_domain::OwnTool;

use super::{Does, Entry, Holds, Parameter};

const fn needs(name: &'static str, holds: Holds, description: &'static str) -> Parameter {
    Parameter { name, holds, required: true, description }
}

const fn may(name: &'static str, holds: Holds, description: &'static str) -> Parameter {
    Parameter { name, holds, required: false, description }
}

const PATH: Parameter = needs("path", Holds::Text, "The file, relative to the root of the repository.");

const CLAIM: Parameter = may(
    "mutation_class",
    Holds::Word(&["AST_REFACTOR", "INTENT_EVOLUTION"]),
    "What you say the change is; the gate finds out by itself.",
);

pub(super) const ENTRIES: [Entry; 15] = [
    Entry {
        name: OwnTool::SelectActiveIntent.as_str(),
        title: "Select the active intent",
        description: "Declares under which intent the following changes are made. Required before any write or \
                      command. Returns the intent's scope, constraints and recent history.",
        parameters: &[needs(
            "intent_id",
            Holds::Text,
            "The id of an intent from list_intents, such as INT-001.",
        )],
        does: Does::Looks,
        own: true,
    },
    Entry {
        name: OwnTool::ListIntents.as_str(),
        title: "List the intents",
        description: "Lists the intents that a human approved, with id, name, status and scope.",
        parameters: &[],
        does: Does::Looks,
        own: true,
    },
    Entry {
        name: OwnTool::CurrentIntent.as_str(),
        title: "Show the active intent",
        description: "Shows which intent is active and what it allows.",
        parameters: &[],
        does: Does::Looks,
        own: true,
    },
    Entry {
        name: OwnTool::ProposeIntent.as_str(),
        title: "Propose a new intent",
        description: "Drafts an intent when none of list_intents covers the task. A human sees the draft with the \
                      files that its scope matches, and accepts or rejects it. Keep owned_scope narrow. After the \
                      yes, call select_active_intent with the id in the answer.",
        parameters: &[
            needs("name", Holds::Text, "The goal in one line."),
            needs("why", Holds::Text, "The reason, for the human who decides."),
            needs("owned_scope", Holds::Texts, "Globs of the files that it may change, such as src/auth/**."),
            needs("acceptance_criteria", Holds::Texts, "How everybody can tell that it is done."),
        ],
        does: Does::Drafts,
        own: true,
    },
    Entry {
        name: OwnTool::RequestScopeExpansion.as_str(),
        title: "Ask for more scope",
        description: "Asks a human to add paths to the scope of the active intent, after a SCOPE_VIOLATION. The \
                      expansion counts from the next call on.",
        parameters: &[
            needs("paths", Holds::Texts, "Globs of the files that are needed as well."),
            needs("reason", Holds::Text, "Why the intent needs them, for the human who decides."),
        ],
        does: Does::Drafts,
        own: true,
    },
    Entry {
        name: OwnTool::ReportDone.as_str(),
        title: "Say that the work is done",
        description: "Asks a human to close the active intent, with what its checks said last. It completes nothing: \
                      only a human closes an intent. Run the intent's checks before.",
        parameters: &[
            needs("intent_id", Holds::Text, "The id of the active intent, such as INT-001."),
            needs("summary", Holds::Text, "What you did and what is left, for the human who decides."),
        ],
        does: Does::Drafts,
        own: true,
    },
    Entry {
        name: "read_file",
        title: "Read a file",
        description: "Shows a text file of the repository. Read a file before you change it: what was not read, or \
                      changed since, is not written.",
        parameters: &[
            PATH,
            may("offset", Holds::Count, "The first line to show, counted from 1."),
            may("limit", Holds::Count, "How many lines to show."),
        ],
        does: Does::Looks,
        own: false,
    },
    Entry {
        name: "list_files",
        title: "List files",
        description: "Lists a folder of the repository. Files that git ignores are left out.",
        parameters: &[
            may("path", Holds::Text, "The folder, relative to the root; the root without it."),
            may("recursive", Holds::Flag, "Whether to list what is in its folders as well."),
        ],
        does: Does::Looks,
        own: false,
    },
    Entry {
        name: "search_files",
        title: "Search in files",
        description: "Finds the lines that a regular expression matches (Rust's syntax, line by line), with file \
                      and line number. Files that git ignores, that are not text or that you may not read are left \
                      out. A hit does not count as reading the file.",
        parameters: &[
            needs("regex", Holds::Text, "The regular expression."),
            may(
                "path",
                Holds::Text,
                "The folder or file to search, relative to the root; the root without it.",
            ),
            may("file_pattern", Holds::Text, "Only files with such names, as a glob: *.rs."),
        ],
        does: Does::Looks,
        own: false,
    },
    Entry {
        name: "write_to_file",
        title: "Write a file",
        description: "Creates a file, or replaces one that you have read whole. Needs an active intent that owns \
                      the path.",
        parameters: &[PATH, needs("content", Holds::Text, "The whole content."), CLAIM],
        does: Does::Changes,
        own: false,
    },
    Entry {
        name: "edit_file",
        title: "Edit a file",
        description: "Replaces a text that stands exactly once in a file. Needs an active intent that owns the path.",
        parameters: &[
            PATH,
            needs("old_string", Holds::Text, "The text as it stands in the file, whole lines best."),
            needs("new_string", Holds::Text, "What takes its place."),
            may("replace_all", Holds::Flag, "Whether to replace every place where it stands."),
            CLAIM,
        ],
        does: Does::Changes,
        own: false,
    },
    Entry {
        name: "apply_patch",
        title: "Apply a patch",
        description: "Changes, creates, moves and deletes several files at once, or none: an envelope (`*** Begin \
                      Patch` … `*** End Patch`) or a unified diff as `git apply -p1` reads it. Text only; modes, \
                      links and binary content are refused. Needs an active intent that owns all paths.",
        parameters: &[needs("patch", Holds::Text, "The patch."), CLAIM],
        does: Does::Changes,
        own: false,
    },
    Entry {
        name: "delete_file",
        title: "Delete a file",
        description: "Deletes a file, never a folder. Needs an active intent that owns the path.",
        parameters: &[PATH],
        does: Does::Changes,
        own: false,
    },
    Entry {
        name: "move_file",
        title: "Move a file",
        description: "Gives a file another name that is still free. Needs an active intent that owns both paths.",
        parameters: &[
            needs("from", Holds::Text, "The file, relative to the root."),
            needs("to", Holds::Text, "Its new name, relative to the root."),
        ],
        does: Does::Changes,
        own: false,
    },
    Entry {
        name: "execute_command",
        title: "Run a command",
        description: "Runs a command with `sh -c`, without input, and returns its output and exit status. What it \
                      leaves running is ended with it. Commands that only read are free; others need an active \
                      intent and a human's yes.",
        parameters: &[
            needs("command", Holds::Text, "The command, for a POSIX shell."),
            may("cwd", Holds::Text, "The folder to run in, relative to the root; the root without it."),
            may(
                "timeout_ms",
                Holds::Count,
                "Milliseconds after which it is ended: 120000 without it, 600000 at most.",
            ),
        ],
        does: Does::Changes,
        own: false,
    },
];
