//! `find … | xargs READER …`: a reader of the table over the files that `find` names.
//!
//! Of `find` only tests are taken that all have to hold, one of them `-type f`: then it prints names of regular files alone, and
//! each begins with a starting point, so that none is an option. `xargs` takes names apart at blanks, quotes and backslashes:
//! whether a name there has one, the gate looks up; with `-print0` and `-0` none is taken apart. What is read counts as behind
//! `find -exec`.

use bailiwick_domain::Listed;

use super::{Split, exec, split};
use crate::read_only::options::{Proof, is_number};
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

/// Whether a call prints the words that it gets, or parts of them, whatever they are.
pub(crate) fn only_prints(words: &[&str]) -> bool {
    Call::of(words).is_ok_and(|call| call.prints())
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
    let Tests { names, without, by_zero, is_file } = Tests::of(expression, starts)?;
    if !is_file && !exec::only_counts(&call.command) {
        return Err("`xargs` needs `-type f` of `find`: else it also shows what links lead to".to_owned());
    }
    if call.by_zero != by_zero || (by_zero && !filters.is_empty()) {
        return Err("the names do not end as `xargs` takes them apart".to_owned());
    }
    if starts.iter().any(|start| start.starts_with('-') || start.contains(TAKEN_APART)) {
        return Err("`xargs` takes apart the name of a folder that stands before it".to_owned());
    }
    let mut proof = call.over(starts)?;
    // Where nothing is named, some programs read the folder that they run in.
    proof.reads.push(".".to_owned());
    if !proof.looks {
        let says_something = names.iter().any(|name| !searched::says_nothing(name));
        let chooses =
            filters.iter().any(|filter| matches!(filter.first(), Some(&"grep" | &"head" | &"tail")));
        if chooses && !says_something {
            return Err("the files of `xargs` are chosen in a way that is not read".to_owned());
        }
        proof.names.extend(names);
    }
    if !by_zero {
        let below = starts.iter().map(ToString::to_string).collect();
        proof.listed = Some(Listed { below, without });
    }
    Ok(proof)
}

/// What an expression of `find` says, all of which holds for each file that is named.
#[derive(Default)]
struct Tests {
    /// The names by which the files are chosen.
    names: Vec<String>,
    /// The folders in which no file is named: of `-not -path '*/target/*'`.
    without: Vec<String>,
    by_zero: bool,
    /// Whether all of them are files, and none a link.
    is_file: bool,
}

impl Tests {
    fn of(expression: &[&str], starts: &[&str]) -> Result<Self, String> {
        let (mut tests, mut rest) = (Self::default(), expression);
        loop {
            rest = match rest {
                [] => break,
                ["-print0"] => {
                    tests.by_zero = true;
                    break;
                }
                ["-type", "f", behind @ ..] => {
                    tests.is_file = true;
                    behind
                }
                ["-maxdepth" | "-mindepth", depth, behind @ ..] if is_number(depth) => behind,
                ["-name" | "-iname", pattern, behind @ ..] if !pattern.contains(['[', '\\', '?']) => {
                    tests.names.push((*pattern).to_owned());
                    behind
                }
                ["!" | "-not", "-path" | "-wholename", pattern, behind @ ..] => {
                    let folder = excluded(pattern, starts).ok_or_else(|| unread(pattern))?;
                    tests.without.push(folder);
                    behind
                }
                [primary, ..] => return Err(unread(primary)),
            };
        }
        Ok(tests)
    }
}

fn unread(primary: &str) -> String {
    format!("`{primary}` chooses the files of `xargs` in a way that is not read")
}

/// The folder of which a pattern leaves out all that is in it: one of that name anywhere, or right below the folder in which the
/// command runs.
fn excluded(pattern: &str, starts: &[&str]) -> Option<String> {
    let everywhere = pattern.strip_prefix("*/").and_then(|rest| rest.strip_suffix("/*"));
    let from_here = starts.iter().all(|start| *start == ".");
    let here = pattern.strip_prefix("./").and_then(|rest| rest.strip_suffix("/*")).filter(|_| from_here);
    let name = everywhere.or(here).filter(|name| is_folder_name(name))?;
    Some(if everywhere.is_some() { name.to_owned() } else { format!("./{name}") })
}

impl<'a> Call<'a> {
    fn of(words: &[&'a str]) -> Result<Self, String> {
        let mut call = Self { place: None, by_zero: false, command: Vec::new() };
        let (mut rest, mut counts) = (words.iter(), false);
        while let Some(&word) = rest.next() {
            counts |= word.starts_with("-n") || word.starts_with("-L");
            let glued = NUMBERED.iter().find_map(|option| word.strip_prefix(option));
            match word {
                "-0" | "--null" => call.by_zero = true,
                "-r" | "--no-run-if-empty" => {}
                word if word.starts_with("-I") && call.place.is_some() => {
                    return Err("`xargs` has `-I` twice".to_owned());
                }
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
        if call.place.is_some() && counts {
            return Err("`xargs` takes either `-I` or a number of names".to_owned());
        }
        let is_place = |place: &str| matches!(place, "{}" | "%" | "@" | "FILE" | "F");
        match (call.command.is_empty(), call.place) {
            (true, _) => Err("`xargs` has no command".to_owned()),
            (_, Some(place)) if !is_place(place) => Err(format!("`{place}` of `xargs -I` is not read")),
            _ => Ok(call),
        }
    }

    /// Whether its command prints names, or parts of them.
    fn prints(&self) -> bool {
        let is_option = |word: &&str| word.starts_with('-') && *word != "-n";
        self.command
            .split_first()
            .is_some_and(|(name, arguments)| PRINTS.contains(name) && !arguments.iter().any(is_option))
    }

    /// What its command reads of the files below these.
    fn over(&self, starts: &[&str]) -> Result<Proof, String> {
        let (name, arguments) = self.command.split_first().ok_or("`xargs` has no command")?;
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
