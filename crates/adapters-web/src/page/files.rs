//! The files of the page, and the headers that every answer has.

/// What a browser may do with an answer: nothing that is not in our own files, in no frame, for no other site.
pub(super) const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    ("x-frame-options", "DENY"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ("cache-control", "no-store"),
];

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct File {
    pub(super) kind: &'static str,
    pub(super) text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The file at this path, exactly.
pub(super) fn at(path: &str) -> Option<File> {
    let (kind, text) = match path {
        "/" => ("text/html; charset=utf-8", include_str!("../../page/index.html")),
        "/page.css" => ("text/css; charset=utf-8", include_str!("../../page/page.css")),
        "/page.js" => (SCRIPT, include_str!("../../page/page.js")),
        "/wire.js" => (SCRIPT, include_str!("../../page/wire.js")),
        "/dom.js" => (SCRIPT, include_str!("../../page/dom.js")),
        "/diff.js" => (SCRIPT, include_str!("../../page/diff.js")),
        "/past.js" => (SCRIPT, include_str!("../../page/past.js")),
        "/queue.js" => (SCRIPT, include_str!("../../page/queue.js")),
        "/review.js" => (SCRIPT, include_str!("../../page/review.js")),
        "/record.js" => (SCRIPT, include_str!("../../page/record.js")),
        "/answers.js" => (SCRIPT, include_str!("../../page/answers.js")),
        "/icon.svg" => ("image/svg+xml", include_str!("../../page/icon.svg")),
        _ => return None,
    };
    Some(File { kind, text })
}
