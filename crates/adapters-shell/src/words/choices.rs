//! Choices in braces, as in `cat docs/{a,b}.md`: most shells put a word there for each of them, and some leave the word as it is.

use super::Word;
use super::signs::is_plain;

/// A command's choices stand for no more words than this.
const MOST: usize = 64;

/// The choices that a text begins with, braces and all, and what follows them. Nothing where it may be anything else.
pub(super) fn begun(text: &str) -> Option<(&str, &str)> {
    let (inside, _) = text.strip_prefix('{')?.split_once('}')?;
    let is_choice = inside.contains(',') && !inside.contains("..") && inside.chars().all(is_plain);
    is_choice.then(|| text.split_at_checked(inside.len() + 2)).flatten()
}

/// What a command with choices is to one shell and to another.
pub(super) struct Readings {
    /// Its words with each choice made.
    pub(super) made: Vec<Word>,
    /// Its words as they are.
    pub(super) left: Vec<Word>,
}

/// The words of a command with each choice made, and as they are; nothing where none has choices.
pub(super) fn made(words: &[Word]) -> Result<Option<Readings>, String> {
    if !words.iter().any(|word| word.choices) {
        return Ok(None);
    }
    let mut made = Vec::new();
    for word in words {
        let texts = if word.choices { each(&word.text) } else { vec![word.text.clone()] };
        made.extend(texts.into_iter().map(|text| Word { text, choices: false, ..word.clone() }));
        if made.iter().any(|word| !word.quoted && may_become_another(&word.text)) {
            return Err("a choice in braces is empty, or begins with what a shell takes for more".to_owned());
        }
        if made.len() > words.len() + MOST {
            return Err(format!("its braces stand for more than {MOST} words"));
        }
    }
    let left = words.iter().map(|word| Word { choices: false, ..word.clone() }).collect();
    Ok(Some(Readings { made, left }))
}

/// Whether some shell drops a word that begins so, or puts another in its place: zsh takes `=ls` for the path of a program.
fn may_become_another(word: &str) -> bool {
    word.is_empty() || word.starts_with(['=', '~', '^'])
}

/// What the choices of a word stand for, one after another; a few more than are taken where there are too many.
fn each(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{')
        && let Some((inside, after)) = behind.split_once('}')
    {
        let choices = || inside.split(',').map(|choice| format!("{before}{choice}"));
        all = all.iter().flat_map(|start| choices().map(move |choice| format!("{start}{choice}"))).collect();
        all.truncate(2 * MOST);
        rest = after;
    }
    all.iter().map(|start| format!("{start}{rest}")).collect()
}
