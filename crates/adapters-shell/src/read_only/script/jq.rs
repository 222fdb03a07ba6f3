//! Filters of `jq` that only compute with their input: `.a[] | select(.b) | {c: .d}`.
//!
//! A filter is taken apart into names and signs; strings are passed over, but for what `\(…)` computes in them. A name is a
//! function unless it is a field (`.env`) or a key (`{env: 1}`).

/// What a filter does by these: it reads the environment or files that are not its input, or need not end.
#[rustfmt::skip]
const ACTING: &[&str] = &[
    "env", "ENV", "import", "include", "modulemeta", "get_search_list", "__prog_args",
    "repeat", "until", "while", "def", "infinite",
];

/// Words of the language behind which `,` between braces need not part keys.
const CONTROL: &[&str] = &["if", "reduce", "foreach", "try", "catch", "label", "as"];

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Text,
    Object,
    Other,
}

/// Whether a filter only computes with its input. What it may do besides comes back as the text at which that is.
pub(crate) fn only_computes(filter: &str) -> Result<(), &str> {
    let (mut rest, mut open, mut before) = (filter, Vec::new(), "");
    while let Some(sign) = rest.chars().next() {
        let length = length_of(rest, sign, open.last() == Some(&Open::Text));
        let (part, behind) = rest.split_at_checked(length).ok_or(rest)?;
        if open.last() == Some(&Open::Text) {
            match part {
                "\"" => _ = open.pop(),
                "\\(" => open.push(Open::Other),
                _ => {}
            }
        } else {
            match sign {
                '"' => open.push(Open::Text),
                '{' => open.push(Open::Object),
                '(' | '[' => open.push(Open::Other),
                ')' | ']' | '}' => _ = open.pop(),
                // How far a comment goes depends on the version.
                '#' => return Err(rest),
                sign if is_of_a_name(sign) => {
                    let is_key = open.last() == Some(&Open::Object) && is_key(filter, before, behind);
                    if !is_field(filter, rest) && !is_key && acts(part, behind) {
                        return Err(rest);
                    }
                }
                _ => {}
            }
        }
        if !part.trim_start().is_empty() {
            before = part;
        }
        rest = behind;
    }
    Ok(())
}

/// How long the part is that a text begins with: a name, a sign, or a sign behind `\` in a string.
fn length_of(text: &str, sign: char, is_string: bool) -> usize {
    let of_two = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at);
    match sign {
        '\\' if is_string => of_two,
        sign if !is_string && is_of_a_name(sign) => text.len() - text.trim_start_matches(is_of_a_name).len(),
        sign => sign.len_utf8(),
    }
}

/// Whether a name is that of a field, as in `.env`. In `..env` it is none.
fn is_field(filter: &str, rest: &str) -> bool {
    let before = filter.strip_suffix(rest).unwrap_or_default();
    before.ends_with('.') && !before.ends_with("..")
}

/// Whether a name between braces is a key, as in `{a, b: 1}`.
fn is_key(filter: &str, before: &str, behind: &str) -> bool {
    let is_plain = !filter.split(|sign| !is_of_a_name(sign)).any(|word| CONTROL.contains(&word));
    let behind = behind.trim_start();
    is_plain
        && matches!(before, "{" | ",")
        && behind.starts_with([':', ',', '}'])
        && !behind.starts_with("::")
}

/// `recurse` alone ends where its input does.
fn acts(name: &str, behind: &str) -> bool {
    ACTING.contains(&name) || (name == "recurse" && behind.trim_start().starts_with(['(', '#']))
}

fn is_of_a_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

#[cfg(test)]
mod tests {
    use super::only_computes;

    // A14
    #[test]
    fn names_that_act_are_told_from_fields_keys_and_texts() {
        for filter in [
            ".env",
            ".a.env | keys",
            ".scripts[\"env\"]",
            "has(\"env\")",
            "{env: .env}",
            "{include, exclude}",
            "{a: .b, env , \"while\": .x}",
            "\"a \\\" env \\(.env) \\\\\"",
            "[recurse]",
            "recurse | .x",
            "..",
            ".environment | untilx",
            "{a: {env}, b: [.c]}",
        ] {
            assert_eq!(only_computes(filter), Ok(()), "{filter}");
        }
        for filter in [
            "env",
            "$ENV",
            "..env",
            ".. env",
            ". env",
            "{a: env}",
            "{a: env, b}",
            "{a: .x|env}",
            "{a: if . then 1, env, 2 else 3 end}",
            "{(env): 1}",
            "{a: [1, env, 2]}",
            "{a: (1, env, 2)}",
            "{$ENV}",
            "\"\\(env)\"",
            "\"\\(\"\\(env)\")\"",
            "\"a\" + env",
            "\"\\\\\" + env",
            "{a: \"{\"} | env",
            "recurse(.)",
            "[recurse  (.)]",
            "[recurse\t(.)]",
            "import \"a\" as a; .",
            "def f: f; f",
            "{env::f}",
            "include \"x\"; .",
            ". # \"\n| env # \"",
            ".a # why",
        ] {
            assert!(only_computes(filter).is_err(), "{filter}");
        }
    }
}
