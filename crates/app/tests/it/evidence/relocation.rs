//! Where a block is now: each rung of the ladder, and that no rung claims more than it knows (row 163).

use bailiwick::evidence::{Block, IndexedText, Place, relocate, relocate_elsewhere};
use bailiwick_domain::{ContentHash, LineHashes, block_hash};

const WRITTEN: &str = "fn refresh(token: &str) -> Result<Token> {\n    let claims = decode(token)?;\n    claims.check_expiry()?;\n    Ok(sign(claims))\n}\n";

/// What a record keeps of some lines of a text.
struct Record {
    start: usize,
    len: usize,
    hash: ContentHash,
    lines: LineHashes,
    above: LineHashes,
    below: LineHashes,
}

impl Record {
    fn of(text: &str, start: usize, len: usize) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let end = start + len;
        let hashes = |lines: &[&str]| LineHashes::of(lines.concat().as_bytes());
        Self {
            start,
            len,
            hash: block_hash(lines[start..end].concat().as_bytes()),
            lines: hashes(&lines[start..end]),
            above: hashes(&lines[start.saturating_sub(3)..start]),
            below: hashes(&lines[end..lines.len().min(end + 3)]),
        }
    }

    fn block(&self) -> Block<'_> {
        let Self { start, len, hash, .. } = self;
        let (lines, above, below) = (self.lines.as_slice(), self.above.as_slice(), self.below.as_slice());
        Block { start: *start, len: *len, hash, lines, above, below }
    }

    fn place(&self, text: &str) -> Place {
        relocate(&self.block(), &IndexedText::new(text.as_bytes()))
    }
}

fn numbered(count: usize) -> String {
    (0..count).map(|line| format!("use crate::part_{line};\n")).collect()
}

// REQ 163
#[test]
fn a_block_that_nobody_touched_is_in_place() {
    let text = format!("{}{WRITTEN}{}", numbered(3), numbered(2));
    assert_eq!(Record::of(&text, 3, 5).place(&text), Place::InPlace);
    assert_eq!(
        Record::of(&text, 3, 5).place(&text.replace('\n', "\r\n")),
        Place::InPlace,
        "line ends are no change"
    );
}

// REQ 163
#[test]
fn fifty_lines_above_it_move_it() {
    let record = Record::of(&format!("mod a;\n{WRITTEN}"), 1, 5);
    assert_eq!(record.place(&format!("mod a;\n{}{WRITTEN}", numbered(50))), Place::Moved(51..56));
}

// REQ 163
#[test]
fn another_file_must_hold_more_of_it_before_it_counts() {
    let record = Record::of(WRITTEN, 0, 5);
    let elsewhere = format!("{}{WRITTEN}", numbered(4));
    let place = relocate_elsewhere(&record.block(), &IndexedText::new(elsewhere.as_bytes()));
    assert_eq!(place, Place::Moved(4..9));
    let short = Record::of("mod a;\nlet total = sum(items);\nmod b;\n", 1, 1);
    let copy = "mod c;\nlet total = sum(items);\nmod d;\n";
    assert_eq!(relocate_elsewhere(&short.block(), &IndexedText::new(copy.as_bytes())), Place::Gone);
}

// REQ 163
#[test]
fn other_indentation_and_blank_lines_are_said_to_be_that() {
    let record = Record::of(WRITTEN, 0, 5);
    let indented: String = WRITTEN.lines().map(|line| format!("    {line}\n\n")).collect();
    assert_eq!(record.place(&format!("impl Auth {{\n{indented}}}\n")), Place::Reformatted(1..10));
}

// REQ 163
#[test]
fn a_changed_block_is_similar_and_never_more() {
    let record = Record::of(WRITTEN, 0, 5);
    let changed = WRITTEN.replace("claims.check_expiry()?;", "claims.check_expiry(now)?;");
    let Place::Similar { lines, percent } = record.place(&format!("{}{changed}", numbered(2))) else {
        panic!("{:?}", record.place(&changed));
    };
    assert_eq!((lines, percent), (2..7, 80));
    assert_eq!(record.place(&numbered(30)), Place::Gone);
}

// REQ 163
#[test]
fn equal_copies_are_told_apart_by_their_neighbours_or_all_named() {
    let copy = "    self.count += 1;\n    self.notify();\n";
    let text = format!("fn one() {{\n{copy}}}\nfn two() {{\n{copy}}}\n");
    let record = Record::of(&text, 5, 2);
    let lower = format!("{}{text}", numbered(2));
    assert_eq!(record.place(&lower), Place::Moved(7..9), "its neighbour is `fn two`");
    let alike = format!("{}{copy}mod x;\n{copy}", numbered(9));
    assert_eq!(record.place(&alike), Place::Ambiguous(vec![9..11, 12..14]));
}

// REQ 163
#[test]
fn a_closing_brace_on_the_same_line_is_not_proof() {
    let record = Record::of("fn a() {\n    work();\n}\n", 2, 1);
    assert_eq!(record.place("fn a() {\n    work();\n}\n"), Place::InPlace);
    assert_eq!(record.place("struct B {\n    field: u8,\n}\n"), Place::Gone, "a brace among strangers");
}

// REQ 163
#[test]
fn a_common_line_with_a_common_neighbour_is_no_proof() {
    let record = Record::of("fn first() {\n    one();\n    return None;\n}\n", 2, 1);
    let other = "struct B;\nfn other() -> Option<u8> {\n    two();\n    let k = 1;\n    return None;\n}\n";
    assert_eq!(record.place(other), Place::Gone, "`return None;` above a brace");
    assert_eq!(relocate_elsewhere(&record.block(), &IndexedText::new(other.as_bytes())), Place::Gone);
    let braces = "mod c {\n    fn c() {\n        two();\n    }\n}\nmod d {\n    d!();\n}\n";
    let nested = Record::of("fn first() {\n    if two {\n    one();\n    }\n}\n", 3, 1);
    assert_eq!(nested.place(braces), Place::Gone, "a brace above a brace");
    let last = Record::of("fn first() {\n    one();\n}\n", 2, 1);
    assert_eq!(last.place(braces), Place::Gone, "one of several braces");
    let whole = format!("{}fn first() {{\n    one();\n    return None;\n}}\n", numbered(50));
    assert_eq!(record.place(&whole), Place::Moved(52..53), "all of its neighbours");
}

// REQ 163
#[test]
fn a_copy_that_came_to_stand_where_the_block_stood_is_not_taken_for_it() {
    let tail = "mod tail_one;\nmod tail_two;\n";
    let record = Record::of(&format!("{}{WRITTEN}{tail}", numbered(5)), 5, 5);
    let strangers = "// 1\n// 2\n// 3\n// 4\n// 5\n";
    let text = format!("{strangers}{WRITTEN}{}{WRITTEN}{tail}", numbered(5));
    assert_eq!(record.place(&text), Place::Moved(15..20));
    assert_eq!(
        record.place(&format!("{strangers}{WRITTEN}mod z;\n{WRITTEN}")),
        Place::InPlace,
        "both among strangers"
    );
}

// REQ 163
#[test]
fn a_record_without_line_hashes_is_still_found_by_its_hash() {
    let record =
        Record { lines: LineHashes::default(), ..Record::of(&format!("{}{WRITTEN}", numbered(2)), 2, 5) };
    assert_eq!(record.place(&format!("{}{WRITTEN}", numbered(7))), Place::Moved(7..12));
    assert_eq!(record.place(&numbered(7)), Place::Gone);
}
