//! Which entries are meant: by intent, requirement, path, session and time.

use std::path::Path;
use std::time::SystemTime;

use bailiwick_domain::{
    IntentId, LedgerQuery, MutationClass, Order, RepoPath, StoredEntry, Timestamp, Value,
};

use crate::command::output::reading;
use crate::command::{CommandError, Context};
use crate::inert;
use crate::site::Site;

#[derive(Clone, Debug, clap::Args)]
pub(in crate::command) struct Filter {
    /// Only entries of this intent
    #[arg(long, value_name = "ID")]
    intent: Option<String>,
    /// Only entries for this requirement
    #[arg(long, value_name = "ID")]
    requirement: Option<String>,
    /// Only entries that changed this file or something below this folder
    #[arg(long, visible_alias = "file", value_name = "PATH")]
    path: Option<String>,
    /// Only this session, as HOST/SESSION, the session's id, or the beginning of it
    #[arg(long)]
    session: Option<String>,
    /// Only entries since then: 2h, 3days, or a time such as 2026-11-22T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Timestamp>,
    /// Only changes of this class: proved refactors, or evolutions of intent
    #[arg(long, value_enum)]
    class: Option<Class>,
}

/// The class of a change, as a person names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::command) enum Class {
    #[value(alias = "AST_REFACTOR")]
    Refactor,
    #[value(alias = "INTENT_EVOLUTION")]
    Evolution,
}

impl Class {
    /// Whether the entry's change has this class; one of an older version has none.
    pub(crate) fn is_of(self, stored: &StoredEntry) -> bool {
        let class = match self {
            Self::Refactor => MutationClass::AstRefactor,
            Self::Evolution => MutationClass::IntentEvolution,
        };
        stored.entry.context.mutation.as_ref().is_some_and(|mutation| mutation.class == class)
    }
}

/// The class in three letters, for a column.
pub(crate) fn class_of(stored: &StoredEntry) -> &'static str {
    match stored.entry.context.mutation.as_ref().map(|mutation| mutation.class) {
        Some(MutationClass::AstRefactor) => "ref",
        Some(MutationClass::IntentEvolution) => "evo",
        None => "-",
    }
}

fn since(text: &str) -> Result<Timestamp, String> {
    let then = match humantime::parse_duration(text) {
        Ok(length) => SystemTime::now().checked_sub(length),
        Err(_) => {
            let day = format!("{text}T00:00:00Z");
            humantime::parse_rfc3339_weak(text).or_else(|_| humantime::parse_rfc3339(&day)).ok()
        }
    };
    let then = then.ok_or("a length such as 2h or 3days, or a day or time in UTC such as 2026-11-22")?;
    let since_1970 = then.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis();
    Ok(Timestamp::from_unix_ms(i64::try_from(since_1970).unwrap_or(i64::MAX)))
}

impl Filter {
    /// The same with the path as it is from the root.
    ///
    /// # Errors
    /// The path leads out of the repository.
    pub(in crate::command) fn seen_from_here(
        &self,
        site: &Site,
        context: &Context,
    ) -> Result<Self, CommandError> {
        let path = self.path.as_deref().map(|path| reading::from_root(path, site, context));
        if let Some(outside) = path.as_deref().filter(|path| leads_out(path)) {
            let message = format!("`{}` is outside this repository", inert::line(outside));
            return Err(CommandError::Usage(message));
        }
        Ok(Self { path, ..self.clone() })
    }

    /// Whether anything is asked for.
    pub(in crate::command) fn is_any(&self) -> bool {
        let texts = [&self.intent, &self.requirement, &self.path, &self.session];
        texts.into_iter().any(Option::is_some) || self.since.is_some() || self.class.is_some()
    }

    /// Whether an intent of this id is meant.
    pub(in crate::command) fn names(&self, id: &IntentId) -> bool {
        self.intent.as_ref().is_none_or(|wanted| id.as_str() == wanted)
    }

    /// What to do where nothing was found because a session is named by too few signs.
    pub(crate) fn too_short(&self) -> Option<String> {
        self.session.as_deref().and_then(reading::too_short)
    }

    /// Whether a path is asked for.
    pub(crate) fn has_path(&self) -> bool {
        self.path.is_some()
    }

