//! Predicted bytes: what a real client was seen to write (Claude Code 2.1.330), and the limits before any of it is built.

use bailiwick_domain::EditRules;
use bailiwick_policy::AnchorFact;
use bailiwick_policy::Edit;
use bailiwick_policy::edits::{
    Edited, Fault, MOST_TEXT, anchor_of, are_known, edited, is_patch_known, written,
};
use bailiwick_policy::patch::parse_patch;

const CLIENT: EditRules = EditRules {
    keeps_marks: true,
    keeps_line_ends: true,
    curls_quotes: true,
    takes_the_line: true,
    ..EditRules::LITERAL
};

fn client(before: &[u8], old: &str, new: &str, all: bool) -> Result<Edited, Fault> {
    edited(&CLIENT, before, &[Edit { replace_all: all, ..Edit::once(old, new) }])
}

#[track_caller]
fn writes(before: &[u8], old: &str, new: &str, after: &[u8]) {
    assert_eq!(client(before, old, new, false).map(|edited| edited.bytes), Ok(after.to_vec()));
}

#[track_caller]
fn writes_all(before: &[u8], old: &str, new: &str, after: &[u8]) {
    assert_eq!(client(before, old, new, true).map(|edited| edited.bytes), Ok(after.to_vec()));
}

fn utf16(text: &str) -> Vec<u8> {
    [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

// B: CRLF
#[test]
fn lines_end_as_most_of_the_file_did() {
    writes(b"a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", b"x\r\ny\r\nz\r\nc\r\n");
    writes(b"a\r\nb\r\nc\r\n", "b", "x\ny", b"a\r\nx\r\ny\r\nc\r\n");
    writes(b"a\r\nb\r\n", "b", "x\r\ny", b"a\r\nx\r\ny\r\n");
    writes(b"a\nb\nc\r\nd\n", "c\nd", "x\ny", b"a\nb\nx\ny\n");
    writes(b"a\r\nb\r\nc\nd\r\n", "a", "x\ny", b"x\r\ny\r\nb\r\nc\r\nd\r\n");
    writes(b"a\r\nb\n", "a", "x\ny", b"x\ny\nb\n");
    writes(b"a\rb\rc", "b", "x", b"a\rx\rc");
    writes(b"a\r\r\nb\r\n", "b", "x\ny", b"a\r\nx\r\ny\r\n");
    writes(b"a\nb\n", "b", "x\r\ny", b"a\nx\r\ny\n");
    let anchor = client(b"a\r\nb\r\n", "a\r\nb", "x", false);
    assert_eq!(anchor, Err(Fault::Anchor(AnchorFact::Missing)));
    // What most of the first 4,096 bytes say.
    let lines = |end: &str, count: usize| format!("{}{end}", "x".repeat(63)).repeat(count);
    let before = format!("h\n{}{}", lines("\r\n", 64), lines("\n", 300));
    let after = client(before.as_bytes(), "h", "i\nj", false).unwrap().bytes;
    assert_eq!(after.windows(2).filter(|pair| pair == b"\r\n").count(), 366);
    // CRLF in most of the first 2,048 bytes, LF in most of all: a short text is looked at whole, of UTF-16 it is not known.
    let short = |first: &str| format!("{first}\r\n{}{}", "x\r\n".repeat(500), "y\n".repeat(1_200));
    for first in ["e", "\u{e9}"] {
        let after = short("z").replace('\r', "");
        writes(short(first).as_bytes(), first, "z", after.as_bytes());
    }
    assert_eq!(client(&utf16(&short("e")), "e", "z", false), Err(Fault::Unknown));
}

// B: byte order marks, UTF-16, other encodings
#[test]
fn marks_stay_and_other_encodings_are_not_predicted() {
    writes(b"\xef\xbb\xbfa\nb\n", "a", "x", b"\xef\xbb\xbfx\nb\n");
    writes(b"\xef\xbb\xbfa\r\nb\r\n", "a", "x\ny", b"\xef\xbb\xbfx\r\ny\r\nb\r\n");
    writes(&utf16("a\nb\n"), "a", "x", &utf16("x\nb\n"));
    writes(&utf16("a\r\nb\r\n"), "a\nb", "x\ny", &utf16("x\r\ny\r\n"));
    writes(&utf16("a\u{1f600}\n"), "a", "\u{1f601}", &utf16("\u{1f601}\u{1f600}\n"));
    for unknown in [&b"a\xff\nb\n"[..], b"a\0\nb\n", b"\xfe\xff\0a\0\n"] {
        assert_eq!(client(unknown, "\n", "x", true), Err(Fault::Unknown));
    }
    assert_eq!(written(&CLIENT, Some(b"\xef\xbb\xbfa\n"), "x\n"), Some(b"\xef\xbb\xbfx\n".to_vec()));
    assert_eq!(written(&CLIENT, Some(b"\xef\xbb\xbfa\n"), "\u{feff}x\n"), Some(b"\xef\xbb\xbfx\n".to_vec()));
    assert_eq!(written(&CLIENT, Some(&utf16("a\r\n")), "x\ny\n"), Some(utf16("x\ny\n")));
    assert_eq!(written(&CLIENT, Some(b"a\r\n"), "x\ny\n"), Some(b"x\ny\n".to_vec()));
    for (mark, file) in [(b"\xef\xbb\xbf".to_vec(), b"\xef\xbb\xbfa\n".to_vec()), (utf16(""), utf16("a\n"))] {
        assert_eq!(
            written(&CLIENT, Some(&file), ""),
            Some(Vec::new()),
            "nothing that is written has no mark"
        );
        writes(&file, "a\n", "", &mark);
        writes(&file, "a\n", "\u{feff}", &mark.repeat(2));
        writes(&mark, "", "\u{feff}", &mark);
    }
    assert_eq!(written(&CLIENT, Some(b"a\xff\n"), "x\n"), None);
    assert_eq!(written(&CLIENT, None, "\u{feff}x\r\n"), Some("\u{feff}x\r\n".as_bytes().to_vec()));
}

// B: curly quotation marks
#[test]
fn straight_quotes_stand_for_curly_ones_that_stay_curly() {
    let text = "say \u{201c}hello\u{201d} it\u{2019}s\n";
    let after = "say \u{201c}bye\u{201d} it\u{2019}s \u{2018}ok\u{2019}\n";
    writes(text.as_bytes(), "say \"hello\" it's", "say \"bye\" it's 'ok'", after.as_bytes());
    let both = "\u{201c}a\u{201d} x\n\u{201c}a\u{201d} y\n\"a\" z\n";
    writes_all(both.as_bytes(), "\"a\"", "\"b\"", both.replace("\"a\"", "\"b\"").as_bytes());
    let all = "\u{201c}a\u{201d} x\n\u{201c}a\u{201d} y\n";
    writes_all(all.as_bytes(), "\"a\"", "\"b\"", all.replace('a', "b").as_bytes());
    let found = client(all.as_bytes(), "\"a\"", "1", false);
    assert_eq!(found, Err(Fault::Anchor(AnchorFact::Ambiguous)));
    writes(
        "\u{201c}x\u{201d}\n".as_bytes(),
        "\"x\"",
        "\"y\" (\"z\") [\"w\"] -\"v\" a\"b 'k' don't",
        "\u{201c}y\u{201d} (\u{201c}z\u{201d}) [\u{201c}w\u{201d}] -\u{201d}v\u{201d} a\u{201d}b 'k' don't\n"
            .as_bytes(),
    );
    writes("it\u{2019}s\n".as_bytes(), "it's", "it's \"a\"", "it\u{2019}s \"a\"\n".as_bytes());
    assert_eq!(client(text.as_bytes(), "say \"hello\" it's", "x", false).unwrap().notes.len(), 1);
}

// B: an empty replacement
#[test]
fn what_is_replaced_by_nothing_takes_its_line_end_along() {
    writes(b"a\nb\nc\n", "b", "", b"a\nc\n");
    writes(b"a\r\nb\r\nc\r\n", "b", "", b"a\r\nc\r\n");
    writes(b"a\nxby\nc\n", "b", "", b"a\nxy\nc\n");
    writes(b"a\nzb\nc\n", "b", "", b"a\nzc\n");
    writes(b"a\nb", "b", "", b"a\n");
    writes(b"x\n", "x", "", b"");
    writes_all(b"a\nb\nb\nb c\nc\n", "b", "", b"a\nb c\nc\n");
    let notes = client(b"a\nb\nc\n", "b", "", false).unwrap().notes;
    assert!(notes[0].contains("also removes the line end"), "{notes:?}");
    assert_eq!(client(b"a\nb\nc\n", "b\n", "", false).unwrap().notes, Vec::<&str>::new());
}

// B, D-35: what two appliers were seen to make different things of
#[test]
fn a_patch_is_known_where_appliers_were_measured_and_agree_or_the_host_writes_what_it_is_told() {
    let measured = EditRules { plain_only: true, ..EditRules::LITERAL };
    let guess = EditRules { is_guess: true, ..measured };
    let patch = |line: &str| {
        parse_patch(&format!("*** Begin Patch\n*** Update File: a\n@@\n-one\n+{line}\n*** End Patch\n"))
            .unwrap()
    };
    let known = |rules: &EditRules, before: &[u8], line: &str| {
        is_patch_known(rules, Some(before), Some(b"1\n"), Some(&patch(line)))
    };
    assert!(known(&measured, b"one\n", "1"));
    assert!(!known(&guess, b"one\n", "1"));
    for (before, line) in [
        (&b"one\n"[..], "1\r"),
        (b"one\r\n", "1"),
        (b"\xef\xbb\xbfone\n", "1"),
        (b"one\n", "1\n*** End of File"),
    ] {
        assert!(!known(&measured, before, line), "{line:?}");
        assert!(known(&EditRules::LITERAL, before, line), "{line:?}");
    }
    assert!(is_patch_known(&guess, Some(b"one\r\n"), Some(b"one\r\n"), None), "a move changes nothing");
}

// D-35: Codex and OpenCode add a last LF that is missing; OpenCode leaves out a last line that is empty, and appends in front of
// one
#[test]
fn what_a_patch_leaves_is_known_where_it_ends_as_every_applier_ends_it() {
    let measured = EditRules { plain_only: true, ..EditRules::LITERAL };
    let patch = parse_patch("*** Begin Patch\n*** Update File: a\n@@\n-one\n*** End Patch\n").unwrap();
    let is_known = |rules: &EditRules, before: Option<&[u8]>, after: &str| {
        is_patch_known(rules, before, Some(after.as_bytes()), Some(&patch))
    };
    for (after, changed, new) in [
        ("two\n", true, true),
        ("\ntwo\n", true, true),
        ("two", false, false),
        ("two\n\n", false, false),
        ("\n", false, false),
        ("", false, true),
    ] {
        assert_eq!(is_known(&measured, Some(b"one\ntwo\n"), after), changed, "{after:?} of a changed file");
        assert_eq!(is_known(&measured, None, after), new, "{after:?} of a new file");
        assert!(is_known(&EditRules::LITERAL, Some(b"one\ntwo\n"), after));
    }
    for (before, expected) in
        [("one\n", true), ("\none\n", true), ("one", false), ("one\n\n", false), ("", false)]
    {
        assert_eq!(is_known(&measured, Some(before.as_bytes()), "two\n"), expected, "{before:?}");
    }
}

// D-35: Codex and OpenCode append what only an anchor places; OpenCode passes over what no `@@` opens, writes what the last
// section about a file makes of what the disk holds, and reads on behind an indented end
#[test]
fn a_patch_is_known_where_each_of_its_sections_says_its_place_and_its_end() {
    let measured = EditRules { plain_only: true, ..EditRules::LITERAL };
    let is_text_known = |text: &str| {
        let patch = parse_patch(text).unwrap();
        is_patch_known(&measured, Some(b"one\ntwo\n"), Some(b"two\n"), Some(&patch))
    };
    let is_known = |section: &str| is_text_known(&format!("*** Begin Patch\n{section}\n*** End Patch\n"));
    let hunks = |hunks: &str| is_known(&format!("*** Update File: a\n{hunks}"));
    for known in
        ["@@\n+x", "@@ one\n two\n+x", "@@ one\n-two", "@@\n-one\n@@ two\n-three", "@@\n+*** End of File"]
    {
        assert!(hunks(known), "{known}");
    }
    for unknown in [
        "@@ one\n+x",
        "@@\n@@ one\n+x",
        "@@\n-one\n+1\n@@ two\n+x",
        "+x",
        "-one\n@@\n-two",
        "@@\n+x\n*** End of File",
    ] {
        assert!(!hunks(unknown), "{unknown}");
    }
    let update = |file: &str| format!("*** Update File: {file}\n@@\n-one\n");
    assert!(is_known(&[update("a"), update("b")].join("")), "each file once");
    assert!(!is_known(&[update("a"), update("b"), update("a")].join("")), "a file twice");
    assert!(!is_known("*** Delete File: a\n*** Add File: a\n+1"), "a file that goes and comes");
    assert!(is_known("*** Add File: a\n+1"));
    assert!(!is_known(" *** Add File: a\n+1"), "an indented header");
    assert!(!is_known("*** Update File: b\n *** Move to: a\n@@\n-one"), "an indented header");
    assert!(!is_text_known("*** Begin Patch\n*** Add File: a\n+1\n *** End Patch\n+2\n"), "an indented end");
}

// B: where only plain texts were measured
#[test]
fn anything_but_a_plain_text_is_a_guess_where_no_more_was_measured() {
    let plain = EditRules { plain_only: true, ..EditRules::LITERAL };
    let edit = |old: &str, new: &str| [Edit::once(old, new)];
    assert!(are_known(&plain, Some(b"one\n"), &edit("one", "1"), None));
    assert!(are_known(&plain, None, &[], Some("")), "a new file");
    for (before, old, new) in [
        (&b"one\r\n"[..], "one", "1"),
        (b"one\n", "one", "1\r\n"),
        (b"one\n", "one\r", "1"),
        (b"\xef\xbb\xbfone\n", "one", "1"),
        (b"one\n", "one", "\u{feff}1"),
        (b"one\0\n", "one", "1"),
        (b"one\xff\n", "one", "1"),
        (b"one\n", "one", ""),
        (b"", "", "1"),
    ] {
        assert!(!are_known(&plain, Some(before), &edit(old, new), None), "{old:?} {new:?}");
        assert!(are_known(&EditRules::LITERAL, Some(before), &edit(old, new), None));
    }
    let lines = Edit { whole_lines: true, ..Edit::once("one", "1") };
    assert!(!are_known(&plain, Some(b"one\n"), &[lines], None));
    assert!(!are_known(&EditRules { is_guess: true, ..EditRules::LITERAL }, None, &[], Some("1\n")));
}

#[test]
fn the_wire_writes_what_it_is_told() {
    let literal = |before: &str, old: &str, new: &str| {
        let after = edited(&EditRules::LITERAL, before.as_bytes(), &[Edit::once(old, new)]);
        after.map(|edited| String::from_utf8(edited.bytes).unwrap())
    };
    assert_eq!(literal("a\r\nb\r\n", "b", "x\ny"), Ok("a\r\nx\ny\r\n".to_owned()));
    assert_eq!(literal("a\nb\n", "b", ""), Ok("a\n\n".to_owned()));
    assert_eq!(literal("a\r\nb", "a\nb", "x"), Err(Fault::Anchor(AnchorFact::Missing)));
    assert_eq!(literal("\u{201c}a\u{201d}", "\"a\"", "x"), Err(Fault::Anchor(AnchorFact::Missing)));
    assert_eq!(literal("\u{feff}a\n", "\u{feff}a", "x"), Ok("x\n".to_owned()));
    let of_utf16 = edited(&EditRules::LITERAL, &utf16("a\n"), &[Edit::once("a", "x")]);
    assert_eq!(of_utf16, Err(Fault::Unknown));
    let whole = written(&EditRules::LITERAL, Some(b"a\xff\n"), "\u{feff}x\r\n");
    assert_eq!(whole, Some("\u{feff}x\r\n".as_bytes().to_vec()), "what stood there counts for nothing");
}

#[test]
fn a_file_is_created_where_none_or_an_empty_one_is() {
    let not_quoted = Err(Fault::Anchor(AnchorFact::NotQuoted));
    let creates = |rules: &EditRules, before: &[u8]| {
        edited(rules, before, &[Edit::once("", "n")]).map(|edited| edited.bytes)
    };
    for rules in [CLIENT, EditRules::LITERAL] {
        assert_eq!(creates(&rules, b""), Ok(b"n".to_vec()));
        assert_eq!(creates(&rules, b"x\n"), not_quoted);
    }
    assert_eq!(creates(&CLIENT, b" \n"), Ok(b"n".to_vec()), "the client takes blanks for nothing");
    assert_eq!(creates(&EditRules::LITERAL, b" \n"), not_quoted);
}

#[test]
fn an_edit_that_expects_several_places_needs_as_many() {
    let places = |expected: Option<usize>, replace_all: bool, before: &str| {
        let edit = Edit { expected, replace_all, ..Edit::once("a", "b") };
        let after = edited(&EditRules::LITERAL, before.as_bytes(), &[edit]);
        after.map(|edited| String::from_utf8(edited.bytes).unwrap())
    };
    assert_eq!(places(Some(2), false, "a-a"), Ok("b-b".to_owned()));
    assert_eq!(places(Some(1), false, "a"), Ok("b".to_owned()));
    assert_eq!(places(Some(1), true, "a-a"), Ok("b-b".to_owned()), "all are meant");
    for (expected, replace_all, before) in
        [(2, false, "a"), (2, true, "a"), (2, true, "a-a-a"), (1, false, "a-a")]
    {
        let found = places(Some(expected), replace_all, before);
        assert!(matches!(found, Err(Fault::Anchor(_))), "{expected} {replace_all} {before}: {found:?}");
    }
}

#[test]
fn a_quotation_that_fits_but_for_its_line_ends_is_told_apart() {
    let anchor = |before: &str, old: &str| {
        anchor_of(&EditRules::LITERAL, before.as_bytes(), &[Edit::once(old, "x\ny")]).unwrap()
    };
    assert_eq!(anchor("a\r\nb\r\n", "a\nb\n"), AnchorFact::OtherLineEnds);
    assert_eq!(anchor("a\r\nb\r\n", "a\nc\n"), AnchorFact::Missing);
    assert_eq!(anchor("a\nb\n", "a\r\nb"), AnchorFact::Missing);
    let chained = |before: &str, old: &str, end: &str| {
        let edits = [Edit::once(old, "x\ny"), Edit::once(&format!("x{end}y"), "z")];
        anchor_of(&EditRules::LITERAL, before.as_bytes(), &edits).unwrap()
    };
    assert_eq!(chained("a\r\nb\r\n", "a\nb\n", "\n"), AnchorFact::OtherLineEnds, "what it makes counts, too");
    assert_eq!(
        chained("a\n", "a", "\r\n"),
        AnchorFact::Missing,
        "a file without CRLF has no other line ends"
    );
}

// D-44
#[test]
fn an_anchor_is_firm_where_it_holds_a_whole_line() {
    let anchor = |before: &str, old: &str| client(before.as_bytes(), old, "x", false).unwrap().anchor;
    assert_eq!(anchor("  fn a() {}\nfn b() {}\n", "fn a() {}"), AnchorFact::Found);
    assert_eq!(anchor("fn a() {}\r\nfn b() {}\r\n", "fn a() {}\nfn"), AnchorFact::Found);
    assert_eq!(anchor("fn a() {}\nfn b() {}\n", "() {}\nfn b"), AnchorFact::FoundLoosely);
    assert_eq!(anchor("fn a() {}\n", "a()"), AnchorFact::FoundLoosely);
    assert_eq!(anchor("a\n\n", "\n\n"), AnchorFact::FoundLoosely);
    assert_eq!(anchor("fn a() {}\nfn b() {}\n", "() {}\nfn b() {}"), AnchorFact::Found);
    assert_eq!(client(b"a\n", "a", "x", true).unwrap().anchor, AnchorFact::FoundLoosely);
    let literal = |before: &str, edit: Edit| {
        edited(&EditRules::LITERAL, before.as_bytes(), &[edit]).map(|edited| edited.anchor)
    };
    let expecting = |count: usize| Edit { expected: Some(count), ..Edit::once("a", "x") };
    assert_eq!(literal("a\nb\n", expecting(1)), Ok(AnchorFact::Found));
    assert_eq!(literal("a\na\n", expecting(2)), Ok(AnchorFact::FoundLoosely));
    let lines = |old: &str| Edit { whole_lines: true, ..Edit::once(old, "x\n") };
    assert_eq!(literal("a\n\nb\n", lines("a\n")), Ok(AnchorFact::Found));
    assert_eq!(literal("a\n\nb\n", lines("\n")), Ok(AnchorFact::FoundLoosely), "a blank line is no anchor");
}

// Time: MultiEdit that doubles the text forty times, replace_all that grows to gigabytes, 20,000 edits of one file
#[test]
fn too_much_is_refused_before_it_is_built() {
    for rules in [CLIENT, EditRules::LITERAL] {
        let all = |old: &str, new: &str| Edit { replace_all: true, ..Edit::once(old, new) };
        let doubling = vec![all("a", "aa"); 40];
        assert_eq!(edited(&rules, b"a\n", &doubling), Err(Fault::TooLarge));
        assert!(
            edited(&rules, b"a\n", &doubling[..16]).is_ok(),
            "some is looked through of the smallest file"
        );
        let grown = [all("a", &"b".repeat(500_000))];
        assert_eq!(edited(&rules, "a".repeat(20_000).as_bytes(), &grown), Err(Fault::TooLarge));
        let many: Vec<Edit> =
            (0..20_000).map(|number| Edit::once(&format!("<{number}>"), &format!("[{number}]"))).collect();
        let file: String = (0..20_000).map(|number| format!("<{number}>\n")).collect();
        assert_eq!(edited(&rules, file.as_bytes(), &many), Err(Fault::TooLarge));
        let some: String = (0..200).map(|number| format!("<{number}>\n")).collect();
        assert!(edited(&rules, some.as_bytes(), &many[..200]).is_ok());
    }
}

#[test]
fn as_much_as_is_looked_through_and_made_is_not_too_much() {
    let made = |size: usize| edited(&EditRules::LITERAL, b"ab", &[Edit::once("a", &"x".repeat(size))]);
    assert!(made(MOST_TEXT - 2).is_ok());
    assert_eq!(made(MOST_TEXT - 1), Err(Fault::TooLarge));
    let ended = |lines: usize| client(b"a\r\n", "a", &"\n".repeat(lines), false);
    assert_eq!(ended(MOST_TEXT / 2 - 1).map(|edited| edited.bytes.len()), Ok(MOST_TEXT));
    assert_eq!(ended(MOST_TEXT / 2), Err(Fault::TooLarge), "each line end is two bytes");
    let words = client(b"a\r\n", "a", &"x".repeat(MOST_TEXT - 2), false);
    assert_eq!(words.map(|edited| edited.bytes.len()), Ok(MOST_TEXT));
    // Each of 64 edits looks through the file, what it quotes and 16 bytes for its place: together 64 MiB.
    let all = (1 << 20) - 17;
    let looked_through = |bytes: usize| {
        let before = format!("a{}", ".".repeat(bytes - 1));
        let edits = vec![[Edit::once("a", "b"), Edit::once("b", "a")]; 32].concat();
        edited(&EditRules::LITERAL, before.as_bytes(), &edits)
    };
    assert!(looked_through(all).is_ok());
    assert_eq!(looked_through(all + 1), Err(Fault::TooLarge));
}
