//! Tools of other people's servers: their own schema says which arguments are paths, and a person says their class.
//!
//! A schema is a hint and no proof. A text that neither its name nor a format makes a path may be one all the same: where it
//! leads tells, which is found out later.

mod inner;
mod maybe;

pub use maybe::Led;

use bailiwick_domain::{Classification, Params, Value};

use self::inner::{MOST_LEVELS, Place};
use crate::calls::address::cleaned;
use crate::calls::targets::{RequestedTarget, Targets};
use crate::calls::terms::{Access, Candidate, Unreadable};

/// What is known of a tool that the table does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its name, as the gate is told it in a call.
    pub name: String,
    /// What a person said of it where its server stands; [`Classification::Destructive`] where nobody did.
    pub class: Classification,
    /// It is not what a person trusted any more: nothing that was said of it counts.
    pub changed: bool,
    /// The schema of its arguments.
    pub schema: Value,
}

/// Names of arguments that hold a path, as the last word of a name.
const PATHS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
];
/// Names that hold one where the text looks like it.
const PLACES: &[&str] = &["source", "sources", "src", "destination", "dest", "dst", "root", "roots", "cwd"];
/// Names that may hold one.
const MAYBE: &[&str] = &["target", "targets", "from", "to", "input", "output", "location", "name"];
/// Names of addresses, which are paths where they are of files or have no scheme.
const ADDRESSES: &[&str] = &["uri", "uris", "url", "urls"];
/// Formats of a schema that say it.
const PATH_FORMATS: &[&str] = &["path", "file-path", "directory-path"];
const ADDRESS_FORMATS: &[&str] = &["uri", "uri-reference", "iri", "iri-reference"];
/// The longest text that is looked at as a path by its look alone, in bytes.
const LONGEST: usize = 4096;
/// A call that names more paths is not looked at.
pub const MOST_PATHS: usize = 256;

/// How much speaks for an argument being a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Says,
    Address,
    Place,
    May,
    None,
}

/// What is found in a call.
#[derive(Default)]
struct Found {
    paths: Vec<String>,
    candidates: Vec<Candidate>,
    /// In how many texts the one stands that is looked at.
    level: usize,
    /// Whether one of them is content.
    is_content: bool,
    /// What the texts within texts had of their bounds.
    spent: usize,
}

impl Found {
    fn candidate(&mut self, sign: Sign, text: String) {
        self.candidates.push(Candidate { text, named: sign != Sign::None, is_content: self.is_content });
    }

    fn text(&mut self, sign: Sign, text: &str) -> Result<(), Unreadable> {
        // Content names what it likes; what is no address in it is no reason to refuse it.
        if self.is_content {
            let address = of_file_address(text).and_then(Result::ok);
            self.candidate(sign, address.unwrap_or_else(|| text.to_owned()));
            return Ok(());
        }
        match path_of(sign, text)? {
            Some(_) if self.paths.len() >= MOST_PATHS => {
                return Err(Unreadable::TooLarge(format!("the call names more than {MOST_PATHS} paths")));
            }
            Some(path) => self.paths.push(path),
            None => self.candidate(sign, text.to_owned()),
        }
        Ok(())
    }
}

/// The paths among the arguments of a described tool. One that only reads shows them; any other may do anything to them.
///
/// ```
/// use bailiwick_domain::{Classification, json};
/// use bailiwick_policy::described;
/// let params = json!({"path": "a", "head": 3});
/// let found = described(&json!({}), Classification::Safe, params.as_object().unwrap()).unwrap();
/// assert_eq!(found.paths[0].requested, "a");
/// ```
///
/// # Errors
/// An address of a file that cannot be understood, or more paths than are looked at.
pub fn described(schema: &Value, class: Classification, params: &Params) -> Result<Targets, Unreadable> {
    let access = access_of(class);
    let mut found = Found::default();
    of_members(Sign::None, params, schema, &mut found)?;
    found.paths.dedup();
    let paths = found.paths.into_iter().map(|path| RequestedTarget::new(path, access)).collect();
    Ok(Targets { paths, candidates: found.candidates, unforeseen: true, ..Targets::default() })
}

/// What a tool of this class does to what it names, as far as anybody knows.
pub fn access_of(class: Classification) -> Access {
    match class {
        Classification::Safe => Access::Read,
        Classification::Destructive => Access::Anything,
    }
}

