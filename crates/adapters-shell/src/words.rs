//! Splits a command line into simple commands of literal words and what stands between them, or says what in it is not
//! literal.
//!
//! The grammar is far smaller than any shell's: words of harmless characters, `'…'` and `"…"` without anything that a
//! shell expands, one form of a literal here-document, `*` and `?` in names of files, lines that go on, `|`, `&&`, `||`, `;` and line ends between commands, lines of nothing but
//! a comment, `cd DIR &&` before them, and `2>&1`, `2>/dev/null`, `>/dev/null` and `< FILE` behind one. What every shell
//! agrees on is accepted; everything else is refused, never guessed.

mod document;

/// One word after its quotes were removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text that the program gets.
    pub(crate) text: String,
    /// Whether any of it was quoted.
    pub(crate) quoted: bool,
    /// Whether it was one pair of single quotes and nothing else.
    pub(crate) single: bool,
    /// Whether the exit status of the command before stands in it, as `$?`.
    pub(crate) status: bool,
    /// Whether a shell puts the files there that it names, as a pattern with `*` or `?`.
    pub(crate) pattern: bool,
    /// Whether an unquoted `@{1}` stands in it, which PowerShell takes for something else.
    pub(crate) braces: bool,
}

/// Characters that mean themselves to every shell, wherever they stand in a word.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-./:,+@%".contains(c)
}

/// Inside quotes only letters and digits of other scripts are taken: a shell in another locale may see anything else
/// as something else.
fn is_quotable(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.is_alphanumeric())
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
    pub(crate) before: Before,
    pub(crate) words: Vec<Word>,
    /// The file that it gets as its input, as in `wc -l < a`.
    pub(crate) input: Option<String>,
}

/// A command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// The folder of the `cd` that it begins with.
    pub(crate) folder: Option<String>,
    /// Whether some of the commands behind it may run where the line began.
    pub(crate) may_stay: bool,
    /// The commands behind that; none where it only moves the shell.
    pub(crate) commands: Vec<Simple>,
    /// Whether anything is redirected.
    pub(crate) redirects: bool,
    /// Whether `&>` stands in it. To dash its `&` sends what stands before it to the background.
    pub(crate) splits: bool,
}

/// Redirections that write no file, longest first.
#[rustfmt::skip]
const REDIRECTIONS: &[&str] = &[
    "2> /dev/null", "1> /dev/null", "&> /dev/null", "2>/dev/null", "1>/dev/null", "&>/dev/null", "> /dev/null",
    ">/dev/null", "2>&1", "1>&2", ">&2",
];

