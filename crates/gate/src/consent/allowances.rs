//! Commands that a person trusts: a command line whose commands are all allowed, and which otherwise only reads, is not
//! asked about. State, intent, scope and every other check have passed before; only the question goes.
//!
//! Which words an allowance takes is the reader's to say; this looks at folders, paths and files. `files` holds what an
//! allowance depends on, `named` what its words may name, `spelling` how a program is spelled, `giving` is how a person allows and revokes, `checks` asks for a check of an intent.

mod checks;
mod files;
mod giving;
mod named;
mod spelling;

use bailiwick_domain::{
    Admitted, Allowance, AllowedFile, ApprovalNeed, Classification, CommandLine, Effect, IntentId,
    PlacedCommand, ReadOnly, RepoPath, Settings, ToolError, TrustedCommand,
};
use bailiwick_policy::{Facts, Targets, Verdict, decide};

pub use checks::CheckCommand;
pub use giving::AllowError;

use super::look_up::Consent;
use crate::closed;
use crate::decisions::Decisions;
use crate::gathering::Gathering;
use crate::gathering::case::{Case, folder_of, in_folder};
use crate::gathering::facts::name_secrets;

part! {
    /// The commands that people trust.
    pub struct Allowances {
        from rules: policy, meter;
        from tree: workspace, lock;
        from consents: allowances;
        from readers: commands;
        from chance: clock;
        with gathering: Gathering, decisions: Decisions;
    }
}

/// What an allowance is looked up for.
#[derive(Clone, Copy, Debug)]
struct Context<'c> {
    /// The intent that the command runs under.
    active: Option<&'c IntentId>,
    settings: &'c Settings,
    /// Where the host says that the call is made.
    cwd: Option<&'c str>,
}

/// Why a line is not covered, where a person should hear it.
type NotCovered = Option<String>;

