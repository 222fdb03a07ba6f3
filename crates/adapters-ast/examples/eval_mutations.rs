//! Classifies labelled mutations, rows as `{id, lang, label, kind, files: [{path, before, after}]}`, one a line, and
//! prints a confusion matrix by kind and language. `cargo xtask eval mutations` runs it.
//!
//! Exit 1: something unsafe (an evolution called a refactor), or recall below what `--recall` demands.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use bailiwick_adapters_ast::{AstReader, Limits};
use bailiwick_domain::{
    FileChange, Mutation, MutationClassifier as _, MutationEvidence, RepoPath, Value, json,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    id: String,
    lang: String,
    label: String,
    kind: String,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
struct Counts {
    refactors: usize,
    proved: usize,
    evolutions: usize,
    #[serde(rename = "unsafe")]
    called_refactor: usize,
}

impl Counts {
    fn add(&mut self, is_refactor: bool, is_called_refactor: bool) {
        *self.of(is_refactor) += 1;
        if is_called_refactor {
            *if is_refactor { &mut self.proved } else { &mut self.called_refactor } += 1;
        }
    }

    fn of(&mut self, is_refactor: bool) -> &mut usize {
        if is_refactor { &mut self.refactors } else { &mut self.evolutions }
    }

    fn recall(&self) -> f64 {
        if self.refactors == 0 { 1.0 } else { self.proved as f64 / self.refactors as f64 }
    }

    fn line(&self, name: &str) -> String {
        format!(
            "{name:<16} refactors {:>4}, proved {:>4} ({:.2}); evolutions {:>4}, unsafe {}",
            self.refactors,
            self.proved,
            self.recall(),
            self.evolutions,
            self.called_refactor
        )
    }
}

/// What the words of the command line ask for.
struct Wish {
    path: String,
    recall: f64,
    as_json: bool,
    verbose: bool,
}

impl Wish {
    fn read(words: &[String]) -> Option<Self> {
        let has = |option: &str| words.iter().any(|word| word == option);
        let value = |option: &str| {
            words.iter().position(|word| word == option).and_then(|at| words.get(at + 1)).cloned()
        };
        let recall = value("--recall").and_then(|text| text.parse().ok()).unwrap_or(0.0);
        Some(Self { path: value("--data")?, recall, as_json: has("--json"), verbose: has("--verbose") })
    }
}

#[derive(Default)]
struct Report {
    all: Counts,
    kinds: BTreeMap<String, Counts>,
    languages: BTreeMap<String, Counts>,
    rows: Vec<Value>,
    remarks: Vec<String>,
}

impl Report {
    fn take(&mut self, row: &Row, mutation: &Mutation, verbose: bool) {
        let is_refactor = row.label == "AST_REFACTOR";
        let kind = self.kinds.entry(row.kind.clone()).or_default();
        let language = self.languages.entry(row.lang.clone()).or_default();
        for counts in [&mut self.all, kind, language] {
            counts.add(is_refactor, mutation.is_refactor());
        }
        let said =
            |evidence: &MutationEvidence| format!("{}:{}: {}", evidence.path, evidence.line, evidence.what);
        let evidence: Vec<String> = mutation.evidence.iter().map(said).collect();
        let mark = match (is_refactor, mutation.is_refactor()) {
            (false, true) => "UNSAFE",
            (true, false) => "missed",
            _ => "agrees",
        };
        if verbose || mark == "UNSAFE" {
            let (id, lang, kind, method) = (&row.id, &row.lang, &row.kind, mutation.method);
            self.remarks.push(format!("{mark} {id} {lang} {kind} {method:?} {}", evidence.join("; ")));
        }
        self.rows.push(json!({
            "id": row.id, "lang": row.lang, "kind": row.kind, "label": row.label,
            "class": mutation.class, "method": mutation.method, "evidence": evidence,
        }));
    }

    fn text(&self) -> String {
        let mut lines = self.remarks.clone();
        lines.push(self.all.line("all"));
        lines.extend(self.kinds.iter().chain(&self.languages).map(|(name, counts)| counts.line(name)));
        lines.join("\n")
    }

    fn json(&self) -> Value {
        json!({
            "all": self.all, "recall": self.all.recall(), "by_kind": self.kinds, "by_language": self.languages,
            "rows": self.rows,
        })
    }
}

fn classify(reader: &AstReader, row: &Row) -> Mutation {
    let paths: Vec<Option<RepoPath>> = row.files.iter().map(|file| RepoPath::new(&file.path).ok()).collect();
    let change = |(file, path): (&'_ File, &'_ Option<RepoPath>)| -> Option<(Option<String>, Option<String>, RepoPath)> {
        Some((file.before.clone(), file.after.clone(), path.clone()?))
    };
    let owned: Vec<_> = row.files.iter().zip(&paths).filter_map(change).collect();
    let changes: Vec<FileChange<'_>> = owned
        .iter()
        .map(|(before, after, path)| FileChange {
            path,
            before: before.as_deref().map(str::as_bytes),
            after: after.as_deref().map(str::as_bytes),
        })
        .collect();
    reader.classify(&changes)
}

fn evaluate(wish: &Wish) -> Result<Report, String> {
    let text = std::fs::read_to_string(&wish.path).map_err(|error| format!("{}: {error}", wish.path))?;
    let reader = AstReader::with_limits(Limits { time: Duration::from_secs(20), ..Limits::default() });
    let mut report = Report::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row: Row =
            serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", wish.path, number + 1))?;
        report.take(&row, &classify(&reader, &row), wish.verbose);
    }
    Ok(report)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let usage = || "usage: eval_mutations --data FILE.jsonl [--recall R] [--json] [--verbose]".to_owned();
    let outcome = Wish::read(&words).ok_or_else(usage).and_then(|wish| Ok((evaluate(&wish)?, wish)));
    let (report, wish) = match outcome {
        Ok(found) => found,
        Err(why) => {
            drop(writeln!(std::io::stderr(), "{why}"));
            return ExitCode::from(2);
        }
    };
    let text = if wish.as_json { report.json().to_string() } else { report.text() };
    drop(writeln!(std::io::stdout(), "{text}"));
    let failed = report.all.called_refactor > 0 || report.all.recall() < wish.recall;
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
