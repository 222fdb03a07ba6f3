//! The form of a request on disk, and which of its claims count.

use bailiwick_domain::{Approval, ApprovalId, ApprovalRequest, ApprovalStatus, ContentHash, Timestamp, json};
use serde::{Deserialize, Serialize};

use super::seal::SealKey;

/// The form that this program writes and reads.
const FORMAT: u32 = 1;

/// A request with its seals: one over what is asked, one over what was answered.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    format: u32,
    approval: Approval,
    /// How often it was changed since it was asked.
    #[serde(default)]
    version: u64,
    answered_by_process: Option<u32>,
    asked_seal: Option<ContentHash>,
    answer_seal: Option<ContentHash>,
}

impl Stored {
    /// Seals a request of this store as it stands now, on behalf of this process.
    pub(crate) fn seal(approval: &Approval, store: &str, version: u64, key: Option<&SealKey>) -> Self {
        let answered = approval.status != ApprovalStatus::Open;
        let mut stored = Self {
            format: FORMAT,
            approval: approval.clone(),
            version,
            answered_by_process: answered.then(std::process::id),
            asked_seal: None,
            answer_seal: None,
        };
        let store = Some(store);
        stored.asked_seal = key.map(|key| key.seal(&stored.asked(store)));
        stored.answer_seal = key.filter(|_| answered).map(|key| key.seal(&stored.answer(store)));
        stored
    }

    /// Reads a file; one of another form may mean what is not known here, and is none.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().filter(|stored: &Self| stored.format == FORMAT)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&json!(self)).unwrap_or_default()
    }

    /// How new it says that it is; the seal of the answer covers it.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// What the file claims.
    pub(crate) fn approval(&self) -> &Approval {
        &self.approval
    }

    /// What of the claims is sealed for this store; everything when there is no key. An answer without its seal counts as not
    /// given, unless the request says that it was answered before.
    pub(crate) fn trusted(self, store: &str, key: Option<&SealKey>) -> Option<Approval> {
        let Some(key) = key else { return Some(self.approval) };
        // As older versions seal it, which leave out the store.
        let mut stores = [Some(store), None].into_iter();
        let store = stores.find(|store| self.asked_seal.as_ref() == Some(&key.seal(&self.asked(*store))))?;
        if self.answer_seal.as_ref().is_some_and(|seal| *seal == key.seal(&self.answer(store))) {
            return Some(self.approval);
        }
        let unanswered = Approval { status: ApprovalStatus::Open, amended: None, ..self.approval };
        (self.version == 0).then_some(unanswered)
    }

    fn asked<'a>(&'a self, store: Option<&'a str>) -> Asked<'a> {
        let Approval { id, request, created, expires, status: _, amended: _ } = &self.approval;
        Asked { asked: Question { id, request, created, expires }, store }
    }

    fn answer<'a>(&'a self, store: Option<&'a str>) -> Answered<'a> {
        let version = (self.version > 0).then_some(self.version);
        let answer = Answer { approval: &self.approval, process: self.answered_by_process, version };
        Answered { answer, store }
    }
}

/// What the seal of a question is over.
#[derive(Serialize)]
struct Asked<'a> {
    asked: Question<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<&'a str>,
}

#[derive(Serialize)]
struct Question<'a> {
    id: &'a ApprovalId,
    request: &'a ApprovalRequest,
    created: &'a Timestamp,
    expires: &'a Timestamp,
}

/// What the seal of an answer is over.
#[derive(Serialize)]
struct Answered<'a> {
    answer: Answer<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<&'a str>,
}

#[derive(Serialize)]
struct Answer<'a> {
    approval: &'a Approval,
    process: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
}