fn of_members(sign: Sign, members: &Params, schema: &Value, found: &mut Found) -> Result<(), Unreadable> {
    for (name, value) in members {
        let known = schema.get("properties").and_then(|all| all.get(name));
        if known.is_none() {
            found.candidate(sign, name.clone());
        }
        let below = known.unwrap_or(&Value::Null);
        of_value(sign_of(name, below), value, below, found)?;
    }
    Ok(())
}

fn of_value(sign: Sign, value: &Value, schema: &Value, found: &mut Found) -> Result<(), Unreadable> {
    match value {
        Value::String(text) => of_text(Place { sign, schema }, text, found),
        Value::Array(items) => {
            let below = schema.get("items").unwrap_or(&Value::Null);
            let sign = if sign == Sign::None { format_of(below) } else { sign };
            items.iter().try_for_each(|item| of_value(sign, item, below, found))
        }
        Value::Object(members) => of_members(sign, members, schema, found),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

/// A text as it stands, and what stands within it where a server could decode it.
fn of_text(place: Place<'_>, text: &str, found: &mut Found) -> Result<(), Unreadable> {
    found.text(place.sign, text)?;
    let pieces = inner::pieces(text, place, &mut found.spent)?;
    if pieces.is_empty() {
        return Ok(());
    }
    if found.level >= MOST_LEVELS {
        let why = format!("more than {MOST_LEVELS} texts of JSON stand within each other");
        return Err(Unreadable::TooLarge(why));
    }
    let (level, was_content) = (found.level, found.is_content);
    found.level = level.saturating_add(1);
    found.is_content |= is_content(place);
    for piece in pieces {
        if piece.is_name {
            found.candidate(piece.place.sign, piece.text);
        } else {
            of_text(piece.place, &piece.text, found)?;
        }
    }
    (found.level, found.is_content) = (level, was_content);
    Ok(())
}

/// Whether a text is content by all that is known: its schema knows it as a text alone, and nothing calls it a path.
fn is_content(place: Place<'_>) -> bool {
    place.sign == Sign::None && place.schema.get("type").and_then(Value::as_str) == Some("string")
}

fn sign_of(name: &str, schema: &Value) -> Sign {
    let words = words_of(name);
    let is_any = |known: &[&str]| words.last().is_some_and(|word| known.contains(&word.as_str()));
    match format_of(schema) {
        Sign::None if is_any(PATHS) => Sign::Says,
        Sign::None if is_any(ADDRESSES) => Sign::Address,
        Sign::None if is_any(PLACES) => Sign::Place,
        Sign::None if is_any(MAYBE) => Sign::May,
        sign => sign,
    }
}

fn format_of(schema: &Value) -> Sign {
    match schema.get("format").and_then(Value::as_str) {
        Some(format) if PATH_FORMATS.contains(&format) => Sign::Says,
        Some(format) if ADDRESS_FORMATS.contains(&format) => Sign::Address,
        _ => Sign::None,
    }
}

/// The words of a name: `filePath`, `file_path` and `file-path` have two.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for sign in name.chars() {
        if !sign.is_alphanumeric() || (sign.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = sign.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| sign.is_alphanumeric()) {
            word.extend(sign.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The path that a text surely is.
fn path_of(sign: Sign, text: &str) -> Result<Option<String>, Unreadable> {
    if let Some(path) = of_file_address(text) {
        return path.map(Some);
    }
    let is_path = match sign {
        Sign::Says => true,
        Sign::Place => text.len() <= LONGEST && !has_scheme(text) && looks_like_one(text),
        Sign::May => text.len() <= LONGEST && is_plainly(text),
        Sign::Address | Sign::None => false,
    };
    Ok(is_path.then(|| text.to_owned()))
}

/// The path of `file:///a%20b`, where a text is such an address to those who fetch it, or holds one as
/// `view-source:file:///a` does.
fn of_file_address(text: &str) -> Option<Result<String, Unreadable>> {
    let address = cleaned(text);
    let mut inner = address.as_ref();
    while has_scheme(inner) {
        let (scheme, rest) = inner.split_once(':')?;
        if scheme.eq_ignore_ascii_case("file") {
            return Some(of_address(text, rest));
        }
        inner = rest;
    }
    None
}

/// The path behind `file:`; other machines have none here, and what is within an archive (`jar:file:/a!/b`) has none either.
fn of_address(text: &str, rest: &str) -> Result<String, Unreadable> {
    let unread = || Unreadable::from(format!("`{}` is no address of a file here", text.escape_debug()));
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest),
        None => rest,
    };
    if !path.starts_with('/') || path.contains(['?', '#']) || path.contains("!/") {
        return Err(unread());
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().and_then(|sign| char::from(sign).to_digit(16));
        bytes.push(match byte {
            b'%' => {
                let (high, low) = (digit().ok_or_else(unread)?, digit().ok_or_else(unread)?);
                u8::try_from(high.saturating_mul(16).saturating_add(low)).map_err(|_| unread())?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).map_err(|_| unread())
}

/// Whether an address names what it is reached by. A single letter is a drive.
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|sign: char| sign.is_ascii_alphabetic())
            && scheme.chars().all(|sign| sign.is_ascii_alphanumeric() || "+-.".contains(sign))
    })
}

/// Whether a text has a folder, or the ending of a file.
fn looks_like_one(text: &str) -> bool {
    let is_name = text.contains(['/', '\\']) || has_ending(text) || text == ".";
    is_plainly(text) || (is_name && !text.contains(['\n', '\r', '@']))
}

fn has_ending(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=8).contains(&ending.len()) && ending.chars().all(|sign| sign.is_ascii_alphanumeric())
    })
}

