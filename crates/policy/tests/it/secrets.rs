//! Tokens are known by their form, and what only looks a little like one is not.

use bailiwick_policy::secrets::{form_at, known_form};

/// A web token with a head and a seal of so many signs.
fn web_token(head: usize, seal: usize) -> String {
    format!("eyJ{}.eyJ{}.{}", "a".repeat(head), "b".repeat(12), "c".repeat(seal))
}

// threats A14, D-36
#[test]
fn each_form_is_found_where_it_begins() {
    for (text, name) in [
        (web_token(20, 32), "web token"),
        (web_token(8, 16), "web token"),
        ("Authorization: Bearer abcdefghijklmnop".to_owned(), "bearer token"),
        ("BEARER abcdefghijklmnop".to_owned(), "bearer token"),
        ("postgres://dana:hunter2@db/x".to_owned(), "password"),
        (format!("token={}", "ghp_".to_owned() + &"a1".repeat(10)), "GitHub token"),
        ("-----BEGIN RSA PRIVATE KEY-----".to_owned(), "private key"),
    ] {
        assert_eq!(known_form(&text), Some(name), "{text}");
    }
}

#[test]
fn what_is_too_short_or_stands_within_a_word_is_none() {
    for text in [
        web_token(7, 32),
        web_token(20, 15),
        format!("x{}", web_token(20, 32)),
        "eyJhbGciOiJIUzI1NiJ9".to_owned(),
        "Bearer abcdefghijklmno".to_owned(),
        "postgres://dana@db/x".to_owned(),
        "postgres://dana:@db/x".to_owned(),
        "://dana:hunter2@db/x".to_owned(),
        "ghp_short".to_owned(),
        "-----BEGIN PUBLIC KEY-----".to_owned(),
    ] {
        assert_eq!(known_form(&text), None, "{text}");
    }
}

#[test]
fn what_is_shown_of_a_token_is_its_form_and_the_rest_is_hidden() {
    let token = web_token(20, 32);
    let found = form_at(&format!("{token} and more"), None).unwrap();
    assert_eq!((found.shown, found.shown + found.hidden), (3, token.len()));
    let found = form_at("://dana:hunter2@db", Some('s')).unwrap();
    assert_eq!((found.shown, found.hidden), ("://dana:".len(), "hunter2".len()));
}
