//! Commands that a person may allow in advance, and which command lines an allowance takes.
//!
//! `apart` parts a line into readers and commands; `programs` knows which further words may follow a command's own,
//! `forms` what may stand around these and changes nothing of them, `never` what nobody can allow. Deliberately absent: where the root is,
//! which files a command depends on, and what is allowed here; the gate knows that.

mod apart;
mod covering;
mod forms;
mod found;
mod loading;
mod never;
mod programs;
mod publishing;
mod questions;
mod variables;
mod words;

use bailiwick_domain::{Admitted, TrustedCommand};

pub(crate) use self::apart::{is_wrapped, take_apart};
use self::forms::{early, environment, moved, packages};
use self::words::Named;

/// More words than this follow no allowed command.
const MOST_FURTHER: usize = 64;

/// Whether a person can allow it, and the script that it runs.
pub(crate) fn can_allow(command: &TrustedCommand) -> Result<Option<String>, String> {
    let set = variables::split(&command.words);
    if let Some(word) = set.loads.first() {
        return Err(format!("allow it without `{word}`, which may stand before it then"));
    }
    let (activated, words) = environment::split(set.command);
    if activated.is_some() && words.is_empty() {
        return Err("allow it with the command behind it: `source … && pytest`".to_owned());
    }
    let words = early::without(words);
    if let Some((folder, plain)) = moved::split(&words) {
        return Err(format!("allow it as `cd {folder} && {}`", plain.join(" ")));
    }
    let script = never::script_of(&words)?;
    if command.further {
        let words = packages::elsewhere(&words).map_or(words, |found| found.plain);
        let rules = programs::rules_of(&words).ok_or(
            "what may follow it is not known, so it can be allowed exactly as it is and with nothing more",
        )?;
        rules
            .names(&words)
            .map_err(|why| format!("{why}, so it can be allowed exactly as it is and with nothing more"))?;
    }
    Ok(activated.or(script))
}

/// Whether an allowed command is this one, and what its words name; nothing where it is another command.
pub(crate) fn admits(allowed: &TrustedCommand, words: &[String]) -> Result<Option<Admitted>, String> {
    let (set, said) = (variables::split(words), variables::split(&allowed.words));
    let (activated, words) = environment::split(set.command);
    let (needed, base) = environment::split(said.command);
    if activated != needed || set.variables != said.variables {
        return Ok(None);
    }
    if words.is_empty() {
        return Ok(activated.filter(|_| set.loads.is_empty()).map(|_| Admitted::default()));
    }
    let allowed = TrustedCommand { words: early::without(base), ..allowed.clone() };
    let words = early::without(words);
    let Some(mut admitted) = admits_anywhere(&allowed, &words)? else { return Ok(None) };
    admitted.absent = found::in_place_of(&words);
    loading::add(&set.loads, programs::rules_of(&words).as_ref(), &mut admitted)?;
    Ok(Some(admitted))
}

/// The same for a command alone, in whichever packages it runs.
fn admits_anywhere(allowed: &TrustedCommand, words: &[String]) -> Result<Option<Admitted>, String> {
    match (packages::elsewhere(&allowed.words), packages::elsewhere(words)) {
        (None, None) => admits_here(allowed, words),
        (Some(all), Some(some)) if all.packages == some.packages => {
            let elsewhere = Some(all.plain.clone());
            let allowed = TrustedCommand { words: all.plain, ..allowed.clone() };
            let admitted = admits_here(&allowed, &some.plain)?;
            Ok(admitted.map(|admitted| Admitted { elsewhere, ..admitted }))
        }
        _ => Ok(None),
    }
}

