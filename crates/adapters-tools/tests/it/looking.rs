//! Walks and searches: what they see, what they leave out, and what they refuse.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use bailiwick_adapters_tools::{Found, SearchError, Source, Tree, Wanted, list, search};
use bailiwick_domain::RepoPath;

fn tree() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for (name, text) in [
        ("a.rs", "one\ntwo needle\n"),
        ("b/c.txt", "needle\r\n"),
        ("b/.hidden", "needle"),
        ("out/d.rs", "needle\n"),
        (".git/config", "needle\n"),
        (".gitignore", "out/\n"),
        ("bin", "a\0needle\n"),
    ] {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    std::os::unix::fs::symlink("/", root.join("away")).unwrap();
    (folder, root)
}

fn of(root: &Path) -> Tree<'_> {
    Tree { root, exclude: None }
}

/// Reads what is there, withholds one name, and remembers what it was asked for.
struct Files<'a> {
    root: &'a Path,
    withheld: &'a str,
    read: RefCell<Vec<String>>,
}

impl Source for Files<'_> {
    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        self.read.borrow_mut().push(path.to_string());
        fs::read(self.root.join(path.as_str())).ok()
    }

    fn may_show(&self, path: &RepoPath) -> bool {
        path.as_str() != self.withheld
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

fn found(root: &Path, wanted: Wanted<'_>) -> Result<Found, SearchError> {
    search(of(root), wanted, &Files { root, withheld: "", read: RefCell::default() })
}

fn told(found: &Found) -> Vec<String> {
    found.hits.iter().map(|hit| format!("{}:{}:{}", hit.path, hit.line, hit.text)).collect()
}

const NEEDLE: Wanted<'_> = Wanted { regex: "need.e", below: ".", names: None };

#[test]
fn a_search_sees_text_that_git_sees_and_follows_no_link() {
    let (_folder, root) = tree();
    let files = Files { root: &root, withheld: "", read: RefCell::default() };
    let all = search(of(&root), NEEDLE, &files).unwrap();
    assert_eq!(told(&all), ["a.rs:2:two needle", "b/.hidden:1:needle", "b/c.txt:1:needle"]);
    assert!(!all.more);
    assert!(files.read.borrow().iter().all(|name| !name.starts_with("away") && !name.starts_with(".git/")));
    let below = found(&root, Wanted { below: "b", names: Some("*.txt"), ..NEEDLE }).unwrap();
    assert_eq!(told(&below), ["b/c.txt:1:needle"]);
}

#[test]
fn what_may_not_be_shown_is_not_even_read() {
    let (_folder, root) = tree();
    let files = Files { root: &root, withheld: "b/c.txt", read: RefCell::default() };
    let some = search(of(&root), NEEDLE, &files).unwrap();
    assert_eq!(told(&some), ["a.rs:2:two needle", "b/.hidden:1:needle"]);
    assert!(!files.read.borrow().iter().any(|name| name == "b/c.txt"));
}

#[test]
fn what_cannot_be_searched_is_said() {
    let (_folder, root) = tree();
    for wanted in [
        Wanted { regex: "(", ..NEEDLE },
        Wanted { regex: "a{1000}{1000}{1000}", ..NEEDLE },
        Wanted { regex: "a\nb", ..NEEDLE },
        Wanted { below: "..", ..NEEDLE },
        Wanted { below: "away/etc", ..NEEDLE },
        Wanted { below: "none", ..NEEDLE },
        Wanted { names: Some("{a"), ..NEEDLE },
    ] {
        assert!(found(&root, wanted).is_err(), "{wanted:?}");
    }
}

#[test]
fn many_and_long_lines_are_cut() {
    let (_folder, root) = tree();
    fs::write(root.join("many"), "needle\n".repeat(500)).unwrap();
    fs::write(root.join("a.rs"), format!("needle{}\n", "é".repeat(5_000))).unwrap();
    let cut = found(&root, NEEDLE).unwrap();
    assert_eq!((cut.hits.len(), cut.more), (200, true));
    assert_eq!(cut.hits[0].text.chars().count(), 301);
}

#[test]
fn a_listing_has_an_end() {
    let (_folder, root) = tree();
    let names = list(of(&root), ".", false).unwrap().names;
    assert_eq!(names, [".gitignore", "a.rs", "away", "b/", "bin"]);
    fs::create_dir(root.join("wide")).unwrap();
    for number in 0..2_001 {
        fs::write(root.join(format!("wide/{number}")), "").unwrap();
    }
    let wide = list(of(&root), "wide", true).unwrap();
    assert_eq!((wide.names.len(), wide.more), (2_000, true));
    for missing in ["none", "a.rs", "..", "away"] {
        assert!(list(of(&root), missing, true).is_err(), "{missing}");
    }
}

/// Says after so many looks that nobody waits any more.
struct Impatient<'a> {
    root: &'a Path,
    looks: std::cell::Cell<u32>,
}

impl Source for Impatient<'_> {
    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        fs::read(self.root.join(path.as_str())).ok()
    }

    fn may_show(&self, _path: &RepoPath) -> bool {
        true
    }

    fn is_stopped(&self) -> bool {
        self.looks.replace(self.looks.get().saturating_sub(1)) == 0
    }
}

// One large file and a costly regular expression: the search ends in the middle of it.
#[test]
fn a_search_is_called_off_inside_one_file() {
    let (_folder, root) = tree();
    fs::write(root.join("large"), format!("{}needle\n", "hay\n".repeat(50_000))).unwrap();
    let wanted = Wanted { below: "large", ..NEEDLE };
    let patient = found(&root, wanted).unwrap();
    assert_eq!((told(&patient), patient.more), (vec!["large:50001:needle".to_owned()], false));
    let soon = Impatient { root: &root, looks: std::cell::Cell::new(5) };
    let ended = search(of(&root), wanted, &soon).unwrap();
    assert_eq!((ended.hits.len(), ended.more), (0, true));
}