impl Allowances<'_> {
    /// The allowances of all that the call runs, if there are. Else the person who is asked hears why not, where some of it is
    /// allowed.
    pub(super) async fn covering_allowances(
        &self,
        case: &Case<'_>,
        need: &mut ApprovalNeed,
    ) -> Result<Option<Consent>, ToolError> {
        let Some(command) = command_of(case) else { return Ok(None) };
        let allowances = self.allowances.list().await.map_err(closed)?;
        if allowances.is_empty() {
            return Ok(None);
        }
        let line = match self.commands.line(&command) {
            Ok(line) => line,
            Err(why) => {
                // Beside what is allowed here, the question is why that does not count.
                let is_near = |one: &Allowance| command.contains(&one.terms.command.words.join(" "));
                if !need.reason.contains(&why) && allowances.iter().any(is_near) {
                    need.reason.push_str(&format!(" What you allowed does not count in this line: {why}."));
                }
                return Ok(None);
            }
        };
        match self.covered(case, &line, &allowances).await {
            Ok((first, others)) => Ok(Some(Consent::Commands {
                first: Box::new(first.clone()),
                others: others.into_iter().cloned().collect(),
            })),
            Err(why) => {
                need.reason.push_str(&why.map(|why| format!(" {why}")).unwrap_or_default());
                Ok(None)
            }
        }
    }

    /// The allowance of each command of the line, when every one has its own and the rest of it only reads.
    async fn covered<'l>(
        &self,
        case: &Case<'_>,
        line: &CommandLine,
        allowances: &'l [Allowance],
    ) -> Result<(&'l Allowance, Vec<&'l Allowance>), NotCovered> {
        if let Some(why) =
            self.gathering.lost(case.call, &case.actor_state, case.targets.cwd.as_deref(), &line.readers)
        {
            return Err(Some(format!("{why}.")));
        }
        if line.commands.is_empty() {
            return Err(None);
        }
        let cwd = case.targets.cwd.as_deref();
        if line.may_stray
            && let Some(folder) = self.gathering.missing_folder(case.call, &line.readers.moves, cwd).await
        {
            return Err(Some(format!(
                "{folder} may be gone by then, and the command would run somewhere else."
            )));
        }
        if line.exports && self.gathering.keeps_shell(case.call) {
            return Err(Some("What it exports would stay with the shell that is kept.".to_owned()));
        }
        if !self.only_reads(case, line.readers.clone()).await {
            return Err(None);
        }
        let context = context_of(case);
        let (mut used, mut lacking) = (Vec::new(), Vec::new());
        for command in &line.commands {
            let (folder, place) = self.place_of(case, command).await.ok_or(None)?;
            if let Some(why) = self.strays(case, &command.words, folder.as_deref()).await {
                return Err(Some(why));
            }
            let words = spelling::from_folder(&command.words, &self.workspace.root(), place.as_ref());
            let place = (folder.as_deref(), place.as_ref());
            match self.allowance_of(context, &words, place, allowances).await {
                Ok(allowance) => used.push(allowance),
                Err(why) => lacking.push((words, why)),
            }
        }
        match used.as_slice() {
            [first, others @ ..] if lacking.is_empty() => Ok((first, others.to_vec())),
            _ => Err(told(&lacking, !used.is_empty())),
        }
    }

    /// The folder that a command runs in, as spelled and as it is below the root; `None` where it leaves the root.
    async fn place_of(
        &self,
        case: &Case<'_>,
        command: &PlacedCommand,
    ) -> Option<(Option<String>, Option<RepoPath>)> {
        let cwd = case.targets.cwd.as_deref();
        let moved = command.folder.as_ref().map(|folder| in_folder(cwd, folder));
        let folder = moved.or(case.targets.cwd.clone());
        let spelled = folder.as_deref().unwrap_or(".");
        let place = folder_of(self.workspace.locate(spelled, case.call.cwd.as_deref()).await)?;
        Some((folder, place))
    }

    /// Why an environment that was activated before the line moved may be another one where a command runs.
    async fn strays(&self, case: &Case<'_>, words: &[String], folder: Option<&str>) -> Option<String> {
        let comes_from_above = spelling::activated(words).is_some_and(|script| script.starts_with("../"));
        let folder = folder.filter(|_| comes_from_above)?;
        let is_linked = self.gathering.goes_through_a_link(case.call, folder).await;
        is_linked.then(|| format!("`{folder}` goes through a link, and may see another environment."))
    }

    /// Whether what the readers of the line read would pass unasked by itself.
    async fn only_reads(&self, case: &Case<'_>, readers: ReadOnly) -> bool {
        let mut targets = Targets { cwd: case.targets.cwd.clone(), ..Targets::default() };
        if self.gathering.read_places(case.call, readers, &mut targets).await.is_err() {
            return false;
        }
        name_secrets(&mut targets, &case.facts.settings);
        let Ok((found, _)) = self.gathering.look_at(case.call, &case.actor_state, &targets).await else {
            return false;
        };
        if !matches!(self.gathering.folder_in_place_of_a_file(&targets, &found).await, Ok(None)) {
            return false;
        }
        let searches = targets.searches;
        let mut facts = Facts { targets: found, searches, ..case.facts.clone() };
        (facts.tool.class, facts.tool.effect) = (Classification::Safe, Effect::Read);
        decide(&facts) == Verdict::Allow
    }

    async fn allowance_of<'l>(
        &self,
        context: Context<'_>,
        words: &[String],
        (folder, place): (Option<&str>, Option<&RepoPath>),
        allowances: &'l [Allowance],
    ) -> Result<&'l Allowance, NotCovered> {
        let (mut why, mut why_elsewhere) = (None, None);
        for allowance in allowances.iter().filter(|allowance| counts(context, allowance)) {
            let TrustedCommand { folder: where_to, words: allowed, .. } = &allowance.terms.command;
            let id = &allowance.id;
            let named_here = match self.commands.admits(&allowance.terms.command, words).transpose() {
                None => continue,
                Some(named) => named,
            };
            if where_to.as_ref() != place {
                let cause = format!("{id} is for {}.", named(where_to.as_ref()));
                why_elsewhere = why_elsewhere.or(Some(cause));
                continue;
            }
            let fits = match named_here {
                Err(why) => Err(format!("does not cover `{}`: {why}", written(words))),
                Ok(found) => self.takes(context, &found, folder).await,
            };
            if let Err(cause) = fits {
                why = why.or_else(|| Some(format!("{id} {cause}.")));
                continue;
            }
            match self.changed_files(&allowance.terms.files).await.as_slice() {
                [] => return Ok(allowance),
                changed => {
                    let files: Vec<String> = changed.iter().map(ToString::to_string).collect();
                    why = Some(format!(
                        "{id} allows `{}`, but {} changed since; allow it again if it still is what you trust.",
                        allowed.join(" "),
                        files.join(", ")
                    ));
                }
            }
        }
        Err(why.or(why_elsewhere))
    }

    /// Why an allowance does not take words that name these, if it does not.
    async fn takes(
        &self,
        context: Context<'_>,
        named: &Admitted,
        folder: Option<&str>,
    ) -> Result<(), String> {
        self.are_open(context, folder, named).await?;
        self.are_there(context, folder, named).await
    }

    /// What a person could allow from now on with this question, and the files that it would depend on: of several commands the
    /// first that is not allowed.
    pub(crate) async fn allows(&self, case: &Case<'_>) -> Option<(TrustedCommand, Vec<AllowedFile>)> {
        let command = command_of(case)?;
        let line = self.commands.line(&command).ok()?;
        let allowances = self.allowances.list().await.ok()?;
        let (context, mut lacking) = (context_of(case), None);
        for command in &line.commands {
            let (spelled, folder) = self.place_of(case, command).await?;
            let words = spelling::from_folder(&command.words, &self.workspace.root(), folder.as_ref());
            let place = (spelled.as_deref(), folder.as_ref());
            if self.allowance_of(context, &words, place, &allowances).await.is_err() {
                lacking = Some((words, folder));
                break;
            }
        }
        let (words, folder) = lacking?;
        let (words, further) = self.commands.offer(&words)?;
        let command = TrustedCommand { folder, words, further };
        let files = self.allowable(&command).await.ok()?;
        Some((command, files))
    }
}

