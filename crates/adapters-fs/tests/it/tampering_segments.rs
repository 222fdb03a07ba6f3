//! Every way to tamper with a sealed segment, at every position, of this clone's chain and of another one's: found, and
//! said where (D-25, threats H1 to H3).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bailiwick_adapters_fs::{FsLedger, FsLedgerVerifier};
use bailiwick_domain::testing::sample;
use bailiwick_domain::{
    ContentHash, Finding, FindingKind, Ledger, LedgerVerifier, PortError, SegmentHistory, Severity, Sync,
    Verification,
};
use pollster::block_on;

use crate::forgery::{Lines, edited, forged, lines_of, named_before, other_header, rechained_piece};
use crate::place::Place;

/// How many entries each segment holds.
const SIZES: [usize; 3] = [3, 2, 1];

/// A working copy with segments, the oldest first.
struct Sealed {
    place: Place,
    segments: Vec<PathBuf>,
    is_own: bool,
}

fn append(place: &Place, n: usize) {
    let id = format!("00000000-0000-4000-8000-{n:012}");
    let entry = sample::trace_entry(&id, &sample::intent("INT-001", &["src/**"]));
    block_on(FsLedger::new(place.layout(), Sync::Os).append(&entry)).unwrap();
}

/// Three segments of this clone's chain, and one entry more in its ledger.
fn own() -> Sealed {
    let place = Place::new();
    let mut segments = Vec::new();
    for (segment, size) in SIZES.iter().enumerate() {
        (0..*size).for_each(|n| append(&place, 10 * segment + n));
        segments.push(FsLedger::new(place.layout(), Sync::Os).seal().unwrap().unwrap().path);
    }
    append(&place, 99);
    Sealed { place, segments, is_own: true }
}

/// The same segments in a clone whose ledger is another one.
fn anothers() -> Sealed {
    let from = own();
    let place = Place::new();
    append(&place, 7);
    let folder = place.layout().orchestration().join("trace");
    fs::create_dir_all(&folder).unwrap();
    let copied = |path: &PathBuf| {
        let to = folder.join(path.file_name().unwrap());
        fs::copy(path, &to).unwrap();
        to
    };
    Sealed { segments: from.segments.iter().map(copied).collect(), place, is_own: false }
}

/// A position in a segment.
struct At<'s> {
    sealed: &'s Sealed,
    segment: usize,
    /// The line, counted from 0; the header is 0.
    line: usize,
    lines: Lines,
}

impl At<'_> {
    fn path(&self) -> &Path {
        &self.sealed.segments[self.segment]
    }

    /// The place of the segment's first entry in its chain.
    fn first(&self) -> usize {
        SIZES[..self.segment].iter().sum()
    }

    fn is_last(&self) -> bool {
        self.line + 1 == self.lines.len()
    }

    /// Writes the lines, and expects an alarm about the file, and one of that kind in that line, counted from 1; nothing
    /// else may be accused but what follows the segment. Then all is put back and nothing is found.
    #[track_caller]
    fn check(&self, lines: &[Vec<u8>], expected: Option<(FindingKind, usize)>) {
        fs::write(self.path(), lines.concat()).unwrap();
        let found = self.sealed.verify();
        self.sealed.assert_named(&found, self.path(), FindingKind::SegmentDiffers, None);
        if let Some((kind, line)) = expected {
            self.sealed.assert_named(&found, self.path(), kind, Some(line));
        }
        let follower = self.sealed.segments.get(self.segment + 1).map(|path| path.display().to_string());
        for finding in found.findings.iter().filter(|finding| finding.severity == Severity::Alarm) {
            assert!(
                finding.file == self.path().display().to_string() || Some(&finding.file) == follower.as_ref(),
                "{found:#?}"
            );
        }
        fs::write(self.path(), self.lines.concat()).unwrap();
        assert!(self.sealed.verify().is_clean());
    }
}

impl Sealed {
    fn verify(&self) -> Verification {
        let mut found = FsLedgerVerifier::new(self.place.layout()).verify().unwrap();
        // Nothing here is signed, which is another matter.
        found.findings.retain(|finding| finding.kind != FindingKind::Unvouched);
        found
    }

    #[track_caller]
    fn assert_named(&self, found: &Verification, path: &Path, kind: FindingKind, line: Option<usize>) {
        let is_it = |finding: &Finding| {
            finding.severity == Severity::Alarm
                && finding.kind == kind
                && finding.file == path.display().to_string()
                && finding.line == line.map(|line| line as u64)
        };
        assert!(
            found.findings.iter().any(is_it),
            "{kind:?} in line {line:?} of {}: {found:#?}",
            path.display()
        );
    }
}

