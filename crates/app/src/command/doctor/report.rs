//! What `doctor` found, and how it says it.

use bailiwick_adapters_hooks::HostProfile;
use bailiwick_domain::{Value, json};

use crate::command::Context;
use crate::command::judged::Trouble;
use crate::command::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

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

    /// Something because of which calls are not judged, or refused whatever they are, with the one next step.
    pub(super) fn trouble(&mut self, trouble: &Trouble) {
        self.add(Level::Fail, format!("{}: {}", trouble.effect, trouble.why), Some(trouble.next.clone()));
    }

    /// Says at the end what this host lets through.
    pub(super) fn mention(&mut self, host: HostProfile) {
        self.hosts.push(host);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Fail)
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
            context.terminal.say(format_args!("  {style}{word}{style:#} {}", inert::line(&finding.message)));
        }
        for host in &self.hosts {
            context
                .terminal
                .styled(HEADING, format_args!("What {} lets through, whatever the gate says", host.name));
            for line in host.lets_through {
                context.terminal.say(format_args!("  {DIM}-{DIM:#} {line}"));
            }
        }
        self.print_verdict(context);
    }

    /// The first of the gravest steps: later failures often follow from it.
    fn next(&self) -> Option<&str> {
        let failed = || self.findings.iter().filter(|finding| finding.level == Level::Fail);
        let told = failed().find_map(|finding| finding.next.as_deref());
        told.or_else(|| {
            failed().next().map(|_| "Do what the first FAIL line says, then run `bailiwick doctor` again.")
        })
    }

    fn print_verdict(&self, context: &Context) {
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
        if let Some(next) = self.next() {
            terminal.styled(WARN, format_args!("Next: {}", inert::line(next)));
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
            "next": self.next(),
            "findings": findings.collect::<Vec<Value>>(),
            "lets_through": lets_through.collect::<Vec<Value>>(),
        })
    }
}
