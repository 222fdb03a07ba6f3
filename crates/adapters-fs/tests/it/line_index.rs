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
    fs::create_dir_all(place.layout().user_state().unwrap()).unwrap();
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

fn cache(place: &Place) -> std::path::PathBuf {
    let mut files = fs::read_dir(place.layout().cache()).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.to_string_lossy().contains("lines-")).unwrap()
}

// REQ 163: writing all that is known is dearer than reading a few files again.
#[test]
fn the_cache_is_written_again_when_much_changed_and_not_before() {
    let place = governed();
    let root = place.layout().root().to_path_buf();
    let index = FsLineIndex::new(&place.layout());
    let found = || block_on(index.places(&[LineHash::of(b"let y = 2;")])).unwrap().len();
    write(&root, "src/a.rs", b"let x = 1;\n");
    assert_eq!(found(), 0);
    let first = fs::read(cache(&place)).unwrap();
    write(&root, "src/b.rs", b"let y = 2;\n");
    fs::remove_file(root.join("src/a.rs")).unwrap();
    assert_eq!(found(), 1, "what is not in the cache is read");
    assert_eq!(fs::read(cache(&place)).unwrap(), first);
    for number in 0..COMMON_LINE {
        write(&root, &format!("src/many/{number}.rs"), b"let z = 3;\n");
    }
    assert_eq!(found(), 1);
    let second = fs::read(cache(&place)).unwrap();
    assert_ne!(second, first);
    write(&root, "src/large.rs", "let long = 4;\n".repeat(30_000).as_bytes());
    assert_eq!(found(), 1);
    assert!(fs::read(cache(&place)).unwrap().len() > second.len() + 100_000);
}

// REQ 163
#[test]
fn a_cache_cut_anywhere_is_as_good_as_none() {
    let place = governed();
    write(place.layout().root(), "src/a.rs", b"let x = 1;\nlet y = 2;\n");
    let index = FsLineIndex::new(&place.layout());
    let expected = block_on(index.places(&wanted())).unwrap();
    let whole = fs::read(cache(&place)).unwrap();
    for end in 0..whole.len() {
        fs::write(cache(&place), &whole[..end]).unwrap();
        assert_eq!(block_on(index.places(&wanted())).unwrap(), expected, "cut at {end}");
    }
    fs::write(cache(&place), [&whole[..], b"x"].concat()).unwrap();
    assert_eq!(block_on(index.places(&wanted())).unwrap(), expected);
}

// REQ 163
#[test]
fn a_damaged_cache_is_made_anew() {
    let place = governed();
    write(place.layout().root(), "src/a.rs", b"let x = 1;\n");
    let index = FsLineIndex::new(&place.layout());
    let expected = block_on(index.places(&wanted())).unwrap();
    assert_eq!(expected.len(), 1);
    let older = b"{\"format\":\"lines-1\",\"files\":[]}\n\x01";
    for damage in
        [&b""[..], b"{}\n", b"\xff\n\xff", older, b"lines-2\n", b"lines-2\n\xff\xff\xff\xff\xff\xff\xff\x7f"]
    {
        fs::write(cache(&place), damage).unwrap();
        assert_eq!(block_on(index.places(&wanted())).unwrap(), expected, "{damage:?}");
    }
}
