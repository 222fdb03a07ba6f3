//! An address as those read it who fetch it: a browser's reading (WHATWG, "URL", 4.4) is the most lenient one.

use std::borrow::Cow;

/// Signs that are taken out of an address wherever they stand.
const DROPPED: [char; 3] = ['\t', '\n', '\r'];

/// Whether a parameter of this name holds an address, also one without a scheme.
pub(crate) fn holds_one(key: &str) -> bool {
    ["url", "urls", "uri"].iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// Whether a cleaned address is one of the web: behind `http:` or `https:`, or beginning with a host. Some clients read a file for all
/// others (VS Code's `fetch_webpage`, "Try to handle other schemes via file service").
pub(crate) fn leads_to_web(address: &str) -> bool {
    let scheme = address.split(':').next().unwrap_or_default();
    if scheme.len() < address.len() && ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web)) {
        return true;
    }
    let host = address.split(['/', '\\', '?', '#', ':']).next().unwrap_or_default();
    let is_host = host == "localhost" || host.find('.').is_some_and(|dot| dot > 0);
    let behind = address.get(host.len()..).unwrap_or_default();
    is_host
        && !climbs(behind)
        && behind.strip_prefix(':').is_none_or(|port| port.starts_with(|sign: char| sign.is_ascii_digit()))
}

/// How often what is escaped may be escaped again.
const MOST_ROUNDS: usize = 4;

/// Whether a path leads up again, or may: who takes the host for a folder is anywhere then.
fn climbs(path: &str) -> bool {
    let mut path = path.to_ascii_lowercase();
    for _ in 0..MOST_ROUNDS {
        path = path.replace("%2e", ".").replace("%2f", "/").replace("%5c", "\\").replace("%25", "%");
    }
    let is_left = ["%2e", "%2f", "%5c", "%25"].iter().any(|escaped| path.contains(escaped));
    is_left || path.split(['/', '\\']).any(|step| step == "..")
}

/// The address without what a fetcher drops: control characters and blanks around it, tabs and line ends within.
pub(crate) fn cleaned(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(|sign: char| sign <= ' ');
    match text.contains(DROPPED) {
        true => Cow::Owned(text.replace(DROPPED, "")),
        false => Cow::Borrowed(text),
    }
}

/// What stands behind `http:` and its like in a cleaned address; a browser needs no slashes there.
pub(crate) fn behind_web_scheme(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once(':')?;
    let is_web = ["http", "https", "ws", "wss", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    is_web.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{behind_web_scheme, cleaned, leads_to_web};

    #[test]
    fn what_a_fetcher_drops_is_dropped() {
        for text in ["fi\tle:///a", " file:///a\n", "\u{1}file:///a\u{1f} ", "\r\nf\nile:///a"] {
            assert_eq!(cleaned(text), "file:///a", "{text:?}");
        }
        assert_eq!(cleaned("file:///a b"), "file:///a b");
        assert_eq!(cleaned("\u{a0}file:"), "\u{a0}file:");
    }

    #[test]
    fn what_no_host_begins_is_not_the_web() {
        for text in [
            "http:a",
            "HTTPS://a/b",
            "docs.rs",
            "docs.rs/x:/y",
            "a.example:80/x",
            "localhost:3000",
            "localhost",
            "docs.rs/a..b/...",
            "https://docs.rs/../x",
            "docs.rs/a%2fb/c%20d/100%25",
        ] {
            assert!(leads_to_web(text), "{text}");
        }
        for text in [
            "file:///a.b",
            "FILE:/a",
            "view-source:http://a.b",
            "vscode-remote://x/a.b",
            "/etc/passwd",
            "etc/passwd",
            ".env",
            "../a.b",
            "~/a.b",
            "//a.b/c",
            "C:\\a.b",
            "a.b:c/d",
            "http",
            "data:a.b",
            "\\\\a.b\\c",
            "localhost/../home/ada/.env",
            "docs.rs/a/..\\b",
            "docs.rs/%2E%2e/b",
            "docs.rs/.%2e",
            "docs.rs/..%2f..%2fetc/hostname",
            "docs.rs/%2E%2E%2F.env",
            "docs.rs/..%5C..%5c.env",
            "docs.rs/..%252f.env",
            "docs.rs/..%2525252525252f.env",
        ] {
            assert!(!leads_to_web(text), "{text}");
        }
    }

    #[test]
    fn a_web_address_needs_no_slashes() {
        for (text, behind) in [("http://a/b", "//a/b"), ("HTTPS:a/b", "a/b"), ("ws:\\\\a/b", "\\\\a/b")] {
            assert_eq!(behind_web_scheme(text), Some(behind), "{text}");
        }
        for text in ["a/b", "file:///a/b", "a:80/b", "httpx://a"] {
            assert_eq!(behind_web_scheme(text), None, "{text}");
        }
    }
}
