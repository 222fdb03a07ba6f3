//! The formats of git that only print: what is not listed may run a program, as `%G?` runs `gpg.program`.

/// Formats that git brings along; a name of a person's own may stand for anything.
const NAMED: &[&str] =
    &["", "oneline", "short", "medium", "full", "fuller", "reference", "email", "raw", "mboxrd"];

/// What a person or a committer has: names, addresses, times.
const OF_PERSON: &str = "nNeElLdDrtiIsh";

/// Placeholders of one letter.
const SINGLE: &str = "%nHhTtPpdDSesfbBNm";

/// Placeholders with something in round brackets, by what stands before it.
#[rustfmt::skip]
const BRACKETED: &[&str] = &[
    "(trailers", "(decorate", "C(", "w(", "<(", "<|(", ">(", ">|(", ">>(", ">>|(", "><(", "><|(",
];

/// Fields of refs that are printed as they are kept.
#[rustfmt::skip]
const FIELDS: &[&str] = &[
    "refname", "objecttype", "objectsize", "objectname", "deltabase", "tree", "parent", "numparent", "object", "type",
    "tag", "author", "authorname", "authoremail", "authordate", "committer", "committername", "committeremail",
    "committerdate", "tagger", "taggername", "taggeremail", "taggerdate", "creator", "creatordate", "subject", "body",
    "trailers", "contents", "upstream", "push", "symref", "flag", "HEAD", "color", "worktreepath", "ahead-behind",
    "align", "end", "if", "then", "else", "version", "v",
];

/// Whether a format of `git log` and its like only prints.
pub(super) fn of_log(format: &str) -> bool {
    let text = format.strip_prefix("format:").or_else(|| format.strip_prefix("tformat:"));
    match text {
        Some(text) => placeholders(text),
        None if format.contains('%') => placeholders(format),
        None => NAMED.contains(&format),
    }
}

/// Whether each placeholder is known. Where git finds one malformed it prints its `%` and reads on behind that, and behind
/// a colour it takes `%%` apart: so no `%` at all may stand before what runs a program.
fn placeholders(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('%') {
        let Some(behind) = placeholder(after.strip_prefix(['+', '-', ' ']).unwrap_or(after)) else {
            return false;
        };
        rest = behind;
    }
    !text.split('%').skip(1).any(may_run)
}

/// Whether what stands behind a `%` may be a signature, or something in brackets that is not known.
fn may_run(behind: &str) -> bool {
    let name = behind.trim_start_matches(['+', '-', ' ']);
    name.starts_with('G')
        || (name.starts_with('(')
            && !BRACKETED.iter().any(|open| open.starts_with('(') && name.starts_with(open)))
}

