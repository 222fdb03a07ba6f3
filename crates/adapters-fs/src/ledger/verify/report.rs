//! Collects what is found, each finding with the file and the line that it is about.
//!
//! A chain may have several files. Whoever walks it counts its lines through all of them, and what is found is told with
//! the file that a line is in and its number there.

use bailiwick_domain::{Finding, FindingKind, Severity};

/// Findings so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    findings: Vec<Finding>,
    /// The files that are being looked at, and how many lines are before each.
    files: Vec<(u64, String)>,
}

impl Report {
    /// What comes from now on is about this file.
    pub(super) fn about(&mut self, file: impl Into<String>) {
        self.files = vec![(0, file.into())];
    }

    /// The same chain goes on in this file, behind so many lines.
    pub(super) fn goes_on_in(&mut self, file: impl Into<String>, lines_before: u64) {
        self.files.retain(|(before, _)| *before < lines_before);
        self.files.push((lines_before, file.into()));
    }

    /// The file that line `number` of the chain is in, and its number there; without a number the newest file.
    fn place(&self, number: Option<u64>) -> (String, Option<u64>) {
        let number_or_end = number.unwrap_or(u64::MAX);
        let holds = |(before, _): &&(u64, String)| *before < number_or_end;
        let Some((before, file)) = self.files.iter().rfind(holds).or_else(|| self.files.first()) else {
            return (String::new(), number);
        };
        (file.clone(), number.map(|number| number.saturating_sub(*before)))
    }

    /// What line `number` of the chain is called in its file.
    pub(super) fn line(&self, number: u64) -> u64 {
        self.place(Some(number)).1.unwrap_or(number)
    }

    pub(super) fn push(
        &mut self,
        severity: Severity,
        kind: FindingKind,
        line: Option<u64>,
        entries: Option<(u64, u64)>,
        message: impl Into<String>,
    ) -> usize {
        let ((file, line), message) = (self.place(line), message.into());
        self.findings.push(Finding { severity, kind, file, line, entries, message });
        self.findings.len() - 1
    }

    /// An alarm about one line and one entry; where it is kept.
    pub(super) fn alarm(
        &mut self,
        kind: FindingKind,
        line: Option<u64>,
        entry: Option<u64>,
        message: impl Into<String>,
    ) -> usize {
        self.push(Severity::Alarm, kind, line, entry.map(|entry| (entry, entry)), message)
    }

    /// A note about the whole file.
    pub(super) fn note(&mut self, kind: FindingKind, message: impl Into<String>) {
        self.push(Severity::Note, kind, None, None, message);
    }

    /// Calls a finding something else; `what` goes on after `line N `.
    pub(super) fn change(&mut self, finding: usize, kind: FindingKind, what: &str) {
        if let Some(finding) = self.findings.get_mut(finding) {
            finding.kind = kind;
            finding.entries = None;
            finding.message = format!("line {} {what}", finding.line.unwrap_or_default());
        }
    }

    /// It was the line before that was inserted.
    pub(super) fn move_back(&mut self, finding: usize) {
        let Some(found) = self.findings.get(finding) else { return };
        let before = self.files.iter().find(|(_, file)| *file == found.file).map_or(0, |(before, _)| *before);
        let number = (before + found.line.unwrap_or_default()).saturating_sub(1);
        let (file, _) = self.place(Some(number));
        let line = self.line(number);
        if let Some(finding) = self.findings.get_mut(finding) {
            finding.file = file;
            finding.line = Some(line);
            finding.message = format!("line {line} was added: the chain continues without it");
        }
    }

    /// All findings, alarms first.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        self.findings
    }
}
