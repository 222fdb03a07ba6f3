//! What a person does at the page, done on the surface.
//!
//! An answer is to the request as it was shown: its fingerprint is compared with that of what waits now. Deliberately
//! absent: what a request is, and whether the queue takes an answer.

use bailiwick_adapters_fs::PAGE;
use bailiwick_adapters_web::page::{Action, Board, Bounds, Reply};
use bailiwick_domain::{
    Amended, Answer, ApprovalId, ApprovalRequest, GrantBounds, GrantId, GrantLimits, OwnedScope, PortError,
};

use super::{board, record};
use crate::command::approval::WITH_HOST;
use crate::command::breadth::breadth_in_words;
use crate::command::surface::{Snapshot, Surface};
use crate::command::{CommandError, draft};
use crate::counted::counted;
use crate::inert;
use crate::review::Review;
use crate::site::Site;

/// A surface, and what was seen there last.
pub(super) struct Desk {
    site: Site,
    surface: Surface,
    root: String,
    by: String,
    seen: Option<Snapshot>,
}

/// Why nothing was done, for the person.
type Refusal = String;

const GONE: &str = "that request no longer waits";

impl Desk {
    pub(super) fn new(site: Site, by: String) -> Self {
        let root = site.layout.root().display().to_string();
        Self { surface: Surface::new(site.clone(), PAGE), site, root, by, seen: None }
    }

    pub(super) fn beat(&self) -> Result<(), PortError> {
        self.surface.beat()
    }

    pub(super) fn leave(&self) {
        self.surface.leave();
    }

    /// What waits and who is there now, as the page shows it.
    pub(super) fn look(&mut self) -> Result<Board, CommandError> {
        let snapshot = self.surface.look()?;
        let board = board::of(&snapshot, &self.root, &self.by);
        self.seen = Some(snapshot);
        Ok(board)
    }

    /// Does what a person did.
    pub(super) fn act(&mut self, action: &Action) -> Reply {
        let done = match action {
            Action::Approve { id, fingerprint, broad } => self.approve(id, fingerprint, *broad),
            Action::Reject { id, fingerprint, feedback } => self.reject(id, fingerprint, feedback),
            Action::Grant { id, fingerprint, bounds } => self.grant(id, fingerprint, bounds),
            Action::Allow { id, fingerprint, command } => self.allow(id, fingerprint, command),
            Action::Draft { id, fingerprint, text } => {
                return self.drafted(id, fingerprint, text).unwrap_or_else(refused);
            }
            Action::Amend { id, fingerprint, text, shown, broad } => {
                self.amend((id, fingerprint), text, shown, *broad)
            }
            Action::Intents {} => return told(record::intents(&self.site)),
            Action::Changes { path, intent } => return told(record::changes(&self.site, path, intent)),
            Action::Revoke { grant } => self.revoke(grant),
            Action::Review { grant, shown, back } => self.review(grant, shown, back),
        };
        done.map_or_else(refused, |says| Reply::Done { says })
    }

    /// The request as it was shown, if it still waits and can be answered here.
    fn waiting(&self, id: &str, fingerprint: &str) -> Result<&ApprovalRequest, Refusal> {
        let mut items = self.seen.iter().flat_map(|seen| &seen.requests);
        let item = items.find(|item| item.id().0 == id).ok_or(GONE)?;
        if item.approval.is_with_host() {
            return Err(WITH_HOST.to_owned());
        }
        let request = &item.approval.request;
        match request.fingerprint.hash().as_str() == fingerprint {
            true => Ok(request),
            false => Err("the request changed since it was shown; look at it again".to_owned()),
        }
    }

    fn answer(&self, id: &str, answer: &Answer, word: &str) -> Result<String, Refusal> {
        let answered = self.surface.answer(&ApprovalId(id.to_owned()), answer);
        answered.map(|_| format!("{id} {word}")).map_err(|error| error.to_string())
    }

    fn approve(&self, id: &str, fingerprint: &str, broad: bool) -> Result<String, Refusal> {
        let request = self.waiting(id, fingerprint)?;
        if let Some(wide) = request.broad.filter(|_| !broad) {
            return Err(format!(
                "This scope is broad: {}. Confirm it with its own key.",
                breadth_in_words(wide)
            ));
        }
        self.answer(id, &Answer::Approve { by: self.by.clone() }, "approved")
    }

    fn reject(&self, id: &str, fingerprint: &str, feedback: &str) -> Result<String, Refusal> {
        self.waiting(id, fingerprint)?;
        let said = feedback.trim();
        let feedback = (!said.is_empty()).then(|| said.to_owned());
        self.answer(id, &Answer::Reject { by: self.by.clone(), feedback }, "rejected")
    }

    fn grant(&self, id: &str, fingerprint: &str, bounds: &Bounds) -> Result<String, Refusal> {
        self.waiting(id, fingerprint)?;
        let bounds = bounds_of(bounds)?;
        let answer = Answer::Grant { by: self.by.clone(), bounds };
        self.answer(id, &answer, "granted; the grant begins when the agent makes this call")
    }