/// The same for a command that goes to no other package.
fn admits_here(allowed: &TrustedCommand, words: &[String]) -> Result<Option<Admitted>, String> {
    if programs::rules_of(&allowed.words).is_some() && questions::is_asked(&allowed.words, words) {
        return Ok(Some(Admitted { there: found::needed(words), ..Admitted::default() }));
    }
    let there = found::needed(words);
    if questions::only_tells(&allowed.words, words)
        && let Some(rules) = programs::rules_of(words)
    {
        let Named { paths, patterns } = rules.names(words)?;
        return Ok(Some(Admitted { reads: paths.clone(), paths, patterns, there, ..Admitted::default() }));
    }
    if words == allowed.words {
        never::script_of(words)?;
        let known = programs::rules_of(words).and_then(|rules| rules.names(words).ok());
        let Named { paths: reads, patterns } = known.map_or_else(|| programs::plain_words(words), Ok)?;
        return Ok(Some(Admitted {
            paths: programs::all_paths(words),
            reads,
            patterns,
            there,
            ..Admitted::default()
        }));
    }
    // The rules name the word that does not fit; whether anybody may allow the whole is said more broadly.
    let Some(Named { paths, patterns }) = further_names(allowed, words)? else { return Ok(None) };
    never::script_of(words)?;
    Ok(Some(Admitted { reads: paths.clone(), paths, patterns, there, ..Admitted::default() }))
}

/// What the words may name, where more than is allowed stands among them; nothing where it is another command.
fn further_names(allowed: &TrustedCommand, words: &[String]) -> Result<Option<Named>, String> {
    if !allowed.further {
        let Some(further) = words.strip_prefix(allowed.words.as_slice()) else { return Ok(None) };
        let further = further.join(" ");
        let first = further.lines().next().unwrap_or_default();
        return Err(format!("it is allowed as it is, and here `{first}` follows"));
    }
    let unknown = "what may follow it is not known";
    let rules = programs::rules_of(&allowed.words).ok_or(unknown)?;
    match covering::missing(&allowed.words, &rules, words).as_deref() {
        None => return Ok(None),
        Some("") => {}
        Some(missing) => return Err(format!("it is allowed with `{missing}`")),
    }
    if let Some(word) = covering::writes(&allowed.words, words) {
        return Err(format!("with `{word}` it writes, and it is allowed to look alone"));
    }
    if words.len() > allowed.words.len() + MOST_FURTHER {
        return Err(format!("more than {MOST_FURTHER} words follow it"));
    }
    let here = programs::rules_of(words).ok_or(unknown)?;
    if here.head_length() != rules.head_length() {
        let further: Vec<&str> = words.iter().skip(rules.head_length()).map(String::as_str).collect();
        return Err(format!("with `{}` it is a command of another kind", further.join(" ")));
    }
    // The allowed words must be whole by themselves, so that none of the further ones becomes the value of an option.
    rules.names(&allowed.words)?;
    rules.names(words).map(Some)
}

/// How much of a command a person would allow with it.
pub(crate) fn offer(words: &[String]) -> Option<(Vec<String>, bool)> {
    let set = variables::split(words);
    let (activated, words) = environment::split(set.command);
    let (words, further) = offer_alone(&early::without(words))?;
    let command = environment::behind(activated.as_deref(), words);
    Some((set.variables.into_iter().cloned().chain(command).collect(), further))
}

/// The same for a command alone.
fn offer_alone(words: &[String]) -> Option<(Vec<String>, bool)> {
    never::script_of(words).ok()?;
    let found = packages::elsewhere(words);
    let plain = found.as_ref().map_or(words, |found| &found.plain);
    let Some(rules) = programs::rules_of(plain).filter(|rules| rules.names(plain).is_ok()) else {
        return Some((words.to_vec(), false));
    };
    let is_whole = |begin: &&[String]| match (&found, packages::elsewhere(begin)) {
        (None, _) => begin.len() == rules.head_length(),
        (Some(all), some) => {
            some.is_some_and(|some| some.packages == all.packages && some.plain.len() == rules.head_length())
        }
    };
    let begin = (1..=words.len()).filter_map(|count| words.get(..count)).find(is_whole)?;
    Some((begin.to_vec(), true))
}
