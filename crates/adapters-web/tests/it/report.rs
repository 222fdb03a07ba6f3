//! The page of a report: hostile texts stay texts, and it loads and runs nothing.

use bailiwick_adapters_web::report::{
    Approver, Change, File, Intent, Ledger, OPENING, Report, Requirement, page,
};

/// A report that has this text wherever a report has a text.
fn full_of(text: &str) -> Report {
    let text = || text.to_owned();
    Report {
        repository: text(),
        made: text(),
        revision: Some(text()),
        left_out: vec![text()],
        ledger: Ledger { findings: vec![text()], drift: vec![text()], ..Ledger::default() },
        intents: vec![Intent {
            id: text(),
            name: text(),
            status: text(),
            why: Some(text()),
            scope: vec![text()],
            requirements: vec![text()],
            ..Intent::default()
        }],
        requirements: vec![Requirement { id: text(), intents: vec![text()], files: 0 }],
        approvers: vec![Approver { name: text(), entries: 1, files: 1 }],
        files: vec![File {
            path: text(),
            changes: vec![Change {
                entry: text(),
                at: text(),
                intent: text(),
                requirements: vec![text()],
                what: text(),
                lines: text(),
                class: text(),
                actor: text(),
                approved: text(),
                known: text(),
                is_claimed: true,
            }],
        }],
    }
}

#[test]
fn a_hostile_text_adds_no_element_and_no_attribute() {
    let plain = page(&full_of("x")).unwrap();
    for hostile in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "</style><script>x</script>",
        "' onload='x",
        "-->",
        "{{ 7 * 7 }}",
        "&lt;b&gt;",
    ] {
        let page = page(&full_of(hostile)).unwrap();
        for sign in ['<', '>', '"', '\''] {
            assert_eq!(page.matches(sign).count(), plain.matches(sign).count(), "{hostile}: {sign}");
        }
        assert!(!page.contains(">49<"), "{hostile}");
    }
}

#[test]
fn the_page_names_no_place_to_load_from_and_allows_its_own_style_alone() {
    let page = page(&full_of("x")).unwrap();
    assert!(page.starts_with(OPENING));
    assert!(page.contains("default-src 'none'; style-src 'sha256-"));
    for loading in
        ["src=", "href=", "url(", "@import", "<script", "<link", "<iframe", "javascript:", "http:", "https:"]
    {
        assert!(!page.contains(loading), "{loading}");
    }
}

#[test]
fn counts_agree_with_their_nouns() {
    let one = Intent { entries: 1, files: 2, ..Intent::default() };
    let page = page(&Report { intents: vec![one], ..Report::default() }).unwrap();
    assert!(page.contains("1 change in 2 files"), "{page}");
    assert!(page.contains("No change is recorded."));
}
