//! Where spelled paths lead, on real trees.

#[cfg(unix)]
mod properties;

use std::fs;
use std::path::PathBuf;

use bailiwick_adapters_fs::{FsWorkspace, Layout};
use bailiwick_domain::{ContentHash, FileState, Location, RepoPath, Workspace};
use pollster::block_on;
use tempfile::TempDir;

/// A root `repo`, a neighbour `repo-evil` and a folder `out` in one temporary folder.
#[derive(Debug)]
struct Tree {
    _dir: TempDir,
    top: PathBuf,
    workspace: FsWorkspace,
}

impl Tree {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for folder in ["repo/src/auth", "repo-evil", "out/deep"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        for file in ["repo/src/a.ts", "repo/src/auth/jwt.rs", "repo-evil/f", "out/secret", "out/deep/x"] {
            fs::write(top.join(file), file).unwrap();
        }
        let layout = Layout::new(top.join("repo"), top.join("private"), None);
        Self { workspace: FsWorkspace::new(layout), top, _dir: dir }
    }

    #[cfg(unix)]
    fn link(&self, at: &str, target: &str) {
        let target = target.replace("TOP", self.top.to_str().unwrap());
        std::os::unix::fs::symlink(target, self.top.join("repo").join(at)).unwrap();
    }

    fn locate(&self, requested: &str) -> Location {
        let requested = requested.replace("TOP", self.top.to_str().unwrap());
        block_on(self.workspace.locate(&requested, None))
    }

    #[track_caller]
    fn inside(&self, requested: &str, path: &str, spelled: Option<&str>) {
        match self.locate(requested) {
            Location::Inside(found) => {
                assert_eq!(found.path.as_str(), path, "{requested}");
                assert_eq!(found.spelled.as_ref().map(RepoPath::as_str), spelled, "{requested}");
            }
            other => panic!("{requested}: {other:?}"),
        }
    }

    #[track_caller]
    fn outside(&self, requested: &str) {
        let location = self.locate(requested);
        assert!(matches!(location, Location::Outside(_)), "{requested}: {location:?}");
    }

    #[track_caller]
    fn invalid(&self, requested: &str) {
        let location = self.locate(requested);
        assert!(
            matches!(&location, Location::Invalid(why) if !why.is_empty()),
            "{requested:?}: {location:?}"
        );
    }

    fn state(&self, path: &str) -> Result<FileState, bailiwick_domain::PortError> {
        block_on(self.workspace.state(&RepoPath::new(path).unwrap()))
    }
}

// REQ 46, K-35
#[test]
fn req_046_relative_and_absolute_spellings_lead_to_the_same_path() {
    let tree = Tree::new();
    for spelling in [
        "src/a.ts",
        "./src/a.ts",
        "src//a.ts",
        "src/./a.ts",
        "src/auth/../a.ts",
        "x/../src/a.ts",
        "TOP/repo/src/a.ts",
        "TOP/out/../repo/src/a.ts",
        "../repo/src/a.ts",
    ] {
        tree.inside(spelling, "src/a.ts", None);
    }
    for root in [".", "./", "src/..", "TOP/repo", "TOP/repo/"] {
        assert_eq!(tree.locate(root), Location::Root, "{root}");
    }
}

// D-45, A2, REQ 47: what overrides the row's reading for a call's paths
#[cfg(unix)]
#[test]
fn a_backslash_belongs_to_the_name_as_it_does_to_the_programs_that_act_on_the_call() {
    let tree = Tree::new();
    for spelling in ["src\\a.ts", "src\\new\\b.ts", "..\\out\\secret", "\\\\server\\share", "src\\..\\a.ts"] {
        tree.inside(spelling, spelling, None);
    }
    tree.inside("src/auth\\a/../x", "src/x", None);
    tree.outside("src/auth\\a\\b\\c/../../../evil");
    tree.outside("q\\w/../../out/secret");
    let folder = format!("{}/src\\auth", tree.top.join("repo").display());
    let found = block_on(tree.workspace.locate("../../x", Some(&folder)));
    assert!(matches!(found, Location::Outside(_)), "{found:?}");
}

