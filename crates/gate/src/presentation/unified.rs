//! A change as a unified diff for people, shortened in the middle. What changed is found out by `change`.

use similar::udiff::UnifiedHunkHeader;
use similar::{DiffableStr as _, group_diff_ops};

use crate::change::compared;

/// How many unchanged lines surround a change.
const CONTEXT: usize = 3;

/// A unified diff with three lines of context. What exceeds `max_bytes` is left out in the middle, and the gap is
/// named, so that neither end of a long change can hide.
pub fn unified_diff(path: &str, before: Option<&[u8]>, after: Option<&[u8]>, max_bytes: usize) -> String {
    let name = |side: &str, content: Option<&[u8]>| match content {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let (old_name, new_name) = (name("a", before), name("b", after));
    let text = |content: Option<&[u8]>| String::from_utf8(content.unwrap_or_default().to_vec());
    let (Ok(old), Ok(new)) = (text(before), text(after)) else {
        return format!("--- {old_name}\n+++ {new_name}\nbinary content differs\n");
    };
    let (old, new) = (old.tokenize_lines(), new.tokenize_lines());
    let hunks = group_diff_ops(compared(&old, &new), CONTEXT);
    let mut whole = String::new();
    for hunk in hunks.iter().filter(|hunk| !hunk.is_empty()) {
        whole.push_str(&format!("{}\n", UnifiedHunkHeader::new(hunk)));
        for change in hunk.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            let end =
                if change.value().ends_with_newline() { "" } else { "\n\\ No newline at end of file\n" };
            whole.push_str(&format!("{}{}{end}", change.tag(), change.value()));
        }
    }
    if !whole.is_empty() {
        whole.insert_str(0, &format!("--- {old_name}\n+++ {new_name}\n"));
    }
    shorten(whole, max_bytes)
}

fn shorten(text: String, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text;
    }
    let half = max_bytes / 2;
    let head_end = line_start(&text, half);
    let tail_from = line_end(&text, text.len() - half);
    let (head, tail) = (text.get(..head_end).unwrap_or_default(), text.get(tail_from..).unwrap_or_default());
    format!("{head}[… {} of {} bytes are not shown …]\n{tail}", tail_from - head_end, text.len())
}

/// The start of the line that holds `at`; when that is the first line, a character's edge.
fn line_start(text: &str, at: usize) -> usize {
    let edge = text.floor_char_boundary(at);
    text.get(..edge).and_then(|head| head.rfind('\n')).map_or(edge, |newline| newline + 1)
}

/// The start of the line behind the one that holds `at`; when that was the last line, a character's edge.
fn line_end(text: &str, at: usize) -> usize {
    let edge = text.ceil_char_boundary(at);
    let next = text.get(edge..).and_then(|tail| tail.find('\n')).map(|newline| edge + newline + 1);
    next.filter(|next| *next < text.len()).unwrap_or(edge)
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn a_unified_diff_names_both_sides() {
        let diff = unified_diff("src/a.rs", Some(b"a\nb\n"), Some(b"a\nc\n"), 1000);
        assert_eq!(diff, "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        let new = unified_diff("src/a.rs", None, Some(b"x\n"), 1000);
        assert!(new.starts_with("--- /dev/null\n+++ b/src/a.rs\n"), "{new}");
    }

    // threat G1
    #[test]
    fn a_long_diff_shows_both_ends() {
        let after: String = (0..10_000).map(|line| format!("line é {line}\n")).collect();
        let diff = unified_diff("src/a.rs", Some(b""), Some(after.as_bytes()), 2_000);
        assert!(diff.len() < 2_200, "{}", diff.len());
        assert!(diff.contains("+line é 0\n") && diff.ends_with("+line é 9999\n"), "{diff}");
        assert!(diff.contains("bytes are not shown"), "{diff}");
        let one_line = unified_diff("src/a.rs", Some(b""), Some("é".repeat(9_000).as_bytes()), 1_001);
        assert!(one_line.len() < 1_200, "{}", one_line.len());
    }
}