    /// The path, where nothing else is asked for: the records of other programs know no intents.
    ///
    /// # Errors
    /// Something else is asked for as well.
    pub(crate) fn only_path(&self) -> Result<Option<&str>, CommandError> {
        let others = [&self.intent, &self.requirement, &self.session];
        if others.into_iter().any(Option::is_some) || self.since.is_some() || self.class.is_some() {
            let message = "records of another program (`--from`) can be chosen by `--path` only".to_owned();
            return Err(CommandError::Usage(message));
        }
        Ok(self.path.as_deref())
    }

    /// What every wanted record has in it as it is stored.
    pub(in crate::command) fn query(&self, order: Order) -> LedgerQuery {
        let session = self.session.as_deref().and_then(|name| name.rsplit('/').next());
        let path = self.path.as_deref().map(plain).filter(|path| *path != ".");
        let words = [session, self.requirement.as_deref(), self.intent.as_deref(), path];
        let word = words.into_iter().flatten().find(|word| !word.is_empty());
        LedgerQuery { order, containing: word.map(as_stored), ..LedgerQuery::default() }
    }

    /// Whether the entry is meant.
    pub(in crate::command) fn wants(&self, stored: &StoredEntry) -> bool {
        let (entry, context) = (&stored.entry, &stored.entry.context);
        let session = |said: &String| reading::is_session(&context.actor, said);
        self.intent.as_ref().is_none_or(|id| context.intent.as_str() == id)
            && self.requirement.as_ref().is_none_or(|id| context.requirements.contains(id))
            && self.session.as_ref().is_none_or(session)
            && self.since.is_none_or(|since| entry.timestamp >= since)
            && self.class.is_none_or(|class| class.is_of(stored))
            && self
                .path
                .as_ref()
                .is_none_or(|path| entry.files.iter().any(|file| is_at_or_below(&file.path, path)))
    }
}

/// Whether a path from the root is none below it.
fn leads_out(path: &str) -> bool {
    let mut depth = 0_i32;
    let climbs = |part: &str| {
        depth += match part {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        depth < 0
    };
    Path::new(path).is_absolute() || path.split('/').any(climbs)
}

/// A text as it is spelled inside a stored string.
fn as_stored(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned()
}

/// A path as it stands in records.
fn plain(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}

/// Whether a file is the one that a person named, or lies below that folder; below `.` lies every file.
pub(in crate::command) fn is_at_or_below(file: &RepoPath, path: &str) -> bool {
    if matches!(path, "." | "./") {
        return true;
    }
    let rest = file.as_str().strip_prefix(plain(path));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_file_or_everything_below_a_folder() {
        let file = RepoPath::new("src/auth/jwt.rs").unwrap();
        for path in [".", "./", "src", "src/", "./src/auth/", "src/auth/jwt.rs"] {
            assert!(is_at_or_below(&file, path), "{path}");
        }
        for path in ["", "/", "src/au", "auth", "src/auth/jwt", "src/auth/jwt.rs/x", "..", "./."] {
            assert!(!is_at_or_below(&file, path), "{path}");
        }
    }

    #[test]
    fn a_path_that_leads_out_is_told_from_one_that_only_looks_so() {
        for path in ["/etc", "..", "../src", "src/../../etc", "a/b/../../.."] {
            assert!(leads_out(path), "{path}");
        }
        for path in [".", "src", "src/..", "./src/../lib", "..src", "src/..."] {
            assert!(!leads_out(path), "{path}");
        }
    }

    #[test]
    fn a_moment_is_named_by_its_day_its_time_or_how_long_ago_it_was() {
        let read = |text: &str| since(text).map(|moment| moment.to_string());
        for (text, moment) in [
            ("2026-11-22", "2026-11-22T00:00:00.000Z"),
            ("2026-11-22T08:00:00Z", "2026-11-22T08:00:00.000Z"),
            ("2026-11-22 08:00:00", "2026-11-22T08:00:00.000Z"),
            ("2026-11-22T08:00:00.250Z", "2026-11-22T08:00:00.250Z"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(moment), "{text}");
        }
        assert!(since("1h").unwrap() > since("7days").unwrap());
        for text in ["", "yesterday", "2026-13-01", "2026-11-22T25:00:00Z", "2026-11"] {
            assert!(read(text).is_err(), "{text}: {:?}", read(text));
        }
    }
}