// C: what is too long for the system is no fault of the private state
#[test]
fn a_path_that_is_too_long_to_be_a_file_is_refused_as_a_path() {
    let tree = Tree::new();
    let deep = vec!["d"; 3_000].join("/");
    for text in
        [deep.clone(), format!("src/../{deep}"), "n".repeat(6_000), format!("src/{}", "n".repeat(256))]
    {
        tree.invalid(&text);
    }
    if cfg!(target_os = "linux") {
        tree.invalid(&"\u{e9}".repeat(128));
    }
    tree.inside(&"n".repeat(255), &"n".repeat(255), None);
    assert_eq!(tree.state(&"n".repeat(255)), Ok(FileState::Absent));
}

// D-45
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_refused_by_name() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new();
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff");
    fs::write(tree.top.join("repo/src").join(odd), "").unwrap();
    std::os::unix::fs::symlink(odd, tree.top.join("repo/src/link")).unwrap();
    let location = tree.locate("src/link");
    assert!(matches!(&location, Location::Invalid(why) if why.contains(r"src/odd\xff")), "{location:?}");
}

// K-35: clients take white space off both ends of a path before they use it
#[test]
fn a_path_with_white_space_at_an_end_is_refused() {
    let tree = Tree::new();
    for text in [
        " ../out/secret",
        " /etc/passwd",
        "src/a.ts ",
        "\u{a0}src/a.ts",
        "\u{feff}/etc/passwd",
        "src/a.ts\u{3000}",
    ] {
        tree.invalid(text);
    }
    tree.inside("src/a b.ts", "src/a b.ts", None);
}

// K-35, threat C10, threat C13
#[test]
fn what_is_no_path_is_refused() {
    let tree = Tree::new();
    for text in [
        "",
        " ",
        "\t",
        "a\0b",
        "a\nb",
        "a\u{1b}[2Kb",
        "~",
        "~/x",
        "~root/x",
        "file:///etc/passwd",
        "uri:vscode-local:/etc/passwd",
        "FILE:x",
        "C:x",
        "C:\\x",
        "c:/x",
        "\\\\?\\C:\\x\0",
    ] {
        tree.invalid(text);
    }
    let relative = block_on(tree.workspace.locate("a", Some("src")));
    assert!(matches!(relative, Location::Invalid(_)), "{relative:?}");
}

// REQ 104, threat C1, threat C2
#[test]
fn req_104_what_leads_out_of_the_root_is_outside() {
    let tree = Tree::new();
    for text in [
        "/etc/passwd",
        "../x",
        "src/../../x",
        "src//..//..//x",
        "TOP/repo-evil/f",
        "../repo-evil/f",
        "TOP",
        "/",
        "..",
        "src/../..",
        "src/../../../../../../../../../../etc/passwd",
    ] {
        tree.outside(text);
    }
}

// K-35, threat C4
#[test]
fn names_that_do_not_exist_yet_are_judged_by_their_deepest_folder() {
    let tree = Tree::new();
    tree.inside("new", "new", None);
    tree.inside("a/b/c/d.rs", "a/b/c/d.rs", None);
    tree.inside("src/a.ts/below-a-file", "src/a.ts/below-a-file", None);
    tree.outside("a/b/../../../x");
}

