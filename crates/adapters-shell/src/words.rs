//! Splits a command line into simple commands of literal words and what stands between them, or says what in it is not
//! literal.
//!
//! The grammar is far smaller than any shell's: words of harmless characters, `'…'` and `"…"` without anything that a
//! shell expands, one form of a literal here-document, `*` and `?` in names of files, lines that go on, `|`, `&&`, `||`, `;` and line ends between commands, lines of nothing but
//! a comment, `cd DIR` among them (`moves`), and `2>&1`, `2>/dev/null`, `>/dev/null` and `< FILE` behind one (`list`). Commands may stand in
//! `for`, `if`, brackets and `$(…)` (`compound`). What every shell agrees on is accepted; everything else is refused, never guessed.

mod choices;
mod compound;
mod document;
mod list;
mod moves;
mod quoted;
mod signs;
#[cfg(test)]
mod tests;
mod variable;
mod word;

use self::list::Reading;
pub(crate) use self::moves::joined;

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
}

/// One simple command of a line, without its redirections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Simple {
    /// What stands before it, or before the `for`, `if` or word that it stands in.
    pub(crate) before: Before,
    /// Whether it stands in one of these.
    pub(crate) within: bool,
    /// Whether it only sets variables, which are remembered.
    pub(crate) assigns: bool,
    /// Whether it may run though something before it failed, as behind `;` and `||`.
    pub(crate) is_cut: bool,
    /// The folders in which it may run if every `cd` of the line finds its folder, as spelled from where the line begins, which
    /// `None` is.
    pub(crate) surely: Vec<Option<String>>,
    /// Those in which it may run besides if one of these is not there.
    pub(crate) elsewhere: Vec<Option<String>>,
    pub(crate) words: Vec<Word>,
    /// Whether what it prints holds its errors, too: `2>&1`.
    pub(crate) tells_errors: bool,
    /// The file that it gets as its input, as in `wc -l < a`.
    pub(crate) input: Option<String>,
}

/// A command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// The folders to which its `cd` lead if each is there, as spelled from where it begins.
    pub(crate) needs: Vec<String>,
    /// How many of its commands stand before the `cd` to each of these.
    pub(crate) behind: Vec<usize>,
    /// Those to which they may lead besides if one is not.
    pub(crate) strays_to: Vec<String>,
    /// Where it may leave the shell if each of these is there, which `None` is where it began; empty where nothing moves it.
    pub(crate) ends: Vec<Option<String>>,
    /// Its other commands, also those that stand in others; none where it only moves the shell.
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
}

/// Reads a command line. None of its commands is empty.
pub(crate) fn line(command: &str) -> Result<Line, String> {
    moves::placed(Reading::of(command)?)
}