    /// Allowed first: an answer that fails then leaves the question open, and nothing is asked again.
    fn allow(&self, id: &str, fingerprint: &str, shown: &str) -> Result<String, Refusal> {
        let request = self.waiting(id, fingerprint)?;
        let command = request.allows.as_ref().ok_or("this request is not a command that can be allowed")?;
        if inert::line(&command.to_string()) != shown {
            return Err("the command is not the one that was shown".to_owned());
        }
        let allowed = self.surface.allow(command).map_err(|error| error.to_string())?.id;
        let answered = self.answer(id, &Answer::Approve { by: self.by.clone() }, "approved");
        answered
            .map(|says| format!("{says}; {allowed} lets it pass from now on"))
            .map_err(|why| format!("{allowed} lets it pass from now on; {id}: {why}"))
    }

    /// What a draft would be as it was edited.
    fn drafted(&self, id: &str, fingerprint: &str, text: &str) -> Result<Reply, Refusal> {
        let request = self.waiting(id, fingerprint)?;
        let (_, change, broad) = self.edited(request, text)?;
        let lines = board::lines(&Review::of(&change));
        let shown = board::digest(&lines);
        Ok(Reply::Drafted { lines, shown, broad: broad.map(board::breadth) })
    }

    fn amend(
        &self,
        (id, fingerprint): (&str, &str),
        text: &str,
        shown: &str,
        confirmed: bool,
    ) -> Result<String, Refusal> {
        let request = self.waiting(id, fingerprint)?;
        let (draft, change, broad) = self.edited(request, text)?;
        if board::digest(&board::lines(&Review::of(&change))) != shown {
            return Err("the intents file changed since the draft was shown; look at it again".to_owned());
        }
        if let Some(wide) = broad.filter(|_| !confirmed) {
            return Err(format!(
                "This scope is broad: {}. Confirm it with its own key.",
                breadth_in_words(wide)
            ));
        }
        self.answer(id, &Answer::Amend { by: self.by.clone(), draft }, "approved as you edited it")
    }

    fn edited(
        &self,
        request: &ApprovalRequest,
        text: &str,
    ) -> Result<(Amended, String, Option<bailiwick_domain::Breadth>), Refusal> {
        let drafted =
            request.drafted().ok_or("only a drafted intent, or more scope for one, can be edited")?;
        let draft = draft::read_like(&drafted, text).map_err(|why| why.to_string())?;
        let (change, wide) = self.surface.change_of(request, &draft).map_err(|error| error.to_string())?;
        Ok((draft, change, wide))
    }

    fn revoke(&self, grant: &str) -> Result<String, Refusal> {
        let id = GrantId::parse(grant).map_err(|error| error.to_string())?;
        self.surface.revoke(id).map_err(|error| error.to_string())?;
        Ok(format!("{id} revoked; edits are asked about again"))
    }

    fn review(&mut self, grant: &str, shown: &str, back: &[String]) -> Result<String, Refusal> {
        let mut reviews = self.seen.iter().flat_map(|seen| &seen.reviews);
        let item = reviews
            .find(|item| item.grant.id.to_string() == grant)
            .ok_or("that grant waits for no review")?;
        if board::digest(&board::lines(&item.review)) != shown {
            return Err("the files changed since they were shown; look at them again".to_owned());
        }
        let id = item.grant.id;
        let named = |path: &String| item.files.iter().find(|file| file.path.as_str() == path);
        let mut paths = Vec::with_capacity(back.len());
        for path in back {
            let file = named(path).ok_or_else(|| format!("{} is not of this grant", inert::line(path)))?;
            if let Some(why) = &file.obstacle {
                return Err(format!("{} cannot be put back: {}", inert::line(path), inert::line(why)));
            }
            paths.push(file.path.clone());
        }
        self.surface.review(id, &paths).map_err(|error| error.to_string())?;
        Ok(match paths.len() {
            0 => format!("{id} reviewed: everything is kept"),
            count => format!("{id} reviewed: {} put back", counted(count, "file", "files")),
        })
    }
}

fn told(reply: Result<Reply, CommandError>) -> Reply {
    reply.unwrap_or_else(|error| refused(error.to_string()))
}

fn refused(says: Refusal) -> Reply {
    Reply::Refused { says: inert::lines(&says).join(" ") }
}

fn bounds_of(bounds: &Bounds) -> Result<GrantBounds, Refusal> {
    let limits = GrantLimits {
        paths: OwnedScope::parse(bounds.paths.iter().map(String::as_str))
            .map_err(|error| error.to_string())?,
        max_files: bounds.files,
        max_lines: bounds.lines,
        max_lines_per_call: bounds.lines_per_call,
        max_calls: bounds.calls,
        seconds: bounds.minutes.saturating_mul(60),
    };
    GrantBounds::new(limits).map_err(|error| error.to_string())
}
