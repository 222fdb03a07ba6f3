//! `find`: starting points, tests, printing actions, and readers of the table behind `-exec`. Every primary that removes or
//! writes is unknown here.

use crate::read_only::known::Known;
use crate::read_only::options::{self, Proof};
use crate::read_only::{patterns, table};

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

/// Of these the ones whose argument says which names are taken, and those that say it in another way.
const BY_NAME: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"];
const BY_EXPRESSION: &[&str] = &["-regex", "-iregex", "-lname", "-ilname"];

/// The primary that runs a command, and what stands in it for a file.
const EXEC: &str = "-exec";
const FILE: &str = "{}";

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

/// Proves a call of `find`.
pub(crate) fn prove(words: &[&str]) -> Result<Proof, String> {
    let words = match words {
        ["-P" | "-H", rest @ ..] => rest,
        words => words,
    };
    let is_expression = |word: &&str| word.starts_with('-') || matches!(*word, "!" | "(" | ")" | ",");
    let count = words.iter().take_while(|word| !is_expression(word)).count();
    let (starts, expression) = words.split_at(count);
    let mut paths = starts.to_vec();
    if paths.is_empty() {
        paths.push(".");
    }
    let starts = paths.clone();
    let (mut proof, mut names) = (Proof { looks: true, ..Proof::default() }, Vec::new());
    let mut rest = expression.iter();
    while let Some(&primary) = rest.next() {
        if ALONE.contains(&primary) {
            continue;
        }
        if primary == EXEC {
            let words = rest.as_slice();
            let end = words.iter().position(|word| matches!(*word, ";" | "+"));
            let end = end.ok_or("`find -exec` does not end")?;
            let run = run_on(words.get(..end).unwrap_or_default(), &starts)?;
            rest = words.get(end + 1..).unwrap_or_default().iter();
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
        if BY_NAME.contains(&primary) {
            names.push(argument.rsplit('/').next().unwrap_or(argument).to_owned());
        } else if BY_EXPRESSION.contains(&primary) && expression.contains(&EXEC) {
            return Err(format!("`find {primary}` chooses the files of `-exec` in a way that is not read"));
        }
    }
    for path in Proof::reading(paths)?.reads {
        if !proof.reads.contains(&path) {
            proof.reads.push(path);
        }
    }
    if !proof.looks {
        proof.names.extend(names);
    }
    Ok(proof)
}

/// What a reader of the table reads of all files below the starting points. Their names begin like these, so that none is an
/// option.
fn run_on(words: &[&str], starts: &[&str]) -> Result<Proof, String> {
    let (name, arguments) = words.split_first().ok_or("`find -exec` has no command")?;
    let reader = table::lookup(name).filter(|reader| patterns::takes_any_number(reader.operands));
    let reader = reader.ok_or_else(|| format!("`find -exec {name}` is not in the read-only table"))?;
    let [arguments @ .., file] = arguments else {
        return Err("`find -exec` has no `{}` at its end".to_owned());
    };
    if *file != FILE || arguments.iter().any(|word| word.contains(FILE)) {
        return Err("`find -exec` has no `{}` at its end, or another one".to_owned());
    }
    let mut all = Proof { looks: true, ..Proof::default() };
    for start in starts {
        let of_start: Vec<&str> = arguments.iter().chain([start]).copied().collect();
        let proof = options::prove(reader, &of_start)?;
        all.looks &= proof.looks;
        all.reads.extend(proof.reads);
        all.names.extend(proof.names);
    }
    Ok(all)
}
