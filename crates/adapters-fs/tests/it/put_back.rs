//! Putting files back on real trees: all or none, nothing that somebody changed since, nothing outside the root (row 75).
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bailiwick_adapters_fs::{FsWorkspace, FsWorkspaceWriter, Layout};
use bailiwick_domain::testing::contract;
use bailiwick_domain::{ContentHash, FileState, PutBack, PutBackError, RepoPath, WorkspaceWriter};
use pollster::block_on;
use proptest::prelude::*;
use tempfile::TempDir;

/// A root `repo` and a folder `out` beside it.
struct Tree {
    top: PathBuf,
    layout: Layout,
    _dir: TempDir,
}

impl Tree {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for folder in ["repo/src", "out"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        let layout = Layout::new(top.join("repo"), top.join("private"), None);
        Self { layout, top, _dir: dir }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.top.join("repo").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.file(name).parent().unwrap()).unwrap();
        fs::write(self.file(name), text).unwrap();
    }

    fn writers(&self) -> [FsWorkspaceWriter; 2] {
        let writer = FsWorkspaceWriter::new(&self.layout);
        [writer.clone(), writer.without_exchange()]
    }

    /// Every file, folder and link below the top, with its content.
    fn all(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.top, &self.top, &mut found);
        found
    }
}

fn collect(top: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(top).unwrap().display().to_string();
        let kind = path.symlink_metadata().unwrap();
        if kind.is_symlink() {
            found.insert(name, path.read_link().unwrap().into_os_string().into_encoded_bytes());
        } else if kind.is_dir() {
            found.insert(format!("{name}/"), Vec::new());
            collect(top, &path, found);
        } else if kind.is_file() {
            found.insert(name, fs::read(&path).unwrap());
        } else {
            found.insert(name, b"other".to_vec());
        }
    }
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn content(text: &str) -> FileState {
    FileState::Content(ContentHash::of(text.as_bytes()))
}

fn asked(name: &str, expected: FileState, text: Option<&str>) -> PutBack {
    let content = text.map(|text| text.as_bytes().to_vec());
    PutBack { path: path(name), expected, content, executable: false, origin: None }
}

fn spare(name: &str) -> String {
    let hash = ContentHash::of(name.as_bytes());
    format!(".bailiwick-restore-{}", hash.digits().get(..16).unwrap())
}

// REQ 75
#[test]
fn it_keeps_the_contract_with_and_without_an_exchange() {
    for at in 0..2 {
        let tree = Tree::new();
        block_on(contract::workspace_writer(&tree.writers()[at], &FsWorkspace::new(tree.layout.clone())));
    }
}

// REQ 75, K-35; threats C3, C4: nothing is reached through a link, and nothing outside is touched
#[test]
fn no_link_leads_out_of_the_root() {
    let tree = Tree::new();
    fs::write(tree.top.join("out/secret"), "secret").unwrap();
    symlink(tree.top.join("out"), tree.file("src/link")).unwrap();
    symlink(tree.top.join("out/secret"), tree.file("src/file")).unwrap();
    symlink("a.rs", tree.file("src/inner")).unwrap();
    tree.write("src/a.rs", "a");
    tree.write("plain", "p");
    let before = tree.all();
    for (name, expected, text) in [
        ("src/link/secret", content("secret"), Some("x")),
        ("src/link/secret", content("secret"), None),
        ("src/link/new", FileState::Absent, Some("x")),
        ("src/link/deep/new", FileState::Absent, Some("x")),
        ("src/file", content("secret"), Some("x")),
        ("src/file", content("secret"), None),
        ("src/file", FileState::Absent, Some("x")),
        ("src/inner", content("a"), Some("x")),
        ("plain/below", FileState::Absent, Some("x")),
    ] {
        for writer in tree.writers() {
            let files = [asked("src/a.rs", content("a"), Some("b")), asked(name, expected.clone(), text)];
            let refused = block_on(writer.put_back(&files));
            assert!(matches!(refused, Err(PutBackError::Confined { .. })), "{name}: {refused:?}");
            assert_eq!(tree.all(), before, "{name}");
        }
    }
}

