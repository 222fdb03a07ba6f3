//! `bailiwick intent check`: what is wrong with the intents file, and with the intents in it. Runs nothing.

use std::collections::BTreeMap;
use std::process::ExitCode;

use bailiwick_adapters_fs::{
    FsIntentRepo, FsPolicySource, FsScopeMeter, FsVerifications, FsWorkspaceLock, IntentReport,
    spell_canonically,
};
use bailiwick_domain::{
    Diagnostic, IntentId, IntentRule, NamedCheck, PolicySource, ScopeMeter, Value, WorkspaceLock, json,
};
use bailiwick_policy::lint::{Finding, Report, ScopeFigure, World, lint};

use super::super::{CommandError, Context};
use crate::command::output::columns::hanging;
use crate::command::output::sarif;
use crate::command::output::terminal::{BAD, DIM, GOOD, WARN};
use crate::counted::counted;
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Levels: 1 is the file valid, 2 is each open intent good (examples hold, patterns match, a check \
exists), 3 strict (overlaps, near misses of the examples, unverified requirements). Nothing is run \
and, without --fix, nothing is written.

Exit status: 1 when there is an error, or a warning with --deny-warnings.")]
pub(in crate::command) struct Check {
    /// How much is asked of an intent, 1 to 3
    #[arg(long, default_value_t = 2, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=3))]
    level: u8,
    /// Write what is safe: canonical spellings of keys and statuses
    #[arg(long)]
    fix: bool,
    /// Exit with 1 for warnings as well
    #[arg(long)]
    deny_warnings: bool,
    /// Print SARIF 2.1.0, for code hosts and editors
    #[arg(long, conflicts_with = "fix")]
    sarif: bool,
}

impl Check {
    pub(super) fn writes(&self) -> bool {
        self.fix
    }
}

/// The level that judges an intent by itself.
const OWN_LEVEL: u8 = 2;

/// One complaint, whoever made it.
#[derive(Debug)]
struct Said {
    rule: IntentRule,
    is_error: bool,
    intent: Option<String>,
    diagnostic: Diagnostic,
}

impl Said {
    fn in_a_line(&self) -> String {
        let (style, word) = if self.is_error { (BAD, "error") } else { (WARN, "warning") };
        let text = inert::line(&self.diagnostic.to_string());
        format!("{style}{word}{style:#}: {text} {DIM}[{}]{DIM:#}", self.rule.code())
    }
}

/// What is wrong with one intent, for a person who just wrote it. A file that is not valid has said so before.
pub(super) fn tell_of(site: &Site, id: &IntentId, context: &Context) -> Result<(), CommandError> {
    let report = FsIntentRepo::new(site.layout.clone()).load_report()?;
    if context.json || !report.errors.is_empty() {
        return Ok(());
    }
    let said = all(&report, &linted(site, &report, OWN_LEVEL)?, OWN_LEVEL);
    for one in said.iter().filter(|one| one.intent.as_deref() == Some(id.as_str())) {
        context.terminal.say(hanging(&one.in_a_line(), 2));
    }
    Ok(())
}

