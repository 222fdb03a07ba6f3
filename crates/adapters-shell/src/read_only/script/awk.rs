//! Programs of `awk` that only print: `{print $2}`, `NR>=10 && NR<=20`, `{s+=$1} END {print s/NR}`.
//!
//! A program is taken apart into words, numbers, strings, regular expressions and signs, each of a list. What is left out
//! writes a file (`>`), starts a program (`|`, `system`, `getline`), names the files that are read (`ARGV`), tells of the
//! environment, or need not end (loops). A slash divides or begins an expression by what stands before it; where the
//! programs differ, it is refused.

use super::expression::{past_expression, past_text};
use crate::read_only::options::Parsed;

/// Functions that compute. A name before `(` that is none of these may do anything.
const FUNCTIONS: &[&str] =
    &["length", "substr", "index", "split", "tolower", "toupper", "int", "sub", "gsub", "match", "sprintf"];

/// Words of the language that stand between braces.
const STATEMENTS: &[&str] = &["print", "printf", "if", "else", "next", "exit", "delete"];

/// Words of the language that stand elsewhere, too.
const WORDS: &[&str] = &["BEGIN", "END", "in"];

/// Words that do more than compute and print.
const ACTING: &[&str] = &[
    "getline", "system", "close", "fflush", "nextfile", "function", "func", "return", "while", "for", "do",
    "break", "continue", "switch", "case", "default",
];

/// Variables of `awk` itself that change how it reads and prints. One in capitals that is none of these may mean more.
const VARIABLES: &[&str] = &[
    "NR",
    "NF",
    "FNR",
    "FS",
    "OFS",
    "RS",
    "ORS",
    "RT",
    "FILENAME",
    "SUBSEP",
    "RSTART",
    "RLENGTH",
    "CONVFMT",
    "OFMT",
    "IGNORECASE",
    "FPAT",
    "FIELDWIDTHS",
];

/// Signs that compute, compare or order.
const SIGNS: &str = "$,;+-*%^=!<~?:";

/// What a slash means where it stands next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slash {
    Begins,
    Divides,
    Unclear,
}

/// What is open: between braces alone `>` writes a file, between brackets it compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Brace,
    Index,
    /// With what a slash means behind it.
    Bracket(Slash),
}

struct Walk<'p> {
    rest: &'p str,
    open: Vec<Open>,
    slash: Slash,
}

/// Whether a program only prints.
pub(crate) fn only_prints(program: &str) -> Result<(), &str> {
    let mut walk = Walk { rest: program, open: Vec::new(), slash: Slash::Begins };
    while let Some(sign) = walk.rest.chars().next() {
        let here = walk.rest;
        (walk.rest, walk.slash) = walk.past(sign, here).ok_or(here)?;
    }
    if walk.open.is_empty() { Ok(()) } else { Err(walk.rest) }
}

impl<'p> Walk<'p> {
    /// What follows the first word or sign of a text, when it is a harmless one, and what a slash would mean there.
    fn past(&mut self, sign: char, text: &'p str) -> Option<(&'p str, Slash)> {
        let behind = text.get(sign.len_utf8()..)?;
        Some(match sign {
            ' ' => (behind, self.slash),
            '"' => (past_text(behind, '"')?, Slash::Divides),
            '/' => match self.slash {
                Slash::Begins => (past_expression(behind, '/')?, Slash::Unclear),
                Slash::Divides => (behind, Slash::Unclear),
                Slash::Unclear => return None,
            },
            '|' | '&' => (behind.strip_prefix(sign)?, Slash::Begins),
            '>' if self.compares() && !behind.starts_with('>') => (behind, Slash::Unclear),
            '.' if !behind.starts_with(|next: char| next.is_ascii_digit()) => return None,
            sign if sign.is_ascii_digit() || sign == '.' => (behind, Slash::Divides),
            sign if is_of_a_name(sign) => return self.past_name(text),
            '{' | '[' | '(' => (behind, self.opened(sign)?),
            '}' | ']' | ')' => (behind, self.closed(sign)?),
            ',' | ';' | '!' | '~' => (behind, Slash::Begins),
            sign if SIGNS.contains(sign) => (behind, Slash::Unclear),
            _ => return None,
        })
    }

