//! Programs of `awk` that only print: `{print $2}`, `NR>=10 && NR<=20`, `{s+=$1} END {print s}`.
//!
//! A program is taken apart into words, numbers, strings, regular expressions and signs, each of a list. What is left out
//! writes a file (`>`), starts a program (`|`, `system`, `getline`), tells of the environment, or need not end (loops).

/// Functions that compute. A name before `(` that is none of these may do anything.
const FUNCTIONS: &[&str] = &[
    "length", "substr", "index", "split", "tolower", "toupper", "int", "sub", "gsub", "match", "sprintf",
    "if",
];

/// Names that are more than variables.
const ACTING: &[&str] = &[
    "getline", "system", "close", "fflush", "ENVIRON", "PROCINFO", "SYMTAB", "function", "func", "while",
    "for", "do",
];

/// Signs that compute, compare or order.
const SIGNS: &str = "$,;+-*%^=!<~?:[] ";

/// How deep a place is in braces and brackets: in braces alone `>` writes a file, in brackets it compares.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    braces: usize,
    brackets: usize,
}

/// Whether a program only prints.
pub(crate) fn only_prints(program: &str) -> bool {
    let (mut rest, mut depth) = (program, Depth::default());
    while let Some(sign) = rest.chars().next() {
        let Some(after) = past(sign, rest, &mut depth) else { return false };
        rest = after;
    }
    true
}

/// What follows the first word or sign, when it is a harmless one.
fn past<'p>(sign: char, text: &'p str, depth: &mut Depth) -> Option<&'p str> {
    let behind = text.get(sign.len_utf8()..)?;
    match sign {
        '{' => depth.braces += 1,
        '}' => depth.braces = depth.braces.checked_sub(1)?,
        '(' => depth.brackets += 1,
        ')' => depth.brackets = depth.brackets.checked_sub(1)?,
        '>' if depth.braces == 0 || depth.brackets > 0 => {}
        '|' | '&' => return behind.strip_prefix(sign),
        '"' => return past_string(behind),
        '/' => return past_expression(behind),
        sign if sign.is_ascii_digit() || sign == '.' => {}
        sign if is_of_a_name(sign) => return past_name(text),
        sign if SIGNS.contains(sign) => {}
        _ => return None,
    }
    Some(behind)
}

fn is_of_a_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

fn past_name(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(is_of_a_name);
    let name = text.strip_suffix(rest)?;
    let is_called = rest.trim_start_matches(' ').starts_with('(');
    let is_statement = matches!(name, "print" | "printf" | "in");
    let is_harmless = !ACTING.contains(&name) && (!is_called || is_statement || FUNCTIONS.contains(&name));
    is_harmless.then_some(rest)
}

/// What follows the quote that ends a string.
fn past_string(text: &str) -> Option<&str> {
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return text.get(at + 1..),
            '\\' => {
                signs.next()?;
            }
            _ => {}
        }
    }
    None
}

/// What follows the slash that ends a regular expression. Where `awk` would divide instead, the same signs must be harmless,
/// too: there is no string in it, no call, and nothing that a pipe could start.
fn past_expression(text: &str) -> Option<&str> {
    let (mut escaped, mut in_class, mut brackets, mut before) = (false, false, 0_usize, ' ');
    for (at, sign) in text.char_indices() {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' | ']' => in_class = sign == '[',
            // Whether such a slash ends the expression, programs differ.
            '/' | '"' if in_class => return None,
            _ if in_class => {}
            '/' => {
                let (expression, rest) = (text.get(..at)?, text.get(at + 1..)?);
                let is_harmless = brackets == 0 && !ACTING.iter().any(|name| expression.contains(name));
                return is_harmless.then_some(rest);
            }
            '(' if !is_of_a_name(before) => brackets += 1,
            ')' => brackets = brackets.checked_sub(1)?,
            sign if is_of_a_name(sign) || " -_.^$*+?:,#=@%~!|".contains(sign) => {}
            _ => return None,
        }
        before = if sign == ' ' { before } else { sign };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::only_prints;

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
        ] {
            assert!(only_prints(program), "{program}");
        }
        for program in [
            "{print > \"out\"}",
            "{print >> \"out\"}",
            "{print $1 >= \"out\"}",
            "{print(1) > \"out\"}",
            "{print | \"sh\"}",
            "{\"date\" | getline d}",
            "{getline x < \"secret\"}",
            "BEGIN {system(\"sh\")}",
            "BEGIN {system (\"sh\")}",
            "{print 1 /system(\"sh\")/ 1}",
            "{@f()}",
            "@load \"x\"",
            "{print ENVIRON[\"TOKEN\"]}",
            "{for (;;) print}",
            "function f() {f()} {f()}",
            "{print # }",
            "}{",
            "{print \"",
            "/[/]/",
            "{print 1 /(c|getline)/ 2}",
            "{print 1 /f (x)/ 2}",
            "/(/",
            "/[/",
        ] {
            assert!(!only_prints(program), "{program}");
        }
    }
}
