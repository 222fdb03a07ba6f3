//! What `.intentignore` takes away. The grammar is on the crate page.
//!
//! Rules only ever remove permission. Reading the files is an adapter's work.

mod rules;

use std::sync::OnceLock;

use bailiwick_domain::{Diagnostic, IgnoreFile, IntentId, RepoPath, WorkspacePath};

use crate::globs::wildcard;
use rules::{Rules, check_rule, without_blanks};

/// The rules of all ignore files.
///
/// ```
/// use bailiwick_domain::{IgnoreFile, IntentId, RepoPath};
/// use bailiwick_policy::ignore_match::IgnoreRules;
/// let text = "vendor/\n[INT-*] read\n/secret/**\n".to_owned();
/// let rules = IgnoreRules::parse(&[IgnoreFile { name: ".intentignore".to_owned(), text }]).unwrap();
/// let path = |text| RepoPath::new(text).unwrap();
/// let intent = IntentId::new("INT-001").unwrap();
/// assert!(rules.forbids(&path("vendor/a.c"), None, false, false).is_some());
/// assert!(rules.forbids(&path("vendor/a.c"), None, true, false).is_none());
/// assert!(rules.forbids(&path("secret/a"), Some(&intent), true, false).is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct IgnoreRules {
    sections: Vec<Section>,
}

#[derive(Clone, Debug, Default)]
struct Section {
    file: String,
    /// A pattern over intent ids; `None` binds every intent and none.
    header: Option<String>,
    reads: bool,
    lines: Vec<String>,
    exact: OnceLock<Option<Rules>>,
    folded: OnceLock<Option<Rules>>,
}

impl IgnoreRules {
    /// Reads the files; their rules add up.
    ///
    /// # Errors
    /// The first line that is neither a header nor a gitignore rule.
    pub fn parse(files: &[IgnoreFile]) -> Result<Self, Diagnostic> {
        let mut sections = Vec::new();
        for file in files {
            parse_file(file, &mut sections)?;
        }
        sections.retain(|section| !section.lines.is_empty());
        Ok(Self { sections })
    }

    /// The rule that forbids this path, if one does; `reading` asks only sections that forbid reading too.
    pub fn forbids(
        &self,
        path: &RepoPath,
        intent: Option<&IntentId>,
        reading: bool,
        folds_case: bool,
    ) -> Option<String> {
        let binding =
            self.sections.iter().filter(|section| section.binds(intent) && (section.reads || !reading));
        binding.into_iter().find_map(|section| section.forbids(path, folds_case))
    }

    /// The same of a place, by the name that it has and by the one that it was called.
    pub fn forbids_place(
        &self,
        place: &WorkspacePath,
        intent: Option<&IntentId>,
        reading: bool,
        folds_case: bool,
    ) -> Option<String> {
        let judge = |path: &RepoPath| self.forbids(path, intent, reading, folds_case);
        judge(&place.path).or_else(|| place.spelled.as_ref().and_then(judge))
    }
}

impl Section {
    fn binds(&self, intent: Option<&IntentId>) -> bool {
        match (&self.header, intent) {
            (None, _) => true,
            (Some(pattern), Some(id)) => wildcard::fits(pattern, id.as_str()),
            // `[*]` binds whoever works, also before a selection.
            (Some(pattern), None) => pattern == "*",
        }
    }

    fn forbids(&self, path: &RepoPath, folds_case: bool) -> Option<String> {
        let cell = if folds_case { &self.folded } else { &self.exact };
        let place =
            self.header.as_ref().map_or(self.file.clone(), |header| format!("[{header}] of {}", self.file));
        let rules = cell.get_or_init(|| Rules::new(&self.lines, folds_case).ok());
        match rules.as_ref().map(|rules| rules.forbidding(path)) {
            Some(Ok(found)) => found.map(|line| format!("`{line}` in {place}")),
            Some(Err(_)) | None => Some(format!("the rules of {place} cannot be compiled")),
        }
    }
}

fn parse_file(file: &IgnoreFile, sections: &mut Vec<Section>) -> Result<(), Diagnostic> {
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let mut section = Section { file: file.name.clone(), ..Section::default() };
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let problem = |message: String, fix: &str| Diagnostic {
            file: file.name.clone(),
            line: index + 1,
            column: 1,
            message,
            fix: fix.to_owned(),
            way_out: None,
        };
        match header(line).map_err(|(message, fix)| problem(message, fix))? {
            Some((pattern, reads)) => {
                let next =
                    Section { file: file.name.clone(), header: Some(pattern), reads, ..Section::default() };
                sections.push(std::mem::replace(&mut section, next));
            }
            None => {
                check_rule(line).map_err(|why| problem(why, "see gitignore(5); `\\` escapes a character"))?;
                if !(without_blanks(line).is_empty() || line.starts_with('#')) {
                    section.lines.push(line.to_owned());
                }
            }
        }
    }
    sections.push(section);
    Ok(())
}

type HeaderError = (String, &'static str);

/// Reads a header: `[pattern]` or `[pattern] read` on a line of its own. `Ok(None)` is an ordinary rule.
fn header(line: &str) -> Result<Option<(String, bool)>, HeaderError> {
    let Some(rest) = line.strip_prefix('[') else { return Ok(None) };
    let rest = rest.trim_end();
    let Some((inner, after)) = rest.split_once(']') else {
        return Err(("a `[` at the start of a line is not closed".to_owned(), "write `[INT-001]` or `\\[`"));
    };
    let reads = match after {
        "" => false,
        _ if after.trim_start() == "read" && after != "read" => true,
        _ if after.starts_with([' ', '\t']) || after.ends_with(']') => {
            return Err((
                format!("`{line}` is neither a header nor a rule"),
                "write `[INT-001]` or `[INT-001] read`",
            ));
        }
        _ => return Ok(None),
    };
    let pattern = inner.trim();
    let id_sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.' | '*' | '?');
    if pattern.is_empty() || !pattern.chars().all(id_sign) {
        return Err((
            format!("`[{inner}]` names no intent"),
            "write an id such as `[INT-001]`, or `[INT-*]`",
        ));
    }
    Ok(Some((pattern.to_owned(), reads)))
}
