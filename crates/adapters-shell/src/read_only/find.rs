//! `find`: starting points, tests, printing actions, and readers of the table behind `-exec`. Every primary that removes or
//! writes is unknown here.

mod exec;
pub(crate) mod xargs;

pub(crate) use exec::EXEC;

use crate::read_only::known::Known;
use crate::read_only::options::Proof;

/// Primaries with one argument.
const WITH_ARGUMENT: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-maxdepth",
    "-mindepth",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-perm",
    "-links",
    "-inum",
    "-fstype",
    "-lname",
    "-ilname",
    "-newermt",
    "-printf",
];

/// Primaries whose argument is a file that is looked at.
const WITH_PATH: &[&str] = &["-newer", "-anewer", "-cnewer", "-samefile"];

/// Primaries and operators without an argument.
const ALONE: &[&str] = &[
    "-print",
    "-print0",
    "-ls",
    "-empty",
    "-readable",
    "-writable",
    "-executable",
    "-nouser",
    "-nogroup",
    "-prune",
    "-quit",
    "-depth",
    "-mount",
    "-xdev",
    "-noleaf",
    "-daystart",
    "-true",
    "-false",
    "-not",
    "-and",
    "-a",
    "-or",
    "-o",
    "!",
    "(",
    ")",
];

/// Its primaries.
pub(crate) fn known() -> Known {
    let long = WITH_ARGUMENT
        .iter()
        .chain(WITH_PATH)
        .map(|name| format!("{name}="))
        .chain(ALONE.iter().map(ToString::to_string));
    Known { start: "find".to_owned(), flags: String::new(), valued: String::new(), long: long.collect() }
}

/// The words of a call: where it starts, and what it looks for.
struct Split<'w, 'a> {
    starts: &'w [&'a str],
    expression: &'w [&'a str],
}

fn split<'w, 'a>(words: &'w [&'a str]) -> Split<'w, 'a> {
    let words = match words {
        ["-P" | "-H", rest @ ..] => rest,
        words => words,
    };
    let is_expression = |word: &&str| word.starts_with('-') || matches!(*word, "!" | "(" | ")" | ",");
    let count = words.iter().take_while(|word| !is_expression(word)).count();
    let (starts, expression) = words.split_at(count);
    Split { starts, expression }
}

/// Whether nothing that runs gets anything but files, or anything but folders: a link leads elsewhere.
fn is_typed(expression: &[&str]) -> bool {
    let (mut depth, mut typed, mut negated) = (0_usize, false, false);
    let mut rest = expression.iter();
    while let Some(&primary) = rest.next() {
        let was_negated = std::mem::take(&mut negated);
        match primary {
            EXEC => return typed,
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "!" | "-not" => negated = !was_negated,
            "-o" | "-or" | "," if depth == 0 => return false,
            "-type" => typed |= matches!(rest.next(), Some(&("f" | "d"))) && depth == 0 && !was_negated,
            primary if WITH_ARGUMENT.contains(&primary) || WITH_PATH.contains(&primary) => _ = rest.next(),
            _ => {}
        }
    }
    typed
}

/// Proves a call of `find`.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    let Split { starts, expression } = split(words);
    let mut paths = starts.to_vec();
    if paths.is_empty() {
        paths.push(".");
    }
    let starts = paths.clone();
    let mut proof = Proof { looks: true, ..Proof::default() };
    let mut rest = expression.iter();
    while let Some(&primary) = rest.next() {
        if ALONE.contains(&primary) {
            continue;
        }
        if primary == EXEC {
            let command = exec::taken(&mut rest)?;
            let run = exec::run_on(&command, &starts)?;
            if run.looks && !exec::only_counts(&command) && !is_typed(expression) {
                return Err(
                    "`find -exec` needs `-type f` or `-type d` before it: else it also shows what links lead to"
                        .to_owned(),
                );
            }
            proof.looks &= run.looks;
            proof.reads.extend(run.reads);
            proof.names.extend(run.names);
            continue;
        }
        let takes_path = WITH_PATH.contains(&primary);
        if !takes_path && !WITH_ARGUMENT.contains(&primary) {
            return Err(format!("`find {primary}` is not in the read-only table"));
        }
        let argument = *rest.next().ok_or_else(|| format!("`find {primary}` lacks its argument"))?;
        if takes_path {
            paths.push(argument);
        }
    }
    for path in Proof::reading(paths)?.reads {
        if !proof.reads.contains(&path) {
            proof.reads.push(path);
        }
    }
    if !proof.looks {
        proof.names.extend(exec::chosen(expression)?);
    }
    Ok(proof)
}
