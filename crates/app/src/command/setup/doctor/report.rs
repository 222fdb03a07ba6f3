//! What `doctor` found, and how it says it.

use bailiwick_adapters_hooks::HostProfile;
use bailiwick_domain::{Value, json};

use crate::command::Context;
use crate::command::judged::{self, Trouble};
use crate::command::output::columns::hanging;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

/// The columns before a finding, and before what a host lets through.
const FINDING: usize = 7;
const LIMIT: usize = 4;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Ok,
    /// Worth knowing, and nothing to do about.
    Note,
    Warn,
    Fail,
}

#[derive(Debug)]
struct Finding {
    section: &'static str,
    level: Level,
    message: String,
    /// What to do about it, as a sentence.
    next: Option<String>,
}

/// All findings, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Report {
    section: &'static str,
    findings: Vec<Finding>,
    hosts: Vec<HostProfile>,
}

impl Report {
    /// Everything from here on belongs under this heading.
    pub(super) fn section(&mut self, name: &'static str) {
        self.section = name;
    }

    /// Something that is as it should be.
    pub(super) fn ok(&mut self, message: impl Into<String>) {
        self.add(Level::Ok, message.into(), None);
    }

    /// Something that is worth knowing and needs nothing done.
    pub(super) fn note(&mut self, message: impl Into<String>) {
        self.add(Level::Note, message.into(), None);
    }

    /// Something that deserves a look.
    pub(super) fn warn(&mut self, message: impl Into<String>) {
        self.add(Level::Warn, message.into(), None);
    }

    /// Something that makes the gate unreliable.
    pub(super) fn fail(&mut self, message: impl Into<String>) {
        self.add(Level::Fail, message.into(), None);
    }

    /// The same, with the one next step.
    pub(super) fn fail_with(&mut self, message: impl Into<String>, next: String) {
        self.add(Level::Fail, message.into(), Some(next));
    }

    /// Something because of which calls are not judged, or refused whatever they are, with the one next step.
    pub(super) fn trouble(&mut self, trouble: &Trouble) {
        self.add(Level::Fail, format!("{}: {}", trouble.effect, trouble.why), Some(trouble.next.clone()));
    }

    /// Says at the end what this host lets through.
    pub(super) fn mention(&mut self, host: HostProfile) {
        self.hosts.push(host);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.first_failure().is_some()
    }

    /// What is wrong, where something is.
    pub(super) fn first_failure(&self) -> Option<&str> {
        let failed = self.findings.iter().find(|finding| finding.level == Level::Fail);
        failed.map(|finding| finding.message.as_str())
    }

    fn add(&mut self, level: Level, message: String, next: Option<String>) {
        self.findings.push(Finding { section: self.section, level, message, next });
    }

    pub(super) fn print(&self, site: &Site, context: &Context) {
        if context.json {
            return context.terminal.json(&self.value(site));
        }
        let mut section = "";
        for finding in &self.findings {
            if section != finding.section {
                section = finding.section;
                context.terminal.styled(HEADING, section);
            }
            let (style, word) = match finding.level {
                Level::Ok => (GOOD, "ok  "),
                Level::Note => (DIM, "note"),
                Level::Warn => (WARN, "warn"),
                Level::Fail => (BAD, "FAIL"),
            };
            let message = hanging(&inert::line(&finding.message), FINDING);
            context.terminal.say(format_args!("  {style}{word}{style:#} {message}"));
        }
        for host in &self.hosts {
            context
                .terminal
                .styled(HEADING, format_args!("What {} lets through, whatever the gate says", host.name));
            for line in host.lets_through {
                context.terminal.say(format_args!("  {DIM}-{DIM:#} {}", hanging(line, LIMIT)));
            }
        }
        self.print_verdict(site, context);
    }

    /// The first of the gravest steps: later failures often follow from it.
    fn next(&self, site: &Site) -> Option<String> {
        let failed = || self.findings.iter().filter(|finding| finding.level == Level::Fail);
        failed().next()?;
        let told = failed().find_map(|finding| finding.next.clone());
        let usual = "Do what the first FAIL line says, then run `bailiwick doctor` again.";
        told.or_else(|| judged::trouble(site).map(|trouble| trouble.next)).or_else(|| Some(usual.to_owned()))
    }

    fn print_verdict(&self, site: &Site, context: &Context) {
        let count = |level| self.findings.iter().filter(|finding| finding.level == level).count();
        let terminal = &context.terminal;
        match (count(Level::Fail), count(Level::Warn)) {
            (0, 0) => terminal.styled(GOOD, "The gate is live."),
            (0, warnings) => {
                let warnings = counted(warnings, "warning", "warnings");
                terminal.styled(GOOD, format_args!("The gate is live, with {warnings}."));
            }
            (failures, _) => {
                let failures = counted(failures, "failure", "failures");
                terminal.styled(BAD, format_args!("The gate is not reliable: {failures}."));
            }
        }
        if let Some(next) = self.next(site) {
            terminal.styled(WARN, format_args!("Next: {}", hanging(&inert::line(&next), "Next: ".len())));
        }
    }

    fn value(&self, site: &Site) -> Value {
        let findings = self.findings.iter().map(|finding| {
            let level = match finding.level {
                Level::Ok => "ok",
                Level::Note => "note",
                Level::Warn => "warn",
                Level::Fail => "fail",
            };
            json!({ "section": finding.section, "level": level, "message": finding.message, "next": finding.next })
        });
        let lets_through =
            self.hosts.iter().map(|host| json!({ "agent": host.name, "what": host.lets_through }));
        json!({
            "root": site.layout.root().display().to_string(),
            "ok": !self.has_failed(),
            "next": self.next(site),
            "findings": findings.collect::<Vec<Value>>(),
            "lets_through": lets_through.collect::<Vec<Value>>(),
        })
    }
}