    fn compares(&self) -> bool {
        matches!(self.open.last(), None | Some(Open::Bracket(_)))
    }

    fn opened(&mut self, sign: char) -> Option<Slash> {
        let (open, slash) = match sign {
            '{' if !matches!(self.open.last(), None | Some(Open::Brace)) => return None,
            '{' => (Open::Brace, Slash::Begins),
            '[' => (Open::Index, Slash::Unclear),
            _ => (Open::Bracket(Slash::Divides), Slash::Begins),
        };
        self.open.push(open);
        Some(slash)
    }

    /// What a slash means behind the sign that closes what is open.
    fn closed(&mut self, sign: char) -> Option<Slash> {
        match (self.open.pop()?, sign) {
            (Open::Brace, '}') => Some(Slash::Begins),
            (Open::Index, ']') => Some(Slash::Divides),
            (Open::Bracket(slash), ')') => Some(slash),
            _ => None,
        }
    }

    /// The same as `past` for a name, together with the bracket behind it.
    fn past_name(&mut self, text: &'p str) -> Option<(&'p str, Slash)> {
        let rest = text.trim_start_matches(is_of_a_name);
        let name = text.strip_suffix(rest)?;
        let is_statement = STATEMENTS.contains(&name) || name == "for";
        if is_statement && self.open.last() != Some(&Open::Brace) {
            return None;
        }
        if name == "for" {
            return Some((past_loop(rest)?, Slash::Unclear));
        }
        let is_word = is_statement || WORDS.contains(&name);
        let Some(inside) = rest.trim_start_matches(' ').strip_prefix('(') else {
            return match name {
                name if is_word || name == "length" => Some((rest, Slash::Unclear)),
                name => is_harmless(name).then_some((rest, Slash::Divides)),
            };
        };
        // Behind `if (…)` a statement begins.
        let slash = if is_word { Slash::Unclear } else { Slash::Divides };
        self.open.push(Open::Bracket(slash));
        (is_word || FUNCTIONS.contains(&name)).then_some((inside, Slash::Begins))
    }
}

/// What follows the head of a loop over the keys of an array, as in `for (k in count)`. It ends: every program lists the keys
/// before it begins. Any other loop need not.
fn past_loop(text: &str) -> Option<&str> {
    let (head, rest) = text.trim_start_matches(' ').strip_prefix('(')?.split_once(')')?;
    let mut words = head.split_whitespace();
    let is_name = |name: Option<&str>| {
        name.is_some_and(|name| {
            name.starts_with(|sign: char| sign.is_ascii_alphabetic())
                && name.chars().all(is_of_a_name)
                && is_harmless(name)
        })
    };
    let fits = is_name(words.next()) && words.next() == Some("in") && is_name(words.next());
    (fits && words.next().is_none()).then_some(rest)
}

fn is_of_a_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

/// Whether a name is a variable that holds a value and nothing else.
fn is_harmless(name: &str) -> bool {
    let is_own = name.len() == 1 || name.contains(|sign: char| sign.is_ascii_lowercase());
    let is_taken = [ACTING, FUNCTIONS, STATEMENTS, WORDS].iter().any(|words| words.contains(&name));
    VARIABLES.contains(&name) || (is_own && !is_taken)
}

