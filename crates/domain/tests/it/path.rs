//! Paths below the root.

use bailiwick_domain::testing::arbitrary;
use bailiwick_domain::{RepoPath, RepoPathError};
use proptest::prelude::*;

/// The rule of the specification, word for word.
fn is_normal(text: &str) -> bool {
    !text.is_empty()
        && !text.contains('\0')
        && text.split('/').all(|segment| !segment.is_empty() && segment != "." && segment != "..")
}

proptest! {
    // K-35
    #[test]
    fn exactly_normal_relative_texts_are_paths(text in prop_oneof!["[./a\\x00]{0,8}", "\\PC*"]) {
        prop_assert_eq!(RepoPath::new(&text).is_ok(), is_normal(&text));
    }

    #[test]
    fn a_path_is_its_text_and_its_segments(path in arbitrary::repo_path()) {
        prop_assert_eq!(path.segments().collect::<Vec<_>>().join("/"), path.as_str());
        prop_assert_eq!(RepoPath::new(path.as_str()), Ok(path.clone()));
        let json = serde_json::to_value(&path).unwrap();
        prop_assert_eq!(json.as_str(), Some(path.as_str()));
        prop_assert_eq!(serde_json::from_value::<RepoPath>(json).unwrap(), path);
    }
}

#[test]
fn every_refusal_says_its_reason() {
    for (text, reason) in [
        ("", RepoPathError::Empty),
        ("/etc/passwd", RepoPathError::Absolute),
        ("a\0b", RepoPathError::Nul),
        ("..", RepoPathError::Segment),
        ("a/../b", RepoPathError::Segment),
        ("a//b", RepoPathError::Segment),
        ("a/", RepoPathError::Segment),
        ("./a", RepoPathError::Segment),
    ] {
        assert_eq!(RepoPath::new(text), Err(reason), "{text:?}");
        assert!(serde_json::from_value::<RepoPath>(text.into()).is_err(), "{text:?}");
    }
}

#[test]
fn dots_that_are_no_parents_are_names() {
    for text in ["...", "..a", ".git", "a/.b/c..", "a b/\u{e9}\n"] {
        assert!(RepoPath::new(text).is_ok(), "{text:?}");
    }
}
