//! The managed block in git's own `info/exclude`: what `init` installs for one person never shows in `git status`.

const BEGIN: &str = "# bailiwick: begin (written by `bailiwick init`, taken out by `bailiwick uninstall`)";
const END: &str = "# bailiwick: end";

/// Where `bailiwick report` writes when nothing else is said: made from the ledger, and no part of anybody's work.
pub(in crate::command) const REPORT: &str = "bailiwick-report.html";

/// The file's text with the block; unchanged when the block is there already.
pub(in crate::command) fn with_block(existing: Option<&str>, patterns: &[String]) -> String {
    let existing = existing.unwrap_or_default();
    let block = format!("{BEGIN}\n{}\n{END}\n", patterns.join("\n"));
    if existing.contains(&block) {
        return existing.to_owned();
    }
    let mut text = without_block(existing);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text + &block
}

/// What the block names already.
pub(in crate::command) fn patterns(existing: Option<&str>) -> Vec<String> {
    let block = existing
        .and_then(|text| text.split_once(BEGIN))
        .and_then(|(_, rest)| rest.split_once(END))
        .map_or("", |(block, _)| block);
    block.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The file's text without the block; a block without an end is left alone.
pub(in crate::command) fn without_block(existing: &str) -> String {
    let around =
        existing.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    match around {
        Some((before, after)) => format!("{before}{}", after.strip_prefix('\n').unwrap_or(after)),
        None => existing.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_comes_once_and_goes_without_a_trace() {
        // D-08
        let patterns = ["/.claude/settings.local.json".to_owned()];
        for before in ["", "# theirs\n*.log\n"] {
            let with = with_block(Some(before), &patterns);
            assert!(with.starts_with(before) && with.contains("\n/.claude/settings.local.json\n"), "{with}");
            assert_eq!(with_block(Some(&with), &patterns), with);
            assert_eq!(without_block(&with), before);
            assert_eq!(without_block(&format!("{with}later\n")), format!("{before}later\n"));
        }
    }

    #[test]
    fn an_older_block_is_replaced() {
        let old = with_block(Some("*.log\n"), &["/old".to_owned()]);
        assert_eq!(
            with_block(Some(&old), &["/new".to_owned()]),
            with_block(Some("*.log\n"), &["/new".to_owned()])
        );
    }

    #[test]
    fn a_block_without_an_end_is_left_alone() {
        let broken = format!("{BEGIN}\n/x\n*.log\n");
        assert_eq!(without_block(&broken), broken);
    }
}
