//! An address as those read it who fetch it: a browser's reading (WHATWG, "URL", 4.4) is the most lenient one.

use std::borrow::Cow;

/// Signs that are taken out of an address wherever they stand.
const DROPPED: [char; 3] = ['\t', '\n', '\r'];

/// Whether a parameter of this name holds an address, also one without a scheme.
pub(crate) fn holds_one(key: &str) -> bool {
    matches!(key, "url" | "urls" | "uri")
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
    use super::{behind_web_scheme, cleaned};

    #[test]
    fn what_a_fetcher_drops_is_dropped() {
        for text in ["fi\tle:///a", " file:///a\n", "\u{1}file:///a\u{1f} ", "\r\nf\nile:///a"] {
            assert_eq!(cleaned(text), "file:///a", "{text:?}");
        }
        assert_eq!(cleaned("file:///a b"), "file:///a b");
        assert_eq!(cleaned("\u{a0}file:"), "\u{a0}file:");
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
