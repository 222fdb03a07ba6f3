//! Grants on the screen: the line of bounds that is edited before one is given, and the choice of one to revoke.

use std::time::Instant;

use bailiwick_domain::{Answer, ApprovalId, GrantBounds, GrantId, GrantLimits, OwnedScope};

use super::{Effect, Key, Mode, Model};

impl Model {
    /// Begins a grant in answer to the shown request, with what it offers.
    pub(super) fn offer(&mut self, at: Instant) {
        let Some(item) = self.shown() else { return };
        let (id, offer) = (item.id().clone(), item.offer().cloned());
        match offer {
            Some(offer) => {
                self.mode = Mode::Granting(id, line_of(&offer));
                self.shown_since = Some(at);
            }
            None => self.note = Some("no grant can answer this request".to_owned()),
        }
    }

    /// Edits the line of bounds; only Enter on valid bounds, and no slip, grants.
    pub(super) fn grant(&mut self, id: ApprovalId, mut text: String, key: Key, at: Instant) -> Vec<Effect> {
        match key {
            Key::Enter if self.slipped(at) => self.note = Some(super::TOO_FAST.to_owned()),
            Key::Enter => match bounds_of(&text) {
                Ok(bounds) => {
                    return vec![Effect::Answer(id, Answer::Grant { by: self.by.clone(), bounds })];
                }
                Err(why) => self.note = Some(why),
            },
            Key::Escape => {
                self.note = Some("nothing is granted".to_owned());
                return Vec::new();
            }
            Key::Backspace => drop(text.pop()),
            Key::Char(c) if !c.is_control() => text.push(c),
            _ => {}
        }
        self.mode = Mode::Granting(id, text);
        Vec::new()
    }

    /// Lists the live grants, to take one back.
    pub(super) fn list_grants(&mut self) {
        if self.grants.is_empty() {
            self.note = Some("no grant is live".to_owned());
        } else {
            self.mode = Mode::Revoking(self.grants.iter().map(|grant| grant.id).take(9).collect());
        }
    }

    /// A digit revokes the grant of that place in the list.
    pub(super) fn revoke(&mut self, ids: &[GrantId], key: Key) -> Vec<Effect> {
        let digit = if let Key::Char(c) = key { c.to_digit(10) } else { None };
        let place = digit.and_then(|digit| usize::try_from(digit).ok()?.checked_sub(1));
        match place.and_then(|place| ids.get(place)) {
            Some(id) => vec![Effect::Revoke(*id)],
            None => {
                self.note = Some("nothing is revoked".to_owned());
                Vec::new()
            }
        }
    }
}

/// Bounds as the line that a person edits.
fn line_of(bounds: &GrantBounds) -> String {
    let limits = bounds.limits();
    let mut line = format!(
        "files {} lines {} lines-per-call {} calls {} minutes {}",
        limits.max_files,
        limits.max_lines,
        limits.max_lines_per_call,
        limits.max_calls,
        limits.seconds.div_ceil(60)
    );
    for pattern in limits.paths.patterns() {
        line.push_str(&format!(" path {}", pattern.as_str()));
    }
    line
}

/// The bounds that a line says; each limit must be there once, so that none is meant that is not shown.
fn bounds_of(line: &str) -> Result<GrantBounds, String> {
    let (mut numbers, mut paths) = (std::collections::BTreeMap::new(), Vec::new());
    let mut words = line.split_whitespace();
    while let Some(name) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{name}` says nothing"))?;
        if name == "path" {
            paths.push(value);
            continue;
        }
        let number: u32 = value.parse().map_err(|_| format!("`{value}` is not a number"))?;
        if numbers.insert(name, number).is_some() {
            return Err(format!("`{name}` is given twice"));
        }
    }
    let mut taken = |name: &str| numbers.remove(name).ok_or_else(|| format!("`{name}` is missing"));
    let limits = GrantLimits {
        paths: OwnedScope::parse(paths).map_err(|error| error.to_string())?,
        max_files: taken("files")?,
        max_lines: taken("lines")?,
        max_lines_per_call: taken("lines-per-call")?,
        max_calls: taken("calls")?,
        seconds: taken("minutes")?.saturating_mul(60),
    };
    match numbers.keys().next() {
        Some(unknown) => Err(format!("`{unknown}` is not a bound")),
        None => GrantBounds::new(limits).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{bounds_of, line_of};
    use bailiwick_domain::GrantBounds;

    // D-02
    #[test]
    fn the_line_says_exactly_the_bounds() {
        let offer = GrantBounds::default();
        assert_eq!(bounds_of(&line_of(&offer)), Ok(offer.clone()));
        let narrow = bounds_of(&format!("{} path src/auth/ path !src/auth/old/", line_of(&offer))).unwrap();
        assert_eq!(narrow.limits().paths.patterns().len(), 2);
        assert_eq!(bounds_of(&line_of(&narrow)), Ok(narrow));
    }

    // D-02: what cannot be understood grants nothing
    #[test]
    fn a_line_that_is_not_understood_is_no_bounds() {
        let whole = "files 1 lines 2 lines-per-call 2 calls 1 minutes 1";
        assert!(bounds_of(whole).is_ok());
        for line in [
            "",
            "files 1",
            "files 0 lines 2 lines-per-call 2 calls 1 minutes 1",
            "files 1 lines 2 lines-per-call 2 calls 1 minutes 31",
            "files 1 lines 2 lines-per-call 2 calls 1 minutes 99999999999",
            "files 1 files 2 lines 2 lines-per-call 2 calls 1 minutes 1",
            &format!("{whole} days 3"),
            &format!("{whole} path"),
            &format!("{whole} path !src/"),
            &format!("{whole} files"),
        ] {
            assert!(bounds_of(line).is_err(), "{line}");
        }
    }
}
