//! How much of a file a reading showed, and that other lines than the file's show nothing.

use bailiwick_domain::{ContentHash, Pages, Showed, json};
use bailiwick_policy::limits::too_much;
use bailiwick_policy::shown::{Sight, asks_for_all, fits_a_page, of_content};

const FILE: &[u8] = b"one\ntwo\nthree\n";

fn lines(first: u64, total: u64, text: &str) -> Option<Sight> {
    of_content(FILE, &Showed::Lines { first, total, text: text.to_owned() })
}

// D-44
#[test]
fn all_lines_are_the_whole_and_some_are_a_part() {
    let part = |first, last| Some(Sight::Lines(Pages::of(first, last), 3));
    assert_eq!(lines(1, 4, "one\ntwo\nthree\n"), Some(Sight::Whole));
    assert_eq!(lines(1, 4, "one\ntwo"), part(1, 2));
    assert_eq!(lines(2, 4, "two\nthree"), part(2, 3));
    assert_eq!(lines(3, 4, "three\n"), part(3, 4));
    assert_eq!(lines(2, 4, "two\nthree\n"), part(2, 4));
    assert_eq!(lines(1, 2, "one\ntwo"), part(1, 2), "the file has more than its host says");
    assert_eq!(lines(1, 9, "one\ntwo\nthree\n"), part(1, 4), "the host says that there was more");
    let empty = Showed::Lines { first: 1, total: 1, text: String::new() };
    assert_eq!(of_content(b"", &empty), Some(Sight::Whole));
}

// D-44
#[test]
fn what_is_told_by_its_hash_was_seen_whole_while_it_has_that_content() {
    let told = |content: &[u8]| of_content(FILE, &Showed::Content(ContentHash::of(content)));
    assert_eq!(told(FILE), Some(Sight::Whole));
    assert_eq!(told(b"other"), None);
}

// D-44
#[test]
fn other_lines_than_those_that_are_there_show_nothing() {
    assert_eq!(lines(1, 4, "two"), None);
    assert_eq!(lines(2, 4, "one\ntwo"), None);
    assert_eq!(lines(9, 4, ""), None);
    assert_eq!(lines(4, 4, ""), None, "no text behind the first line");
    assert_eq!(lines(1, 4, "one\ntwo\nthree\nfour"), None);
}

#[test]
fn as_many_values_as_are_read_are_not_too_much() {
    let params = |lists: usize, last: usize| {
        let full: Vec<_> = std::iter::repeat_n(json!(vec![0; 4_999]), lists).collect();
        json!({"a": full, "b": vec![0; last]}).as_object().unwrap().clone()
    };
    // Nine lists of 4,999 with themselves, the list around them, and a list with itself: 45,002 values.
    assert_eq!(too_much(&params(9, 4_998)), None, "exactly as many as are read");
    assert!(too_much(&params(9, 4_999)).is_some(), "one more");
    assert!(too_much(&params(10, 0)).is_some());
    let list = |entries: usize| json!({"a": {"b": vec![0; entries]}}).as_object().unwrap().clone();
    assert_eq!(too_much(&list(5_000)), None, "as long a list as is read");
    assert!(too_much(&list(5_001)).is_some());
}

// D-44
#[test]
fn a_reading_asks_for_all_where_nothing_in_it_leaves_anything_out() {
    for (params, expected) in [
        (json!({"path": "a", "limit": null}), true),
        (json!({"path": "a", "limit": 1}), false),
        (json!({"path": "a", "offset": 0}), true),
        (json!({"path": "a", "offset": 1}), true),
        (json!({"path": "a", "offset": 2}), false),
        (json!({"path": "a", "offset": -1}), false),
        (json!({"paths": ["a", "b"]}), true),
        (json!({"file_paths": ["a"], "filePaths": ["b"]}), true),
        (json!({"files": ["a", {"path": "b", "limit": null}]}), true),
        (json!({"files": ["a", {"path": "b", "offset": 2}]}), false),
        (json!({"files": [["a"]]}), false),
        (json!({"path": "a", "ranges": ["1-2"]}), false),
        (json!({"path": "a", "pages": "1-2"}), false),
    ] {
        assert_eq!(asks_for_all(params.as_object().unwrap()), expected, "{params}");
    }
}

#[test]
fn a_page_has_two_hundred_lines() {
    let lines = |count: usize| "a line\n".repeat(count).into_bytes();
    assert!(fits_a_page(b"") && fits_a_page(&lines(200)));
    assert!(!fits_a_page(&lines(201)));
    assert!(!fits_a_page(&[lines(200), b"the last".to_vec()].concat()));
}
