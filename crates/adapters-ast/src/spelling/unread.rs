//! Text that a grammar of C, C++ or C# could not read, without comments and without what layout does not decide: the one
//! thing that can be said of it is that only its comments changed.

/// The text in one spelling; `None` where something in it is not told apart here.
pub(crate) fn normalized(text: &str) -> Option<String> {
    let mut reader = Reader { rest: text, out: String::with_capacity(text.len()), in_directive: false };
    while !reader.rest.is_empty() {
        reader.step()?;
    }
    Some(reader.out.trim().to_owned())
}

struct Reader<'t> {
    rest: &'t str,
    out: String,
    /// In a line that begins with `#`, which ends where the line does.
    in_directive: bool,
}

impl Reader<'_> {
    fn step(&mut self) -> Option<()> {
        let first = self.rest.chars().next()?;
        if self.rest.starts_with("//") {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            // A line that ends in a backslash goes on in the next one.
            let goes_on = self.rest.get(..end)?.trim_end().ends_with('\\');
            (!goes_on && !self.is_in_brackets()).then_some(())?;
            self.blank(false);
            self.rest = self.rest.get(end..)?;
        } else if let Some(tail) = self.rest.strip_prefix("/*") {
            (!self.is_in_brackets()).then_some(())?;
            let (_, tail) = tail.split_once("*/")?;
            self.blank(false);
            self.rest = tail;
        } else if first == '\\' {
            self.joined_lines()?;
        } else if first.is_whitespace() {
            let end = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
            self.blank(self.rest.get(..end)?.contains('\n'));
            self.rest = self.rest.get(end..)?;
        } else if first == '"' || first == '\'' {
            self.quoted(first)?;
        } else {
            self.in_directive |= first == '#' && (self.out.is_empty() || self.out.ends_with('\n'));
            self.push(first);
        }
        Some(())
    }

    /// A comment sign between `<` and `>` of an `#include` is a part of the name.
    fn is_in_brackets(&self) -> bool {
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        self.in_directive && line.contains("include") && line.contains('<') && !line.contains('>')
    }

    /// A line break in a directive counts, and so does the one before it; everywhere else blanks are blanks.
    fn blank(&mut self, has_line_break: bool) {
        let starts_directive = || {
            let rest = self.rest.trim_start();
            rest.starts_with('#')
        };
        if has_line_break && (self.in_directive || starts_directive()) {
            self.in_directive = false;
            self.out.truncate(self.out.trim_end().len());
            self.out.push('\n');
        } else if !self.out.ends_with([' ', '\n']) && !self.out.is_empty() {
            self.out.push(' ');
        }
    }

    /// A backslash at the end of a line, which only makes one line of two where blanks stand around it.
    fn joined_lines(&mut self) -> Option<()> {
        let tail = self.rest.get(1..)?.trim_start_matches([' ', '\t', '\r']).strip_prefix('\n')?;
        let is_apart = self.out.ends_with([' ', '\n']) || tail.starts_with([' ', '\t', '\n']);
        is_apart.then_some(())?;
        self.blank(false);
        self.rest = tail;
        Some(())
    }

    /// A text or a character on one line; one that is written raw, or may go on, is not told apart.
    fn quoted(&mut self, quote: char) -> Option<()> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let prefix = self.out.rsplit(|c: char| !is_word(c)).next().unwrap_or_default().to_owned();
        if quote == '\'' && prefix.starts_with(|c: char| c.is_ascii_digit()) {
            // It parts the digits of a number.
            self.push(quote);
            return Some(());
        }
        let is_raw =
            prefix.ends_with('R') || self.out.ends_with(['@', '$']) || self.rest.starts_with("\"\"\"");
        let is_known = quote == '"' || matches!(prefix.as_str(), "" | "L" | "u" | "U" | "u8");
        (!is_raw && is_known).then_some(())?;
        let mut is_escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                '\n' => return None,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                c if c == quote => {
                    let end = at + c.len_utf8();
                    self.out.push_str(self.rest.get(..end)?);
                    self.rest = self.rest.get(end..)?;
                    return Some(());
                }
                _ => {}
            }
        }
        None
    }

    fn push(&mut self, c: char) {
        self.out.push(c);
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
    }
}
