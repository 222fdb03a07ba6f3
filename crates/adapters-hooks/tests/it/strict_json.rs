//! One value or nothing (threat D11).

use bailiwick_adapters_hooks::{JsonFault, MAX_EVENT_BYTES, strict_json};
use bailiwick_domain::{Value, json};
use proptest::prelude::*;

#[track_caller]
fn refused(bytes: &[u8]) {
    assert!(
        matches!(strict_json(bytes), Err(JsonFault::Malformed(_))),
        "{:?}",
        String::from_utf8_lossy(bytes)
    );
}

#[test]
fn duplicate_keys_are_refused_at_any_depth_and_in_any_spelling() {
    // threat D11
    refused(br#"{"command":"ls","command":"rm -rf ~"}"#);
    refused(br#"{"a":[{"b":{"c":1,"c":1}}]}"#);
    refused(br#"{"command":"ls","c\u006fmmand":"rm -rf ~"}"#);
    assert_eq!(
        strict_json(br#"{"a":{"a":{"a":1}},"b":{"a":1}}"#),
        Ok(json!({"a": {"a": {"a": 1}}, "b": {"a": 1}}))
    );
}

#[test]
fn whatever_two_parsers_could_read_differently_is_refused() {
    // threat D11
    let cases: [&[u8]; 14] = [
        b"",
        b"  ",
        b"{}{}",
        b"{} x",
        b"{\"a\":NaN}",
        b"{\"a\":Infinity}",
        b"{\"a\":1e999}",
        b"{'a':1}",
        b"{\"a\":1,}",
        b"{\"a\":\"\x01\"}",
        b"{\"a\":\"\n\"}",
        b"{\"a\":\"\\ud800\"}",
        b"// c\n{}",
        b"{\"a\":01}",
    ];
    cases.into_iter().for_each(refused);
    assert_eq!(strict_json(b"{\"a\":\"\xff\"}"), Err(JsonFault::NotUtf8));
}

#[test]
fn nesting_is_bounded() {
    // threat D11
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(strict_json(nested(127).as_bytes()).is_ok());
    refused(nested(129).as_bytes());
    refused(nested(2_000_000).as_bytes());
}

#[test]
fn size_is_bounded() {
    let exactly = |bytes: usize| format!("\"{}\"", "a".repeat(bytes - 2));
    assert!(strict_json(exactly(MAX_EVENT_BYTES).as_bytes()).is_ok());
    assert_eq!(strict_json(exactly(MAX_EVENT_BYTES + 1).as_bytes()), Err(JsonFault::TooBig));
}

#[test]
fn one_byte_order_mark_in_front_is_dropped() {
    assert_eq!(strict_json(b"\xEF\xBB\xBF{\"a\":1}\r\n"), Ok(json!({"a": 1})));
    refused(b"\xEF\xBB\xBF\xEF\xBB\xBF{}");
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9f64..1e9).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_is_read_back_as_it_was_written(value in any_value()) {
        prop_assert_eq!(strict_json(value.to_string().as_bytes()).unwrap(), value);
    }

    #[test]
    fn junk_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = strict_json(&bytes);
    }
}
