//! `find … | xargs READER …`: a reader of the table over the files that `find` names.
//!
//! The names of `find` begin with a starting point, so none is an option. `xargs` takes names apart at blanks, quotes and
//! backslashes: whether a name there has one, the gate looks up; with `-print0` and `-0` none is taken apart. What is read counts as
//! behind `find -exec`.

use bailiwick_domain::Listed;

use super::{Split, exec, split};
use crate::read_only::options::Proof;
use crate::read_only::searched;

pub(crate) const PROGRAM: &str = "xargs";

/// Signs at which it takes a name apart, or which it takes out.
const TAKEN_APART: &[char] = &[' ', '\t', '\n', '\'', '"', '\\'];

/// Programs that print their words, or parts of them.
const PRINTS: &[&str] = &["basename", "dirname", "echo"];

/// Options with a number.
const NUMBERED: &[&str] = &["-n", "-P", "-L"];

/// A call of it: what stands for a name in its command, whether names end in a zero byte, and the command.
struct Call<'a> {
    place: Option<&'a str>,
    by_zero: bool,
    command: Vec<&'a str>,
}

/// Proves a call by its words and by the commands of its pipe before it, none of which gets a file as its input or tells errors
/// together with names.
pub(crate) fn prove(words: &[&str], pipe: &[Vec<&str>]) -> Result<Proof, String> {
    let call = Call::of(words)?;
    let Some((["find", find @ ..], filters)) =
        pipe.split_first().map(|(first, rest)| (first.as_slice(), rest))
    else {
        return Err("`xargs` is only read behind `find`".to_owned());
    };
    let Split { starts, expression } = split(find);
    let starts = if starts.is_empty() { &["."] } else { starts };
    if let Some(filter) = filters.iter().find(|filter| !passes_lines_on(filter)) {
        return Err(format!("`{}` may change the names that `xargs` gets", filter.join(" ")));
    }
    let by_zero = expression.contains(&"-print0");
    if call.by_zero != by_zero || (by_zero && !filters.is_empty()) {
        return Err("the names do not end as `xargs` takes them apart".to_owned());
    }
    if starts.iter().any(|start| start.starts_with('-') || start.contains(TAKEN_APART)) {
        return Err("`xargs` takes apart the name of a folder that stands before it".to_owned());
    }
    let mut proof = call.over(starts)?;
    // Where nothing is named, some programs read the folder that they run in.
    proof.reads.push(".".to_owned());
    let names = chosen(expression, proof.looks)?;
    if !proof.looks {
        let says_something = !names.is_empty() && !names.iter().any(|name| searched::says_nothing(name));
        let chooses =
            filters.iter().any(|filter| matches!(filter.first(), Some(&"grep" | &"head" | &"tail")));
        if chooses && !says_something {
            return Err("the files of `xargs` are chosen in a way that is not read".to_owned());
        }
        proof.names.extend(names);
    }
    if !by_zero {
        let below = starts.iter().map(ToString::to_string).collect();
        proof.listed = Some(Listed { below, without: left_out(expression, starts) });
    }
    Ok(proof)
}

