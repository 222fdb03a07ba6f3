//! Whether bytes are a JSON object in its RFC 8785 (JCS) form, found in one pass.
//!
//! It accepts exactly what a parser followed by a canonicalizer would give back unchanged, at a fraction of their
//! cost: a ledger of a million lines is verified with this. Deliberately absent: what the members mean.

use std::cmp::Ordering;
use std::ops::Range;

use bailiwick_domain::ContentHash;
use sha2::{Digest as _, Sha256};

/// Deeper than any record, and shallower than the parser's own limit.
const MAX_DEPTH: usize = 100;

/// Digits that every integer of which has an exact form in JCS.
const EXACT_DIGITS: usize = 15;

/// An object in canonical form.
#[derive(Debug)]
pub(in crate::ledger) struct CanonicalObject<'b> {
    text: &'b str,
    members: Vec<Member<'b>>,
}

/// A member of the outermost object: its name as it is spelled between the quotes, and where name and value stand.
#[derive(Debug)]
struct Member<'b> {
    name: &'b [u8],
    place: Range<usize>,
}

impl<'b> CanonicalObject<'b> {
    /// Looks at the bytes; `None` when they are no object in canonical form.
    pub(in crate::ledger) fn scan(bytes: &'b [u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut scanner = Scanner { bytes, at: 0 };
        let mut members = Vec::new();
        scanner.object(0, &mut |name, place| members.push(Member { name, place }))?;
        (scanner.at == bytes.len()).then_some(Self { text, members })
    }

    /// The whole of it: who parses it need not look for UTF-8 once more.
    pub(in crate::ledger) fn text(&self) -> &'b str {
        self.text
    }

    /// The canonical form of the object with these members, which it does not have: plain names in their order, and
    /// values in their canonical form.
    pub(in crate::ledger) fn with(&self, added: &[(&str, String)]) -> Vec<u8> {
        let more: usize = added.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
        let mut whole = Vec::with_capacity(self.text.len() + more);
        let put = |whole: &mut Vec<u8>, parts: &[&[u8]]| {
            whole.push(if whole.is_empty() { b'{' } else { b',' });
            parts.iter().for_each(|part| whole.extend_from_slice(part));
        };
        let put_added = |whole: &mut Vec<u8>, (name, value): &(&str, String)| {
            put(whole, &[b"\"", name.as_bytes(), b"\":", value.as_bytes()]);
        };
        let mut added = added.iter().peekable();
        for member in &self.members {
            while let Some(one) = added.next_if(|(name, _)| order(name.as_bytes(), member.name).is_lt()) {
                put_added(&mut whole, one);
            }
            put(&mut whole, &[self.text.as_bytes().get(member.place.clone()).unwrap_or_default()]);
        }
        added.for_each(|one| put_added(&mut whole, one));
        if whole.is_empty() {
            whole.push(b'{');
        }
        whole.push(b'}');
        whole
    }

    /// The hash of the object's canonical form without these members.
    pub(in crate::ledger) fn hash_without(&self, names: &[&str]) -> ContentHash {
        let is_kept = |member: &Member<'_>| names.iter().all(|name| name.as_bytes() != member.name);
        let mut digest = Sha256::new_with_prefix(b"{");
        let mut before: &[u8] = b"";
        // Members that stand side by side are hashed in one go.
        for run in self.members.chunk_by(|one, next| is_kept(one) == is_kept(next)) {
            let ([first, ..], [.., last]) = (run, run) else { continue };
            if is_kept(first) {
                digest.update(before);
                digest
                    .update(self.text.as_bytes().get(first.place.start..last.place.end).unwrap_or_default());
                before = b",";
            }
        }
        ContentHash::from_digest(&digest.chain_update(b"}").finalize().into())
    }
}

