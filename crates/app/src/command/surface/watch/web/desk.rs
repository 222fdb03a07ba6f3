//! What a person does at the page, done on the surface.
//!
//! An answer is to the request as it was shown: its fingerprint is compared with that of what waits now. Deliberately
//! absent: what a request is, and whether the queue takes an answer.

use bailiwick_adapters_fs::PAGE;
use bailiwick_adapters_web::page::{Action, Board, Bounds, Reply};
use bailiwick_domain::{
    Amended, Answer, ApprovalId, ApprovalRequest, Breadth, GrantBounds, GrantId, GrantLimits, OwnedScope,
    PortError, RepoPath,
};

use super::{board, past, record};
use crate::command::CommandError;
use crate::command::answers::approval::WITH_HOST;
use crate::command::answers::breadth::Twice;
use crate::command::answers::{draft, void};
use crate::command::surface::{Allowed, Item, Snapshot, Surface, words};
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
            Action::Changes { path, intent, behind } => {
                return told(record::changes(&self.site, path, intent, behind.as_ref()));
            }
            Action::Answered { before } => return told(past::answered(&self.site, before.as_deref())),
            Action::Plan { entry } => return told(past::plan(&self.site, entry)),
            Action::TakeBack { entry, shown } => {
                return told(past::take_back(&self.site, entry, shown, &self.by));
            }
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
            false => Err(words::CHANGED.to_owned()),
        }
    }

    fn answer(&self, id: &str, answer: &Answer) -> Result<String, Refusal> {
        let answered = self.surface.answer(&ApprovalId(id.to_owned()), answer);
        answered.map(|approval| void::became(&approval)).map_err(|error| error.to_string())
    }

    fn approve(&self, id: &str, fingerprint: &str, broad: bool) -> Result<String, Refusal> {
        self.waiting(id, fingerprint)?;
        is_confirmed(self.twice(id), broad)?;
        self.answer(id, &Answer::Approve { by: self.by.clone() })
    }

    fn twice(&self, id: &str) -> Option<Twice> {
        let mut items = self.seen.iter().flat_map(|seen| &seen.requests);
        items.find(|item| item.id().0 == id).and_then(Item::twice)
    }

    fn reject(&self, id: &str, fingerprint: &str, feedback: &str) -> Result<String, Refusal> {
        self.waiting(id, fingerprint)?;
        let said = feedback.trim();
        let feedback = (!said.is_empty()).then(|| said.to_owned());
        self.answer(id, &Answer::Reject { by: self.by.clone(), feedback })
    }

    fn grant(&self, id: &str, fingerprint: &str, bounds: &Bounds) -> Result<String, Refusal> {
        self.waiting(id, fingerprint)?;
        let bounds = bounds_of(bounds)?;
        let answer = Answer::Grant { by: self.by.clone(), bounds };
        self.answer(id, &answer)
    }

    fn allow(&self, id: &str, fingerprint: &str, shown: &str) -> Result<String, Refusal> {
        let request = self.waiting(id, fingerprint)?;
        let command = request.allows.as_ref().ok_or("this request is not a command that can be allowed")?;
        if inert::line(&command.to_string()) != shown {
            return Err("the command is not the one that was shown".to_owned());
        }
        let allowed = self.surface.allow(&ApprovalId(id.to_owned()), command, &self.by);
        match allowed.map_err(|error| error.to_string())? {
            Allowed::Approved(says) => Ok(says),
            Allowed::StillOpen(why) => Err(why),
        }
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
        is_confirmed(broad.map(Twice::Broad), confirmed)?;
        self.answer(id, &Answer::Amend { by: self.by.clone(), draft })
    }

    fn edited(
        &self,
        request: &ApprovalRequest,
        text: &str,
    ) -> Result<(Amended, String, Option<Breadth>), Refusal> {
        let drafted =
            request.drafted().ok_or("only a drafted intent, or more scope for one, can be edited")?;
        let draft = draft::read_like(&drafted, text).map_err(|why| why.to_string())?;
        let (change, wide) = self.surface.change_of(request, &draft).map_err(|error| error.to_string())?;
        Ok((draft, change, wide))
    }

    fn revoke(&self, grant: &str) -> Result<String, Refusal> {
        let id = GrantId::parse(grant).map_err(|error| error.to_string())?;
        self.surface.revoke(id).map_err(|error| error.to_string())?;
        Ok(words::revoked(id))
    }

    fn review(&mut self, grant: &str, shown: &str, back: &[String]) -> Result<String, Refusal> {
        let id = GrantId::parse(grant).map_err(|error| error.to_string())?;
        let back: Result<Vec<RepoPath>, _> = back.iter().map(|path| RepoPath::new(path)).collect();
        let back = back.map_err(|error| error.to_string())?;
        self.surface.review(id, shown, &back).map_err(|error| error.to_string())?;
        Ok(words::reviewed(id, back.len()))
    }
}

/// A broad scope, and what is not shown whole, need their own key.
fn is_confirmed(twice: Option<Twice>, confirmed: bool) -> Result<(), Refusal> {
    match twice.filter(|_| !confirmed) {
        Some(twice) => Err(format!("{} Confirm it with its own key.", twice.says())),
        None => Ok(()),
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