// REQ 75: what is there and is no file is not touched; a folder that was made for nothing goes again
#[test]
fn a_folder_in_the_place_of_a_file_stays() {
    let tree = Tree::new();
    tree.write("src/a.rs/inner", "x");
    let before = tree.all();
    for writer in tree.writers() {
        for expected in [FileState::Absent, FileState::Other, content("x")] {
            let files = [
                asked("new/folder/b.rs", FileState::Absent, Some("b")),
                asked("src/a.rs", expected, Some("y")),
            ];
            assert_eq!(block_on(writer.put_back(&files)), Err(PutBackError::Changed(path("src/a.rs"))));
            assert_eq!(tree.all(), before);
        }
    }
}

// REQ 75: modes stay, and move back with a file
#[test]
fn modes_are_kept() {
    for at in 0..2 {
        let tree = Tree::new();
        tree.write("run.sh", "new");
        tree.write("moved.sh", "m");
        for name in ["run.sh", "moved.sh"] {
            fs::set_permissions(tree.file(name), fs::Permissions::from_mode(0o750)).unwrap();
        }
        let files = [
            asked("run.sh", content("new"), Some("old")),
            asked("origin.sh", FileState::Absent, Some("m")),
            asked("moved.sh", content("m"), None),
        ];
        block_on(tree.writers()[at].put_back(&files)).unwrap();
        for name in ["run.sh", "origin.sh"] {
            assert_eq!(fs::metadata(tree.file(name)).unwrap().permissions().mode() & 0o777, 0o750, "{name}");
        }
        assert_eq!(fs::read_to_string(tree.file("run.sh")).unwrap(), "old");
    }
}

// REQ 75: a file that goes with other content, or that stays, is not where another one comes from
#[test]
fn a_mode_comes_only_from_the_file_that_was_moved() {
    let tree = Tree::new();
    for (at, writer) in tree.writers().iter().enumerate() {
        let back = format!("back{at}.sh");
        for (name, text) in [("gone.sh", "other"), ("stays.sh", "m")] {
            tree.write(name, text);
            fs::set_permissions(tree.file(name), fs::Permissions::from_mode(0o700)).unwrap();
        }
        let files = [
            asked("gone.sh", content("other"), None),
            asked("stays.sh", content("m"), Some("n")),
            asked(&back, FileState::Absent, Some("m")),
        ];
        block_on(writer.put_back(&files)).unwrap();
        assert_eq!(fs::metadata(tree.file(&back)).unwrap().permissions().mode() & 0o111, 0);
    }
}

// REQ 75: one that cannot be written takes the others back
#[test]
fn a_folder_that_cannot_be_written_keeps_every_file() {
    if rustix_is_root() {
        return;
    }
    let tree = Tree::new();
    tree.write("src/a.rs", "a");
    tree.write("locked/b.rs", "b");
    fs::set_permissions(tree.file("locked"), fs::Permissions::from_mode(0o500)).unwrap();
    let before = tree.all();
    for writer in tree.writers() {
        let files = [asked("src/a.rs", content("a"), None), asked("locked/b.rs", content("b"), Some("B"))];
        assert!(matches!(block_on(writer.put_back(&files)), Err(PutBackError::Port(_))));
        assert_eq!(tree.all(), before);
    }
    fs::set_permissions(tree.file("locked"), fs::Permissions::from_mode(0o700)).unwrap();
}

/// Whether modes mean nothing to this process.
fn rustix_is_root() -> bool {
    let probe = TempDir::new().unwrap();
    fs::set_permissions(probe.path(), fs::Permissions::from_mode(0o500)).unwrap();
    fs::write(probe.path().join("x"), "x").is_ok()
}

// REQ 75, D-26: what a killed put-back left beside a file is cleared up when it is known, and stays when it is not
#[test]
fn leftovers_of_a_killed_put_back_are_cleared_up() {
    for at in 0..2 {
        let tree = Tree::new();
        let [one, other] = tree.writers();
        let writer = [&one, &other][at];
        let left = format!("src/{}", spare("src/a.rs"));
        for text in ["old", "new"] {
            tree.write("src/a.rs", "new");
            tree.write(&left, text);
            block_on(writer.put_back(&[asked("src/a.rs", content("new"), Some("old"))])).unwrap();
            assert_eq!(fs::read_to_string(tree.file("src/a.rs")).unwrap(), "old");
            assert!(!tree.file(&left).exists());
        }
        tree.write(&left, "a human's");
        for text in [Some("x"), None] {
            let refused = block_on(writer.put_back(&[asked("src/a.rs", content("old"), text)]));
            assert!(matches!(refused, Err(PutBackError::Confined { .. })), "{refused:?}");
        }
        assert!(block_on(writer.clear_up(&path("src/a.rs"), &[content("old")])).is_err());
        assert_eq!(fs::read_to_string(tree.file(&left)).unwrap(), "a human's");
        tree.write(&left, "new");
        block_on(writer.clear_up(&path("src/a.rs"), &[content("old"), content("new")])).unwrap();
        assert!(!tree.file(&left).exists());
        block_on(writer.clear_up(&path("nowhere/a.rs"), &[])).unwrap();
    }
}