/// What allowances are looked up for.
fn context_of<'c>(case: &'c Case<'_>) -> Context<'c> {
    Context {
        active: case.active_intent().map(bailiwick_domain::Intent::id),
        settings: &case.facts.settings,
        cwd: case.call.cwd.as_deref(),
    }
}

/// What a person should hear of the commands of a line that are not allowed: which, and why not where an allowance is near.
fn told(lacking: &[(Vec<String>, NotCovered)], has_covered: bool) -> NotCovered {
    let is_near = has_covered || lacking.iter().any(|(_, why)| why.is_some());
    let sentence = |(words, why): &(Vec<String>, NotCovered)| {
        why.clone().unwrap_or_else(|| format!("No allowance covers `{}`.", written(words)))
    };
    is_near.then(|| lacking.iter().map(sentence).collect::<Vec<_>>().join(" "))
}

/// A command as a person types it.
fn written(words: &[String]) -> String {
    TrustedCommand { folder: None, words: words.to_vec(), further: false }.to_string()
}

fn named(folder: Option<&RepoPath>) -> String {
    folder.map_or_else(|| "the repository's own folder".to_owned(), |folder| format!("the folder {folder}"))
}

/// The command of a call that does nothing else than run it, where the question is only whether it may.
fn command_of(case: &Case<'_>) -> Option<String> {
    let is_plain = case.unaccepted.is_empty()
        && crate::presentation::request::beside_command(&case.call.params).is_empty();
    case.facts.command.clone().filter(|_| is_plain)
}

/// Whether an allowance counts for this call at all.
fn counts(context: Context<'_>, allowance: &Allowance) -> bool {
    let terms = &allowance.terms;
    let allowed = &context.settings.allowed_commands;
    terms.intent.as_ref().is_none_or(|intent| Some(intent) == context.active)
        && terms.setting.as_ref().is_none_or(|setting| allowed.contains(setting))
}