/// Whether a text is a path by its look, whatever it is called.
fn is_plainly(text: &str) -> bool {
    let is_rooted = text.starts_with('/') && !text.starts_with("//") && text.len() > 1;
    let is_drive = text.get(1..3).is_some_and(|rest| matches!(rest, ":\\" | ":/"));
    let leads = ["~/", "./", "../", ".\\", "..\\", "\\\\"].iter().any(|head| text.starts_with(head));
    (is_rooted || is_drive || leads || text == "..") && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::json;

    use super::*;

    /// The paths, and the texts that may be some.
    fn found(schema: Value, params: &Value) -> (Vec<String>, Vec<String>) {
        let targets = described(&schema, Classification::Destructive, params.as_object().unwrap()).unwrap();
        assert!(targets.paths.iter().all(|target| target.access.mutates()));
        assert!(targets.unforeseen, "nobody knows what the tool does");
        let paths = targets.paths.into_iter().map(|target| target.requested).collect();
        (paths, targets.candidates.into_iter().map(|candidate| candidate.text).collect())
    }

    #[test]
    fn names_and_formats_tell_a_path() {
        let none = Value::Null;
        for (params, expected) in [
            (json!({"path": "a b"}), "a b"),
            (json!({"filePath": "a"}), "a"),
            (json!({"output_dir": "a"}), "a"),
            (json!({"uri": "file:///etc/a%20b"}), "/etc/a b"),
            (json!({"destination": "b.txt"}), "b.txt"),
            (json!({"to": "/etc/passwd"}), "/etc/passwd"),
            (json!({"to": "../up"}), "../up"),
            (json!({"deep": [{"files": ["c"]}]}), "c"),
        ] {
            assert_eq!(found(none.clone(), &params).0, [expected], "{params}");
        }
        let schema =
            json!({"properties": {"where": {"format": "path"}, "all": {"items": {"format": "path"}}}});
        assert_eq!(found(schema, &json!({"where": "x", "all": ["y"]})), (strings(&["y", "x"]), strings(&[])));
    }

    #[test]
    fn a_place_is_a_path_where_its_text_looks_like_one() {
        let is_path = |name: &str, text: &str| !found(Value::Null, &json!({ name: text })).0.is_empty();
        for text in ["a/b", "b.txt", ".", "/", "c:d/e", "1a:b/c", "a b:c/d"] {
            assert!(is_path("source", text), "{text}");
        }
        for text in [
            "word",
            "https://example.com/a",
            "git+ssh:a/b",
            "dana@example.com",
            "a/b\nc",
            "a.b c",
            "a.muchtoolong",
            "",
        ] {
            assert!(!is_path("source", text), "{text}");
        }
        let long = format!("/{}", "a".repeat(LONGEST));
        assert!(!is_path("source", &long) && !is_path("to", &long) && is_path("path", &long));
        assert!(
            is_path("to", "/a") && !is_path("to", "/") && !is_path("to", "//a") && !is_path("to", "/a b")
        );
    }

    // What is called an address or stands below a name that says "file" is more likely a path than any other text.
    #[test]
    fn a_name_or_a_format_makes_a_text_likelier_to_be_a_path() {
        let likely = |schema: Value, params: &Value| -> Vec<bool> {
            let params = params.as_object().unwrap();
            let found = described(&schema, Classification::Destructive, params).unwrap();
            found.candidates.into_iter().map(|candidate| candidate.named).collect()
        };
        assert_eq!(likely(Value::Null, &json!({"files": {".env": 1}})), [false, true]);
        let known = |name: &str, format: &str| json!({"properties": {name: {"format": format}}});
        assert_eq!(likely(known("url", "date"), &json!({"url": "a"})), [true]);
        assert_eq!(likely(known("when", "date"), &json!({"when": "a"})), [false]);
        assert_eq!(likely(known("where", "uri"), &json!({"where": "a"})), [true]);
    }

    // What an address of a file leads to says who fetches it.
    mod by_the_standard {
        use proptest::prelude::*;
        use url::Url;

        use super::*;

        const SIGNS: &str =
            "(file|FILE|fi|le|:|//|/|\\\\|\t|\r\n|\u{1}| |localhost|host|r|\\.\\.|%2e|%2F|\\?|#|é)";

        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

            #[test]
            fn an_address_of_a_file_is_a_path_or_refused(parts in prop::collection::vec(SIGNS, 1..9)) {
                let text = parts.concat();
                let read = Url::parse(&text).ok().filter(|url| url.scheme() == "file");
                let found = of_file_address(&text);
                prop_assert_eq!(read.is_some() && found.is_none(), false, "{:?}", text);
                if let (Some(url), Some(Ok(path))) = (read, found) {
                    let there = url.to_file_path().unwrap();
                    let plain = maybe::lexical(&path);
                    prop_assert_eq!(there.to_str().unwrap().trim_end_matches('/'), plain.trim_end_matches('/'), "{:?}", text);
                }
            }
        }
    }

    #[test]
    fn what_a_fetcher_drops_makes_no_other_address() {
        for text in [" file:///etc/a", "fi\tle:///etc/a", "\nFILE:/etc/a", "file:///etc/\r\na\u{1}"] {
            assert_eq!(found(Value::Null, &json!({ "note": text })).0, ["/etc/a"], "{text:?}");
        }
    }

    #[test]
    fn an_address_within_an_address_counts() {
        for text in ["view-source:file:///etc/a", "VIEW-SOURCE:FILE:/etc/a", "feed:view-source:file:///etc/a"]
        {
            assert_eq!(found(Value::Null, &json!({ "note": text })).0, ["/etc/a"], "{text}");
        }
        for text in ["http://a.example/?u=file:///etc/a", "note: file:///etc/a", "12:file:///etc/a"] {
            assert_eq!(found(Value::Null, &json!({ "note": text })).0, [""; 0], "{text}");
        }
        assert!(of_file_address("jar:file:///a/.env!/b").unwrap().is_err());
    }

    // Servers decode a text before they obey it, whatever the schema says
    #[test]
    fn json_within_a_text_counts_like_the_call() {
        let schema = json!({"properties": {
            "paths": {"type": "array"}, "all": {"items": {"properties": {"where": {"format": "path"}}}}, "opts": {"type": "object", "properties": {"where": {"format": "path"}}},
        }});
        for (params, expected) in [
            (json!({"paths": r#"["a", "b"]"#}), vec!["a", "b"]),
            (json!({"paths": r#" ["a", NaN, 1e999] "#}), vec!["a"]),
            (json!({"paths": "['a']"}), vec!["a"]),
            (json!({"all": r#"[{"where": "a"}, {"where": "b"}]"#}), vec!["a", "b"]),
            (json!({"paths": "\"a\""}), vec!["a"]),
            (json!({"paths": r#""\u002eenv""#}), vec![".env"]),
            (json!({"opts": r#"{"path": "a"}"#}), vec!["a"]),
            (json!({"opts": r#"{"path": "a", "path": "b"}"#}), vec!["a", "b"]),
            (json!({"opts": r#"{"where": "a", "n": {"m": [1]}, "file": "b"}"#}), vec!["a", "b"]),
            (json!({"opts": {"a": r#"{"path": "a"}"#}}), vec!["a"]),
            (json!({"opts": r#"{"a": "{\"path\": \"a\"}"}"#}), vec!["a"]),
            (json!({"opts": "file:///a"}), vec!["/a"]),
        ] {
            let (mut paths, _) = found(schema.clone(), &params);
            paths.retain(|path| !path.contains(['"', '\'', '[']));
            assert_eq!(paths, expected, "{params}");
        }
        let (_, may_be) = found(schema, &json!({"opts": r#"{"a": [{"b": "c"}]}"#}));
        assert_eq!(may_be, [r#"{"a": [{"b": "c"}]}"#, "a", "b", "c"]);
    }

    #[test]
    fn content_names_no_path_of_its_own() {
        let schema = json!({"properties": {"content": {"type": "string"}}});
        let content = r#"{"path": "a", "lib": "file:../lib", "files": ["b", "file:///c"]}"#;
        let params = json!({ "content": content });
        let found = described(&schema, Classification::Destructive, params.as_object().unwrap()).unwrap();
        assert_eq!(found.paths, []);
        let [whole, within @ ..] = found.candidates.as_slice() else { panic!("no text") };
        assert!(!whole.is_content && within.iter().all(|candidate| candidate.is_content), "{within:?}");
        let texts: Vec<&str> = within.iter().map(|candidate| candidate.text.as_str()).collect();
        assert_eq!(texts, ["path", "a", "lib", "file:../lib", "files", "b", "/c"]);
    }

    #[test]
    fn prose_has_no_json() {
        for text in ["[x] \"a\" is done", "say \"a\"", "{", "\"", "it's 'a'", "[id]", "[1, true]"] {
            assert_eq!(found(Value::Null, &json!({ "note": text })).1, ["note", text], "{text}");
        }
        let (paths, may_be) = found(Value::Null, &json!({"note": "\"mend the build\""}));
        assert_eq!((paths.len(), may_be.last().unwrap().as_str()), (0, "mend the build"));
    }

    #[test]
    fn more_json_than_is_looked_at_is_no_call() {
        let read = |text: &str| {
            let params = json!({ "opts": text });
            described(&Value::Null, Classification::Safe, params.as_object().unwrap())
        };
        let within =
            |levels: usize| (0..levels).fold("a".to_owned(), |text, _| Value::String(text).to_string());
        read(&within(MOST_LEVELS)).unwrap();
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        read(&nested(100)).unwrap();
        let many = |count: usize| format!("[1{}]", ",1".repeat(count));
        read(&many(49_998)).unwrap();
        for text in [within(MOST_LEVELS + 1), nested(101), many(49_999)] {
            assert!(matches!(read(&text), Err(Unreadable::TooLarge(_))), "{} bytes", text.len());
        }
        let twice = json!({"a": many(30_000), "b": many(30_000)});
        assert!(described(&Value::Null, Classification::Safe, twice.as_object().unwrap()).is_err());
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    // What leads an agent to a secret under any name, and what blocks nobody's edit: both are for what is there to tell
    #[test]
    fn what_no_sign_gives_away_may_be_a_path() {
        for text in
            ["a/b", "/api/login", "v1.2", "@x/../.env", "/repo/my dir/../.env", "dana@example.com", ""]
        {
            for name in ["text", "old", "target", "url"] {
                let (paths, may_be) = found(Value::Null, &json!({ name: text }));
                assert_eq!(
                    paths.is_empty(),
                    !(name == "target" && text.starts_with("/api")),
                    "{name} {text}"
                );
                assert!(!paths.is_empty() || may_be.contains(&text.to_owned()), "{name} {text}: {may_be:?}");
            }
        }
        let (_, may_be) = found(Value::Null, &json!({"files": {".env": 1}}));
        assert_eq!(may_be, ["files", ".env"]);
        let (_, may_be) = found(json!({"properties": {"count": {}}}), &json!({"count": 1}));
        assert!(may_be.is_empty(), "the schema has this name");
    }

    #[test]
    fn an_address_of_a_file_that_cannot_be_read_is_no_call() {
        let read =
            |params: &Value| described(&Value::Null, Classification::Safe, params.as_object().unwrap());
        for uri in ["file://elsewhere/a", "file:a", "file:///a%2", "file:///a%ff", "FILE:x"] {
            assert!(read(&json!({ "uri": uri })).is_err(), "{uri}");
        }
        let many: Vec<String> = (0..300).map(|n| format!("f{n}")).collect();
        assert!(read(&json!({ "paths": many })).is_err());
    }
}
