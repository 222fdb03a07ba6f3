//! What a person decided about the changes of a grant, recorded once.

use bailiwick_domain::{Action, DecisionRecord, Grant, GrantEnd, GrantId, GrantReview, RepoPath, ToolError};

use super::{Grants, grant_error};
use crate::closed;
use crate::refusals::{AnswerFault, Hindrance};

impl Grants<'_> {
    /// Remembers that this person has looked at the changes of a grant, and put these files back. A grant whose time is
    /// over, and that nobody has ended yet, ends here.
    ///
    /// # Errors
    /// There is no such grant, it is live or was reviewed before, or it cannot be written down.
    pub(crate) async fn reviewed(
        &self,
        id: GrantId,
        by: &str,
        reverted: &[RepoPath],
    ) -> Result<Grant, ToolError> {
        let _held = self.lock.acquire().await.map_err(closed)?;
        let now = self.clock.now();
        let refused = |why| Hindrance::Answer(AnswerFault::NotReviewable(id, why)).error();
        let found = self.grants.get(id).await.map_err(closed)?;
        let found = found.ok_or_else(|| refused("is no grant of this repository"))?;
        if found.is_live(now) {
            return Err(refused("is live"));
        }
        self.end_grant(id, &GrantEnd::Expired).await?;
        let before = self.grants.get(id).await.map_err(closed)?.unwrap_or(found);
        if before.review.is_some() {
            return Err(refused("was already reviewed"));
        }
        let review = GrantReview { by: by.to_owned(), at: now, reverted: reverted.to_vec() };
        let after = Grant { review: Some(review), ..before.clone() };
        self.grants.replace(&before, &after).await.map_err(grant_error)?;
        let note = match reverted.len() {
            0 => format!("{by} reviewed {id} and kept everything"),
            count => format!("{by} reviewed {id} and put {count} of {} files back", before.used.files.len()),
        };
        let paths = reverted.iter().map(ToString::to_string).collect();
        let record = DecisionRecord { paths, ..self.record_of_grant(&after, Action::GrantReviewed, note) };
        self.decisions.append(&record).await?;
        Ok(after)
    }
}
