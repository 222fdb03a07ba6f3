//! What `doctor` found, and how it says it.

use bailiwick_adapters_hooks::HostProfile;
use bailiwick_domain::{Value, json};

use crate::command::Context;
use crate::command::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::inert;
use crate::site::Site;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Ok,
    Warn,
    Fail,
}

#[derive(Debug)]
struct Finding {
    section: &'static str,
    level: Level,
    message: String,
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
        self.add(Level::Ok, message.into());
    }

    /// Something that deserves a look.
    pub(super) fn warn(&mut self, message: impl Into<String>) {
        self.add(Level::Warn, message.into());
    }

    /// Something that makes the gate unreliable.
    pub(super) fn fail(&mut self, message: impl Into<String>) {
        self.add(Level::Fail, message.into());
    }

    /// Says at the end what this host lets through.
    pub(super) fn mention(&mut self, host: HostProfile) {
        self.hosts.push(host);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Fail)
    }

    fn add(&mut self, level: Level, message: String) {
        self.findings.push(Finding { section: self.section, level, message });
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

    fn print_verdict(&self, context: &Context) {
        let count = |level| self.findings.iter().filter(|finding| finding.level == level).count();
        match (count(Level::Fail), count(Level::Warn)) {
            (0, 0) => context.terminal.styled(GOOD, "The gate is live."),
            (0, warnings) => {
                context.terminal.styled(GOOD, format_args!("The gate is live; warnings: {warnings}."))
            }
            (failures, _) => {
                context.terminal.styled(BAD, format_args!("The gate is not reliable; failures: {failures}."))
            }
        }
    }

    fn value(&self, site: &Site) -> Value {
        let findings = self.findings.iter().map(|finding| {
            let level = match finding.level {
                Level::Ok => "ok",
                Level::Warn => "warn",
                Level::Fail => "fail",
            };
            json!({ "section": finding.section, "level": level, "message": finding.message })
        });
        let lets_through =
            self.hosts.iter().map(|host| json!({ "agent": host.name, "what": host.lets_through }));
        json!({
            "root": site.layout.root().display().to_string(),
            "ok": !self.has_failed(),
            "findings": findings.collect::<Vec<Value>>(),
            "lets_through": lets_through.collect::<Vec<Value>>(),
        })
    }
}
