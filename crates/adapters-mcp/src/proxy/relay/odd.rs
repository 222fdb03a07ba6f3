//! Lines that are no messages: they go nowhere, and who waits for them is told.
//!
//! Nobody reads such a line but the proxy, so that the other side cannot take it for something else.

use super::{LIST_CHANGED, Relay};
use bailiwick_frames::{FAILED, INVALID, Id, Meant, Odd, error};

impl Relay {
    pub(super) async fn odd_from_client(&self, meant: Meant, odd: &Odd) {
        let asked_back = match &meant {
            Meant::Answer(Some(id)) | Meant::Names(id) => self.state().asked_back.remove(id),
            _ => false,
        };
        match meant {
            Meant::Answer(Some(id)) | Meant::Names(id) if asked_back => {
                self.to_server(&error(Some(&id), FAILED, "the client's answer cannot be read"));
            }
            // An answer and what is told have no answer.
            Meant::Told(_) | Meant::Answer(_) => {}
            Meant::Asked(..) | Meant::Names(_) | Meant::Nothing | Meant::Unknown => {
                self.refuse_client(odd.id.as_ref(), odd.code, &odd.why).await;
            }
        }
    }

    pub(super) async fn odd_from_server(&self, meant: Meant, why: &str) {
        self.judge.tell(&format!("the server sent a line that is no message: {why}"));
        if meant.method() == Some(LIST_CHANGED) {
            self.look_at_tools().await;
        }
        match meant {
            Meant::Nothing | Meant::Answer(None) | Meant::Told(_) => {}
            Meant::Asked(id, _) => self.to_server(&error(id.as_ref(), INVALID, why)),
            Meant::Answer(Some(id)) | Meant::Names(id) => self.lost(&id, why).await,
            Meant::Unknown => {
                self.state().listing.doubt();
                self.fail_open("the server sent a line that is no message").await;
            }
        }
    }

    /// The answer to this request came, and cannot be read.
    async fn lost(&self, id: &Id, why: &str) {
        let open = {
            let mut state = self.state();
            if state.listing.is_open(id) {
                state.listing.fail(&format!("its list of tools cannot be read: {why}"));
                None
            } else {
                state.answered(id)
            }
        };
        if let Some(open) = open {
            self.fail(id, open, &format!("the server's answer cannot be read: {why}")).await;
        }
    }
}
