//! `bailiwick config`: where each setting comes from, what is wrong with the file, and how a person accepts settings
//! that loosen a default.

use std::process::ExitCode;

use bailiwick_adapters_fs::{ConfigReport, FsPolicySource};
use bailiwick_domain::{Sourced, Value, json};

use crate::command::output::terminal::{BAD, DIM, GOOD, WARN};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::site::Site;

#[derive(Clone, Copy, Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// Each setting, its value and where it comes from
    Show,
    /// Errors and warnings in config.yaml
    Check,
    /// Let the loosening settings of config.yaml count on this machine
    Accept,
}

impl Action {
    pub(crate) fn is_query(self) -> bool {
        !matches!(self, Self::Accept)
    }
}

pub(crate) fn run(action: &Action, context: &Context) -> Result<ExitCode, CommandError> {
    let site = context.site()?;
    let policy = FsPolicySource::new(site.layout.clone());
    let report = policy.config_report()?;
    match action {
        Action::Show => Ok(show(&report, context)),
        Action::Check => Ok(check(&report, context)),
        Action::Accept => accept(&site, &policy, &report, context),
    }
}

fn show(report: &ConfigReport, context: &Context) -> ExitCode {
    if context.json {
        context.terminal.json(
            &json!({ "settings": settings(report), "warnings": report.warnings, "errors": report.errors }),
        );
        return ExitCode::SUCCESS;
    }
    report.sourced.iter().for_each(|setting| say(setting, context));
    ExitCode::SUCCESS
}

fn say(setting: &Sourced, context: &Context) {
    let Sourced { key, value, source } = setting;
    context.terminal.say(format_args!("{key:<28} {value:<24} {DIM}{source}{DIM:#}"));
}

/// What a person accepts: the settings that loosen a default as they are written, and what else the file sets.
fn show_given(report: &ConfigReport, context: &Context) {
    for warning in &report.warnings {
        context.terminal.say(format_args!("{WARN}warning{WARN:#}: {warning}"));
    }
    for setting in report.sourced.iter().filter(|setting| setting.is_given()) {
        match report.loosening.iter().find(|(key, _)| *key == setting.key) {
            Some((key, default)) => context
                .terminal
                .say(format_args!("{key:<28} {} (default {default}): {WARN}loosens{WARN:#}", setting.value)),
            None => say(setting, context),
        }
    }
    context.terminal.hint("`bailiwick config show` shows every setting");
}

/// The settings with their values as what they are: a number, a list, a text.
fn settings(report: &ConfigReport) -> Vec<Value> {
    let setting = |setting: &_| {
        let mut all = json!(setting);
        if let Some(value) = all.get_mut("value") {
            *value = value.as_str().map_or_else(|| value.clone(), read_value);
        }
        all
    };
    report.sourced.iter().map(setting).collect()
}

/// A value that was written as JSON; any other text is itself.
fn read_value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

fn check(report: &ConfigReport, context: &Context) -> ExitCode {
    if context.json {
        context.terminal.json(&json!({ "warnings": report.warnings, "errors": report.errors }));
    } else {
        for warning in &report.warnings {
            context.terminal.say(format_args!("{WARN}warning{WARN:#}: {warning}"));
        }
        for error in &report.errors {
            context.terminal.say(format_args!("{BAD}error{BAD:#}: {error}"));
        }
        match report.warnings.len() {
            _ if !report.errors.is_empty() => {}
            0 => context.terminal.styled(GOOD, "config.yaml: OK"),
            count => {
                let warnings = counted(count, "warning", "warnings");
                context.terminal.styled(WARN, format_args!("config.yaml has no error, but {warnings}"));
            }
        }
    }
    if report.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn accept(
    site: &Site,
    policy: &FsPolicySource,
    report: &ConfigReport,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    if !report.errors.is_empty() {
        return Ok(check(report, context));
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("accepting settings"));
    }
    show_given(&policy.config_to_accept()?, context);
    if !context.terminal.confirm("Accept these settings on this machine?") {
        context.terminal.say("Nothing was accepted.");
        return Ok(ExitCode::from(1));
    }
    policy.accept_config()?;
    let lines = crate::compose::settings(policy).allowed_commands;
    for (line, why) in crate::command::answers::allow::accept_settings(site, &lines)? {
        context.terminal.warning(&format!("`{line}` in commands.allow has no effect: {why}"));
    }
    context.terminal.styled(GOOD, "accepted");
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{Value, json};

    use super::read_value;

    #[test]
    fn a_value_is_what_it_says() {
        assert_eq!(read_value("\"request\""), Value::from("request"));
        assert_eq!(read_value("300"), json!(300));
        assert_eq!(read_value("[\"a\"]"), json!(["a"]));
        assert_eq!(read_value("5 min"), Value::from("5 min"));
    }
}
