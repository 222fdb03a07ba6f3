//! The page of measurements: one part for each of them, which another one leaves as it is.

use anyhow::{Context, Result};

use crate::workspace;

const PAGE: &str = "docs/performance.md";

/// Writes the part that begins with this heading in place of the earlier one; parts are told apart by their headings.
pub(crate) fn write_part(heading: &str, text: &str) -> Result<()> {
    let path = workspace::root().join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    std::fs::write(&path, with_part(&page, heading, text)).with_context(|| path.display().to_string())
}

/// The page with that part; a new one comes first when it is the page's title, else last.
fn with_part(page: &str, heading: &str, text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for line in page.lines() {
        if line.starts_with("# ") || line.starts_with("## ") || parts.is_empty() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    let text = format!("{}\n", text.trim_end());
    match parts.iter_mut().find(|part| part.lines().next() == Some(heading)) {
        Some(part) => *part = text,
        None if heading.starts_with("# ") => parts.insert(0, text),
        None => parts.push(text),
    }
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
    format!("{}\n", parts.join("\n\n"))
}

#[cfg(test)]
mod tests {
    use super::with_part;

    #[test]
    fn a_part_takes_the_place_of_the_earlier_one_and_no_other() {
        let page = with_part("", "# P", "# P\n\nhooks 1\n");
        assert_eq!(page, "# P\n\nhooks 1\n");
        let page = with_part(&page, "## S", "## S\n\nsession 1\n");
        let page = with_part(&page, "# P", "# P\n\nhooks 2\n");
        assert_eq!(page, "# P\n\nhooks 2\n\n## S\n\nsession 1\n");
        let page = with_part(&page, "## S", "## S\n\nsession 2\n");
        assert_eq!(page, "# P\n\nhooks 2\n\n## S\n\nsession 2\n");
        assert_eq!(with_part("## S\n\ns\n", "# P", "# P\n"), "# P\n\n## S\n\ns\n");
    }
}