#[test]
fn lines_are_counted_through_a_large_file_and_of_a_very_long_one_the_beginning_is_searched() {
    let (_folder, root) = tree();
    let line = |mark: &str| format!("{mark}{}\n", "x".repeat(1_000));
    let lines: String = (1..=100).map(|number| line(if number % 40 == 0 { "needle" } else { "" })).collect();
    fs::write(root.join("lines"), lines).unwrap();
    let wanted = Wanted { regex: "^needle", below: "lines", names: None };
    let numbers: Vec<u64> = found(&root, wanted).unwrap().hits.iter().map(|hit| hit.line).collect();
    assert_eq!(numbers, [40, 80]);
    let long = format!("needle {} needle\nneedle\n", "x".repeat(200_000));
    fs::write(root.join("long"), long).unwrap();
    let cut = found(&root, Wanted { regex: "needle$", below: "long", names: None }).unwrap();
    let numbers: Vec<u64> = cut.hits.iter().map(|hit| hit.line).collect();
    assert_eq!((numbers, cut.more), (vec![2], false), "a smaller part finds no more");
    let cut: Vec<&str> = cut.cut.iter().map(RepoPath::as_str).collect();
    assert_eq!(cut, ["long"], "what was not searched is said");
}

#[test]
fn a_file_in_utf16_is_searched_by_its_mark() {
    let (_folder, root) = tree();
    let text = "\u{feff}one\r\nzwölf needle 😀\r\n";
    let write = |name: &str, bytes: fn(u16) -> [u8; 2], more: &[u8]| {
        let text = text.encode_utf16().flat_map(bytes).chain(more.iter().copied());
        fs::write(root.join(name), text.collect::<Vec<u8>>()).unwrap();
    };
    fs::create_dir(root.join("u")).unwrap();
    write("u/little", u16::to_le_bytes, &[]);
    write("u/big", u16::to_be_bytes, &[0]);
    let wanted = Wanted { regex: "^zwölf need.e 😀", below: "u", names: None };
    let lines = ["u/big:2:zwölf needle 😀", "u/little:2:zwölf needle 😀"];
    assert_eq!(told(&found(&root, wanted).unwrap()), lines);
    write("u/little", u16::to_le_bytes, &[0, 0]);
    assert_eq!(told(&found(&root, wanted).unwrap()), lines[..1], "binary");
}

// A pipe, a device or a link in the place of a file that is read on the way
#[test]
fn what_is_no_plain_file_of_rules_keeps_nobody_and_says_nothing() {
    let (_folder, root) = tree();
    fs::create_dir(root.join("d")).unwrap();
    fs::write(root.join("d/e"), "needle\n").unwrap();
    let pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(root.join(name)).status().unwrap();
        assert!(made.success());
    };
    pipe("b/.gitignore");
    pipe("exclude");
    std::os::unix::fs::symlink("/dev/zero", root.join("d/.gitignore")).unwrap();
    let (pipe, root) = (root.join("exclude"), root.as_path());
    let tree = Tree { root, exclude: Some(&pipe) };
    let names = list(tree, ".", true).unwrap().names;
    assert!(
        ["b/.gitignore", "b/c.txt", "d/e"].iter().all(|name| names.iter().any(|n| n == name)),
        "{names:?}"
    );
    let files = Files { root, withheld: "b/.gitignore", read: RefCell::default() };
    assert_eq!(search(tree, Wanted { below: "d", ..NEEDLE }, &files).unwrap().hits.len(), 1);
}

/// What git itself says of the files of a folder.
fn seen_by_git(root: &Path) -> Vec<String> {
    let git = |words: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(words).current_dir(root).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        let output =
            git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    fs::write(root.join(".git/info/exclude"), "*.own\n!kept.own\n").unwrap();
    let told = git(&["ls-files", "--others", "--exclude-standard", "-z"]);
    let mut names: Vec<String> = told.split_terminator('\0').map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn a_listing_leaves_out_what_git_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let top = "\u{feff}*.log\r\n!keep.log\n/only\nbuild/\n# comment\n\\#mark\n\\!bang\ndocs/*.pdf\n**/deep/x\na/**/z\ntrail \n[\n*.own2\n";
    for (name, text) in [
        (".gitignore", top),
        ("sub/.gitignore", "!back.log\nonly\n/here\n!*.own2\n"),
        ("sub/build/.gitignore", "!*\n"),
    ] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }
    for name in [
        "a.log",
        "keep.log",
        "only",
        "build/x",
        "#mark",
        "!bang",
        "docs/a.pdf",
        "docs/sub/b.pdf",
        "deep/x",
        "q/deep/x",
        "a/z",
        "a/b/c/z",
        "trail",
        "trail ",
        "[",
        "n.own",
        "kept.own",
        "m.own2",
        "sub/a.log",
        "sub/back.log",
        "sub/only",
        "sub/here",
        "sub/in/here",
        "sub/build/y",
        "sub/m.own2",
        "buildfile/build",
    ] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), "").unwrap();
    }
    std::os::unix::fs::symlink("sub", root.join("q/build")).unwrap();
    let git = seen_by_git(&root);
    let exclude = root.join(".git/info/exclude");
    let names = list(Tree { root: &root, exclude: Some(&exclude) }, ".", true).unwrap().names;
    let files: Vec<String> = names.into_iter().filter(|name| !name.ends_with('/')).collect();
    assert_eq!(files, git);
}