/// Checks the variables that options and operands set.
pub(crate) fn check(parsed: &Parsed<'_>) -> Result<(), String> {
    let refused = |set: &str| format!("`{set}` may set more than a variable");
    let is_name =
        |name: &str| name.chars().all(is_of_a_name) && !name.starts_with(|sign: char| sign.is_ascii_digit());
    for set in parsed.values(&["v"]) {
        let name = set.split_once('=').map(|(name, _)| name);
        name.filter(|name| is_name(name) && is_harmless(name)).ok_or_else(|| refused(set))?;
    }
    for operand in &parsed.operands {
        let name = operand.split_once('=').map(|(name, _)| name);
        // What stands before a file's `=` may be no name; gawk knows names with `::`.
        let is_set = |name: &&str| is_name(name) || name.contains(':');
        if name.filter(is_set).is_some_and(|name| !is_name(name) || !is_harmless(name)) {
            return Err(refused(operand));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::only_prints;

    // D-03
    #[test]
    fn what_prints_is_told_from_what_acts() {
        for program in [
            "{print $2}",
            "NR>=10 && NR<=20",
            "NR==5,NR==9",
            "{s+=$1} END {print s}",
            "/^fn /",
            "$1 ~ /x/ || !seen[$2]++ {print $1, $NF}",
            "length($0) > 100 {print FILENAME \":\" FNR}",
            "BEGIN {FS=\":\"} {printf \"%s\\n\", toupper($1)}",
            "{if ($1 > 5) print; else next}",
            "{print (a > b)}",
            "/\\.rs$/ {n++}",
            "/^(fn|pub) /",
            "/^[0-9(]+x/",
            "$0 ~ /a\\/b/",
            "{print $1/1024, a[1]/2, length($0)/2, (a+b)/2, \"6\"/2, 6/2/3}",
            "{print $1 / $2 / $3}",
            "/\"system(/",
            "/(/ {print} /[[:space:]]/",
            "{n /= 2; split($0, a, /,/)}",
            "{if (/x/ && !/y/) {print; m++} else print $(NF-1)}",
            "BEGIN {IGNORECASE=1} {delete a[1]; exit}",
            "{c[$1]++} END {for (k in c) print c[k], k}",
            "END {for(k in c){n+=c[k]} print n}",
            "END {for (a in b) for (c in d) print a, c}",
        ] {
            assert_eq!(only_prints(program), Ok(()), "{program}");
        }
    }

    // D-03
    #[test]
    fn what_acts_or_is_read_in_two_ways_is_refused() {
        for program in [
            "{print > \"out\"}",
            "{print >> \"out\"}",
            "{print $1 >= \"out\"}",
            "{print(1) > \"out\"}",
            "{print a[1 > \"out\"]}",
            "BEGIN print > \"out\"",
            "{print | \"sh\"}",
            "{print |& \"sh\"}",
            "{\"date\" | getline d}",
            "{getline x < \"secret\"}",
            "BEGIN {system(\"sh\")}",
            "BEGIN {system (\"sh\")}",
            "BEGIN {awk::system(\"sh\")}",
            "{system}",
            "{print 1 /system(\"sh\")/ 1}",
            "BEGIN{x=\"touch a\"; print 1 /2 | x 1 / 1}",
            "{@f()}",
            "@load \"x\"",
            "{f(1)}",
            "{print ENVIRON[\"TOKEN\"]}",
            "BEGIN{ARGV[1]=\"x\"}",
            "BEGIN{ARGC=2}",
            "{print PROCINFO[1], SYMTAB[2], FUNCTAB[3]}",
            "{nextfile}",
            "{for (;;) print}",
            "{for (i=0; i<1; i=0) print}",
            "{for (k in c; ;) print}",
            "{for (k in ENVIRON) print k}",
            "{for (k in f(x)) print}",
            "{for (1 in c) print}",
            "{for (k in c)}}",
            "for (k in c) print",
            "{for (k in c) while (1) print}",
            "{for (k in c) print > k}",
            "function f() {f()} {f()}",
            "{print # }",
            "}{",
            "{print",
            "{print \"",
            "(]",
            "/[/]/",
            "/[]/ \"]/ {system(x)} #\"",
            "{print 1 /f (x)/ 2}",
            "/(x",
            "/[/",
            "{print /x/}",
            "{if (x) /y/}",
            "{print length /x/ 2}",
            "{print a++ /x/ 2}",
            "/x/ /y/",
            "{return /x/}",
            "{print a in /x/ b}",
            "{print(1) /2/ 3}",
            "{print . 1}",
            "{print a \\ b}",
        ] {
            assert!(only_prints(program).is_err(), "{program}");
        }
    }

    // D-03
    #[test]
    fn the_place_is_told_at_which_a_program_is_refused() {
        assert_eq!(only_prints("{print | \"sh\"}"), Err("| \"sh\"}"));
        assert_eq!(only_prints("{print ENVIRON[1]}"), Err("ENVIRON[1]}"));
    }
}
