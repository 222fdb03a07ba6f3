//! Lines of gitignore(5), asked about one path. What one of the readings ignores is forbidden: by bytes as git, or by
//! characters; with braces as the signs that they are to git, or as the alternatives that they are in scopes.

use bailiwick_domain::RepoPath;

use crate::glob::{Pattern, Reading, Unit};
use crate::scope_match::expand_braces;

/// The lines of a section.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    worlds: Vec<World>,
    folds_case: bool,
    /// Whether a line holds more than ASCII, so that bytes and characters may differ whatever the path is.
    is_wide: bool,
}

/// All lines in one reading.
#[derive(Clone, Debug)]
struct World {
    unit: Unit,
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    line: String,
    re_includes: bool,
    directories_only: bool,
    /// Whether only the last name of a path is compared.
    by_name: bool,
    pattern: Pattern,
}

impl Rules {
    /// Reads lines that are neither blank nor comments.
    pub(super) fn new(lines: &[String], folds_case: bool) -> Result<Self, String> {
        let mut worlds = Vec::new();
        let has_braces = lines.iter().any(|line| line.contains('{'));
        for unit in [Unit::Byte, Unit::Character] {
            for expands in [false, true] {
                if has_braces || !expands {
                    let reading = Reading { unit, folds_case, as_git: true };
                    worlds.push(World { unit, rules: read_all(lines, reading, expands)? });
                }
            }
        }
        Ok(Self { worlds, folds_case, is_wide: !lines.iter().all(|line| line.is_ascii()) })
    }

    /// The line that forbids a path, if one does.
    pub(super) fn forbidding(&self, path: &RepoPath) -> Option<&str> {
        let path = path.as_str();
        let counts = |world: &&World| self.is_wide || world.unit == Unit::Byte || !path.is_ascii();
        self.worlds.iter().filter(counts).find_map(|world| world.forbidding(path, self.folds_case))
    }
}

impl World {
    /// Goes down to the path: what lies below an ignored directory is ignored, whatever the lines say of it.
    fn forbidding(&self, path: &str, folds_case: bool) -> Option<&str> {
        let folded = if !folds_case {
            path.to_owned()
        } else if self.unit == Unit::Byte {
            path.to_ascii_lowercase()
        } else {
            path.to_lowercase()
        };
        let signs = self.unit.split(&folded);
        let slashes = signs.iter().enumerate().filter(|(_, sign)| **sign == u32::from('/')).map(|(at, _)| at);
        let directories = slashes.chain([signs.len()]).map(|end| (end, true));
        directories.chain([(signs.len(), false)]).find_map(|(end, is_directory)| {
            let last = self.last_match(signs.get(..end).unwrap_or_default(), is_directory)?;
            (!last.re_includes).then_some(last.line.as_str())
        })
    }

    /// The last line that says something of a path.
    fn last_match(&self, path: &[u32], is_directory: bool) -> Option<&Rule> {
        let name = path.rsplit(|sign| *sign == u32::from('/')).next().unwrap_or_default();
        let says = |rule: &&Rule| {
            (is_directory || !rule.directories_only)
                && rule.pattern.matches(if rule.by_name { name } else { path })
        };
        self.rules.iter().rev().find(says)
    }
}

fn read_all(lines: &[String], reading: Reading, expands: bool) -> Result<Vec<Rule>, String> {
    let mut rules = Vec::new();
    for line in lines {
        let (re_includes, body) = parts(line);
        let bodies = if expands { expand_braces(body)? } else { vec![body.to_owned()] };
        for body in bodies {
            rules.extend(read(line, re_includes, &body, reading)?);
        }
    }
    Ok(rules)
}

/// Whether a line re-includes, and its pattern.
fn parts(line: &str) -> (bool, &str) {
    let line = without_blanks(line);
    line.strip_prefix('!').map_or((false, line), |body| (true, body))
}

fn read(line: &str, re_includes: bool, body: &str, reading: Reading) -> Result<Option<Rule>, String> {
    let (body, directories_only) = body.strip_suffix('/').map_or((body, false), |body| (body, true));
    let by_name = !body.contains('/');
    let pattern = body.strip_prefix('/').unwrap_or(body);
    if pattern.is_empty() {
        return Ok(None);
    }
    // A line that git takes for a pattern of nothing is one here too.
    let pattern = match Pattern::new(pattern, reading) {
        Ok(pattern) => pattern,
        Err(_) if reading.unit == Unit::Byte => return Ok(None),
        Err(why) => return Err(why),
    };
    Ok(Some(Rule { line: line.to_owned(), re_includes, directories_only, by_name, pattern }))
}

/// The line without the blanks at its end, but for one behind a back-slash.
fn without_blanks(line: &str) -> &str {
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
    let reading = Reading { unit: Unit::Character, folds_case: false, as_git: true };
    let lines = [line.to_owned()];
    let read = read_all(&lines, reading, false).and_then(|_| read_all(&lines, reading, true));
    read.map(drop).map_err(|why| format!("`{line}` is not a rule: {why}"))
}