/// Reads a command line. None of its commands is empty.
pub(crate) fn line(command: &str) -> Result<Line, String> {
    let mut line = Line::default();
    let (mut rest, mut before, mut words, mut input) = (command, Before::Start, Vec::new(), None);
    loop {
        rest =
            past_blanks(rest, words.is_empty() && matches!(before, Before::Bar | Before::Joint("&&" | "||")));
        if words.is_empty() && before.is_soft() {
            rest = past_idle_lines(rest);
            if rest.is_empty() && !line.commands.is_empty() {
                break;
            }
        }
        if let Some(after) = redirection(rest).filter(|_| !words.is_empty()) {
            line.redirects = true;
            line.splits |= rest.starts_with('&');
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix('<').filter(|_| !words.is_empty() && input.is_none()) {
            let (file, after) = input_file(after)?;
            (input, line.redirects) = (Some(file), true);
            rest = after;
            continue;
        }
        let (next, after) = match separator(rest) {
            Some((next, after)) => (Some(next), after),
            None if rest.is_empty() => (None, rest),
            None => {
                let (read, after) = word(rest)?;
                if words.is_empty() && read.text == "!" {
                    return Err("`!` turns around what a command ends with".to_owned());
                }
                words.push(read);
                rest = after;
                continue;
            }
        };
        if words.is_empty() {
            return Err("a command of the line is empty".to_owned());
        }
        line.commands.push(Simple { before, words: std::mem::take(&mut words), input: input.take() });
        let Some(next) = next else { break };
        (before, rest) = (next, after);
    }
    moved(line)
}

/// What follows blanks, and lines that go on: behind a `\` at their end, and where a command must follow. PowerShell takes
/// that `\` for a word.
fn past_blanks(text: &str, is_open: bool) -> &str {
    let mut rest = text.trim_start_matches(' ');
    loop {
        let line = rest.strip_prefix("\\\n").filter(|_| !cfg!(windows));
        let Some(after) = line.or_else(|| rest.strip_prefix('\n').filter(|_| is_open)) else { return rest };
        rest = after.trim_start_matches(' ');
    }
}

/// A redirection that writes no file, and nothing glued to it.
fn redirection(rest: &str) -> Option<&str> {
    let after = REDIRECTIONS.iter().find_map(|sign| rest.strip_prefix(sign))?;
    ends_a_word(after).then_some(after)
}

/// The file behind `<`. With another sign behind that, a shell writes to the file or takes a text for it.
fn input_file(after: &str) -> Result<(String, &str), String> {
    if after.starts_with('<') {
        return Err("a here-document is not read here; use echo or printf, or a file".to_owned());
    }
    let (file, rest) = word(after.trim_start_matches(' '))?;
    if file.text.is_empty() || file.pattern || file.status || file.braces {
        return Err("what stands behind `<` is no plain file".to_owned());
    }
    Ok((file.text, rest))
}

/// Whether nothing that stands here can belong to the word before it.
fn ends_a_word(after: &str) -> bool {
    after.is_empty() || after.starts_with([' ', '|', '&', ';', '\n'])
}

/// What follows empty lines, and lines of a comment that would be harmless words to a shell that knows no comments.
fn past_idle_lines(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\n']);
        let Some(comment) = rest.strip_prefix('#') else { return rest };
        let (comment, after) = comment.split_once('\n').unwrap_or((comment, ""));
        // PowerShell obeys `#requires`.
        let is_note = comment.is_empty() || comment.starts_with(' ');
        if !is_note || !comment.chars().all(|c| c == ' ' || is_plain(c)) {
            return rest;
        }
        rest = after;
    }
}

fn separator(rest: &str) -> Option<(Before, &str)> {
    const JOINTS: &[&str] = &["&&", "||", ";"];
    if let Some(after) = rest.strip_prefix('\n') {
        return Some((Before::Joint(";"), after));
    }
    let joint =
        JOINTS.iter().find_map(|sign| rest.strip_prefix(sign).map(|after| (Before::Joint(sign), after)));
    joint.or_else(|| rest.strip_prefix('|').map(|after| (Before::Bar, after)))
}

/// Takes the `cd DIR &&` off that a line begins with. Where anything but `&&` and `|` stands behind it, some of the line
/// runs where it began if the folder is not there; and where a shell moves in the background, too.
fn moved(line: Line) -> Result<Line, String> {
    let mut commands = line.commands.into_iter();
    let first = commands.next().ok_or("there is no command")?;
    let commands: Vec<Simple> = commands.collect();
    let is_move = first.words.first().is_some_and(|name| name.text == "cd" && !name.quoted);
    if !is_move {
        let commands = std::iter::once(first).chain(commands).collect();
        return Ok(Line { commands, ..line });
    }
    if first.input.is_some() {
        return Err("`cd` takes no input".to_owned());
    }
    let [_, folder] = first.words.as_slice() else { return Err("`cd` takes one folder here".to_owned()) };
    if folder.text.is_empty() || folder.pattern || folder.braces || folder.text.starts_with(['-', '+', '~']) {
        return Err(format!("`cd {}` may lead anywhere", folder.text));
    }
    let mut joints = commands.iter().map(|command| command.before);
    if joints.next().is_some_and(|joint| !matches!(joint, Before::Joint("&&" | ";"))) {
        return Err("only `&&`, `;` or the next line may stand behind `cd`".to_owned());
    }
    let goes_on = commands.iter().any(|command| matches!(command.before, Before::Joint("||" | ";")));
    let may_stay = goes_on || line.splits;
    Ok(Line { folder: Some(folder.text.clone()), may_stay, commands, ..line })
}