// REQ 75, D-26: killed between two renames, where names cannot be exchanged: nothing is lost and nothing lies about
#[test]
fn an_exchange_by_renames_that_was_killed_gives_the_file_back() {
    let tree = Tree::new();
    let left = format!("src/{}", spare("src/a.rs"));
    let next = format!("{left}-next");
    let known = [content("old"), content("new")];
    for writer in &tree.writers() {
        for (name, beside, in_between) in
            [("new", None, "old"), ("", Some("new"), "old"), ("old", Some("new"), "old")]
        {
            let _ = fs::remove_file(tree.file("src/a.rs"));
            if !name.is_empty() {
                tree.write("src/a.rs", name);
            }
            if let Some(beside) = beside {
                tree.write(&left, beside);
            }
            tree.write(&next, in_between);
            block_on(writer.clear_up(&path("src/a.rs"), &known)).unwrap();
            let kept = if name.is_empty() { "new" } else { name };
            assert_eq!(fs::read_to_string(tree.file("src/a.rs")).unwrap(), kept);
            assert!(!tree.file(&left).exists() && !tree.file(&next).exists());
        }
    }
}

// REQ 75: only renames need another free name
#[test]
fn an_exchange_in_one_step_needs_no_third_name() {
    let tree = Tree::new();
    let next = format!("src/{}-next", spare("src/a.rs"));
    tree.write("src/a.rs", "a");
    tree.write(&next, "a human's");
    let before = tree.all();
    let [in_one_step, by_renames] = tree.writers();
    let files = [asked("src/a.rs", content("a"), Some("b"))];
    assert_eq!(block_on(by_renames.put_back(&files)), Err(PutBackError::Changed(path("src/a.rs"))));
    assert_eq!(tree.all(), before);
    block_on(in_one_step.put_back(&files)).unwrap();
    assert_eq!(fs::read_to_string(tree.file("src/a.rs")).unwrap(), "b");
    assert_eq!(fs::read_to_string(tree.file(&next)).unwrap(), "a human's");
}

// REQ 75, K-35; threat C4: a folder that is swapped for a link in the middle leads nowhere else
#[test]
fn a_parent_that_is_swapped_meanwhile_leads_nowhere_else() {
    const ROUNDS: usize = 100;
    /// Ends the other thread when this one is done, also when an assertion fails.
    struct Over<'a>(&'a AtomicBool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let tree = Tree::new();
    let writers = tree.writers();
    tree.write("src/a.rs", "0");
    fs::write(tree.top.join("out/a.rs"), "0").unwrap();
    let (real, aside, out) = (tree.file("src"), tree.file("aside"), tree.top.join("out"));
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                fs::rename(&real, &aside).unwrap();
                // A writer that finds no folder makes it anew.
                if symlink(&out, &real).is_ok() {
                    std::thread::yield_now();
                    fs::remove_file(&real).unwrap();
                }
                while fs::rename(&aside, &real).is_err() {
                    let _ = fs::remove_dir_all(&real);
                }
                std::thread::yield_now();
            }
        });
        let _over = Over(&over);
        for round in 0..ROUNDS {
            for writer in &writers {
                let (from, to) = if round % 2 == 0 { ("0", "1") } else { ("1", "0") };
                let _ = block_on(writer.put_back(&[asked("src/a.rs", content(from), Some(to))]));
                assert_eq!(fs::read_to_string(out.join("a.rs")).unwrap(), "0");
                assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
            }
        }
    });
    let now = fs::read_to_string(tree.file("src/a.rs")).unwrap();
    assert!(matches!(now.as_str(), "0" | "1"), "{now}");
}

