//! The proxy's own look at the server's tools: it asks for the list itself, and calls wait until it is there.

use tokio::sync::watch;

use super::child::MOST_PAGES;
use super::tools::Tools;
use bailiwick_frames::Id;

/// Ids of the proxy's own requests begin so.
pub(super) const OWN: &str = "bailiwick-proxy/";

/// How far the look is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing was asked yet.
    No,
    /// The answer is on its way.
    Asked,
    Yes,
    /// The server does not say it, and why.
    Never(String),
}

#[derive(Debug)]
pub(super) struct Listing {
    pub(super) tools: Tools,
    known: watch::Sender<Known>,
    number: u64,
    pages: usize,
    open: Option<Id>,
    /// Something may have been lost since this look began.
    is_doubted: bool,
}

impl Default for Listing {
    fn default() -> Self {
        let (known, _) = watch::channel(Known::No);
        Self { tools: Tools::default(), known, number: 0, pages: 0, open: None, is_doubted: false }
    }
}

impl Listing {
    pub(super) fn watched(&self) -> watch::Receiver<Known> {
        self.known.subscribe()
    }

    pub(super) fn is_begun(&self) -> bool {
        *self.known.borrow() != Known::No
    }

    /// Whether a call has to begin a look before it waits for what the server says.
    pub(super) fn is_due(&self) -> bool {
        match *self.known.borrow() {
            Known::No | Known::Never(_) => true,
            Known::Asked | Known::Yes => self.is_doubted,
        }
    }

    /// Nobody knows whether what the server said of the list is all, or whether its answer was lost. The next call asks anew.
    pub(super) fn doubt(&mut self) {
        self.is_doubted = true;
    }

    /// A new look: the request for its first page.
    pub(super) fn begin(&mut self) -> Vec<u8> {
        self.is_doubted = false;
        self.tools.anew();
        self.pages = 0;
        self.known.send_replace(Known::Asked);
        self.ask(None)
    }

    fn ask(&mut self, cursor: Option<&str>) -> Vec<u8> {
        self.number = self.number.saturating_add(1);
        let id = Id::Text(format!("{OWN}{}", self.number));
        let params = match cursor {
            Some(cursor) => serde_json::json!({ "cursor": cursor }),
            None => serde_json::json!({}),
        };
        let frame =
            serde_json::json!({"jsonrpc": "2.0", "id": id.value(), "method": "tools/list", "params": params});
        self.open = Some(id);
        frame.to_string().into_bytes()
    }

    /// Whether an answer is to the open request of this look.
    pub(super) fn is_open(&self, id: &Id) -> bool {
        self.open.as_ref() == Some(id)
    }

    /// Takes up an answer; the request for the next page, if there is one.
    pub(super) fn take(&mut self, result: Option<&serde_json::Value>) -> Option<Vec<u8>> {
        self.open = None;
        self.pages = self.pages.saturating_add(1);
        let taken = match result {
            Some(result) => self.tools.take(result),
            None => Err("it answers `tools/list` with an error"),
        };
        match taken {
            Ok(None) => {
                self.known.send_replace(Known::Yes);
                None
            }
            Ok(Some(_)) if self.pages >= MOST_PAGES => self.fail("the list of its tools does not end"),
            Ok(Some(cursor)) => Some(self.ask(Some(&cursor))),
            Err(why) => self.fail(why),
        }
    }

    /// What the server says is not to be believed. The next call begins a new look.
    pub(super) fn fail(&mut self, why: &str) -> Option<Vec<u8>> {
        self.open = None;
        self.tools.anew();
        self.known.send_replace(Known::Never(why.to_owned()));
        None
    }
}
