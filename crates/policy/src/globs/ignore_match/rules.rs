//! Lines of gitignore(5), asked about one path. What one of the readings ignores is forbidden: by bytes as git, or by
//! characters; with braces as the signs that they are to git, or as the alternatives that they are in scopes.

use bailiwick_domain::RepoPath;

use crate::globs::glob::{Case, Kind, Pattern, Reading, TooComplex, Unit, pattern, spelled};
use crate::globs::scope_match::expand_braces;

/// The lines of a section.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    lines: Vec<String>,
    worlds: Vec<World>,
    /// Whether the two readings may differ whatever the path is.
    is_wide: bool,
}

/// All lines in one reading of braces and case.
#[derive(Clone, Debug)]
struct World {
    units: &'static [Unit],
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    line: usize,
    re_includes: bool,
    directories_only: bool,
    pattern: Pattern,
}

impl Rules {
    /// Reads lines that are neither blank nor comments.
    ///
    /// # Errors
    /// Why one of them is no rule.
    pub(super) fn new(lines: &[String], folds_case: bool) -> Result<Self, String> {
        let cases: &[(Case, &'static [Unit])] = if folds_case {
            &[(Case::FoldsAsGit, &[Unit::Byte]), (Case::Folds, &[Unit::Character])]
        } else {
            &[(Case::Counts, &[Unit::Byte, Unit::Character])]
        };
        let has_braces = lines.iter().any(|line| line.contains(['{', '}']));
        let mut worlds = Vec::new();
        for (case, units) in cases {
            for expands in [false, true] {
                if has_braces || !expands {
                    worlds.push(World::new(lines, *case, units, expands)?);
                }
            }
        }
        let is_wide = folds_case || !lines.iter().all(|line| line.is_ascii());
        Ok(Self { lines: lines.to_vec(), worlds, is_wide })
    }

    /// The line that forbids a path, if one does.
    pub(super) fn forbidding(&self, path: &RepoPath) -> Result<Option<&str>, TooComplex> {
        let path = path.as_str();
        let counts = |unit: Unit| self.is_wide || unit == Unit::Byte || !path.is_ascii();
        for world in &self.worlds {
            for unit in world.units.iter().copied().filter(|unit| counts(*unit)) {
                if let Some(line) = world.forbidding(path, unit)? {
                    return Ok(self.lines.get(line).map(String::as_str));
                }
            }
        }
        Ok(None)
    }
}

impl World {
    fn new(lines: &[String], case: Case, units: &'static [Unit], expands: bool) -> Result<Self, String> {
        let mut rules = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let (re_includes, body) = parts(line);
            let bodies = if expands { expand_braces(body)? } else { vec![body.to_owned()] };
            for body in bodies {
                let (body, directories_only) =
                    body.strip_suffix('/').map_or((body.as_str(), false), |body| (body, true));
                for pattern in read(body, case)? {
                    rules.push(Rule { line: number, re_includes, directories_only, pattern });
                }
            }
        }
        Ok(Self { units, rules })
    }

    /// Goes down to the path: what lies below an ignored directory is ignored, whatever the lines say of it. Whether the
    /// path itself is a directory is not known here, and doubt forbids.
    fn forbidding(&self, path: &str, unit: Unit) -> Result<Option<usize>, TooComplex> {
        let may_match: Vec<&Rule> = self.rules.iter().filter(|rule| rule.pattern.may_match(path)).collect();
        let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at)).map(|above| (above, true));
        for (path, is_directory) in above.chain([(path, true), (path, false)]) {
            if let Some(line) = ignoring(&may_match, path, is_directory, unit)? {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }
}

/// The line that ignores, where the last one that says something does.
fn ignoring(
    rules: &[&Rule],
    path: &str,
    is_directory: bool,
    unit: Unit,
) -> Result<Option<usize>, TooComplex> {
    for rule in rules.iter().rev().filter(|rule| is_directory || !rule.directories_only) {
        if rule.pattern.is_match(path, unit)? {
            return Ok((!rule.re_includes).then_some(rule.line));
        }
    }
    Ok(None)
}

/// Whether a line re-includes, and its pattern.
fn parts(line: &str) -> (bool, &str) {
    let line = without_blanks(line);
    line.strip_prefix('!').map_or((false, line), |body| (true, body))
}

/// The globs of a line's pattern without the `/` at its end.
fn read(body: &str, case: Case) -> Result<Vec<Pattern>, String> {
    let of = if body.contains('/') { Kind::Path } else { Kind::Name };
    let text = body.strip_prefix('/').unwrap_or(body);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let reading = Reading { of, case };
    let depth = if of == Kind::Name { "**/" } else { "" };
    // No path ends with a `/`, so `**//` says nothing to git; the library takes what is left of it for everything.
    let texts = spelled(text, reading)?.into_iter().filter(|text| text != "**/");
    Ok(texts.map(|text| pattern(format!("{depth}{text}"), reading)).collect())
}

/// The line without the blanks at its end, but for one behind a back-slash.
pub(super) fn without_blanks(line: &str) -> &str {
    let mut end = 0;
    let mut escaped = false;
    for (at, sign) in line.char_indices() {
        if escaped || sign != ' ' {
            end = at + sign.len_utf8();
        }
        escaped = !escaped && sign == '\\';
    }
    line.get(..end).unwrap_or(line)
}

/// Why a line is no rule.
pub(super) fn check_rule(line: &str) -> Result<(), String> {
    if line.contains('\0') {
        return Err("the line holds a NUL character".to_owned());
    }
    if line.starts_with('#') || !line.contains(['[', '{', '}', '\\']) {
        return Ok(());
    }
    let lines = [line.to_owned()];
    Rules::new(&lines, false).map(drop).map_err(|why| format!("`{line}` is not a rule: {why}"))
}

#[cfg(test)]
mod tests {
    use super::without_blanks;

    #[test]
    fn blanks_at_the_end_go_but_for_one_behind_a_back_slash() {
        for (line, expected) in [
            ("a", "a"),
            ("a ", "a"),
            ("a b  ", "a b"),
            (r"a\ ", r"a\ "),
            (r"a\  ", r"a\ "),
            (r"a\\ ", r"a\\"),
            ("  ", ""),
        ] {
            assert_eq!(without_blanks(line), expected, "{line:?}");
        }
    }
}
