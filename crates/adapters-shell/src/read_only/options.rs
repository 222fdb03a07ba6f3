//! Checks the options and operands of a command against its entry in the table.
//!
//! Options are matched exactly: an abbreviation that a program would accept is refused, for `--o` may be `--output`.

use bailiwick_domain::Listed;

use crate::read_only::known::Known;
use crate::read_only::searched::{self, EXCLUDES, GLOBS, INCLUDES, KINDS};

/// What a proved command reads.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Proof {
    /// Files that it shows whole.
    pub(crate) shows: Vec<String>,
    /// Every path that it reads.
    pub(crate) reads: Vec<String>,
    /// Patterns that a shell replaces by the files that they name.
    pub(crate) patterns: Vec<String>,
    /// File patterns that it searches by.
    pub(crate) names: Vec<String>,
    /// Paths that must be no folders.
    pub(crate) files: Vec<String>,
    /// Whether some of the paths may count from the top of the working copy.
    pub(crate) from_top: bool,
    /// Folders to which git moves before it reads.
    pub(crate) git_in: Vec<String>,
    /// Whether it looks at these paths from outside alone, and never into a file.
    pub(crate) looks: bool,
    /// Folders whose files `xargs` gets by their names.
    pub(crate) listed: Option<Listed>,
}

impl Proof {
    /// A command that reads these paths; `-` is its input, not a path.
    pub(crate) fn reading<'a>(paths: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let reads: Vec<String> = paths.into_iter().filter(|path| *path != "-").map(str::to_owned).collect();
        if reads.iter().any(String::is_empty) {
            return Err("a path is empty".to_owned());
        }
        Ok(Self { reads, ..Self::default() })
    }
}

/// What may stand besides the options.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operands {
    /// Nothing.
    None,
    /// Text that names no file.
    Text,
    /// Formats that start with `+`; anything else would set the clock.
    Moment,
    /// Paths that are read.
    Paths {
        /// One more would be written to.
        at_most: usize,
    },
    /// Paths of files: of folders it would show files that nobody named, also through links.
    Files,
    /// Paths whose whole content is shown.
    Shown,
    /// Paths, or the current directory.
    PathsOrHere,
    /// A pattern or script, then paths or the current directory.
    Script {
        /// Whether the script only prints; else the text at which it may do more.
        is_harmless: fn(&str) -> Result<(), &str>,
        /// Options that give the script, so that all operands are paths; one without a value means there is none.
        given_by: &'static [&'static str],
    },
}

/// One program.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    pub(crate) allowed: Allowed,
    pub(crate) operands: Operands,
    /// Whether it looks at files from outside alone.
    pub(crate) looks: bool,
    /// What else must be true of its words.
    pub(crate) check: fn(&Parsed<'_>) -> Result<(), String>,
}

/// Options in the order given, by their name without hyphens, and everything else.
#[derive(Debug, Default)]
pub(crate) struct Parsed<'a> {
    pub(crate) options: Vec<(&'a str, Option<&'a str>)>,
    pub(crate) operands: Vec<&'a str>,
    /// Whether an option, or `--`, stands behind an operand: some programs take it for one more operand.
    pub(crate) mixed: bool,
    /// Values in a word of their own of such options, which those programs take for operands, too.
    pub(crate) late: Vec<&'a str>,
}

impl<'a> Parsed<'a> {
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(name))
    }

    pub(crate) fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'a str> + 's {
        self.options.iter().filter(|(name, _)| names.contains(name)).filter_map(|(_, value)| *value)
    }
}

/// Which options a command may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// Letters that stand alone.
    pub(crate) flags: &'static str,
    /// Letters that take a value, in the same word or the next. `?` behind a letter: in the same word or none. `>` behind
    /// it: digits in the same word, else the next word, and the letters go on behind it. `<` behind it: in the same word, or
    /// in the next where the letter is alone in its own.
    pub(crate) valued: &'static str,
    /// Long names: `name` alone, `name=` with a value, `name?` with or without one in the same word, `name=?` with a value
    /// or at the end of the command, `name==` with two values.
    pub(crate) long: &'static [&'static str],
    /// Whether `-12` is an option. So it is harmless as the value of another, too.
    pub(crate) digits: bool,
}

/// Where a letter's value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    HereOrNext,
    HereOrNone,
    DigitsOrNext,
    HereOrNextAlone,
}

