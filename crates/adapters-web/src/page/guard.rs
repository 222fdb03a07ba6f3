//! What a request must be before anything else is done for it.
//!
//! The name that it was sent to is exactly ours, so that no other name can be bound to this address; what changes or reads
//! something is a `POST` of JSON from our own page. Deliberately absent: who sent it (the door) and what it says.

use bailiwick_loopback::{Refused, one, sent_here};
use hyper::header::{
    self, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, ORIGIN, TRANSFER_ENCODING,
};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};

/// The longest body of a request, in bytes: a draft as text is the longest thing that a person sends.
pub(super) const MAX_BODY: u64 = 256 * 1024;

/// The header in which the page sends its own secret.
pub(super) const PAGE: HeaderName = HeaderName::from_static("x-bailiwick-page");

/// The header in which the page sends the token of its link, once.
pub(super) const LINK: HeaderName = HeaderName::from_static("x-bailiwick-link");

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant<'p> {
    /// A file of the page, which holds no data.
    File(&'p str),
    /// Something that the page asks.
    Ask(&'p str),
}

/// What the request is for, if it may be made at all.
pub(super) fn check<'p>(request: &'p Parts, host: &str) -> Result<Meant<'p>, Refused> {
    let (headers, uri) = (&request.headers, &request.uri);
    sent_here(request, &[host.to_owned()])?;
    let path = uri.path();
    match (&request.method, path.starts_with("/api/")) {
        (&Method::GET, false) => file(headers).map(|()| Meant::File(path)),
        (&Method::POST, true) => asks(headers, host).map(|()| Meant::Ask(path)),
        _ => Err(Refused(StatusCode::METHOD_NOT_ALLOWED, "that method does nothing here")),
    }
}

/// A file of the page goes to the page and to a person who opens it; no other site may load it.
fn file(headers: &HeaderMap) -> Result<(), Refused> {
    let opens =
        one(headers, &FETCH_MODE) == Some("navigate") && one(headers, &FETCH_DEST) == Some("document");
    let site =
        headers.get_all(FETCH_SITE).iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    if !site && !opens {
        return Err(Refused(StatusCode::FORBIDDEN, "another site asks"));
    }
    if has_body(headers) {
        return Err(Refused(StatusCode::BAD_REQUEST, "a body where none belongs"));
    }
    Ok(())
}

/// What the page asks comes from the page itself, as JSON of a known length.
fn asks(headers: &HeaderMap, host: &str) -> Result<(), Refused> {
    if one(headers, &ORIGIN) != Some(format!("http://{host}").as_str()) {
        return Err(Refused(StatusCode::FORBIDDEN, "another origin asks"));
    }
    if !headers.get_all(FETCH_SITE).iter().all(|site| site.as_bytes() == b"same-origin") {
        return Err(Refused(StatusCode::FORBIDDEN, "another site asks"));
    }
    if one(headers, &CONTENT_TYPE) != Some("application/json") {
        return Err(Refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "only JSON is read"));
    }
    if headers.contains_key(TRANSFER_ENCODING) || headers.contains_key(header::CONTENT_ENCODING) {
        return Err(Refused(StatusCode::BAD_REQUEST, "only a body as it is, of a known length"));
    }
    let length = one(headers, &CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    match length {
        None => Err(Refused(StatusCode::LENGTH_REQUIRED, "the length is missing")),
        Some(length) if length > MAX_BODY => Err(Refused(StatusCode::PAYLOAD_TOO_LARGE, "too long")),
        Some(_) => Ok(()),
    }
}

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING)
        || headers.get_all(CONTENT_LENGTH).iter().any(|length| length.as_bytes() != b"0")
}

/// The values of every cookie of this name.
pub(super) fn cookies<'h>(headers: &'h HeaderMap, name: &'h str) -> impl Iterator<Item = &'h str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(move |pair| pair.trim().split_once('=').filter(|(found, _)| *found == name))
        .map(|(_, value)| value)
}
