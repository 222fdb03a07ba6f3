//! JSON within a text: some servers decode it before they obey it, so its texts count like those of the call.
//!
//! Decoders differ (repeated names, `NaN`, quotes), so this is no parser: each quoted text between brackets or quotes is a
//! piece, under the name before it.

use std::iter::Peekable;
use std::str::Chars;

use bailiwick_domain::Value;

use super::{Sign, format_of, sign_of};
use crate::calls::terms::Unreadable;

/// How many texts are looked into that stand within each other.
pub(super) const MOST_LEVELS: usize = 4;
/// How deep the lists and objects of one text may stand within each other.
const MOST_DEPTH: usize = 100;
/// How many signs of structure and quoted texts the texts of one call may have together.
const MOST_SIGNS: usize = 50_000;

/// A quoted text within a text.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: String,
    pub(super) is_name: bool,
    /// Where it stands.
    pub(super) place: Place<'a>,
}

/// What is known of a place in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) sign: Sign,
    pub(super) schema: &'a Value,
}

impl Place<'_> {
    fn below_name(self, name: &str) -> Self {
        let known = self.schema.get("properties").and_then(|all| all.get(name));
        let schema = known.unwrap_or(&Value::Null);
        Self { sign: sign_of(name, schema), schema }
    }

    fn below_list(self) -> Self {
        let schema = self.schema.get("items").unwrap_or(&Value::Null);
        let sign = if self.sign == Sign::None { format_of(schema) } else { self.sign };
        Self { sign, schema }
    }
}

/// The pieces of a text that stands between brackets or quotes; any other text has none. `spent` is what the texts of the
/// call had before.
pub(super) fn pieces<'a>(
    text: &str,
    place: Place<'a>,
    spent: &mut usize,
) -> Result<Vec<Piece<'a>>, Unreadable> {
    let text = text.trim();
    if !is_enclosed(text) {
        return Ok(Vec::new());
    }
    let mut reader = Reader { rest: text.chars().peekable(), place, around: Vec::new(), pieces: Vec::new() };
    while let Some(sign) = reader.rest.next() {
        if !reader.takes(sign) {
            continue;
        }
        *spent = spent.saturating_add(1);
        if *spent > MOST_SIGNS || reader.around.len() > MOST_DEPTH {
            return Err(Unreadable::TooLarge("a text holds more JSON than is looked at".to_owned()));
        }
    }
    Ok(reader.pieces)
}

fn is_enclosed(text: &str) -> bool {
    let mut signs = text.chars();
    matches!(
        (signs.next(), signs.next_back()),
        (Some('['), Some(']'))
            | (Some('{'), Some('}'))
            | (Some('"'), Some('"'))
            | (Some('\''), Some('\''))
            | (Some('`'), Some('`'))
    )
}

struct Reader<'t, 'a> {
    rest: Peekable<Chars<'t>>,
    place: Place<'a>,
    /// The lists and objects that are open.
    around: Vec<Place<'a>>,
    pieces: Vec<Piece<'a>>,
}

impl Reader<'_, '_> {
    /// Takes what begins with this sign; whether that is more than a blank or a bare word.
    fn takes(&mut self, sign: char) -> bool {
        match sign {
            '[' => {
                self.around.push(self.place);
                self.place = self.place.below_list();
            }
            '{' => self.around.push(self.place),
            ']' | '}' => self.place = self.around.pop().unwrap_or(self.place),
            '"' | '\'' | '`' => self.quoted(sign),
            _ => return sign == ',',
        }
        true
    }

    fn quoted(&mut self, quote: char) {
        let Some(text) = self.text_until(quote) else { return };
        while self.rest.next_if(|sign| sign.is_whitespace()).is_some() {}
        let is_name = self.rest.peek() == Some(&':');
        let around = self.around.last().copied().unwrap_or(self.place);
        if is_name {
            self.place = around.below_name(&text);
        }
        let place = if is_name { around } else { self.place };
        self.pieces.push(Piece { text, is_name, place });
    }

    /// The text up to the quote, which is taken, too; nothing where it never ends.
    fn text_until(&mut self, quote: char) -> Option<String> {
        let mut units = Vec::new();
        loop {
            match self.rest.next()? {
                sign if sign == quote => return Some(String::from_utf16_lossy(&units)),
                '\\' => self.escaped(&mut units)?,
                sign => units.extend(sign.encode_utf16(&mut [0; 2]).iter()),
            }
        }
    }

    fn escaped(&mut self, units: &mut Vec<u16>) -> Option<()> {
        let sign = match self.rest.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                units.push(self.unit());
                return Some(());
            }
            sign => sign,
        };
        units.extend(sign.encode_utf16(&mut [0; 2]).iter());
        Some(())
    }

    fn unit(&mut self) -> u16 {
        let mut unit = 0_u16;
        for _ in 0..4 {
            let Some(sign) = self.rest.next_if(char::is_ascii_hexdigit) else { break };
            let digit = sign.to_digit(16).and_then(|digit| u16::try_from(digit).ok());
            unit = unit.wrapping_mul(16).wrapping_add(digit.unwrap_or_default());
        }
        unit
    }
}
