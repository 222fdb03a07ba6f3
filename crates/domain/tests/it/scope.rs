//! Scope patterns and owned scopes as values; matching is policy.

use bailiwick_domain::testing::arbitrary;
use bailiwick_domain::{OwnedScope, ScopeError, ScopePattern};
use proptest::prelude::*;

proptest! {
    #[test]
    fn no_pattern_is_empty_absolute_or_leaves(text in prop_oneof!["[!./\\\\a: ]{0,8}", "\\PC*"]) {
        if let Ok(pattern) = ScopePattern::new(&text) {
            let glob = pattern.glob();
            prop_assert!(!glob.is_empty());
            prop_assert!(!glob.starts_with('/'));
            prop_assert!(glob.split(['/', '\\']).all(|segment| segment != ".."));
            prop_assert_eq!(pattern.is_exclusion(), text.trim().starts_with('!'));
            prop_assert_eq!(ScopePattern::new(pattern.as_str()), Ok(pattern.clone()), "a normal form");
        }
    }

    #[test]
    fn a_pattern_is_its_own_normal_form(pattern in arbitrary::scope_pattern()) {
        prop_assert_eq!(ScopePattern::new(pattern.as_str()), Ok(pattern.clone()));
        let json = serde_json::to_string(&pattern).unwrap();
        prop_assert_eq!(serde_json::from_str::<ScopePattern>(&json).unwrap(), pattern);
    }

    #[test]
    fn a_scope_keeps_its_patterns_in_order(scope in arbitrary::owned_scope()) {
        let json = serde_json::to_string(&scope).unwrap();
        prop_assert_eq!(serde_json::from_str::<OwnedScope>(&json).unwrap(), scope);
    }
}

#[test]
fn patterns_that_cannot_be_are_refused() {
    for text in ["", "  ", "!", "! ".trim_end(), "./"] {
        assert_eq!(ScopePattern::new(text), Err(ScopeError::Empty), "{text:?}");
    }
    for text in ["/etc/**", "!/etc", "C:/x", "c:\\x"] {
        assert!(matches!(ScopePattern::new(text), Err(ScopeError::Absolute(_))), "{text:?}");
    }
    for text in ["..", "../x", "a/../b", "a\\..\\b", "!../x", "./.."] {
        assert!(matches!(ScopePattern::new(text), Err(ScopeError::Parent(_))), "{text:?}");
    }
}

// K-38
#[test]
fn exclusions_start_with_an_unescaped_bang() {
    let pattern = |text: &str| ScopePattern::new(text).unwrap();
    assert!(pattern("!**/*.test.ts").is_exclusion());
    assert_eq!(pattern("!**/*.test.ts").glob(), "**/*.test.ts");
    assert!(!pattern("\\!important.md").is_exclusion());
    assert_eq!(pattern(" ./src/** ").as_str(), "src/**");
    assert_eq!(pattern("././src/**").as_str(), "src/**");
    assert!(!pattern("./!important.md").is_exclusion(), "`./` says that it is a name");
    assert_eq!(pattern("./!important.md"), pattern("\\!important.md"));
    assert_eq!(pattern("!./!important.md").glob(), "!important.md");
}

// K-08
#[test]
fn only_exclusions_own_nothing_unless_broad() {
    let patterns = vec![ScopePattern::new("!src/**").unwrap()];
    assert_eq!(OwnedScope::new(patterns.clone(), false), Err(ScopeError::OnlyExclusions));
    assert!(OwnedScope::new(patterns, true).is_ok());
    assert!(OwnedScope::new(Vec::new(), false).unwrap().is_empty());
}
