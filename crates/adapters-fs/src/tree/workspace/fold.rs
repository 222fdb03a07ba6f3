//! The form of a path in which protected names are compared: case, Unicode and Windows spellings folded.
//!
//! Two names that any supported file system takes for one fold to one; that some more do is harmless, because only
//! protection is decided on it.

use unicode_normalization::UnicodeNormalization;

/// Short names that Windows gives to names we protect.
const SHORT_NAMES: &[(&str, &str)] = &[
    ("git~1", ".git"),
    ("claude~1", ".claude"),
    ("intent~1", ".intentignore"),
    ("orches~1", ".orchestration"),
];

/// Compatibility form, without ignorable code points, in lower case, each segment without its tail.
pub(super) fn fold(path: &str) -> String {
    let lower = if path.is_ascii() { path.to_ascii_lowercase() } else { fold_unicode(path) };
    let segments: Vec<&str> = lower.split('/').map(fold_segment).collect();
    segments.join("/")
}

fn fold_unicode(path: &str) -> String {
    let kept: String = path.nfkc().filter(|c| !is_ignorable(*c)).collect();
    kept.to_lowercase().nfkc().filter(|c| !is_ignorable(*c)).collect()
}

fn fold_segment(segment: &str) -> &str {
    let mut rest = segment;
    loop {
        let trimmed = rest.trim_end_matches(['.', ' ']);
        let cut = trimmed.find("::$").or_else(|| trimmed.find(":$i30")).and_then(|at| trimmed.get(..at));
        let next = cut.unwrap_or(trimmed);
        if next.is_empty() {
            return rest;
        }
        if next == rest {
            break;
        }
        rest = next;
    }
    SHORT_NAMES.iter().find(|(short, _)| *short == rest).map_or(rest, |(_, long)| long)
}

/// `Default_Ignorable_Code_Point` of Unicode, and the controls of writing direction.
fn is_ignorable(c: char) -> bool {
    matches!(u32::from(c),
        0x00AD | 0x034F | 0x061C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164
        | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8
        | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[track_caller]
    fn check(path: &str, folded: &str) {
        assert_eq!(fold(path), folded, "{path:?}");
    }

    // threat C8, threat C9, threat C10, K-35
    #[test]
    fn disguised_names_fold_to_the_plain_one() {
        check(".CLAUDE/Settings.json", ".claude/settings.json");
        check(".g\u{200c}it/config", ".git/config");
        check(".g\u{202e}it\u{feff}/config", ".git/config");
        check("\u{ff0e}git/config", ".git/config");
        check(".git\u{ff0f}hooks", ".git/hooks");
        check(".\u{212a}ube", ".kube");
        check(".git./hooks . ./x", ".git/hooks/x");
        check(".git::$INDEX_ALLOCATION/config", ".git/config");
        check(".mcp.json::$DATA", ".mcp.json");
        check(".mcp.json::$DATA. ", ".mcp.json");
        check(".git:$I30:$INDEX_ALLOCATION/config", ".git/config");
        check("GIT~1/config", ".git/config");
        check("cafe\u{301}.rs", "caf\u{e9}.rs");
    }

    #[test]
    fn plain_names_stay() {
        check("src/auth/jwt.rs", "src/auth/jwt.rs");
        check("a/.../b", "a/.../b");
        check("src/git~10/x", "src/git~10/x");
    }
}
