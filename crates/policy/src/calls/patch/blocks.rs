//! `SEARCH`/`REPLACE` blocks of one file.

use super::foreign;
use crate::calls::terms::Edit;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    Search,
    Replace,
}

/// Reads the blocks as edits of whole lines.
///
/// # Errors
/// Says what is not understood: a marker out of place, text outside blocks on which a program that applies patches acts.
/// Other text outside blocks is ignored.
pub(crate) fn parse_blocks(text: &str) -> Result<Vec<Edit>, String> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut place = Place::Outside;
    let mut edit = Edit::default();
    let mut head = false;
    for line in text.lines() {
        match (place, line.trim_end()) {
            (Place::Outside, mark) if is_search(mark) => {
                (place, head) = (Place::Search, true);
                edit = Edit { whole_lines: true, ..Edit::default() };
            }
            (Place::Outside, mark) if is_middle(mark) || is_end(mark) => return Err(misplaced(line)),
            (Place::Outside, _) if foreign::acts(line) => {
                return Err(format!(
                    "a program may act on a line outside of SEARCH/REPLACE blocks: `{line}`"
                ));
            }
            (Place::Outside, _) => {}
            (Place::Search, mark) if is_middle(mark) => place = Place::Replace,
            (Place::Replace, mark) if is_end(mark) => {
                edits.push(std::mem::take(&mut edit));
                place = Place::Outside;
            }
            (_, mark) if is_search(mark) || is_end(mark) || is_middle(mark) => return Err(misplaced(line)),
            (Place::Search, mark) if head && mark.starts_with(":start_line:") => {
                let number = mark.trim_start_matches(":start_line:").trim();
                edit.line = Some(number.parse().map_err(|_| format!("`{line}` names no line"))?);
            }
            (Place::Search, mark) if head && (mark == "-------" || mark.starts_with(":end_line:")) => {}
            (Place::Search, _) => {
                head = false;
                push_line(&mut edit.old, line);
            }
            (Place::Replace, _) => push_line(&mut edit.new, line),
        }
    }
    match (place, edits.is_empty()) {
        (Place::Outside, false) => Ok(edits),
        (Place::Outside, true) => Err("the diff has no SEARCH/REPLACE block".to_owned()),
        _ => Err("a SEARCH/REPLACE block is not closed".to_owned()),
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.strip_prefix('\\').filter(|rest| is_mark(rest)).unwrap_or(line));
    text.push('\n');
}

fn is_mark(line: &str) -> bool {
    is_search(line) || is_middle(line) || is_end(line) || line == "-------"
}

fn is_search(line: &str) -> bool {
    line.strip_suffix('>').unwrap_or(line) == "<<<<<<< SEARCH" || line == "------- SEARCH"
}

fn is_middle(line: &str) -> bool {
    line == "======="
}

fn is_end(line: &str) -> bool {
    line == ">>>>>>> REPLACE" || line == "+++++++ REPLACE"
}

fn misplaced(line: &str) -> String {
    format!("a SEARCH/REPLACE marker is out of place: `{line}`")
}