/// A number in the shells that know it, and no command in the others.
const STATUS: &str = "$?";

fn behind_status<'a>(rest: &std::str::Chars<'a>, text: &mut String) -> std::str::Chars<'a> {
    text.push_str(STATUS);
    rest.as_str().strip_prefix(STATUS).unwrap_or_default().chars()
}

/// Behind this word quotes mean nothing to PowerShell.
const STOPS_PARSING: &str = "--%";

fn word(text: &str) -> Result<(Word, &str), String> {
    let mut word = Word {
        text: String::new(),
        quoted: false,
        single: false,
        status: false,
        pattern: false,
        braces: false,
    };
    if let Some((sign, after)) = lone_sign(text) {
        word.text.push_str(sign);
        return Ok((word, after));
    }
    if let Some(read) = document::literal(text) {
        let (document, after) = read?;
        (word.text, word.quoted) = (document, true);
        return match ends_a_word(after) {
            true => Ok((word, after)),
            false => Err("a here-document is a part of a word".to_owned()),
        };
    }
    let (mut rest, mut parts) = (text.chars(), 0_usize);
    while let Some(c) = rest.clone().next() {
        if let Some((entry, after)) = log_entry(&word.text, rest.as_str()).filter(|_| !word.quoted) {
            word.text.push_str(entry);
            (word.braces, rest) = (true, after.chars());
            parts += 1;
            continue;
        }
        match c {
            ' ' | '|' | ';' | '\n' => break,
            '&' if rest.as_str().starts_with("&&") => break,
            '\'' | '"' => {
                rest.next();
                word.status |= quoted(&mut rest, c, &mut word.text)?;
                word.quoted = true;
                word.single = c == '\'' && parts == 0;
                parts += 1;
            }
            '$' if rest.as_str().starts_with(STATUS) => {
                rest = behind_status(&rest, &mut word.text);
                (word.status, word.single) = (true, false);
                parts += 1;
            }
            c => {
                word.pattern |= is_wild(c) && !word.text.starts_with("--");
                rest.next();
                word.text.push(unquoted(c, &word.text, rest.as_str())?);
                word.single = false;
                parts += 1;
            }
        }
    }
    word.single &= parts == 1;
    if word.pattern && (word.quoted || word.status || word.braces) {
        return Err("a pattern of files is partly quoted".to_owned());
    }
    if word.text == STOPS_PARSING {
        return Err(format!("`{STOPS_PARSING}` changes how PowerShell reads the rest"));
    }
    Ok((word, rest.as_str()))
}

/// Signs that are a word by themselves, as in `[ -f a ]` and `find . \( ! -name a \)`, and what the program gets: no shell looks
/// for files or for an older command by them. Behind its `\` PowerShell sees a bracket of its own.
fn lone_sign(text: &str) -> Option<(&'static str, &str)> {
    const SIGNS: &[(&str, &str)] =
        &[("[", "["), ("]", "]"), ("[[", "[["), ("]]", "]]"), ("!", "!"), ("\\(", "("), ("\\)", ")")];
    let signs = SIGNS.iter().filter(|(spelled, _)| !cfg!(windows) || !spelled.starts_with('\\'));
    let behind = |(spelled, sign): &(&str, &'static str)| {
        text.strip_prefix(*spelled).filter(|after| ends_a_word(after)).map(|after| (*sign, after))
    };
    signs.filter_map(behind).next()
}

/// The `{1}` of `HEAD@{1}`, which names an entry of a log to git, and the `{u}` of `@{u}`. A single word in braces is itself to the shells of a
/// system where they follow POSIX, and to cmd.exe; on Windows a host may hand any command to PowerShell.
fn log_entry<'a>(before: &str, rest: &'a str) -> Option<(&'a str, &'a str)> {
    let (number, _) = rest.strip_prefix('{')?.split_once('}')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_known = is_number || matches!(number, "u" | "upstream" | "push");
    let is_read = !cfg!(windows) && before.ends_with('@') && is_known;
    is_read.then(|| rest.split_at_checked(number.len() + 2)).flatten()
}

