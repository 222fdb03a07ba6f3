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
    /// Seals a request as it stands now, on behalf of this process.
    pub(crate) fn seal(approval: &Approval, version: u64, key: Option<&SealKey>) -> Self {
        let answered = approval.status != ApprovalStatus::Open;
        let mut stored = Self {
            format: FORMAT,
            approval: approval.clone(),
            version,
            answered_by_process: answered.then(std::process::id),
            asked_seal: None,
            answer_seal: None,
        };
        stored.asked_seal = key.map(|key| key.seal(&stored.asked()));
        stored.answer_seal = key.filter(|_| answered).map(|key| key.seal(&stored.answer()));
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

    /// What of the claims is sealed; everything when there is no key.
    pub(crate) fn trusted(self, key: Option<&SealKey>) -> Option<Approval> {
        let Some(key) = key else { return Some(self.approval) };
        if self.asked_seal.as_ref() != Some(&key.seal(&self.asked())) {
            return None;
        }
        let untouched = self.approval.status == ApprovalStatus::Open && self.approval.amended.is_none();
        if untouched || self.answer_seal.as_ref() == Some(&key.seal(&self.answer())) {
            return Some(self.approval);
        }
        Some(Approval { status: ApprovalStatus::Open, amended: None, ..self.approval })
    }

    fn asked(&self) -> Asked<'_> {
        let Approval { id, request, created, expires, status: _, amended: _ } = &self.approval;
        Asked { asked: Question { id, request, created, expires } }
    }

    fn answer(&self) -> Answered<'_> {
        let version = (self.version > 0).then_some(self.version);
        Answered { answer: Answer { approval: &self.approval, process: self.answered_by_process, version } }
    }
}

/// What the seal of a question is over.
#[derive(Serialize)]
struct Asked<'a> {
    asked: Question<'a>,
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
}

#[derive(Serialize)]
struct Answer<'a> {
    approval: &'a Approval,
    process: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
}
