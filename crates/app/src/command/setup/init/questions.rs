//! The three questions of `init`: commands, edits, and whether the ledger travels with git. Asked at a terminal
//! with the values in force as defaults, or given as flags; written into `config.yaml`.

use bailiwick_adapters_fs::{FsPolicySource, Scaffold, config_with, config_word, settings_of};
use bailiwick_domain::PortError;

use super::Args;
use crate::command::client_files::settings_file::{Change, SettingsFile};
use crate::command::{CommandError, Context};
use crate::site::Site;

/// Keeps sealed segments of the ledger out of git, relative to the store.
const SEGMENTS: &str = "trace/";

/// Which commands are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Commands {
    /// Every command is asked about
    Ask,
    /// Commands that are proved to read only run without a question
    ReadOnlyFree,
}

/// How edits are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Edits {
    /// Each one is asked about
    Each,
    /// You may answer with a bounded grant in place of a single yes
    Grants,
}

/// Whether sealed segments of the ledger are committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum InGit {
    /// Committed with the work
    Yes,
    /// They stay on this machine
    No,
}

/// One question: the setting, the words, and each answer with its value and what it means; the default comes first.
struct Question {
    key: &'static str,
    text: &'static str,
    answers: [(&'static str, &'static str, &'static str); 2],
}

const QUESTIONS: [Question; 3] = [
    Question {
        key: "commands.read_only",
        text: "Commands of agents",
        answers: [
            ("read-only-free", "safe", "those that are proved to read only run without a question"),
            ("ask", "destructive", "every one is asked about"),
        ],
    },
    Question {
        key: "approval.grants",
        text: "Edits of agents",
        answers: [
            ("grants", "true", "each is asked about; you may answer with a bounded grant for several"),
            ("each", "false", "each is asked about"),
        ],
    },
    Question {
        key: "trace.in_git",
        text: "The ledger in git",
        answers: [
            ("yes", "true", "sealed segments are committed with the work"),
            ("no", "false", "it stays on this machine"),
        ],
    },
];

/// What the store shall hold because of the answers.
#[derive(Debug)]
pub(super) struct Answered {
    /// What is created where it is missing.
    pub(super) scaffold: Scaffold,
    /// Changes of files that are there.
    pub(super) changes: Vec<Change>,
    /// Whether a human had accepted the settings that are changed; the answers loosen nothing, so that yes goes on.
    pub(super) accept: bool,
}

impl Answered {
    /// Whether the settings file changes.
    fn changes_config(&self, site: &Site) -> bool {
        self.changes.iter().any(|change| change.is_due() && change.file.path() == site.layout.config_file())
    }

    /// Accepts the changed settings where the earlier ones were accepted.
    ///
    /// # Errors
    /// The acceptance cannot be written down.
    pub(super) fn accept_again(&self, site: &Site) -> Result<(), PortError> {
        if self.accept { FsPolicySource::new(site.layout.clone()).accept_config() } else { Ok(()) }
    }
}

/// Asks what is not given and works out what follows; writes nothing.
///
/// # Errors
/// The settings are invalid or cannot be changed safely.
pub(super) fn answered(args: &Args, site: &Site, context: &Context) -> Result<Answered, CommandError> {
    let mut values: Vec<(&str, &str)> = Vec::new();
    let report = FsPolicySource::new(site.layout.clone()).config_report();
    let written = std::fs::read_to_string(site.layout.config_file()).unwrap_or_default();
    let asks = !args.yes && !args.dry_run && !context.json && context.terminal.has_person();
    for (question, given) in QUESTIONS.iter().zip(given(args)) {
        let word = config_word(&written, question.key);
        let now = word.and_then(|word| question.answers.iter().position(|(_, value, _)| word == *value));
        let answer = match given {
            Some(word) => question.answers.iter().position(|(name, ..)| *name == word),
            None if asks => {
                let chosen = context.terminal.choose(question.text, &shown(question), now.unwrap_or(0));
                Some(chosen.ok_or_else(|| unanswered(question))?)
            }
            None => None,
        };
        values.extend(
            answer.and_then(|at| question.answers.get(at)).map(|(_, value, _)| (question.key, *value)),
        );
    }
    let accepted = report.is_ok_and(|report| report.accepted);
    let mut answered = plan(site, &values)?;
    answered.accept = accepted && answered.changes_config(site);
    Ok(answered)
}

fn given(args: &Args) -> [Option<&'static str>; 3] {
    [
        args.commands.map(|answer| match answer {
            Commands::Ask => "ask",
            Commands::ReadOnlyFree => "read-only-free",
        }),
        args.edits.map(|answer| match answer {
            Edits::Each => "each",
            Edits::Grants => "grants",
        }),
        args.ledger_in_git.map(|answer| match answer {
            InGit::Yes => "yes",
            InGit::No => "no",
        }),
    ]
}

fn unanswered(question: &Question) -> CommandError {
    CommandError::Other(format!(
        "no answer to \"{}\", so nothing was changed; run `bailiwick init` again, or with `--yes` to take what is usual",
        question.text
    ))
}

fn shown(question: &Question) -> Vec<String> {
    question.answers.iter().map(|(name, _, meaning)| format!("{name}: {meaning}")).collect()
}

/// The ignore rule follows the setting, also when nobody was asked, so that a setting changed by hand gets its rule.
fn plan(site: &Site, values: &[(&str, &str)]) -> Result<Answered, CommandError> {
    let fresh = Scaffold::new(site.layout.clone());
    let (config, gitignore) = fresh.texts();
    let config_file = SettingsFile::read(&site.layout.config_file())?;
    let ignore_file = SettingsFile::read(&fresh.gitignore_file())?;
    let text = config_file.text().unwrap_or(config);
    let text = if values.is_empty() { text.to_owned() } else { config_with(text, values)? };
    let rules = with_segments(ignore_file.text().unwrap_or(gitignore), is_in_git(&text));
    let changes = [(config_file, &text), (ignore_file, &rules)]
        .into_iter()
        .filter(|(file, _)| file.text().is_some())
        .map(|(file, after)| Change { file, after: Some(after.clone()) })
        .collect();
    Ok(Answered { scaffold: fresh.with_texts(text, rules), changes, accept: false })
}

/// Whether the ignore rules of the store do not follow the setting, for `doctor`.
pub(in crate::command) fn segments_differ(site: &Site) -> bool {
    let rules = std::fs::read_to_string(Scaffold::new(site.layout.clone()).gitignore_file());
    let config = std::fs::read_to_string(site.layout.config_file()).unwrap_or_default();
    rules.is_ok_and(|rules| with_segments(&rules, is_in_git(&config)) != rules)
}

fn is_in_git(config: &str) -> bool {
    settings_of(config).is_none_or(|settings| settings.trace_in_git)
}

/// The ignore rules with or without the one for segments.
fn with_segments(rules: &str, in_git: bool) -> String {
    let is_ours = |line: &str| line.trim_end().trim_start_matches('/') == SEGMENTS;
    match (in_git, rules.lines().any(is_ours)) {
        (true, true) => rules.split_inclusive('\n').filter(|line| !is_ours(line)).collect(),
        (false, false) => {
            let gap = if rules.is_empty() || rules.ends_with('\n') { "" } else { "\n" };
            format!("{rules}{gap}{SEGMENTS}\n")
        }
        _ => rules.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::with_segments;

    // D-22
    #[test]
    fn the_rule_for_segments_comes_and_goes_alone() {
        for rules in ["", "state/\n", "# mine\nstate/\n"] {
            let without = with_segments(rules, false);
            assert_eq!(without, format!("{rules}trace/\n"));
            assert_eq!(with_segments(&without, false), without);
            assert_eq!(with_segments(&without, true), rules);
            assert_eq!(with_segments(rules, true), rules);
        }
        assert_eq!(with_segments("/trace/\nx\n", true), "x\n");
        assert_eq!(with_segments("x", false), "x\ntrace/\n");
    }
}