/// Takes what stands between quotes; says whether the exit status is in it.
fn quoted(rest: &mut std::str::Chars<'_>, quote: char, text: &mut String) -> Result<bool, String> {
    let mut status = false;
    while let Some(c) = rest.clone().next() {
        if quote == '"' && rest.as_str().starts_with(STATUS) {
            *rest = behind_status(rest, text);
            status = true;
            continue;
        }
        if quote == '"'
            && let Some(sign) = escaped(rest.as_str())
        {
            text.push(sign);
            *rest = rest.as_str().get(2..).unwrap_or_default().chars();
            continue;
        }
        rest.next();
        if c == quote {
            // fish reads `\'` inside of single quotes as a quote that does not end them.
            return match (quote == '\'' || cfg!(windows)) && text.ends_with('\\') {
                true => Err("a quote ends behind `\\`".to_owned()),
                false => Ok(status),
            };
        }
        // fish reads `\\` inside of single quotes as one `\`, and PowerShell two inside of double ones. Before any other sign that
        // is taken here a `\` stands for itself.
        if c == '\\' && rest.as_str().starts_with('\\') {
            return Err("`\\\\` stands inside quotes".to_owned());
        }
        let is_history = c == '!' && !rest.as_str().starts_with([' ', '=']);
        if !is_quotable(c) || (quote == '"' && ("$`".contains(c) || is_history)) {
            return Err(format!("{} stands inside quotes", named(c)));
        }
        text.push(c);
    }
    Err("a quote is not closed".to_owned())
}

/// The sign behind a `\` between double quotes, where it is one of those that every POSIX shell takes for themselves there.
/// PowerShell escapes by another sign.
fn escaped(rest: &str) -> Option<char> {
    let sign = rest.strip_prefix('\\').filter(|_| !cfg!(windows))?.chars().next()?;
    "$`\"\\".contains(sign).then_some(sign)
}

/// Whether a shell that meets it unquoted looks for files.
fn is_wild(c: char) -> bool {
    matches!(c, '*' | '?')
}

/// An unquoted character, given the part of the word before it. `=` may start no word (zsh expands it there), `~` only
/// stands inside a revision such as `HEAD~2`, and of options `*` only stands in the value of a long one: whatever a shell
/// puts there still is a value of that option.
fn unquoted(c: char, before: &str, behind: &str) -> Result<char, String> {
    let fits = match c {
        '=' => !before.is_empty(),
        '*' if before.starts_with("--") => before.contains('='),
        c if is_wild(c) => !before.starts_with('-'),
        '~' => before.ends_with(ends_a_revision),
        '^' => is_parent(before, behind),
        c => is_plain(c),
    };
    if fits { Ok(c) } else { Err(format!("{} {}", named(c), meaning(c))) }
}

fn ends_a_revision(last: char) -> bool {
    last.is_ascii_alphanumeric() || matches!(last, '^' | '}' | '@')
}

/// Whether a `^` stands where it means a parent to git, as in `HEAD^`, `HEAD^2~3` and `main^..main`. zsh may take it for a
/// pattern of names that begin like the revision, and cmd.exe drops it, with what ends a command if that were behind it.
fn is_parent(before: &str, behind: &str) -> bool {
    let follows = |next: char| next.is_ascii_digit() || " ~^.:".contains(next);
    before.ends_with(ends_a_revision) && behind.chars().next().is_none_or(follows)
}

/// What an unquoted sign may do, for people.
fn meaning(c: char) -> &'static str {
    match c {
        '>' => "may write a file",
        '$' | '`' => "stands for what only the shell knows",
        '(' | ')' | '{' | '}' | '&' => "starts other commands",
        '\\' | '!' | '#' | '^' => "means different things to different shells",
        '~' => "may stand for a folder that only the shell knows; write the path without `~`",
        _ => "is not a plain character",
    }
}

fn named(c: char) -> String {
    if c.is_ascii_graphic() { format!("`{c}`") } else { format!("the character U+{:04X}", u32::from(c)) }
}
