//! Collects what is found, each finding with the file that is being looked at.

use bailiwick_domain::{Finding, FindingKind, Severity};

/// Findings so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    findings: Vec<Finding>,
    file: String,
}

impl Report {
    /// What comes from now on is about this file.
    pub(super) fn about(&mut self, file: impl Into<String>) {
        self.file = file.into();
    }

    pub(super) fn push(
        &mut self,
        severity: Severity,
        kind: FindingKind,
        line: Option<u64>,
        entries: Option<(u64, u64)>,
        message: impl Into<String>,
    ) -> usize {
        let (file, message) = (self.file.clone(), message.into());
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
        if let Some(finding) = self.findings.get_mut(finding) {
            let line = finding.line.unwrap_or_default().saturating_sub(1);
            finding.line = Some(line);
            finding.message = format!("line {line} was put there: the chain goes on without it");
        }
    }

    /// All findings, alarms first.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        self.findings
    }
}
