//! What stands between quotes.

use super::Word;
use super::list::Reading;
use super::signs::named;

impl Reading<'_> {
    /// Takes what stands between quotes, of which the first is passed.
    pub(super) fn quoted(&mut self, quote: char, word: &mut Word) -> Result<(), String> {
        while let Some(c) = self.rest.chars().next() {
            if quote == '"' && c == '$' {
                if is_alone(self.rest) && self.is_posix() {
                    self.skip(c);
                    word.text.push(c);
                } else {
                    self.variable(word, true)?;
                }
                continue;
            }
            if quote == '"'
                && let Some(sign) = escaped(self.rest)
                && self.is_posix()
            {
                word.text.push(sign);
                self.rest = self.rest.get(2..).unwrap_or_default();
                continue;
            }
            self.skip(c);
            if c == quote {
                // fish reads `\'` inside of single quotes as a quote that does not end them.
                return match (quote == '\'' || cfg!(windows)) && word.text.ends_with('\\') {
                    true => Err("a quote ends behind `\\`".to_owned()),
                    false => Ok(()),
                };
            }
            // fish reads `\\` inside of single quotes as one `\`, and PowerShell two inside of double ones. Before any other sign that
            // is taken here a `\` stands for itself.
            if c == '\\' && self.rest.starts_with('\\') {
                return Err("`\\\\` stands inside quotes".to_owned());
            }
            if quote == '"' && c == '\\' && self.rest.starts_with('\n') {
                return Err("a line goes on inside quotes".to_owned());
            }
            let is_history = c == '!' && !self.rest.starts_with([' ', '=']);
            let is_taken = is_quotable(c) || ((c == '\n' || is_symbol(c)) && self.is_posix());
            if !is_taken || (quote == '"' && (c == '`' || is_history)) {
                return Err(format!("{} stands inside quotes", named(c)));
            }
            word.text.push(c);
        }
        Err("a quote is not closed".to_owned())
    }
}

/// Whether the `$` that stands here begins no variable to any POSIX shell, as in `"^ok$"` and `"a$|b"`.
fn is_alone(rest: &str) -> bool {
    rest.strip_prefix('$')
        .is_some_and(|after| after.starts_with(['"', '|', ')', ' ', '/', '.', ',', ']', '%']))
}

/// Inside quotes letters and digits of all scripts are taken by every shell.
fn is_quotable(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.is_alphanumeric())
}

/// Signs that a person sees as they are: punctuation, arrows, mathematics, boxes, dingbats, emoji. None of them hides or turns
/// around what stands beside it. Some are quotes to PowerShell, or become such on their way to a program of Windows.
fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{00a1}'..='\u{00ac}' | '\u{00ae}'..='\u{00bf}' | '×' | '÷' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}'
        | '\u{20a0}'..='\u{20bf}' | '\u{2100}'..='\u{27ff}' | '\u{2900}'..='\u{2bff}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301b}' | '\u{fe0f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}'
        | '\u{1f300}'..='\u{1faff}')
}

/// The sign behind a `\` between double quotes, where it is one of those that every POSIX shell takes for themselves there.
/// PowerShell escapes by another sign.
fn escaped(rest: &str) -> Option<char> {
    let sign = rest.strip_prefix('\\')?.chars().next()?;
    "$`\"\\".contains(sign).then_some(sign)
}
