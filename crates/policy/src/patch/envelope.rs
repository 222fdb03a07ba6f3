//! The `*** Begin Patch` … `*** End Patch` envelope.

use std::iter::Peekable;

use super::{Hunk, HunkLine, PatchOp};

type Lines<'a> = Peekable<std::str::Lines<'a>>;

pub(super) fn parse(text: &str) -> Result<Vec<PatchOp>, String> {
    let mut lines = text.lines().peekable();
    for line in lines.by_ref() {
        match line.trim() {
            "*** Begin Patch" => break,
            stray if stray.starts_with("***") || stray.starts_with("---") => return Err(odd(line)),
            _ => {}
        }
    }
    let mut ops = Vec::new();
    while let Some(line) = lines.next() {
        let header = line.trim();
        if header == "*** End Patch" {
            return ended(lines).map(|()| ops);
        }
        if let Some(path) = header.strip_prefix("*** Add File:") {
            ops.push(PatchOp::Add { path: named(path)?, content: added(&mut lines) });
        } else if let Some(path) = header.strip_prefix("*** Delete File:") {
            ops.push(PatchOp::Delete { path: named(path)? });
        } else if let Some(path) = header.strip_prefix("*** Update File:") {
            ops.push(update(named(path)?, &mut lines)?);
        } else if !header.is_empty() {
            return Err(odd(line));
        }
    }
    Err("the patch has no `*** End Patch`".to_owned())
}

fn ended(mut rest: Lines<'_>) -> Result<(), String> {
    match rest.find(|line| line.trim().starts_with("***")) {
        Some(line) => Err(odd(line)),
        None => Ok(()),
    }
}

fn named(path: &str) -> Result<String, String> {
    let path = path.trim();
    if path.is_empty() { Err("a file header without a path".to_owned()) } else { Ok(path.to_owned()) }
}

fn added(lines: &mut Lines<'_>) -> String {
    let mut content = String::new();
    while let Some(text) = lines.next_if(|line| line.starts_with('+')).and_then(|line| line.strip_prefix('+'))
    {
        content.push_str(text);
        content.push('\n');
    }
    content
}

fn update(path: String, lines: &mut Lines<'_>) -> Result<PatchOp, String> {
    let mut move_to = None;
    if let Some(to) = lines.peek().and_then(|line| line.trim().strip_prefix("*** Move to:")) {
        move_to = Some(named(to)?);
        lines.next();
    }
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut context = Vec::new();
    let mut open = false;
    while let Some(line) = lines.next_if(|line| !line.starts_with("***") || *line == "*** End of File") {
        if let Some(anchor) = line.strip_prefix("@@") {
            open = false;
            context.extend(Some(anchor.trim()).filter(|text| !text.is_empty()).map(str::to_owned));
            continue;
        }
        if line == "*** End of File" {
            continue;
        }
        let read = hunk_line(line)?;
        if !open {
            hunks.push(Hunk { start: None, context: std::mem::take(&mut context), lines: Vec::new() });
            open = true;
        }
        if let Some(hunk) = hunks.last_mut() {
            hunk.lines.push(read);
        }
    }
    Ok(PatchOp::Update { path, move_to, hunks })
}

fn hunk_line(line: &str) -> Result<HunkLine, String> {
    if let Some(text) = line.strip_prefix('+') {
        return Ok(HunkLine::Add(text.to_owned()));
    }
    if let Some(text) = line.strip_prefix('-') {
        return Ok(HunkLine::Remove(text.to_owned()));
    }
    match line.strip_prefix(' ') {
        Some(text) => Ok(HunkLine::Context(text.to_owned())),
        None if line.is_empty() => Ok(HunkLine::Context(String::new())),
        None => Err(odd(line)),
    }
}

fn odd(line: &str) -> String {
    let shown: String = line.chars().take(80).collect();
    format!("the patch has a line that is not understood: `{shown}`")
}