/// What may stand in brackets: of placeholders only characters by their number, and line ends.
fn is_plain(inside: &str) -> bool {
    let is_character = |behind: &str| {
        let digits = behind.strip_prefix('x').and_then(|digits| digits.get(..2));
        behind.starts_with('n') || digits.is_some_and(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    inside.split('%').skip(1).all(is_character)
}

/// What follows a placeholder that is known.
fn placeholder(text: &str) -> Option<&str> {
    if let Some(open) = BRACKETED.iter().find(|open| text.starts_with(**open)) {
        let (inside, behind) = text.get(open.len()..)?.split_once(')')?;
        return Some(behind).filter(|_| is_plain(inside));
    }
    if let Some(colour) = text.strip_prefix('C') {
        return ["red", "green", "blue", "reset"].iter().find_map(|name| colour.strip_prefix(name));
    }
    if let Some(digits) = text.strip_prefix('x') {
        let are_hex = digits.get(..2)?.bytes().all(|byte| byte.is_ascii_hexdigit());
        return digits.get(2..).filter(|_| are_hex);
    }
    if let Some(field) = text.strip_prefix(['a', 'c']) {
        return one_of(field, OF_PERSON);
    }
    match text.strip_prefix('g') {
        Some(field) => one_of(field, "DdnNeEs"),
        None => one_of(text, SINGLE),
    }
}

fn one_of<'t>(text: &'t str, letters: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    rest.next().filter(|letter| letters.contains(*letter)).map(|_| rest.as_str())
}

/// Whether a format of `git branch` and `git tag` only prints.
pub(super) fn of_refs(format: &str) -> bool {
    format.split("%(").skip(1).all(|field| field.split_once(')').is_some_and(|(field, _)| is_field(field)))
}

/// Whether a key to sort refs by is kept in them.
pub(super) fn sorts(key: &str) -> bool {
    is_field(key.strip_prefix('-').unwrap_or(key))
}

fn is_field(field: &str) -> bool {
    let field = field.strip_prefix('*').unwrap_or(field);
    let (name, more) = field.split_once(':').unwrap_or((field, ""));
    // `version:refname` sorts another field, `contents:signature` only prints what the object holds.
    let sorted_by = matches!(name, "version" | "v").then_some(more);
    FIELDS.contains(&name) && sorted_by.is_none_or(|by| FIELDS.contains(&by))
}

#[cfg(test)]
mod tests {
    use super::{of_log, of_refs, sorts};

    // A4
    #[test]
    fn a_format_is_believed_when_each_placeholder_is_known() {
        for format in [
            "oneline",
            "format:%h %s",
            "%H%n%an <%ae>%x09%cI%d",
            "%+b%-s% D",
            "%C(auto)%h %Cred%s%Creset",
            "tformat:%gd %gs",
            "%<(20,trunc)%s%>>(8)%h",
            "%(trailers:key=Signed-off-by,valueonly)",
            "100%%",
            "%w(72,2,2)%B",
            "%as %ch",
            "%(trailers:key=a,separator=%x2C%n)",
            "50%% of %h, %%d",
            "%<(20)%Cred%s",
        ] {
            assert!(of_log(format), "{format}");
        }
        for format in [
            "%G?",
            "%GG",
            "%+GG",
            "%-GS",
            "% GK",
            "format:%h %GP",
            "%h%GT",
            "%",
            "%%%",
            "%(describe)",
            "%z",
            "%- G?",
            "%++GG",
            "mine",
            "%xG?",
            "%C(red",
            "%aG",
            "%ü",
            // git reads on behind a `%` that it prints.
            "%<(%G?)",
            "%w(x%G?)",
            "%(trailers:x%G?)",
            "%(decorate:x%GG)",
            "%<(5,%G?)",
            "%>|(a%GG)",
            "tformat:%>|(a%GG)",
            "%C(x%+G?)",
            "%<(x%(describe))",
            "%(trailers:x%xG?)",
            "%<(5%)%G?",
            // Behind a colour it takes a doubled `%` apart.
            "%<(20)%Cred%%G?",
            "%<(20)%C(red)%%-G?",
            "%<(20)%Cred%C(auto)%%G?",
            "%<(20)%Cred%%(describe)",
        ] {
            assert!(!of_log(format), "{format}");
        }
    }

    // A4
    #[test]
    fn fields_of_refs_are_believed_when_each_is_known() {
        for format in [
            "%(refname:short) %(*objectname)",
            "%(if)%(HEAD)%(then)*%(end)",
            "%00",
            "",
            "%(contents:signature)",
        ] {
            assert!(of_refs(format), "{format}");
        }
        for format in [
            "%(signature)",
            "%(signature:key)",
            "%(*signature)",
            "%(refname) %(signature:grade)",
            "%(refname",
            "%(describe)",
        ] {
            assert!(!of_refs(format), "{format}");
        }
        assert!(sorts("-committerdate") && sorts("version:refname") && sorts("-v:refname"));
        assert!(
            !sorts("signature")
                && !sorts("-signature:grade")
                && !sorts("v:signature")
                && !sorts("-*signature")
        );
    }
}
