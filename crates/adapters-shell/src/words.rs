//! Splits a command line into simple commands of literal words and what stands between them, or says what in it is not
//! literal.
//!
//! The grammar is far smaller than any shell's: words of harmless characters, `'…'` and `"…"` without anything that a
//! shell expands, one form of a literal here-document, `*` and `?` in names of files, lines that go on, `|`, `&&`, `||`, `;` and line ends between commands, lines of nothing but
//! a comment, `cd DIR &&` before them, and `2>&1`, `2>/dev/null`, `>/dev/null` and `< FILE` behind one (`list`). Commands may stand in
//! `for`, `if`, brackets and `$(…)` (`compound`). What every shell agrees on is accepted; everything else is refused, never guessed.

mod choices;
mod compound;
mod document;
mod list;
mod quoted;
mod signs;
#[cfg(test)]
mod tests;
mod variable;
mod word;

use self::list::Reading;

/// One word after its quotes were removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text that the program gets.
    pub(crate) text: String,
    /// Whether any of it was quoted, or stood for a variable.
    pub(crate) quoted: bool,
    /// Whether it begins with a `NAME=` of which nothing is quoted.
    pub(crate) sets: bool,
    /// Whether it was one pair of single quotes and nothing else.
    pub(crate) single: bool,
    /// Whether something stands in it that only the shell knows: `$?`, `$PWD`, what a command prints.
    pub(crate) open: bool,
    /// Whether a shell puts the files there that it names, as a pattern with `*` or `?`.
    pub(crate) pattern: bool,
    /// Whether a shell splits each of these names at its blanks.
    pub(crate) splits: bool,
    /// Whether an unquoted `@{1}` stands in it, which PowerShell takes for something else.
    pub(crate) braces: bool,
    /// Whether choices stand in it, as in `{a,b}`, which are not made yet.
    choices: bool,
}

/// What stands before a simple command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing: it is the first.
    Start,
    /// `|`: its input is what the one before it prints.
    Bar,
    /// `&&`, `||` or `;`.
    Joint(&'static str),
}

impl Before {
    /// Whether nothing need stand between it and the end, or the next line.
    fn is_soft(self) -> bool {
        matches!(self, Self::Start | Self::Joint(";"))
    }

    /// Whether what stands behind it runs also where the command before it failed.
    fn goes_on(self) -> bool {
        matches!(self, Self::Joint("||" | ";"))
    }
}

/// One simple command of a line, without its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Simple {
    /// What stands before it, or before the `for`, `if` or word that it stands in.
    pub(crate) before: Before,
    /// Whether it stands in one of these.
    pub(crate) within: bool,
    /// Whether it may run where the line began, though the line begins with a `cd`.
    pub(crate) may_stay: bool,
    /// Whether it stands behind the brackets in which the line moved.
    pub(crate) is_back: bool,
    pub(crate) words: Vec<Word>,
    /// Whether what it prints holds its errors, too: `2>&1`.
    pub(crate) tells_errors: bool,
    /// The file that it gets as its input, as in `wc -l < a`.
    pub(crate) input: Option<String>,
}

/// A command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// The folder of the `cd` that it begins with.
    pub(crate) folder: Option<String>,
    /// The commands behind that, also those that stand in others; none where it only moves the shell.
    pub(crate) commands: Vec<Simple>,
    /// Whether anything is redirected.
    pub(crate) redirects: bool,
    /// Whether `&>` stands in it. To dash its `&` sends what stands before it to the background.
    pub(crate) splits: bool,
    /// Whether PowerShell reads some of it in another way than all other shells.
    pub(crate) posix: bool,
    /// Whether commands stand there twice, as braces with choices mean more than one thing.
    pub(crate) has_choices: bool,
    /// How many commands the brackets hold that it begins with: what is behind them is not moved.
    pub(crate) grouped: Option<usize>,
    /// Whether some of its commands may run where the line began, though it begins with a `cd`.
    pub(crate) may_stay: bool,
}

/// Reads a command line. None of its commands is empty.
pub(crate) fn line(command: &str) -> Result<Line, String> {
    moved(Reading::of(command)?)
}

/// Takes the `cd DIR &&` off that a line begins with. What stands behind anything but `&&` and `|` runs where the line began if
/// the folder is not there, as all does where a shell moves in the background.
fn moved(line: Line) -> Result<Line, String> {
    let (first, commands) = line.commands.split_first().ok_or("there is no command")?;
    let is_move = !first.within && first.words.first().is_some_and(|name| name.text == "cd" && !name.quoted);
    if !is_move {
        return Ok(line);
    }
    if first.input.is_some() {
        return Err("`cd` takes no input".to_owned());
    }
    let [_, folder] = first.words.as_slice() else { return Err("`cd` takes one folder here".to_owned()) };
    let is_plain = !(folder.pattern || folder.braces || folder.open);
    if folder.text.is_empty() || !is_plain || folder.text.starts_with(['-', '+', '~']) {
        return Err(format!("`cd {}` may lead anywhere", folder.text));
    }
    if commands.first().is_some_and(|next| !matches!(next.before, Before::Joint("&&" | ";"))) {
        return Err("only `&&`, `;` or the next line may stand behind `cd`".to_owned());
    }
    let mut commands = commands.to_vec();
    let mut may_stay = line.splits;
    for (at, command) in commands.iter_mut().enumerate() {
        command.is_back = line.grouped.is_some_and(|count| at + 1 >= count);
        may_stay |= command.before.goes_on() || command.is_back;
        command.may_stay = may_stay;
    }
    Ok(Line { folder: Some(folder.text.clone()), commands, may_stay, ..line })
}