impl Allowed {
    fn value_of(&self, letter: char) -> Option<Value> {
        let (_, behind) = self.valued.split_once(letter)?;
        Some(match behind.chars().next() {
            Some('?') => Value::HereOrNone,
            Some('>') => Value::DigitsOrNext,
            Some('<') => Value::HereOrNextAlone,
            _ => Value::HereOrNext,
        })
    }

    /// The same for those who hold the tables against the programs, with further long options.
    pub(crate) fn describe(&self, start: String, further: &[&str]) -> Known {
        let long = self.long.iter().chain(further).map(ToString::to_string).collect();
        Known { start, flags: self.flags.to_owned(), valued: self.valued.replace(['?', '>', '<'], ""), long }
    }
}

/// Sorts words into options and operands; an option that is not allowed is an error.
pub(crate) fn parse<'a>(allowed: &Allowed, words: &[&'a str]) -> Result<Parsed<'a>, String> {
    parse_by(|_| *allowed, words)
}

/// The same where what is allowed hangs on the word.
pub(crate) fn parse_by<'a>(
    allowed: impl Fn(&str) -> Allowed,
    words: &[&'a str],
) -> Result<Parsed<'a>, String> {
    let mut parsed = Parsed::default();
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        let allowed = &allowed(word);
        parsed.mixed |= word.len() > 1 && word.starts_with('-') && !parsed.operands.is_empty();
        if word == "--" {
            parsed.operands.extend(rest);
            break;
        }
        let behind = rest.clone();
        if let Some(long) = word.strip_prefix("--") {
            long_option(allowed, long, &mut rest, &mut parsed)?;
        } else if word.len() > 1 && word.starts_with('-') {
            cluster(allowed, word, &mut rest, &mut parsed)?;
        } else {
            parsed.operands.push(word);
        }
        if !parsed.operands.is_empty() {
            let taken = behind.len() - rest.len();
            parsed.late.extend(behind.take(taken));
        }
    }
    Ok(parsed)
}

/// The name of an entry.
pub(crate) fn bare(entry: &str) -> &str {
    entry.trim_end_matches(['=', '?'])
}

fn long_option<'a>(
    allowed: &Allowed,
    long: &'a str,
    rest: &mut impl Iterator<Item = &'a str>,
    parsed: &mut Parsed<'a>,
) -> Result<(), String> {
    let refused = || format!("option `--{long}` is not in the read-only table");
    let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
    let entry = allowed.long.iter().find(|entry| bare(entry) == name).ok_or_else(refused)?;
    let value = match (entry.strip_prefix(name).unwrap_or_default(), value) {
        ("", None) => None,
        ("=" | "=?" | "?", Some(value)) => Some(value),
        ("?", None) => None,
        ("=", None) => Some(next_value(allowed, rest).ok_or_else(refused)?),
        ("=?", None) => rest
            .next()
            .map(|value| is_value(allowed, value).then_some(value).ok_or_else(refused))
            .transpose()?,
        ("==", None) => {
            parsed.options.push((name, Some(next_value(allowed, rest).ok_or_else(refused)?)));
            Some(next_value(allowed, rest).ok_or_else(refused)?)
        }
        _ => return Err(refused()),
    };
    parsed.options.push((name, value));
    Ok(())
}

/// The next word as a value. One that looks like an option is refused: a program that thinks the value optional would
/// take it as an option.
fn next_value<'a>(allowed: &Allowed, rest: &mut impl Iterator<Item = &'a str>) -> Option<&'a str> {
    rest.next().filter(|value| is_value(allowed, value))
}

fn is_value(allowed: &Allowed, word: &str) -> bool {
    word.strip_prefix('-').is_none_or(|behind| allowed.digits && is_number(behind))
}

pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn cluster<'a>(
    allowed: &Allowed,
    word: &'a str,
    rest: &mut impl Iterator<Item = &'a str>,
    parsed: &mut Parsed<'a>,
) -> Result<(), String> {
    let refused = || format!("option `{word}` is not in the read-only table");
    let letters = word.strip_prefix('-').unwrap_or(word);
    if allowed.digits && is_number(letters) {
        return Ok(());
    }
    let mut left = letters;
    while let Some(letter) = left.chars().next() {
        let (name, after) = left.split_at(letter.len_utf8());
        let (value, goes_on) = match allowed.value_of(letter) {
            None if allowed.flags.contains(letter) => (None, after),
            None => return Err(refused()),
            Some(Value::HereOrNone) => (Some(after).filter(|value| !value.is_empty()), ""),
            Some(Value::HereOrNext | Value::HereOrNextAlone) if !after.is_empty() => (Some(after), ""),
            Some(Value::HereOrNextAlone) if left.len() < letters.len() => return Err(refused()),
            Some(Value::HereOrNext | Value::HereOrNextAlone) => {
                (Some(next_value(allowed, rest).ok_or_else(refused)?), "")
            }
            Some(Value::DigitsOrNext) => match after.trim_start_matches(|sign: char| sign.is_ascii_digit()) {
                behind if behind.len() < after.len() => (after.get(..after.len() - behind.len()), behind),
                _ => (Some(next_value(allowed, rest).ok_or_else(refused)?), after),
            },
        };
        parsed.options.push((name, value));
        left = goes_on;
    }
    Ok(())
}