// REQ 104, threat C3, threat C4
#[cfg(unix)]
#[test]
fn symlinks_are_followed_to_where_they_lead() {
    let tree = Tree::new();
    tree.link("file-out", "TOP/out/secret");
    tree.link("dir-out", "../out");
    tree.link("dangling-out", "TOP/out/not-yet");
    tree.link("dangling-in", "src/not-yet");
    tree.link("chain", "chain2");
    tree.link("chain2", "src/a.ts");
    tree.link("dir-in", "src");
    tree.link("loop", "loop2");
    tree.link("loop2", "loop");
    tree.link("to-root", ".");
    for out in ["file-out", "dir-out", "dir-out/secret", "dir-out/deep/x", "dir-out/new/file", "dangling-out"]
    {
        tree.outside(out);
    }
    tree.inside("dangling-in", "src/not-yet", Some("dangling-in"));
    tree.inside("chain", "src/a.ts", Some("chain"));
    tree.inside("dir-in/a.ts", "src/a.ts", Some("dir-in/a.ts"));
    tree.inside("dir-in/new/x", "src/new/x", Some("dir-in/new/x"));
    tree.inside("TOP/repo/to-root/src/a.ts", "src/a.ts", Some("to-root/src/a.ts"));
    assert_eq!(tree.locate("to-root"), Location::Root);
    tree.invalid("loop");
    tree.invalid("loop/x");
}

// K-35, threat C1
#[cfg(unix)]
#[test]
fn going_up_out_of_a_symlink_is_refused() {
    let tree = Tree::new();
    tree.link("deep", "src/auth");
    tree.link("out-deep", "TOP/out/deep");
    fs::write(tree.top.join("repo/secret"), "").unwrap();
    tree.invalid("deep/../a.ts");
    tree.invalid("out-deep/../secret");
    tree.inside("src/auth/../a.ts", "src/a.ts", None);
    tree.link("src/same", "auth");
    tree.inside("src/same/../a.ts", "src/a.ts", None);
}

// threat C3
#[cfg(unix)]
#[test]
fn a_name_outside_that_leads_inside_is_outside() {
    let tree = Tree::new();
    std::os::unix::fs::symlink(tree.top.join("repo/src/a.ts"), tree.top.join("out/back")).unwrap();
    std::os::unix::fs::symlink(tree.top.join("repo/src"), tree.top.join("out/src")).unwrap();
    tree.link("dir-out", "TOP/out");
    for name in ["TOP/out/back", "dir-out/back", "TOP/out/src", "dir-out/src"] {
        tree.outside(name);
    }
}

// threat C3, B: a host may tell the folder by the name that its shell has for it
#[cfg(unix)]
#[test]
fn the_root_may_be_spelled_through_a_symlink() {
    let tree = Tree::new();
    std::os::unix::fs::symlink(tree.top.join("repo"), tree.top.join("alias")).unwrap();
    std::os::unix::fs::symlink("alias", tree.top.join("again")).unwrap();
    tree.link("dir-out", "TOP");
    for root in ["TOP/alias", "TOP/alias/", "TOP/again", "TOP/alias/src/..", "dir-out/again"] {
        assert_eq!(tree.locate(root), Location::Root, "{root}");
    }
    let at_alias = tree.top.join("alias").display().to_string();
    assert_eq!(block_on(tree.workspace.locate(".", Some(&at_alias))), Location::Root);
    tree.inside("TOP/alias/src/a.ts", "src/a.ts", None);
    tree.link("dir-in", "src");
    tree.inside("TOP/alias/dir-in/a.ts", "src/a.ts", Some("dir-in/a.ts"));
    let layout = Layout::new(tree.top.join("alias"), tree.top.join("private"), None);
    let aliased = block_on(FsWorkspace::new(layout).locate("src/a.ts", None));
    assert_eq!(aliased, tree.locate("src/a.ts"));
}

// threat C7
#[test]
fn relative_paths_start_from_the_directory_of_the_call() {
    let tree = Tree::new();
    let at = |cwd: &str, requested: &str| {
        block_on(tree.workspace.locate(requested, Some(tree.top.join(cwd).to_str().unwrap())))
    };
    assert_eq!(at("repo/src", "a.ts"), tree.locate("src/a.ts"));
    assert_eq!(at("out", "../repo/src/a.ts"), tree.locate("src/a.ts"));
    assert!(matches!(at("out", "secret"), Location::Outside(_)));
    assert!(matches!(at("repo/src", "../../out/secret"), Location::Outside(_)));
}