impl<'a> Call<'a> {
    fn of(words: &[&'a str]) -> Result<Self, String> {
        let mut call = Self { place: None, by_zero: false, command: Vec::new() };
        let mut rest = words.iter();
        while let Some(&word) = rest.next() {
            let glued = NUMBERED.iter().find_map(|option| word.strip_prefix(option));
            match word {
                "-0" | "--null" => call.by_zero = true,
                "-r" | "--no-run-if-empty" => {}
                "-I" => call.place = Some(rest.next().copied().unwrap_or_default()),
                word if NUMBERED.contains(&word) => {
                    _ = rest.next().filter(|number| is_number(number)).ok_or("`xargs` lacks a number")?;
                }
                _ if glued.is_some_and(is_number) => {}
                word if word.starts_with("-I") => call.place = word.get(2..),
                word if word.starts_with('-') => {
                    return Err(format!("option `{word}` of `xargs` is not read"));
                }
                word => {
                    call.command = std::iter::once(word).chain(rest.copied()).collect();
                    break;
                }
            }
        }
        let is_place = |place: &str| matches!(place, "{}" | "%" | "@" | "FILE" | "F");
        match (call.command.is_empty(), call.place) {
            (true, _) => Err("`xargs` has no command".to_owned()),
            (_, Some(place)) if !is_place(place) => Err(format!("`{place}` of `xargs -I` is not read")),
            _ => Ok(call),
        }
    }

    /// What its command reads of the files below these.
    fn over(&self, starts: &[&str]) -> Result<Proof, String> {
        let (name, arguments) = self.command.split_first().ok_or("`xargs` has no command")?;
        if PRINTS.contains(name) && !arguments.iter().any(|word| word.starts_with('-') && *word != "-n") {
            return Ok(Proof { looks: true, ..Proof::reading(starts.iter().copied())? });
        }
        let behind = match self.place {
            Some(place) => {
                let [arguments @ .., last] = arguments else {
                    return Err(format!("`{name}` of `xargs -I` has no file"));
                };
                if *last != place || arguments.iter().any(|word| word.contains(place)) {
                    return Err(format!("`{place}` is not read as a file at the end of `xargs`"));
                }
                arguments
            }
            None => arguments,
        };
        let words: Vec<&str> = std::iter::once(name).chain(behind).chain([&exec::FILE]).copied().collect();
        exec::run_on(&words, starts).map_err(|why| why.replace("find -exec", PROGRAM))
    }
}

/// The names by which the files are chosen, where that is plain. Only what is shown must be no link.
fn chosen(expression: &[&str], looks: bool) -> Result<Vec<String>, String> {
    let run: &[&str] = if looks { &[] } else { &[exec::EXEC, "x", exec::FILE, "+"] };
    let expression: Vec<&str> = expression.iter().chain(run).copied().collect();
    exec::chosen(&expression).map_err(|why| why.replace("find -exec", PROGRAM).replace("`-exec`", "`xargs`"))
}

/// The folders in which no file is named: of `-not -path '*/target/*'`. What else an expression that is plainly chosen by says, is
/// said besides, unless it stands in brackets.
fn left_out(expression: &[&str], starts: &[&str]) -> Vec<String> {
    if expression.contains(&"(") {
        return Vec::new();
    }
    let from_here = starts.iter().all(|start| *start == ".");
    let folder = |pattern: &str| {
        let everywhere = pattern.strip_prefix("*/").and_then(|rest| rest.strip_suffix("/*"));
        let here = pattern.strip_prefix("./").and_then(|rest| rest.strip_suffix("/*")).filter(|_| from_here);
        let name = everywhere.or(here).filter(|name| is_folder_name(name))?;
        Some(if everywhere.is_some() { name.to_owned() } else { format!("./{name}") })
    };
    let left_out = expression.windows(3).filter_map(|words| match words {
        ["!" | "-not", "-path" | "-wholename", pattern] => folder(pattern),
        _ => None,
    });
    left_out.collect()
}

/// Whether a command prints some of the lines that it gets, and each as it is.
fn passes_lines_on(words: &[&str]) -> bool {
    let is_sign = |word: &&str, letters: &str| {
        word.strip_prefix('-')
            .is_some_and(|all| !all.is_empty() && all.chars().all(|one| letters.contains(one)))
    };
    match words {
        ["sort", rest @ ..] => rest.iter().all(|word| is_sign(word, "urnVhf")),
        ["uniq"] => true,
        ["head" | "tail", rest @ ..] => match rest {
            [] => true,
            ["-n", count] => is_number(count),
            [count] => count.strip_prefix("-n").or_else(|| count.strip_prefix('-')).is_some_and(is_number),
            _ => false,
        },
        ["grep", options @ .., pattern] => {
            !pattern.starts_with('-') && options.iter().all(|word| is_sign(word, "vEFiwxP"))
        }
        _ => false,
    }
}

fn is_folder_name(name: &str) -> bool {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "_-.".contains(sign);
    !matches!(name, "" | "." | "..") && name.chars().all(is_part)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit())
}
