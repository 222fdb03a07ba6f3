//! `find … -exec READER … {} +`: a reader of the table over the files that were found.
//!
//! A reader that shows what is in them counts like a search over the folders. It may be told which files by their names, but not
//! every other file than some: so one could ask for a secret without its name.

use crate::read_only::options::{self, Proof};
use crate::read_only::{patterns, table};

/// The primary that runs a command, and what stands in it for a file.
pub(crate) const EXEC: &str = "-exec";
pub(super) const FILE: &str = "{}";

/// Stands for a file while its place among the words is looked for. What was found begins like a starting point, so that it is no
/// option.
const ONE: &str = "./one of the files";

/// Primaries that say which names are taken.
const BY_NAME: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"];

/// Further ones that may choose, each with an argument.
const ALSO: &[&str] = &["-maxdepth", "-mindepth"];

/// Readers that show how much is in a file, and not what.
const COUNTS: &[&str] = &["wc"];

/// Whether a command shows how much is in a file, and nothing else of it.
pub(super) fn only_counts(words: &[&str]) -> bool {
    words.first().is_some_and(|name| COUNTS.contains(name))
}

/// The words of the command behind an `-exec`, up to its end.
pub(super) fn taken<'a>(rest: &mut std::slice::Iter<'_, &'a str>) -> Result<Vec<&'a str>, String> {
    let words = rest.as_slice();
    let end = words.iter().position(|word| matches!(*word, ";" | "+")).ok_or("`find -exec` does not end")?;
    *rest = words.get(end + 1..).unwrap_or_default().iter();
    Ok(words.get(..end).unwrap_or_default().to_vec())
}

/// What such a command reads below the starting points.
pub(super) fn run_on(words: &[&str], starts: &[&str]) -> Result<Proof, String> {
    let (name, arguments) = words.split_first().ok_or("`find -exec` has no command")?;
    let reader = table::lookup(name).filter(|reader| patterns::takes_any_number(reader.operands));
    let reader = reader.ok_or_else(|| format!("`find -exec {name}` is not in the read-only table"))?;
    let refused = || Err("`{}` is not read as a file at the end of `find -exec`".to_owned());
    let [arguments @ .., FILE] = arguments else { return refused() };
    if arguments.iter().any(|word| word.contains(FILE)) {
        return refused();
    }
    let with_one: Vec<&str> = arguments.iter().chain([&ONE]).copied().collect();
    let proof = options::prove(reader, &with_one)?;
    // Else it is a script, or the value of an option.
    if proof.reads.iter().filter(|path| *path == ONE).count() != 1 {
        return refused();
    }
    let others = proof.reads.iter().filter(|path| *path != ONE).cloned();
    let reads = starts.iter().map(ToString::to_string).chain(others).collect();
    let looks = proof.looks || COUNTS.contains(name);
    Ok(Proof { reads, looks, shows: Vec::new(), ..proof })
}

/// The names by which the files are chosen, where those are chosen plainly: regular files, by what they are called.
pub(super) fn chosen(expression: &[&str]) -> Result<Vec<String>, String> {
    let unread = |primary: &str| {
        Err(format!("`find {primary}` chooses the files of `-exec` in a way that is not read"))
    };
    let (mut names, mut depth, mut is_file, mut negated) = (Vec::new(), 0_usize, false, false);
    let mut rest = expression.iter();
    while let Some(&primary) = rest.next() {
        let was_negated = std::mem::take(&mut negated);
        match primary {
            "(" if !was_negated => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "!" | "-not" if !was_negated => negated = true,
            "-o" | "-or" if depth > 0 => {}
            "-a" | "-and" | "-print" | "-print0" => {}
            "-type" => is_file |= rest.next() == Some(&"f") && depth == 0 && !was_negated,
            EXEC if depth == 0 && is_file && !was_negated => _ = taken(&mut rest)?,
            EXEC if !is_file => {
                return Err("`find -exec` needs `-type f` before it: else it also shows what links lead to"
                    .to_owned());
            }
            primary if BY_NAME.contains(&primary) => {
                let pattern = rest.next().copied().unwrap_or_default();
                let is_path = !matches!(primary, "-name" | "-iname");
                let is_plain = match was_negated {
                    true => is_path && is_exclusion(pattern),
                    false => !pattern.contains(['[', '\\', '?']) && (!is_path || leads_down(pattern)),
                };
                if !is_plain {
                    return unread(primary);
                }
                if !was_negated {
                    names.push(pattern.rsplit('/').next().unwrap_or(pattern).to_owned());
                }
            }
            primary if ALSO.contains(&primary) && !was_negated => _ = rest.next(),
            primary => return unread(primary),
        }
    }
    Ok(names)
}

/// Whether a pattern leaves out all below folders of one name, and nothing else: `*/target/*`, `./out/*`.
fn is_exclusion(pattern: &str) -> bool {
    let behind = pattern.strip_prefix("*/").or_else(|| pattern.strip_prefix("./"));
    let folders = behind.and_then(|behind| behind.strip_suffix("/*"));
    folders.is_some_and(|folders| !folders.is_empty() && !folders.contains(['*', '?', '[', '\\']))
}

/// Whether a pattern asks for no hidden folder, and for files by the end of their names alone: its `*` also stands for folders.
fn leads_down(pattern: &str) -> bool {
    let (folders, last) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let is_open = |part: &str| {
        matches!(part, "" | "." | "*") || (part.starts_with(char::is_alphanumeric) && !part.contains('*'))
    };
    folders.split('/').all(is_open) && !last.strip_prefix('*').unwrap_or(last).contains('*')
}