pub(super) fn check(site: &Site, args: &Check, context: &Context) -> Result<ExitCode, CommandError> {
    let repo = FsIntentRepo::new(site.layout.clone());
    let mut fixed = 0;
    if args.fix {
        let _held = pollster::block_on(FsWorkspaceLock::new(site.layout.clone()).acquire())?;
        fixed = spell_canonically(&site.layout).map_err(super::nothing_changed)?;
    }
    let report = repo.load_report()?;
    let linted = if args.level > 1 && report.errors.is_empty() {
        linted(site, &report, args.level)?
    } else {
        Report::default()
    };
    let said = all(&report, &linted, args.level);
    if args.sarif {
        context.terminal.json(&as_sarif(&said));
    } else if context.json {
        context.terminal.json(&as_json(args.level, &report, &linted, &said, fixed));
    } else {
        say(&report, &linted, &said, fixed, context);
    }
    let fails = said.iter().any(|one| one.is_error || args.deny_warnings);
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn linted(site: &Site, report: &IntentReport, level: u8) -> Result<Report, CommandError> {
    let listing = pollster::block_on(FsScopeMeter::new(site.layout.clone()).tree())?;
    // Broken settings are `config check`'s to name.
    let settings =
        pollster::block_on(FsPolicySource::new(site.layout.clone()).settings()).unwrap_or_default();
    let store = FsVerifications::new(&site.layout);
    let mut results = BTreeMap::new();
    for written in report.written.iter().filter(|written| !NamedCheck::of(written).is_empty()) {
        results.insert(written.id.value.clone(), store.of(&written.id.value)?);
    }
    let world = World {
        results: &results,
        files: &listing.files,
        is_complete: listing.is_complete,
        broad_files: settings.broad_files,
        broad_permille: settings.broad_permille,
    };
    let set = report.set.clone().as_of(bailiwick_domain::Clock::now(&bailiwick_adapters_fs::SystemClock));
    Ok(lint(&report.written, &set, &world, level))
}

/// The complaints of the reader up to that level, then those about the intents, in the order of the file.
fn all(report: &IntentReport, linted: &Report, level: u8) -> Vec<Said> {
    let reader = |is_error: bool, diagnostics: &[Diagnostic], rules: &[IntentRule]| {
        let pairs = diagnostics.iter().zip(rules).filter(|(_, rule)| rule.level() <= level);
        let said = |(diagnostic, rule): (&Diagnostic, &IntentRule)| Said {
            rule: *rule,
            is_error,
            intent: None,
            diagnostic: diagnostic.clone(),
        };
        pairs.map(said).collect::<Vec<_>>()
    };
    let mut said = reader(true, &report.errors, &report.error_rules);
    said.extend(reader(false, &report.warnings, &report.warning_rules));
    said.extend(linted.findings.iter().map(|finding| Said {
        rule: finding.rule,
        is_error: finding.is_error,
        intent: Some(finding.intent.to_string()),
        diagnostic: placed(finding),
    }));
    said.sort_by_key(|one| (!one.is_error, one.diagnostic.line, one.diagnostic.column));
    said
}

fn placed(finding: &Finding) -> Diagnostic {
    Diagnostic {
        file: bailiwick_adapters_fs::Layout::INTENTS.to_owned(),
        line: finding.line,
        column: finding.column,
        message: finding.message.clone(),
        fix: finding.fix.clone(),
        way_out: None,
    }
}

fn say(report: &IntentReport, linted: &Report, said: &[Said], fixed: usize, context: &Context) {
    let terminal = &context.terminal;
    if fixed > 0 {
        terminal.styled(GOOD, format_args!("fixed {}", counted(fixed, "spelling", "spellings")));
    }
    for one in said {
        terminal.say(hanging(&one.in_a_line(), 2));
    }
    for figure in &linted.scopes {
        terminal.say(format_args!("{DIM}{}{DIM:#}", figured(figure)));
    }
    if said.is_empty() {
        terminal.styled(GOOD, format_args!("{}: OK", counted(report.set.len(), "intent", "intents")));
    }
}

fn figured(figure: &ScopeFigure) -> String {
    let owns = format!("{} owns {} of {}", figure.intent, figure.files, counted(figure.of, "file", "files"));
    if figure.probes == 0 {
        return owns;
    }
    format!("{owns} and keeps out {} of {} near misses", figure.kept_out, figure.probes)
}

fn as_json(level: u8, report: &IntentReport, linted: &Report, said: &[Said], fixed: usize) -> Value {
    let one = |one: &Said| {
        let Diagnostic { file, line, column, message, fix, .. } = &one.diagnostic;
        json!({
            "code": one.rule,
            "level": one.rule.level(),
            "intent": one.intent,
            "file": file,
            "line": line,
            "column": column,
            "message": message,
            "fix": fix,
        })
    };
    let of = |is_error: bool| said.iter().filter(|one| one.is_error == is_error).map(one).collect::<Vec<_>>();
    let scope = |figure: &ScopeFigure| {
        json!({
            "intent": figure.intent,
            "files": figure.files,
            "of": figure.of,
            "probes": figure.probes,
            "kept_out": figure.kept_out,
        })
    };
    json!({
        "level": level,
        "intents": report.set.len(),
        "errors": of(true),
        "warnings": of(false),
        "scopes": linted.scopes.iter().map(scope).collect::<Vec<_>>(),
        "fixed": fixed,
    })
}

fn as_sarif(said: &[Said]) -> Value {
    let rules = IntentRule::ALL.iter().map(|rule| sarif::Rule { id: rule.code(), says: rule.says() });
    let found = said.iter().map(|one| {
        let Diagnostic { file, line, column, message, fix, .. } = one.diagnostic.clone();
        let message = if fix.is_empty() { message } else { format!("{message}: {fix}") };
        sarif::Found {
            rule: one.rule.code(),
            is_error: one.is_error,
            message,
            file,
            lines: (line, line),
            column,
        }
    });
    sarif::document(&rules.collect::<Vec<_>>(), &found.collect::<Vec<_>>())
}
