//! Where lines stand, against a naive look at every file.

use std::fs;
use std::path::Path;

use bailiwick_adapters_fs::FsLineIndex;
use bailiwick_domain::{COMMON_LINE, LineHash, LineIndex, LinePlace, RepoPath};
use pollster::block_on;
use proptest::prelude::*;

use crate::place::Place;

const LINES: [&str; 6] = ["fn a() {", "    call();", "}", "", "let x = 1;", "let y = 2;"];
const FILES: [&str; 4] = ["src/a.rs", "src/b.rs", "docs/c.md", ".hidden/d"];

fn governed() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.layout().private()).unwrap();
    place
}

fn wanted() -> Vec<LineHash> {
    LINES.iter().map(|line| LineHash::of(line.as_bytes())).collect()
}

fn naive(root: &Path) -> Vec<LinePlace> {
    let mut places = Vec::new();
    for name in FILES {
        let text = fs::read(root.join(name)).unwrap_or_default();
        for (line, bytes) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let hash = LineHash::of(bytes);
            if !hash.is_blank() && !text.contains(&0) {
                places.push(LinePlace { path: RepoPath::new(name).unwrap(), line, hash });
            }
        }
    }
    let of = |hash: LineHash| places.iter().filter(|place| place.hash == hash).count();
    let common: Vec<LineHash> = wanted().into_iter().filter(|hash| of(*hash) > COMMON_LINE).collect();
    places.retain(|place| !common.contains(&place.hash));
    places.sort();
    places
}

fn write(root: &Path, name: &str, content: &[u8]) {
    let file = root.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    // REQ 163
    #[test]
    fn every_place_is_found_after_every_change(
        changes in prop::collection::vec((0..4_usize, prop::option::of(prop::collection::vec(0..6_usize, 0..40))), 1..12)
    ) {
        let place = governed();
        let index = FsLineIndex::new(&place.layout());
        for (file, content) in changes {
            let name = FILES[file];
            match content {
                Some(lines) => {
                    let text: String = lines.iter().map(|line| format!("{}\n", LINES[*line])).collect();
                    write(place.layout().root(), name, text.as_bytes());
                }
                None => drop(fs::remove_file(place.layout().root().join(name))),
            }
            prop_assert_eq!(block_on(index.places(&wanted())).unwrap(), naive(place.layout().root()));
        }
    }
}

// REQ 163
#[test]
fn binaries_links_and_our_own_records_are_not_searched() {
    let place = governed();
    write(place.layout().root(), "src/a.rs", b"\0let x = 1;\n");
    write(place.layout().root(), ".orchestration/notes.md", b"let x = 1;\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", place.layout().root().join("src/link")).unwrap();
    assert_eq!(block_on(FsLineIndex::new(&place.layout()).places(&wanted())).unwrap(), []);
}

// REQ 163
#[test]
fn a_damaged_cache_is_made_anew() {
    let place = governed();
    write(place.layout().root(), "src/a.rs", b"let x = 1;\n");
    let index = FsLineIndex::new(&place.layout());
    let expected = block_on(index.places(&wanted())).unwrap();
    assert_eq!(expected.len(), 1);
    let cache = fs::read_dir(place.private("cache")).unwrap();
    let file =
        cache.map(|entry| entry.unwrap().path()).find(|path| path.to_string_lossy().contains("lines-"));
    for damage in [&b""[..], b"{}\n", b"\xff\n\xff", b"{\"format\":\"lines-1\",\"files\":[]}\n\x01"] {
        fs::write(file.as_ref().unwrap(), damage).unwrap();
        assert_eq!(block_on(index.places(&wanted())).unwrap(), expected, "{damage:?}");
    }
}