// threat C11
#[cfg(target_os = "linux")]
#[test]
fn other_names_of_the_same_file_system_are_outside() {
    let tree = Tree::new();
    tree.link("via", "/proc/self/root");
    for text in [
        "/proc/self/rootTOP/repo/src/a.ts",
        "/proc/self/cwd/x",
        "/proc/1/root/etc/passwd",
        "/dev/fd/3",
        "via/etc/x",
    ] {
        tree.outside(text);
    }
}

// D-05
#[test]
fn scratch_places_and_read_roots_are_known_by_where_they_lead() {
    let mut tree = Tree::new();
    let (scratch, reads) = (tree.top.join("out/deep"), tree.top.join("out"));
    tree.workspace =
        tree.workspace.clone().with_scratch(vec![scratch, "relative".into()]).with_read_roots(vec![reads]);
    let top = tree.top.to_str().unwrap().to_owned();
    assert_eq!(tree.locate("TOP/out/deep/x"), Location::Scratch(format!("{top}/out/deep/x")));
    assert_eq!(tree.locate("../out/deep/new/y"), Location::Scratch(format!("{top}/out/deep/new/y")));
    assert_eq!(tree.locate("TOP/out/secret"), Location::ReadRoot(format!("{top}/out/secret")));
    assert_eq!(tree.locate("TOP/out/deep/../secret"), Location::ReadRoot(format!("{top}/out/secret")));
    tree.outside("TOP/repo-evil/f");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc", tree.top.join("out/deep/etc")).unwrap();
        tree.outside("TOP/out/deep/etc/passwd");
    }
}

// B
#[cfg(unix)]
#[test]
fn what_commands_of_the_session_print_is_known_by_the_form_of_the_real_path_and_its_owner() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let mut tree = Tree::new();
    let end = PathBuf::from("claude-7/-repo/s1/tasks");
    tree.workspace = tree.workspace.clone().with_prints(vec![end.clone()]);
    for folder in ["claude-7/-repo/s1/tasks/deeper", "claude-7/-repo/s2/tasks", "claude-8/-repo/s1/tasks"] {
        fs::create_dir_all(tree.top.join("out").join(folder)).unwrap();
    }
    let folder = tree.top.join("out/claude-7");
    let mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    let printed = format!("{}/out/claude-7/-repo/s1/tasks/b1.output", tree.top.display());
    mode(0o700);
    assert_eq!(tree.locate("TOP/out/claude-7/-repo/s1/tasks/b1.output"), Location::ReadRoot(printed));
    for other in
        ["s2/tasks/b1.output", "s1/b1.output", "s1/tasks", "s1/tasks/deeper/b1.output", "s1/tasks/../x"]
    {
        tree.outside(&format!("TOP/out/claude-7/-repo/{other}"));
    }
    tree.outside("TOP/out/claude-8/-repo/s1/tasks/b1.output");
    tree.outside("TOP/out/tasks/b1.output");
    // Links count as where they lead: a file, and a folder on the way to it.
    symlink(tree.top.join("out/secret"), folder.join("-repo/s1/tasks/link.output")).unwrap();
    tree.outside("TOP/out/claude-7/-repo/s1/tasks/link.output");
    fs::rename(folder.join("-repo/s1"), tree.top.join("out/moved")).unwrap();
    symlink(tree.top.join("out/moved"), folder.join("-repo/s1")).unwrap();
    tree.outside("TOP/out/claude-7/-repo/s1/tasks/b1.output");
    fs::remove_file(folder.join("-repo/s1")).unwrap();
    fs::rename(tree.top.join("out/moved"), folder.join("-repo/s1")).unwrap();
    assert!(matches!(tree.locate("TOP/out/claude-7/-repo/s1/tasks/b1.output"), Location::ReadRoot(_)));
    mode(0o750);
    tree.outside("TOP/out/claude-7/-repo/s1/tasks/b1.output");
    mode(0o700);
    // Only root may give a folder away.
    if std::os::unix::fs::chown(&folder, Some(65_534), None).is_ok() {
        tree.outside("TOP/out/claude-7/-repo/s1/tasks/b1.output");
    }
}