/// Every line of every segment, of one's own chain and of another's.
#[track_caller]
fn everywhere(mut tamper: impl FnMut(&At<'_>)) {
    for sealed in [own(), anothers()] {
        assert!(sealed.verify().is_clean());
        for (segment, path) in sealed.segments.iter().enumerate() {
            let lines = lines_of(path);
            for line in 0..lines.len() {
                tamper(&At { sealed: &sealed, segment, line, lines: lines.clone() });
            }
        }
    }
}

/// The same for the lines of entries alone.
#[track_caller]
fn at_every_entry(mut tamper: impl FnMut(&At<'_>)) {
    everywhere(|at| {
        if at.line > 0 {
            tamper(at);
        }
    });
}

// REQ 147, REQ 122, D-25, threat H1
#[test]
fn req_147_an_edited_line_of_a_segment_is_named() {
    everywhere(|at| {
        let mut edit = at.lines.clone();
        edit[at.line] =
            String::from_utf8(edit[at.line].clone()).unwrap().replacen("0.1.0", "0.1.9", 1).into();
        at.check(&edit, Some((FindingKind::Edited, at.line + 1)));
    });
}

// REQ 147, D-25, threat H3: in one's own chain the line itself is named, in another's the one behind it.
#[test]
fn req_147_a_line_of_a_segment_with_a_new_checksum_is_named() {
    at_every_entry(|at| {
        let line = &at.lines[at.line];
        let mut edit = at.lines.clone();
        edit[at.line] = forged(line, at.first() + at.line - 1, named_before(line).as_deref());
        if at.sealed.is_own {
            at.check(&edit, Some((FindingKind::Rechained, at.line + 1)));
        }
        at.check(&edit, (!at.is_last()).then_some((FindingKind::NotLinked, at.line + 2)));
    });
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_a_header_that_says_something_else_is_named() {
    let other = ContentHash::of(b"another");
    for sealed in [own(), anothers()] {
        for segment in 0..sealed.segments.len() {
            let lines = lines_of(&sealed.segments[segment]);
            let at = At { sealed: &sealed, segment, line: 0, lines: lines.clone() };
            let end = lines.len();
            let with = |change: &dyn Fn(&mut bailiwick_domain::Value)| {
                [vec![other_header(&lines[0], |header| change(header))], lines[1..].to_vec()].concat()
            };
            let said = |header: &bailiwick_domain::Value, key: &str| header[key].as_u64().unwrap();
            at.check(
                &with(&|header| header["count"] = (said(header, "count") + 1).into()),
                Some((FindingKind::Cut, end + 1)),
            );
            at.check(
                &with(&|header| header["count"] = (said(header, "count") - 1).into()),
                Some((FindingKind::Inserted, end)),
            );
            at.check(
                &with(&|header| header["first"] = (said(header, "first") + 1).into()),
                Some((FindingKind::Inserted, 2)),
            );
            at.check(&with(&|header| header["follows"] = other.as_str().into()), None);
            let another_chain = with(&|header| header["chain"] = other.as_str().into());
            at.check(&another_chain, (at.first() == 0).then_some((FindingKind::NotLinked, 1)));
        }
    }
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_a_line_that_was_put_into_a_segment_is_named() {
    everywhere(|at| {
        for junk in [&b"{}\n"[..], b"\n", b"not json\n", &edited(at.lines.last().unwrap())] {
            let mut inserted = at.lines.clone();
            inserted.insert(at.line + 1, junk.to_vec());
            let kind = if at.is_last() { FindingKind::Edited } else { FindingKind::Inserted };
            at.check(&inserted, Some((kind, at.line + 2)));
        }
        if at.line == 0 {
            return;
        }
        let mut twice = at.lines.clone();
        twice.insert(at.line, at.lines[at.line].clone());
        at.check(&twice, Some((FindingKind::Inserted, at.line + 2)));
        let line = &at.lines[at.line];
        let mut rival = at.lines.clone();
        rival.insert(at.line, forged(line, at.first() + at.line - 1, named_before(line).as_deref()));
        let kind = if at.is_last() { at.line + 2 } else { at.line + 1 };
        at.check(&rival, Some((FindingKind::Inserted, kind)));
    });
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_a_line_that_was_taken_out_of_a_segment_is_named() {
    everywhere(|at| {
        let mut rest = at.lines.clone();
        rest.remove(at.line);
        let kind = match at.line {
            0 => FindingKind::Edited,
            _ if at.is_last() => FindingKind::Cut,
            _ => FindingKind::Missing,
        };
        at.check(&rest, Some((kind, at.line + 1)));
    });
}

// REQ 147, D-25, threat H1
#[test]
fn req_147_two_swapped_lines_of_a_segment_are_named() {
    everywhere(|at| {
        if at.is_last() {
            return;
        }
        let mut swapped = at.lines.clone();
        swapped.swap(at.line, at.line + 1);
        let expected =
            if at.line == 0 { (FindingKind::Edited, 1) } else { (FindingKind::Reordered, at.line + 2) };
        at.check(&swapped, Some(expected));
    });
}

// REQ 147, D-25, threat H2
#[test]
fn req_147_a_segment_that_was_cut_or_emptied_is_named() {
    everywhere(|at| {
        let (kept, cut) = (at.lines[..at.line].to_vec(), &at.lines[at.line]);
        let expected = if at.line == 0 { FindingKind::Edited } else { FindingKind::Cut };
        at.check(&kept, Some((expected, at.line + 1)));
        for bytes in [1, cut.len() / 2, cut.len() - 2] {
            let torn = [kept.clone(), vec![cut[..bytes].to_vec()]].concat();
            at.check(&torn, Some((FindingKind::Edited, at.line + 1)));
        }
        let without_lf = [kept, vec![cut[..cut.len() - 1].to_vec()]].concat();
        at.check(&without_lf, (!at.is_last()).then_some((expected, at.line + 2)).filter(|_| at.line > 0));
    });
}

// REQ 147, D-25, threat H3
#[test]
fn req_147_a_segment_that_was_chained_anew_is_named_where_it_begins() {
    at_every_entry(|at| {
        let entries = rechained_piece(&at.lines[1..], at.line - 1, at.first());
        let anew = [at.lines[..1].to_vec(), entries].concat();
        at.check(&anew, at.sealed.is_own.then_some((FindingKind::Rechained, at.line + 1)));
    });
}

// D-25, threat H3: a segment that was chained anew under the name of its new bytes. This clone's ledger names what is not
// its own; of another chain the segment behind it says that it follows what is not there.
#[test]
fn a_segment_that_was_chained_anew_and_renamed_is_named() {
    for sealed in [own(), anothers()] {
        for segment in 0..sealed.segments.len() {
            let lines = lines_of(&sealed.segments[segment]);
            let at = At { sealed: &sealed, segment, line: 1, lines: lines.clone() };
            let bytes = [lines[..1].to_vec(), rechained_piece(&lines[1..], 0, at.first())].concat().concat();
            let renamed = at.path().with_file_name(format!("{}.jsonl", ContentHash::of(&bytes).digits()));
            fs::remove_file(at.path()).unwrap();
            fs::write(&renamed, &bytes).unwrap();
            let found = sealed.verify();
            if sealed.is_own {
                sealed.assert_named(&found, &renamed, FindingKind::Rechained, Some(2));
            } else if segment == 0 {
                sealed.assert_named(&found, &renamed, FindingKind::NotLinked, Some(1));
            }
            let is_last_of_another = !sealed.is_own && segment + 1 == SIZES.len();
            assert_eq!(found.is_clean(), is_last_of_another, "git alone knows that one: {found:#?}");
            fs::remove_file(&renamed).unwrap();
            fs::write(at.path(), lines.concat()).unwrap();
            assert!(sealed.verify().is_clean());
        }
    }
}

// D-25, threat H2: segments are immutable, so that one with another's bytes is one that was replaced, whichever it was.
#[test]
fn segments_that_were_replaced_or_swapped_are_named() {
    for sealed in [own(), anothers()] {
        let bytes: Vec<Vec<u8>> = sealed.segments.iter().map(|path| fs::read(path).unwrap()).collect();
        for one in 0..bytes.len() {
            for other in (0..bytes.len()).filter(|other| *other != one) {
                fs::write(&sealed.segments[one], &bytes[other]).unwrap();
                let found = sealed.verify();
                sealed.assert_named(&found, &sealed.segments[one], FindingKind::SegmentDiffers, None);
                fs::write(&sealed.segments[other], &bytes[one]).unwrap();
                let found = sealed.verify();
                for path in [&sealed.segments[one], &sealed.segments[other]] {
                    sealed.assert_named(&found, path, FindingKind::SegmentDiffers, None);
                }
                fs::write(&sealed.segments[one], &bytes[one]).unwrap();
                fs::write(&sealed.segments[other], &bytes[other]).unwrap();
            }
        }
        assert!(sealed.verify().is_clean());
    }
}

/// What git has, as far as the verifier is told.
#[derive(Debug)]
struct Has(BTreeSet<ContentHash>);

impl SegmentHistory for Has {
    fn names(&self) -> Result<BTreeSet<ContentHash>, PortError> {
        Ok(self.0.clone())
    }
}

fn name_of(path: &Path) -> ContentHash {
    ContentHash::of(&fs::read(path).unwrap())
}

// D-25, threat H2: an alarm where a segment of this clone is followed and exists nowhere, at the one that follows; a note
// where git has it, where it never was here, and where nothing follows it.
#[test]
fn segments_that_were_removed_or_renamed_are_named_by_the_one_behind() {
    type Takes = fn(&Path);
    let ways: [Takes; 3] = [
        |path| fs::remove_file(path).unwrap(),
        |path| fs::rename(path, path.with_file_name("old.jsonl")).unwrap(),
        |path| {
            let other = path.with_file_name(format!("{}.jsonl", ContentHash::of(b"other").digits()));
            fs::rename(path, other).unwrap();
        },
    ];
    for (way, take) in ways.iter().enumerate() {
        for make in [own, anothers] {
            for segment in 0..SIZES.len() {
                let sealed = make();
                let name = name_of(&sealed.segments[segment]);
                take(&sealed.segments[segment]);
                let found = sealed.verify();
                let gone = found.findings.iter().find(|finding| finding.kind == FindingKind::SegmentGone);
                match sealed.segments.get(segment + 1).filter(|_| sealed.is_own) {
                    Some(follower) => {
                        sealed.assert_named(&found, follower, FindingKind::SegmentGone, Some(1));
                        let verifier = FsLedgerVerifier::new(sealed.place.layout());
                        let found = verifier.with_history(Arc::new(Has([name].into()))).verify().unwrap();
                        assert_eq!(found.has_alarm(), way == 2, "git has it elsewhere: {found:#?}");
                    }
                    None => assert!(gone.is_none(), "{found:#?}"),
                }
                if way == 2 {
                    let other = sealed.segments[segment]
                        .with_file_name(format!("{}.jsonl", ContentHash::of(b"other").digits()));
                    sealed.assert_named(&found, &other, FindingKind::SegmentDiffers, None);
                } else if gone.is_none() {
                    assert!(!found.has_alarm(), "{found:#?}");
                }
                let last_of_another = segment + 1 == SIZES.len() && !sealed.is_own;
                assert!(last_of_another || !found.is_clean(), "{found:#?}");
            }
        }
    }
}

// D-25: git takes segments away and brings older trees back, whole; nobody is accused of it.
#[test]
fn segments_of_an_older_tree_are_a_note() {
    for kept in 0..SIZES.len() {
        let sealed = own();
        sealed.segments[kept..].iter().for_each(|path| fs::remove_file(path).unwrap());
        let found = sealed.verify();
        assert!(!found.has_alarm(), "{found:#?}");
        assert!(
            found.findings.iter().any(|finding| finding.kind == FindingKind::SegmentElsewhere),
            "{found:#?}"
        );
    }
}

// D-25: what cannot be read as a segment is said where it is, and hides nothing else.
#[cfg(unix)]
#[test]
fn a_segment_that_leads_elsewhere_or_is_a_folder_is_named_beside_the_others() {
    type Puts = fn(&Path, &Path);
    let ways: [Puts; 2] = [
        |path, aside| std::os::unix::fs::symlink(aside, path).unwrap(),
        |path, _| fs::create_dir(path).unwrap(),
    ];
    for put in ways {
        let sealed = own();
        let aside = sealed.place.dir.path().join("aside");
        fs::rename(&sealed.segments[1], &aside).unwrap();
        put(&sealed.segments[1], &aside);
        fs::write(&sealed.segments[2], "").unwrap();
        let found = sealed.verify();
        sealed.assert_named(&found, &sealed.segments[1], FindingKind::SegmentDiffers, None);
        sealed.assert_named(&found, &sealed.segments[2], FindingKind::SegmentDiffers, None);
    }
}

// D-22, D-25: a segment is not taken for sealed where its file holds something else.
#[test]
fn what_stands_under_the_name_of_a_segment_is_not_taken_for_it() {
    let sealed = own();
    fs::remove_file(&sealed.segments[2]).unwrap();
    fs::write(&sealed.segments[1], "something else\n").unwrap();
    let ledger = FsLedger::new(sealed.place.layout(), Sync::Os);
    let again = ledger.seal().unwrap().unwrap();
    assert_eq!(again.entries, 4, "everything behind the last segment that is whole");
    fs::write(&again.path, "something else\n").unwrap();
    assert!(matches!(ledger.seal(), Err(PortError::Invalid(_))), "the name is taken by something else");
}
