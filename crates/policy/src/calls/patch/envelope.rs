//! The `*** Begin Patch` … `*** End Patch` envelope.
//!
//! Programs that read unified diffs must find nothing in it either: which of the two reads a text is the host's choice.

use super::lines::Lines;
use super::spent::Spent;
use super::{Hunk, HunkLine, Patch, PatchOp, foreign};
use crate::calls::terms::Unreadable;

/// Whether a line opens an envelope.
pub(super) fn opens(line: &str) -> bool {
    line.trim() == "*** Begin Patch"
}

pub(super) fn parse(text: &str, spent: Spent) -> Result<Patch, Unreadable> {
    let mut envelope = Envelope { lines: Lines::of(text), spent, is_loose: false };
    envelope.prose(opens)?;
    let mut ops = Vec::new();
    loop {
        let line = envelope.peek()?.ok_or_else(|| envelope.lines.odd("`*** End Patch` is missing"))?;
        let header = line.trim();
        envelope.is_loose |= is_indented(line);
        if header == "*** End Patch" {
            break;
        }
        if header.is_empty() {
            envelope.lines.next();
        } else {
            envelope.spent.section()?;
            ops.push(envelope.section(line)?);
        }
    }
    envelope.lines.next();
    envelope.prose(|_| false)?;
    Ok(Patch { ops, modes: Vec::new(), is_disputed: envelope.is_loose })
}

struct Envelope<'a> {
    lines: Lines<'a>,
    spent: Spent,
    /// Whether appliers were seen to read it differently: a header or the envelope's end is indented, or a hunk has no `@@`
    /// before it, nothing but an anchor beside what it adds, or the mark of the file's end.
    is_loose: bool,
}

impl<'a> Envelope<'a> {
    /// Passes over text around the envelope, up to a line that ends it.
    fn prose(&mut self, is_end: impl Fn(&str) -> bool) -> Result<(), Unreadable> {
        while let Some(line) = self.lines.peek() {
            if is_end(line) {
                self.lines.next();
                return Ok(());
            }
            if foreign::acts(line) {
                return Err(self.lines.odd("it is outside the envelope, but a program may act on it"));
            }
            self.lines.next();
        }
        Ok(())
    }

    /// The next line inside, in which no program that reads diffs finds a change.
    fn peek(&self) -> Result<Option<&'a str>, Unreadable> {
        let Some(line) = self.lines.peek() else { return Ok(None) };
        let is_rule = foreign::bare(line).starts_with("********");
        let is_context_diff =
            is_rule && self.lines.second().is_some_and(|next| foreign::bare(next).starts_with("*** "));
        if is_context_diff || !is_rule && foreign::starts(line) {
            return Err(self.lines.odd("inside an envelope, `git apply` or `patch` would act on it"));
        }
        Ok(Some(line))
    }

    fn section(&mut self, header: &str) -> Result<PatchOp, Unreadable> {
        if let Some(path) = self.path(header, "*** Add File:")? {
            self.lines.next();
            return Ok(PatchOp::Add { path, content: self.added()? });
        }
        if let Some(path) = self.path(header, "*** Delete File:")? {
            self.lines.next();
            return Ok(PatchOp::Delete { path });
        }
        if let Some(path) = self.path(header, "*** Update File:")? {
            self.lines.next();
            return self.update(path);
        }
        Err(self.lines.odd("it is no header of an envelope with a path, as `*** Update File: PATH`"))
    }

    /// The path in such a header. Appliers differ on whether blanks around it and control characters are part of its name.
    fn path(&self, line: &str, head: &str) -> Result<Option<String>, Unreadable> {
        let line = line.strip_suffix('\r').unwrap_or(line).trim_start();
        let Some(path) = line.strip_prefix(head) else { return Ok(None) };
        let path = path.strip_prefix(' ').unwrap_or(path);
        if path.is_empty() {
            return Err(self.lines.odd("it names no path"));
        }
        if path.trim() != path || path.contains(char::is_control) {
            return Err(self.lines.odd("its path starts or ends with a blank, or has a control character"));
        }
        Ok(Some(path.to_owned()))
    }

    fn added(&mut self) -> Result<String, Unreadable> {
        let mut content = String::new();
        let mut count = 0;
        while let Some(text) = self.peek()?.and_then(|line| line.strip_prefix('+')) {
            count += 1;
            self.spent.line(count)?;
            content.push_str(text);
            content.push('\n');
            self.lines.next();
        }
        Ok(content)
    }

    fn update(&mut self, path: String) -> Result<PatchOp, Unreadable> {
        let moved = self.peek()?.map(|line| self.path(line, "*** Move to:")).transpose()?;
        let move_to = moved.flatten();
        if move_to.is_some() {
            self.is_loose |= self.lines.next().is_some_and(is_indented);
        }
        let mut hunks: Vec<Hunk> = Vec::new();
        let mut context = Vec::new();
        let (mut open, mut is_marked) = (false, false);
        while let Some(line) = self.peek()?.filter(|line| !ends_section(line)) {
            if let Some(anchor) = line.strip_prefix("@@") {
                (open, is_marked) = (false, true);
                context.extend(Some(anchor.trim()).filter(|text| !text.is_empty()).map(str::to_owned));
            } else if line.trim_end() == "*** End of File" {
                self.is_loose = true;
            } else {
                let read = hunk_line(line)
                    .ok_or_else(|| self.lines.odd("a line of a hunk starts with a space, `+` or `-`"))?;
                if !open {
                    self.spent.hunk()?;
                    hunks.push(Hunk { context: std::mem::take(&mut context), ..Hunk::default() });
                    open = true;
                }
                if let Some(hunk) = hunks.last_mut() {
                    hunk.lines.push(read);
                    self.spent.line(hunk.lines.len())?;
                }
            }
            self.is_loose |= !is_marked;
            self.lines.next();
        }
        self.is_loose |= hunks.iter().any(has_only_an_anchor);
        Ok(PatchOp::Update { path, move_to, hunks })
    }
}

fn is_indented(line: &str) -> bool {
    line.starts_with(char::is_whitespace) && !line.trim().is_empty()
}

fn has_only_an_anchor(hunk: &Hunk) -> bool {
    !hunk.context.is_empty() && hunk.lines.iter().all(|line| matches!(line, HunkLine::Add(_)))
}

fn ends_section(line: &str) -> bool {
    line.starts_with("***") && line.trim_end() != "*** End of File"
}

fn hunk_line(line: &str) -> Option<HunkLine> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if let Some(text) = line.strip_prefix('+') {
        return Some(HunkLine::Add(text.to_owned()));
    }
    if let Some(text) = line.strip_prefix('-') {
        return Some(HunkLine::Remove(text.to_owned()));
    }
    let text = line.strip_prefix(' ').or_else(|| line.is_empty().then_some(""))?;
    Some(HunkLine::Context(text.to_owned()))
}
