//! Git's configuration files: every value that is in force in a repository, or may be.
//!
//! A condition of an `includeIf` counts as met, so more is seen than git would see, never less. Deliberately absent: the
//! environment, and what a value means (`obeys`).

use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

use crate::files::{is_absent, read_up_to};

/// How many files may be read, with all that they include.
const MOST_FILES: usize = 64;

/// The largest configuration file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// Section and name in lower case, without the part between: `filter.clean`.
    pub(crate) key: String,
    /// The part between, as it is written.
    pub(crate) subsection: Option<String>,
    /// The value; empty for a name that stands alone.
    pub(crate) value: String,
    /// Whether it has one.
    pub(crate) is_set: bool,
    /// The file that says so.
    pub(crate) file: PathBuf,
}

impl Setting {
    /// The whole name, as a person writes it.
    pub(crate) fn name(&self) -> String {
        match (&self.subsection, self.key.split_once('.')) {
            (Some(between), Some((section, name))) => format!("{section}.{between}.{name}"),
            _ => self.key.clone(),
        }
    }

    /// Whether git takes the value for a yes, a no or a number.
    pub(crate) fn is_plain(&self) -> bool {
        let value = self.value.to_ascii_lowercase();
        matches!(value.as_str(), "" | "true" | "false" | "yes" | "no" | "on" | "off" | "auto")
            || value.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether the value switches something on.
    pub(crate) fn is_on(&self) -> bool {
        let value = self.value.to_ascii_lowercase();
        !self.is_set || !matches!(value.as_str(), "" | "false" | "no" | "off" | "0")
    }
}

/// What these files say, and what they include, in the order in which git reads them. A file that is not there says
/// nothing.
///
/// # Errors
/// A file is there and cannot be read or understood: git may see more in it than we do.
pub(crate) fn read(files: &[PathBuf], home: Option<&Path>) -> Result<Vec<Setting>, String> {
    let mut settings = Vec::new();
    let mut waiting: Vec<PathBuf> = files.iter().rev().cloned().collect();
    let mut seen: Vec<PathBuf> = Vec::new();
    while let Some(file) = waiting.pop() {
        if seen.contains(&file) {
            continue;
        }
        if seen.len() == MOST_FILES {
            return Err(format!("git's configuration has more than {MOST_FILES} files"));
        }
        seen.push(file.clone());
        let found = read_one(&file)?;
        let includes = found.iter().filter(|setting| is_include(setting));
        waiting.extend(includes.filter_map(|setting| place(&setting.value, &file, home)));
        settings.extend(found);
    }
    Ok(settings)
}

fn read_one(file: &Path) -> Result<Vec<Setting>, String> {
    let bytes = match read_up_to(file, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(format!("{}: {error}", file.display())),
    };
    let text = String::from_utf8_lossy(&bytes);
    let settings = parse(&text).ok_or_else(|| format!("{} is not understood", file.display()))?;
    Ok(settings.into_iter().map(|setting| Setting { file: file.to_owned(), ..setting }).collect())
}

fn is_include(setting: &Setting) -> bool {
    matches!(setting.key.as_str(), "include.path" | "includeif.path") && !setting.value.is_empty()
}

/// Where an included file is: relative to the one that names it.
fn place(value: &str, named_by: &Path, home: Option<&Path>) -> Option<PathBuf> {
    match value.strip_prefix("~/") {
        Some(below) => home.map(|home| home.join(below)),
        None => named_by.parent().map(|folder| folder.join(value)),
    }
}

/// The settings of a text; `None` where git would stop at an error, or reads what this does not.
pub(crate) fn parse(text: &str) -> Option<Vec<Setting>> {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    let mut settings = Vec::new();
    let mut section: Option<(String, Option<String>)> = None;
    while let Some(&c) = rest.peek() {
        match c {
            '#' | ';' => while rest.next_if(|c| *c != '\n').is_some() {},
            '[' => section = Some(head(&mut rest)?),
            c if c.is_ascii_whitespace() => drop(rest.next()),
            c if c.is_ascii_alphabetic() => {
                let (name, subsection) = section.as_ref()?;
                let key = format!("{name}.{}", word(&mut rest).to_ascii_lowercase());
                let value = value(&mut rest)?;
                settings.push(Setting {
                    key,
                    subsection: subsection.clone(),
                    is_set: value.is_some(),
                    value: value.unwrap_or_default(),
                    file: PathBuf::new(),
                });
            }
            _ => return None,
        }
    }
    Some(settings)
}

/// `[section]`, `[section "between"]` or the old `[section.between]`.
fn head(rest: &mut Peekable<Chars<'_>>) -> Option<(String, Option<String>)> {
    rest.next_if_eq(&'[')?;
    let mut name = String::new();
    while let Some(c) = rest.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')) {
        name.push(c.to_ascii_lowercase());
    }
    let mut between = name.split_once('.').map(|(_, between)| between.to_owned());
    let section = name.split('.').next().unwrap_or_default().to_owned();
    while rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    if rest.next_if_eq(&'"').is_some() {
        let mut text = String::new();
        loop {
            match rest.next()? {
                '"' => break,
                '\n' => return None,
                '\\' => text.push(rest.next().filter(|c| *c != '\n')?),
                c => text.push(c),
            }
        }
        between = Some(between.map_or(text.clone(), |before| format!("{before}.{text}")));
    }
    rest.next_if_eq(&']')?;
    Some((section, between))
}

fn word(rest: &mut Peekable<Chars<'_>>) -> String {
    let mut word = String::new();
    while let Some(c) = rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
        word.push(c);
    }
    word
}

/// The value behind a name; `Some(None)` where the name stands alone.
fn value(rest: &mut Peekable<Chars<'_>>) -> Option<Option<String>> {
    while rest.next_if(|c| matches!(c, ' ' | '\t' | '\r')).is_some() {}
    match rest.peek() {
        None | Some('\n' | '#' | ';') => return Some(None),
        Some('=') => drop(rest.next()),
        Some(_) => return None,
    }
    let (mut text, mut quoted, mut kept) = (String::new(), false, 0);
    loop {
        let c = match rest.next() {
            None if quoted => return None,
            None | Some('\n') if !quoted => break,
            Some('\n') | None => return None,
            Some(c) => c,
        };
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '#' | ';' if !quoted => while rest.next_if(|c| *c != '\n').is_some() {},
            '"' => quoted = !quoted,
            '\\' => match rest.next()? {
                '\n' => {}
                '\r' if rest.next_if_eq(&'\n').is_some() => {}
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'b' => text.push('\u{8}'),
                c @ ('\\' | '"') => text.push(c),
                _ => return None,
            },
            c if c.is_ascii_whitespace() && !quoted && text.is_empty() => {}
            c => text.push(c),
        }
        if quoted || !c.is_ascii_whitespace() {
            kept = text.len();
        }
    }
    text.truncate(kept);
    Some(Some(text))
}
