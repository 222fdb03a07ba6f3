//! `find … | xargs READER …`: a reader of the table over the files that the command before it names.
//!
//! `xargs` takes names apart at blanks, quotes and backslashes. Whether a name there has one, the gate looks up; with `-0` none is
//! taken apart. What is read counts as behind `find -exec`.

use bailiwick_domain::Listed;

use super::{Split, exec, split};
use crate::read_only::options::Proof;

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

/// What the command before it names.
struct Named<'a> {
    /// Below which folders.
    below: Vec<&'a str>,
    /// The expression of `find`, where it is one.
    expression: Option<&'a [&'a str]>,
    by_zero: bool,
    /// Whether links are among the names.
    has_links: bool,
}

/// Proves a call by its words and by the commands of its pipe before it.
pub(crate) fn prove(words: &[&str], pipe: &[Vec<&str>]) -> Result<Proof, String> {
    let call = Call::of(words)?;
    let (first, filters) =
        pipe.split_first().ok_or("`xargs` is only read behind `find`, `grep -l` and `rg -l`")?;
    let named = named_by(first)?;
    if let Some(filter) = filters.iter().find(|filter| !passes_lines_on(filter)) {
        return Err(format!("`{}` may change the names that `xargs` gets", filter.join(" ")));
    }
    if call.by_zero != named.by_zero || (call.by_zero && !filters.is_empty()) {
        return Err("the names do not end as `xargs` takes them apart".to_owned());
    }
    if named.below.iter().any(|start| start.starts_with('-') || start.contains(TAKEN_APART)) {
        return Err("`xargs` takes apart the name of a folder that stands before it".to_owned());
    }
    let mut proof = call.over(&named)?;
    // Where nothing is named, some programs read the folder that they run in.
    proof.reads.push(".".to_owned());
    if !proof.looks {
        proof.names.extend(chosen(&named, filters)?);
    }
    if !call.by_zero {
        let without = named.left_out().chain(filters.iter().filter_map(|filter| left_out_by(filter)));
        let below = named.below.iter().map(ToString::to_string).collect();
        proof.listed = Some(Listed { below, without: without.collect() });
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

    /// What its command reads of the files.
    fn over(&self, named: &Named<'_>) -> Result<Proof, String> {
        let (name, arguments) = self.command.split_first().ok_or("`xargs` has no command")?;
        if PRINTS.contains(name) && !arguments.iter().any(|word| word.starts_with('-') && *word != "-n") {
            return Ok(Proof { looks: true, ..Proof::reading(named.below.iter().copied())? });
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
        exec::run_on(&words, &named.below)
    }
}

impl Named<'_> {
    /// The folders in which no file is named: of `-not -path '*/target/*'`.
    fn left_out(&self) -> impl Iterator<Item = String> {
        let words = self.expression.unwrap_or_default();
        let left_out = words.windows(3).filter_map(|words| match words {
            ["!" | "-not", "-path" | "-wholename", pattern] => {
                let folder =
                    pattern.strip_prefix("*/").or_else(|| pattern.starts_with("./").then_some(pattern))?;
                folder.strip_suffix("/*").filter(|folder| is_folder_name(folder.trim_start_matches("./")))
            }
            _ => None,
        });
        let is_conjunction = !words.iter().any(|word| matches!(*word, "-o" | "-or" | ","));
        left_out.filter(move |_| is_conjunction).map(str::to_owned)
    }
}

/// The names by which the files are chosen that a reader shows.
fn chosen(named: &Named<'_>, filters: &[Vec<&str>]) -> Result<Vec<String>, String> {
    let names = match named.expression {
        Some(expression) => {
            let run: Vec<&str> =
                expression.iter().chain(&[exec::EXEC, "x", exec::FILE, "+"]).copied().collect();
            exec::chosen(&run)?
        }
        None if named.has_links => return Err("`xargs` may show what links lead to".to_owned()),
        None => Vec::new(),
    };
    let chooses = filters.iter().any(|filter| filter.first() == Some(&"grep"));
    match chooses && names.is_empty() {
        true => Err("`grep` chooses the files of `xargs` in a way that is not read".to_owned()),
        false => Ok(names),
    }
}

/// What a command names, where it does nothing but that.
fn named_by<'a>(words: &'a [&'a str]) -> Result<Named<'a>, String> {
    let named = match words {
        ["find", rest @ ..] => by_find(rest),
        ["git", "ls-files", rest @ ..] => by_git(rest),
        ["grep" | "rg", rest @ ..] => by_search(rest),
        _ => None,
    };
    named.ok_or_else(|| format!("`xargs` is not read behind `{}`", words.first().unwrap_or(&"")))
}

fn by_find<'a>(words: &'a [&'a str]) -> Option<Named<'a>> {
    let Split { starts, expression } = split(words);
    let count = |primary: &str| expression.iter().filter(|word| **word == primary).count();
    let is_odd = ["-ls", "-printf", exec::EXEC].iter().any(|one| count(one) > 0);
    let by_zero = count("-print0") == 1;
    let is_plain = !is_odd && count("-print0") + count("-print") <= 1;
    let below = if starts.is_empty() { vec!["."] } else { starts.to_vec() };
    is_plain.then_some(Named { below, expression: Some(expression), by_zero, has_links: true })
}

/// `git ls-files` with options that choose files and change nothing of how it tells their names.
fn by_git<'a>(words: &[&'a str]) -> Option<Named<'a>> {
    const PLAIN: &[&str] =
        &["-c", "-m", "-o", "-z", "--cached", "--modified", "--others", "--exclude-standard", "--"];
    let (options, paths): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    let is_plain = options.iter().all(|option| PLAIN.contains(option));
    let (below, by_zero) = (folders(paths.into_iter()), options.contains(&"-z"));
    is_plain.then_some(Named { below, expression: None, by_zero, has_links: true })
}

/// `grep -l` and `rg -l`.
fn by_search<'a>(words: &[&'a str]) -> Option<Named<'a>> {
    const LISTS: &str = "--files-with-matches";
    let (options, operands): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    let is_plain = |option: &&str| {
        is_cluster(option)
            || *option == LISTS
            || option.starts_with("--include=")
            || option.starts_with("--type=")
    };
    let lists = |option: &&str| *option == LISTS || (is_cluster(option) && option.contains('l'));
    let fits = options.iter().all(is_plain) && options.iter().any(lists);
    let below = folders(operands.into_iter().skip(1));
    fits.then_some(Named { below, expression: None, by_zero: false, has_links: false })
}

/// Options of one letter that change nothing of how `grep -l` and `rg -l` tell names.
fn is_cluster(word: &str) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    !letters.is_empty() && letters.chars().all(|letter| "rlinwEFPsvxI".contains(letter))
}

/// The folders of paths and patterns of paths; where there are none, the one in which the command runs.
fn folders<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let folder = |path: &'a str| match path.find(['*', '?', '[', '{', ':']) {
        None => path,
        Some(at) => {
            path.get(..at).and_then(|before| before.rsplit_once('/')).map_or(".", |(folder, _)| folder)
        }
    };
    let mut folders: Vec<&str> =
        paths.map(folder).map(|path| if path.is_empty() { "/" } else { path }).collect();
    if folders.is_empty() {
        folders.push(".");
    }
    folders
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

/// The folder of which `grep -v` passes on no file.
fn left_out_by(words: &[&str]) -> Option<String> {
    let ["grep", "-v", pattern] = words else { return None };
    let name = pattern.trim_matches('/');
    is_folder_name(name).then(|| name.to_owned())
}

fn is_folder_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-".contains(sign))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit())
}