// REQ 75: what somebody saves at that very moment is never lost
#[test]
fn a_save_at_the_same_moment_is_refused_or_lost_by_nobody() {
    const ROUNDS: usize = 100;
    for at in 0..2 {
        let tree = Tree::new();
        tree.write("src/a.rs", "agent");
        let [one, other] = tree.writers();
        let writer = [&one, &other][at];
        for _ in 0..ROUNDS {
            fs::write(tree.file("src/a.rs"), "agent").unwrap();
            let result = std::thread::scope(|scope| {
                let saves = scope.spawn(|| {
                    fs::write(tree.top.join("saved"), "human").unwrap();
                    fs::rename(tree.top.join("saved"), tree.file("src/a.rs")).unwrap();
                });
                let files = [asked("src/a.rs", content("agent"), Some("before"))];
                let result = block_on(writer.put_back(&files));
                saves.join().unwrap();
                result
            });
            let now = fs::read_to_string(tree.file("src/a.rs")).unwrap();
            match &result {
                // Saved before it was looked at, or after all was done: in any case the save is there.
                Ok(()) | Err(PutBackError::Changed(_) | PutBackError::Halfway { .. }) => {
                    assert_eq!(now, "human", "{result:?}");
                }
                other => panic!("{other:?}"),
            }
            for entry in fs::read_dir(tree.file("src")).unwrap() {
                let left = entry.unwrap().path();
                if left != tree.file("src/a.rs") {
                    fs::remove_file(left).unwrap();
                }
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Wish {
    name: &'static str,
    now: Option<&'static str>,
    expected: Option<&'static str>,
    then: Option<&'static str>,
}

fn wishes() -> impl Strategy<Value = Vec<Wish>> {
    let text = || prop::sample::select(vec![None, Some("a"), Some("b")]);
    let one = |name| {
        (text(), text(), text(), prop::bool::weighted(0.8)).prop_map(move |(now, expected, then, right)| {
            Wish { name, now, expected: if right { now } else { expected }, then }
        })
    };
    (one("x"), one("src/y"), one("src/deep/z")).prop_map(|(x, y, z)| vec![x, y, z])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    // REQ 75: afterwards every file is what was asked, or everything is as before and it says why
    #[test]
    fn all_become_what_was_asked_or_nothing_changes(wishes in wishes(), at in 0_usize..2) {
        let tree = Tree::new();
        let state = |text: Option<&str>| text.map_or(FileState::Absent, content);
        for wish in &wishes {
            if let Some(text) = wish.now {
                tree.write(wish.name, text);
            }
        }
        let before = tree.all();
        let files: Vec<PutBack> =
            wishes.iter().map(|wish| asked(wish.name, state(wish.expected), wish.then)).collect();
        let result = block_on(tree.writers()[at].put_back(&files));
        let fits = wishes.iter().all(|wish| wish.now == wish.expected);
        prop_assert_eq!(result.is_ok(), fits);
        if fits {
            for wish in &wishes {
                let now = fs::read_to_string(tree.file(wish.name)).ok();
                prop_assert_eq!(now.as_deref(), wish.then);
            }
            prop_assert!(tree.all().keys().all(|name| !name.contains("bailiwick-restore")));
        } else {
            prop_assert_eq!(tree.all(), before);
        }
    }
}

// REQ 75: what is asked counts where nothing is there to keep the mode of
#[test]
fn a_file_that_returns_may_be_run_if_that_is_asked() {
    let tree = Tree::new();
    let mode = |name: &str| fs::metadata(tree.file(name)).unwrap().permissions().mode() & 0o111;
    for (at, writer) in tree.writers().iter().enumerate() {
        let [run, text, there] = ["run", "text", "there"].map(|name| format!("src/{name}{at}"));
        tree.write(&there, "old");
        let runnable = |name, expected| PutBack { executable: true, ..asked(name, expected, Some("x")) };
        let files = [
            runnable(&run, FileState::Absent),
            asked(&text, FileState::Absent, Some("x")),
            runnable(&there, content("old")),
        ];
        block_on(writer.put_back(&files)).unwrap();
        assert_ne!(mode(&run), 0);
        assert_eq!((mode(&text), mode(&there)), (0, 0), "a file that stays keeps its mode");
    }
}