// K-35
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new();
    let odd = std::ffi::OsStr::from_bytes(b"od\xffd");
    fs::write(tree.top.join("repo").join(odd), "").unwrap();
    std::os::unix::fs::symlink(odd, tree.top.join("repo/plain")).unwrap();
    tree.invalid("plain");
}

// threat C8, threat C9
#[test]
fn the_folded_form_is_of_the_real_path() {
    let tree = Tree::new();
    let folded = |text: &str| match tree.locate(text) {
        Location::Inside(found) => found.folded,
        other => panic!("{other:?}"),
    };
    assert_eq!(folded(".CLAUDE/Settings.json"), ".claude/settings.json");
    assert_eq!(folded(".g\u{200c}it/hooks/x"), ".git/hooks/x");
    #[cfg(unix)]
    {
        tree.link("innocent", ".GIT");
        assert_eq!(folded("innocent/config"), ".git/config");
    }
}

// K-10
#[test]
fn states_are_hashes_of_what_is_there() {
    let tree = Tree::new();
    assert_eq!(tree.state("src/a.ts").unwrap(), FileState::Content(ContentHash::of(b"repo/src/a.ts")));
    assert_eq!(tree.state("src/none").unwrap(), FileState::Absent);
    assert_eq!(tree.state("src/a.ts/none").unwrap(), FileState::Absent);
    assert_eq!(tree.state("src").unwrap(), FileState::Other);
    let large = vec![7_u8; 300_000];
    fs::write(tree.top.join("repo/large"), &large).unwrap();
    assert_eq!(tree.state("large").unwrap(), FileState::Content(ContentHash::of(&large)));
}

#[test]
fn reading_is_bounded() {
    let tree = Tree::new();
    let read = |path: &str, limit| block_on(tree.workspace.read(&RepoPath::new(path).unwrap(), limit));
    assert_eq!(read("src/a.ts", 13).unwrap().as_deref(), Some(&b"repo/src/a.ts"[..]));
    assert!(read("src/a.ts", 12).is_err());
    assert_eq!(read("src", 10).unwrap(), None);
    assert_eq!(read("none", 10).unwrap(), None);
}

// threat C3, threat C6
#[cfg(unix)]
#[test]
fn looking_at_a_file_never_leaves_the_root() {
    let tree = Tree::new();
    tree.link("file-out", "TOP/out/secret");
    tree.link("file-in", "src/a.ts");
    tree.link("dir-out", "TOP/out");
    tree.link("dir-in", "src");
    assert_eq!(tree.state("file-out").unwrap(), FileState::Other);
    assert_eq!(tree.state("file-in").unwrap(), FileState::Other);
    assert!(tree.state("dir-out/secret").is_err());
    let secret = RepoPath::new("dir-out/secret").unwrap();
    assert!(block_on(tree.workspace.read(&secret, 100)).is_err());
    let out = tree.top.join("out").as_os_str().as_encoded_bytes().to_vec();
    assert_eq!(tree.workspace.link(&secret), Some(out));
    assert_eq!(tree.workspace.link(&RepoPath::new("src/a.ts").unwrap()), None);
    assert_eq!(tree.state("dir-in/a.ts").unwrap(), tree.state("src/a.ts").unwrap());
}