struct Scanner<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Scanner<'b> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match self.peek()? {
            b'{' => self.object(depth, &mut |_, _| {}),
            b'[' => self.array(depth),
            b'"' => self.string().map(drop),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    /// Names rise strictly, so that none is there twice.
    fn object(&mut self, depth: usize, found: &mut dyn FnMut(&'b [u8], Range<usize>)) -> Option<()> {
        self.take(b'{')?;
        if self.peek()? == b'}' || depth == MAX_DEPTH {
            return self.take(b'}');
        }
        let mut last: Option<&[u8]> = None;
        loop {
            let start = self.at;
            let name = self.string()?;
            if last.is_some_and(|last| order(last, name) != Ordering::Less) {
                return None;
            }
            last = Some(name);
            self.take(b':')?;
            self.value(depth + 1)?;
            found(name, start..self.at);
            if self.take(b',').is_none() {
                return self.take(b'}');
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        self.take(b'[')?;
        if self.peek()? == b']' || depth == MAX_DEPTH {
            return self.take(b']');
        }
        loop {
            self.value(depth + 1)?;
            if self.take(b',').is_none() {
                return self.take(b']');
            }
        }
    }

    /// A string, each character in its one canonical spelling; what stands between the quotes.
    fn string(&mut self) -> Option<&'b [u8]> {
        self.take(b'"')?;
        let start = self.at;
        loop {
            self.at += plain(self.bytes.get(self.at..)?);
            match self.peek()? {
                b'"' => break,
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
        self.at += 1;
        self.bytes.get(start..self.at - 1)
    }

    fn escape(&mut self) -> Option<()> {
        match self.bytes.get(self.at + 1)? {
            b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
            b'u' => {
                let digits = self.bytes.get(self.at + 2..self.at + 6)?;
                let control = matches!(digits, [b'0', b'0', b'0' | b'1', b'0'..=b'9' | b'a'..=b'f']);
                let has_short_form = [&b"0008"[..], b"0009", b"000a", b"000c", b"000d"].contains(&digits);
                (control && !has_short_form).then_some(())?;
                self.at += 6;
            }
            _ => return None,
        }
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        let belongs = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.iter().take_while(|byte| belongs(byte)).count();
        let token = rest.get(..length)?;
        is_canonical_number(token).then(|| self.at += length)
    }
}

/// How many bytes at the start are neither a quote nor a backslash nor a control character, seen eight at a time.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // The lowest high bit that is set stands at the first byte below `bound`; those above it mean nothing.
    let below = |word: u64, bound: u64| word.wrapping_sub(ONES * bound) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let found = (quote | backslash | below(word, 0x20)) & HIGH;
        if found != 0 {
            return at * 8 + usize::try_from(found.trailing_zeros() / 8).unwrap_or_default();
        }
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    words.len() * 8 + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// The order of names in JCS: by UTF-16 code units of what they mean. Where they part in plain characters that is the
/// order of their bytes.
fn order(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let is_plain = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii() && *byte != b'\\');
    let (next_a, next_b) = (a.get(common), b.get(common));
    let is_escaped = a.get(..common).is_none_or(|common| common.contains(&b'\\'));
    if is_plain(next_a) && is_plain(next_b) && !is_escaped {
        return next_a.cmp(&next_b);
    }
    meaning(a).encode_utf16().cmp(meaning(b).encode_utf16())
}

fn meaning(name: &[u8]) -> String {
    let quoted = [b"\"", name, b"\""].concat();
    serde_json::from_slice(&quoted).unwrap_or_default()
}

fn is_canonical_number(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    match digits {
        [b'1'..=b'9', rest @ ..] if rest.len() < EXACT_DIGITS && rest.iter().all(u8::is_ascii_digit) => true,
        [b'0'] => digits.len() == token.len(),
        _ => {
            let parsed: Option<bailiwick_domain::Value> = serde_json::from_slice(token).ok();
            parsed.and_then(|number| serde_json_canonicalizer::to_vec(&number).ok()).as_deref() == Some(token)
        }
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{ContentHash, Value};
    use proptest::prelude::*;

    use super::CanonicalObject;

    /// What the scanner stands for: parse, write canonically, compare.
    fn is_canonical(bytes: &[u8]) -> bool {
        let parsed: Option<Value> = serde_json::from_slice(bytes).ok();
        parsed
            .filter(Value::is_object)
            .and_then(|value| serde_json_canonicalizer::to_vec(&value).ok())
            .as_deref()
            == Some(bytes)
    }

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(CanonicalObject::scan(text.as_bytes()).is_some(), expected, "{text}");
        assert_eq!(is_canonical(text.as_bytes()), expected, "the oracle on {text}");
    }

    // D-23
    #[test]
    fn only_the_canonical_form_is_accepted() {
        for good in [
            "{}",
            r#"{"a":[],"b":{}}"#,
            r#"{"a":[1,-2,0,true,false,null],"b":{"c":"d"}}"#,
            r#"{"a":"\"\\\b\f\n\r\t\u0000\u001f/é😀\u007f"}"#.replace("\\u007f", "\u{7f}").as_str(),
            r#"{"a":1.5,"b":1e+30,"c":1e-7,"d":9007199254740992}"#,
            "{\"\u{10000}\":1,\"\u{ffff}\":2}",
        ] {
            check(good, true);
        }
        for bad in [
            "",
            "[]",
            "1",
            "{",
            "{}}",
            " {}",
            "{} ",
            r#"{"a" :1}"#,
            r#"{"a":1,}"#,
            r#"{"b":1,"a":1}"#,
            r#"{"a":1,"a":2}"#,
            r#"{"a":-0}"#,
            r#"{"a":01}"#,
            r#"{"a":1.0}"#,
            r#"{"a":1e2}"#,
            r#"{"a":"\/"}"#,
            r#"{"a":"\u0041"}"#,
            r#"{"a":"\u000a"}"#,
            r#"{"a":"\u001F"}"#,
            r#"{"a":"\u00e9"}"#,
            "{\"a\":\"\n\"}",
            "{\"\u{ffff}\":1,\"\u{10000}\":2}",
            r#"{"a":tru}"#,
            r#"{"a":}"#,
            r#"{"a":9007199254740993}"#,
        ] {
            check(bad, false);
        }
        assert!(CanonicalObject::scan(b"{\"a\":\"\xff\"}").is_none());
    }

    #[test]
    fn plain_bytes_end_at_the_first_special_one_wherever_it_stands() {
        for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for at in 0..20 {
                for neighbour in [b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff, b'"'] {
                    let mut bytes = [b'x'; 20];
                    bytes[at] = special;
                    if at + 1 < bytes.len() {
                        bytes[at + 1] = neighbour;
                    }
                    assert_eq!(super::plain(&bytes), at, "{special} at {at} before {neighbour}");
                    bytes[at] = neighbour;
                    let expected = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
                    assert_eq!(super::plain(&bytes), expected.unwrap_or(20));
                }
            }
        }
    }

    #[test]
    fn members_are_left_out_with_their_comma() {
        let hash =
            |text: &str, names: &[&str]| CanonicalObject::scan(text.as_bytes()).unwrap().hash_without(names);
        let whole = r#"{"a":1,"b":[{"b":2}],"c":3}"#;
        assert_eq!(hash(whole, &[]), ContentHash::of(whole.as_bytes()));
        assert_eq!(hash(whole, &["a"]), ContentHash::of(br#"{"b":[{"b":2}],"c":3}"#));
        assert_eq!(hash(whole, &["b", "c"]), ContentHash::of(br#"{"a":1}"#));
        assert_eq!(hash(whole, &["a", "b", "c"]), ContentHash::of(b"{}"));
    }

    #[test]
    fn members_are_added_at_their_places() {
        let with = |text: &str, added: &[(&str, &str)]| {
            let added: Vec<_> = added.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            let whole = CanonicalObject::scan(text.as_bytes()).unwrap().with(&added);
            assert!(CanonicalObject::scan(&whole).is_some());
            String::from_utf8(whole).unwrap()
        };
        assert_eq!(with("{}", &[]), "{}");
        assert_eq!(with("{}", &[("a", "1"), ("b", "2")]), r#"{"a":1,"b":2}"#);
        let text = r#"{"b":{"a":1},"d":[]}"#;
        assert_eq!(with(text, &[]), text);
        assert_eq!(
            with(text, &[("a", "1"), ("c", "2"), ("e", r#""x""#)]),
            r#"{"a":1,"b":{"a":1},"c":2,"d":[],"e":"x"}"#
        );
    }

    fn json() -> impl Strategy<Value = Value> {
        let text = "[a-c\u{1}-\u{1f}\"\\\\/é\u{e000}😀\u{7f}]{0,3}";
        let scalar = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            (-1000..1000_i64).prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        let value = scalar.prop_recursive(3, 12, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(text, inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        });
        prop::collection::btree_map(text, value, 0..4)
            .prop_map(|members| Value::Object(members.into_iter().collect()))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // D-23
        #[test]
        fn it_agrees_with_parsing_and_writing_again(value in json(), at in any::<prop::sample::Index>(), byte: u8) {
            let canonical = serde_json_canonicalizer::to_vec(&value).unwrap();
            let scanned = CanonicalObject::scan(&canonical);
            prop_assert!(scanned.is_some(), "{}", String::from_utf8_lossy(&canonical));
            let plain = serde_json::to_vec(&value).unwrap();
            prop_assert_eq!(CanonicalObject::scan(&plain).is_some(), is_canonical(&plain));
            for bytes in [&canonical, &plain] {
                let mut changed = bytes.clone();
                let index = at.index(changed.len());
                changed[index] = byte;
                prop_assert_eq!(CanonicalObject::scan(&changed).is_some(), is_canonical(&changed));
                changed.remove(index);
                prop_assert_eq!(CanonicalObject::scan(&changed).is_some(), is_canonical(&changed));
                changed.splice(index..index, [byte, byte]);
                prop_assert_eq!(CanonicalObject::scan(&changed).is_some(), is_canonical(&changed));
            }
        }
    }
}