/// Proves a command that the table describes.
pub(crate) fn prove(reader: &Reader, words: &[&str]) -> Result<Proof, String> {
    let parsed = parse(&reader.allowed, words)?;
    (reader.check)(&parsed)?;
    let mut proof = of_operands(reader, &parsed)?;
    if !proof.reads.is_empty() && !ONE_EVERYWHERE.contains(&reader.name) {
        proof.reads.extend(parsed.late.iter().filter(|value| !value.is_empty()).map(ToString::to_string));
    }
    Ok(Proof { looks: reader.looks, ..proof })
}

/// Programs of which there is one, which takes options behind operands.
const ONE_EVERYWHERE: &[&str] = &["rg", "jq"];

fn of_operands(reader: &Reader, parsed: &Parsed<'_>) -> Result<Proof, String> {
    let operands = parsed.operands.as_slice();
    match reader.operands {
        Operands::None if operands.is_empty() => Ok(Proof::default()),
        Operands::None => Err(format!("`{}` takes no operand here", reader.name)),
        Operands::Text => Ok(Proof::default()),
        Operands::Moment if operands.iter().all(|operand| operand.starts_with('+')) => Ok(Proof::default()),
        Operands::Moment => Err(format!("`{}` may set the clock", reader.name)),
        Operands::Paths { at_most } if operands.len() > at_most => {
            Err(format!("`{}` may write to a further operand", reader.name))
        }
        Operands::Paths { at_most: 1 } if parsed.mixed => {
            Err(format!("an option of `{}` stands behind its operand", reader.name))
        }
        Operands::Paths { .. } => Proof::reading(operands.iter().copied()),
        Operands::Shown => {
            let proof = Proof::reading(operands.iter().copied())?;
            Ok(Proof { shows: proof.reads.clone(), ..proof })
        }
        Operands::PathsOrHere => paths_or_here(operands),
        Operands::Script { is_harmless, given_by } => {
            let mut scripts: Vec<&str> = parsed.values(given_by).collect();
            let mut paths = operands;
            if scripts.is_empty() && !parsed.has(given_by) {
                let (script, after) = operands.split_first().ok_or("a pattern or script is missing")?;
                scripts.push(script);
                paths = after;
            }
            if let Some(pattern) = parsed.values(EXCLUDES).find(|pattern| searched::leaves_the_rest(pattern))
            {
                return Err(format!("`{pattern}` may leave out all files but some"));
            }
            if parsed.has(searched::NAMES_ALONE) {
                return paths_or_here(paths);
            }
            if parsed.has(searched::HIDDEN) {
                return Err("what is hidden is shown with `--hidden`".to_owned());
            }
            let [includes, globs, kinds] = [INCLUDES, GLOBS, KINDS].map(|names| parsed.values(names));
            let names = searched::names_of(includes, globs, kinds)?;
            for script in scripts {
                is_harmless(script).map_err(|place| too_much(reader.name, script, place))?;
            }
            Ok(Proof { names, ..paths_or_here(paths)? })
        }
        Operands::Files => {
            let proof = Proof::reading(operands.iter().copied())?;
            Ok(Proof { files: proof.reads.clone(), ..proof })
        }
    }
}

/// How much of the text at which a script is refused is told.
const TOLD: usize = 16;

fn too_much(name: &str, script: &str, place: &str) -> String {
    let told: String = place.chars().take(TOLD).collect();
    let place = if told.is_empty() { "its end".to_owned() } else { format!("`{told}`") };
    format!("`{script}` is more than a plain script for `{name}`, which ends at {place}")
}

fn paths_or_here(operands: &[&str]) -> Result<Proof, String> {
    if operands.is_empty() { Proof::reading(["."]) } else { Proof::reading(operands.iter().copied()) }
}
