//! What a request must be before anything else is looked at: it was sent to exactly this server, so that no other name can
//! be bound to this address.
//!
//! Deliberately absent: what may be asked for, and by whom.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, UPGRADE};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};

/// Why nothing is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub StatusCode, pub &'static str);

impl Refused {
    /// The answer. It ends its connection, so that nothing that follows the request is taken for another one.
    pub fn answer(self) -> Response<Full<Bytes>> {
        let Self(status, why) = self;
        let mut answer = Response::new(Full::new(Bytes::from(format!("{{\"error\":\"{why}\"}}"))));
        *answer.status_mut() = status;
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        answer
    }
}

/// Refuses what was sent to another host's name, through a proxy, or to change the protocol. `names` are those that this
/// server has, with its port.
///
/// # Errors
/// It was.
pub fn sent_here(request: &Parts, names: &[String]) -> Result<(), Refused> {
    let (headers, uri) = (&request.headers, &request.uri);
    if uri.scheme().is_some() || uri.authority().is_some() {
        return Err(Refused(StatusCode::BAD_REQUEST, "only this page's own paths"));
    }
    if !one(headers, &HOST).is_some_and(|host| names.iter().any(|name| name == host)) {
        return Err(Refused(StatusCode::MISDIRECTED_REQUEST, "another host's name"));
    }
    if headers.contains_key(UPGRADE) {
        return Err(Refused(StatusCode::BAD_REQUEST, "no other protocol is spoken here"));
    }
    Ok(())
}

/// The value of a header that is there exactly once.
pub fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}