// K-10
#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_waited_for() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let tree = Tree::new();
    mknodat(CWD, tree.top.join("repo/fifo"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(tree.top.join("repo/socket")).unwrap();
    assert_eq!(tree.state("fifo").unwrap(), FileState::Other);
    assert_eq!(tree.state("socket").unwrap(), FileState::Other);
    let fifo = RepoPath::new("fifo").unwrap();
    assert_eq!(block_on(tree.workspace.read(&fifo, 10)).unwrap(), None);
}

// A5
#[cfg(unix)]
#[test]
fn a_mode_that_every_file_has_makes_no_file_a_program() {
    use std::os::unix::fs::PermissionsExt;
    let tree = Tree::new();
    let set = |path: &str, mode: u32| {
        fs::set_permissions(tree.top.join("repo").join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let path = RepoPath::new("src/a.ts").unwrap();
    let can_run = || block_on(tree.workspace.is_executable(&path)).unwrap();
    assert!(!can_run());
    for mode in [0o755, 0o4755, 0o100, 0o645] {
        set("src/a.ts", mode);
        assert!(can_run(), "{mode:o}");
    }
    fs::create_dir_all(tree.top.join("repo/.orchestration")).unwrap();
    fs::write(tree.top.join("repo/.orchestration/active_intents.yaml"), "").unwrap();
    assert!(can_run());
    set(".orchestration/active_intents.yaml", 0o777);
    assert!(!can_run());
}

// K-35: as many links are followed as the system follows
#[cfg(target_os = "linux")]
#[test]
fn a_chain_of_links_leads_as_far_as_the_system_goes() {
    let tree = Tree::new();
    tree.link("link1", "src/a.ts");
    for number in 2..=41 {
        tree.link(&format!("link{number}"), &format!("link{}", number - 1));
    }
    for number in [39, 40, 41] {
        let link = format!("link{number}");
        let leads = fs::metadata(tree.top.join("repo").join(&link)).is_ok();
        assert_eq!(leads, number <= 40);
        if leads { tree.inside(&link, "src/a.ts", Some(&link)) } else { tree.invalid(&link) }
    }
}

// A7, threat F6
#[test]
fn a_folder_that_git_keeps_a_repository_in_folds_to_its_plain_name() {
    let tree = Tree::new();
    let folded = |workspace: &FsWorkspace, path: &str| match block_on(workspace.locate(path, None)) {
        Location::Inside(found) => found.folded,
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!(folded(&tree.workspace, "meta/own/config"), "meta/own/config");
    let own = tree.workspace.clone().with_git_folder(&tree.top.join("repo/meta/own"));
    for (path, form) in [
        ("meta/own", ".git"),
        ("meta/own/config", ".git/config"),
        ("meta/own/bailiwick/x", ".git/bailiwick/x"),
        ("meta", ".git"),
        ("meta/other", "meta/other"),
        ("meta/own2/x", "meta/own2/x"),
        ("src/a.ts", "src/a.ts"),
    ] {
        assert_eq!(folded(&own, path), form, "{path}");
    }
    let kit = tree.top.join("repo/src/kit");
    fs::create_dir_all(kit.join("objects")).unwrap();
    assert_eq!(folded(&own, "src/kit/HEAD"), "src/kit/head");
    fs::create_dir_all(kit.join("refs")).unwrap();
    assert_eq!(folded(&own, "src/kit/HEAD"), "src/.git/head", "it would become one");
    assert_eq!(folded(&own, "src/kit/config"), "src/kit/config");
    fs::write(kit.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    for (path, form) in [
        ("src/kit/config", "src/.git/config"),
        ("src/kit/hooks/x", "src/.git/hooks/x"),
        ("src/kit", "src/kit"),
    ] {
        assert_eq!(folded(&own, path), form, "{path}");
    }
    let linked = tree.top.join("repo/src/linked");
    fs::create_dir_all(&linked).unwrap();
    fs::write(linked.join("commondir"), "..\n").unwrap();
    fs::write(linked.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    assert_eq!(folded(&own, "src/linked/config.worktree"), "src/.git/config.worktree");
}

// "Time": how a path is spelled is measured before it is taken apart
#[test]
fn a_spelling_that_no_system_takes_is_not_taken_apart() {
    let tree = Tree::new();
    for spelled in ["../".repeat(1_000_000), "a/".repeat(1_000_000), format!("{}a", "b/../".repeat(7_000))] {
        let found = block_on(tree.workspace.locate(&spelled, None));
        assert!(
            matches!(&found, Location::Invalid(why) if why.contains("is the most that is looked at")),
            "{found:?}"
        );
    }
}
