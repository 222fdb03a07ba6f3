//! Content hashes, block hashes and canonical JSON.

use std::collections::BTreeMap;

use bailiwick_domain::testing::arbitrary;
use bailiwick_domain::{ContentHash, FileState, Value, block_hash, canonical_json, canonical_of, json};
use proptest::prelude::*;

const ABC: &str = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const EMPTY: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[test]
fn hashes_are_the_published_vectors() {
    assert_eq!(ContentHash::of(b"abc").as_str(), ABC);
    assert_eq!(ContentHash::of(b"").as_str(), EMPTY);
    assert_eq!(ContentHash::of(b"").digits(), &EMPTY[7..]);
}

// K-20
#[test]
fn only_the_written_form_is_a_hash() {
    assert_eq!(ContentHash::parse(ABC), Some(ContentHash::of(b"abc")));
    let (upper, short, long) = (ABC.to_uppercase(), &ABC[..70], format!("{ABC}0"));
    for text in ["", "sha256:", &ABC[7..], &upper, short, &long, &ABC.replace("sha256", "sha512")] {
        assert_eq!(ContentHash::parse(text), None, "{text}");
        assert!(serde_json::from_value::<ContentHash>(text.into()).is_err(), "{text}");
    }
}

// D-24
#[test]
fn block_hash_vectors() {
    for (block, hashed) in [
        (&b"abc"[..], &b"abc"[..]),
        (b"abc\n", b"abc"),
        (b"abc\r\n", b"abc"),
        (b"a\nb\n", b"a\nb"),
        (b"a\r\nb\r\n", b"a\nb"),
        (b"a\r\nb\n", b"a\nb"),
        (b"a\nb", b"a\nb"),
        (b"a \nb\t\n", b"a \nb\t"),
        (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfa"),
        (b"a\rb\n", b"a\rb"),
        (b"a\r\r\nb", b"a\r\nb"),
        (b"a\r", b"a\r"),
        (b"a\n\r", b"a\n\r"),
        (b"a\n\n", b"a\n"),
        (b"\n", b""),
        (b"\r\n", b""),
        (b"", b""),
        (b"\xff\xfe\0", b"\xff\xfe\0"),
    ] {
        assert_eq!(block_hash(block), ContentHash::of(hashed), "{:?}", String::from_utf8_lossy(block));
    }
    assert_eq!(block_hash(b"abc\r\n").as_str(), ABC);
}

// D-24: the page is for programs in other languages; what it says is never changed.
#[test]
fn the_published_block_hashes_are_ours() {
    let page = include_str!("../../../../docs/protocol/block-hash-vectors.json");
    assert_eq!(
        ContentHash::of(page.as_bytes()).as_str(),
        "sha256:dbf5659258f817a6a24b19f25f7e4ad20bcdb0ad81e2d7a65d67256162e25666",
        "frozen"
    );
    let page: Value = serde_json::from_str(page).unwrap();
    let vectors = page["vectors"].as_array().unwrap();
    assert!(vectors.len() > 20);
    for vector in vectors {
        let (block, hash) = (vector["block"].as_str().unwrap(), vector["hash"].as_str().unwrap());
        assert_eq!(block_hash(block.as_bytes()).as_str(), hash, "{block:?}");
    }
}

/// Also keys that begin alike and part where one of them ends.
fn any_key() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ !#a]{0,3}"]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any_key(), inner, 0..4)
                .prop_map(|map: BTreeMap<String, Value>| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_is_written_as_any_writer_of_json_does(text in any::<String>()) {
        prop_assert_eq!(canonical_json(&Value::String(text.clone())), serde_json::to_string(&text).unwrap());
    }

    #[test]
    fn the_short_way_to_canonical_json_leads_there_too(value in any_json()) {
        prop_assert_eq!(canonical_of(&value), canonical_json(&value));
    }

    #[test]
    fn canonical_json_says_the_same_value(value in any_json()) {
        let text = canonical_json(&value);
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    // D-24
    #[test]
    fn line_ends_do_not_matter_to_a_block(lines in prop::collection::vec("[ -~]{0,5}", 1..5)) {
        let unix = lines.join("\n");
        let windows = lines.join("\r\n");
        prop_assert_eq!(block_hash(unix.as_bytes()), block_hash(windows.as_bytes()));
    }

    #[test]
    fn different_contents_are_different_states(a: Vec<u8>, b: Vec<u8>) {
        let state = |bytes: &[u8]| FileState::Content(ContentHash::of(bytes));
        prop_assert_eq!(state(&a) == state(&b), a == b);
    }

    #[test]
    fn a_file_state_survives_its_json(state in arbitrary::file_state()) {
        let json = serde_json::to_string(&state).unwrap();
        prop_assert_eq!(serde_json::from_str::<FileState>(&json).unwrap(), state);
    }
}

#[test]
fn canonical_json_sorts_keys_at_every_depth() {
    let value = json!({"b": [{"z": 1, "a": 2}], "a": "x\ny", "\u{e9}": null, "Z": true});
    assert_eq!(
        canonical_json(&value),
        "{\"Z\":true,\"a\":\"x\\ny\",\"b\":[{\"a\":2,\"z\":1}],\"\u{e9}\":null}"
    );
}

// K-10
#[test]
fn file_states_are_spelled_plainly() {
    let spelled = |state: FileState| serde_json::to_value(state).unwrap();
    assert_eq!(spelled(FileState::Absent), "absent");
    assert_eq!(spelled(FileState::Other), "other");
    assert_eq!(spelled(FileState::Content(ContentHash::of(b"abc"))), json!({ "content": ABC }));
    assert_ne!(FileState::Absent, FileState::Content(ContentHash::of(b"")), "an empty file is there");
}

/// Members that are in no order, one of them twice, and with names that sort by what they stand for.
struct Jumbled;

impl serde::Serialize for Jumbled {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([
            ("z", 1),
            ("a\n", 2),
            ("a b", 3),
            ("\"", 4),
            ("z", 5),
            ("", 6),
            ("\u{e9}", 7),
        ])
    }
}

#[test]
fn canonical_json_of_a_type_is_that_of_its_value() {
    assert_eq!(canonical_of(&Jumbled), canonical_json(&json!(Jumbled)));
    let twice = [("b", json!([])), ("a", json!({})), ("b", json!({"y": [1, [], {}], "x": "}],\\\""}))];
    struct Twice<'a>(&'a [(&'a str, Value)]);
    impl serde::Serialize for Twice<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }
    for count in 0..=twice.len() {
        let some = Twice(&twice[..count]);
        assert_eq!(canonical_of(&some), canonical_json(&json!(some)));
    }
    for scalar in [json!(null), json!(-0.5), json!(1e300), json!(u64::MAX), json!("\u{7f}\u{2028}")] {
        assert_eq!(canonical_of(&scalar), canonical_json(&scalar));
    }
}
