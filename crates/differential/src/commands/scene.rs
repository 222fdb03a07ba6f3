//! Scratch repositories with hostile configurations, and what is a fault in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use bailiwick_adapters_git::{GitObeys, discover};
use bailiwick_adapters_shell::{known, questions};
use tempfile::TempDir;

use super::call::Call;

/// Folders that lines run in, relative to the governed root; the first is the root.
pub(crate) const FOLDERS: &[&str] = &[
    ".",
    "src",
    "dir",
    "kit",
    "kit/sub",
    "nested",
    "nested/deep",
    "sep",
    "sub",
    "bare.git",
    "../outside/bare",
    "../outside/stranger",
];

/// A file that no operand names and no search finds: only a program that chooses its own files opens it.
const UNNAMED: &str = "outside/.unnamed";

/// A name, what is appended to the repository's configuration, and the person's own.
type Plot = (&'static str, &'static str, &'static str);

/// `TOP` stands for the scratch folder.
const PLOTS: &[Plot] = &[
    ("plain", "", ""),
    (
        "a pleasant person",
        "[core]\n\tpager = less -R\n[alias]\n\tst = !tools/show\n",
        "[core]\n\teditor = vim\n[log]\n\tdate = iso\n",
    ),
    (
        "programs of the machine",
        "",
        "[diff \"x\"]\n\ttextconv = TOP/outside/show\n[filter \"x\"]\n\tclean = cat\n\tsmudge = cat\n",
    ),
    ("hooks of the tree that hear nothing", "[core]\n\thooksPath = tools\n", ""),
    ("signed, and nobody asks", "[gpg]\n\tprogram = TOP/outside/show\n", ""),
    ("textconv", "[diff \"x\"]\n\ttextconv = tools/show\n", ""),
    ("textconv through a shell", "[diff \"x\"]\n\ttextconv = \"sh -c './tools/show \\\"$1\\\"' -\"\n", ""),
    ("external diff", "[diff]\n\texternal = tools/show\n", ""),
    ("external diff of a person", "", "[diff \"x\"]\n\tcommand = tools/show\n"),
    ("filters", "[filter \"x\"]\n\tclean = tools/show\n\tsmudge = tools/show\n", ""),
    (
        "a filter process",
        "[filter \"x\"]\n\tprocess = $(git rev-parse --show-toplevel)/tools/show\n\trequired = true\n",
        "",
    ),
    ("a monitor", "[core]\n\tfsmonitor = tools/show\n", ""),
    ("a monitor of a person", "", "[core]\n\tfsmonitor = ./tools/show\n"),
    ("hooks of the tree", "[core]\n\thooksPath = tools/hooks\n", ""),
    ("a pager", "[core]\n\tpager = tools/show\n[pager]\n\tlog = tools/show\n", ""),
    ("a checker of signatures", "[gpg]\n\tprogram = tools/show\n", ""),
    ("signatures in every log", "[gpg]\n\tprogram = TOP/outside/show\n[log]\n\tshowSignature = true\n", ""),
    (
        "signatures in a format",
        "[gpg]\n\tprogram = TOP/outside/show\n[pretty]\n\tmine = %GG\n[format]\n\tpretty = mine\n",
        "",
    ),
    (
        "signatures in an order",
        "[gpg]\n\tprogram = TOP/outside/show\n[branch]\n\tsort = signature\n[tag]\n\tsort = signature\n",
        "",
    ),
    ("included from the tree", "[include]\n\tpath = ../tools/more.cfg\n", ""),
    ("included where it may be met", "", "[includeIf \"gitdir:TOP/**\"]\n\tpath = TOP/repo/tools/more.cfg\n"),
    (
        "helpers",
        "[credential]\n\thelper = !tools/show\n[core]\n\tsshCommand = tools/show\n[merge \"x\"]\n\tdriver = tools/show\n",
        "",
    ),
];

/// How many of them, from the first, are such that git is believed.
pub(crate) const PLEASANT: usize = 5;

/// One scratch world.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    top: PathBuf,
    obeys: GitObeys,
    programs: Vec<String>,
    _folder: TempDir,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Scenes(Vec<Scene>);

impl Scenes {
    pub(crate) fn new() -> Result<Self> {
        PLOTS.iter().map(Scene::new).collect::<Result<_>>().map(Self)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, at: usize) -> Result<&Scene> {
        self.0.get(at).context("no such scene")
    }
}

const PROGRAM: &str = "#!/bin/sh\necho ran >> TOP/repo/ran.txt\ncat \"$@\" 2>/dev/null\nexit 0\n";

const HARMLESS: &str = "#!/bin/sh\ncat \"$@\" 2>/dev/null\nexit 0\n";

/// A commit with a signature that nobody made.
const SIGNED: &str = "author A <a@x> 1700000000 +0000\ncommitter A <a@x> 1700000000 +0000\n\
                      gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\nsigned\n";

impl Scene {
    fn new(plot: &Plot) -> Result<Self> {
        let (name, repository, person) = *plot;
        let folder = TempDir::new()?;
        let top = fs::canonicalize(folder.path())?;
        let mut programs: Vec<String> = known().iter().map(|one| first_word(&one.start).to_owned()).collect();
        programs.extend(questions().iter().map(|question| first_word(question).to_owned()));
        programs.extend(["sh", "dash", "git", "timeout", "xargs"].map(str::to_owned));
        let scene =
            Self { name, obeys: GitObeys::new(top.join("repo"), None, None), top, programs, _folder: folder };
        scene.fill()?;
        scene.append("repo/.git/config", repository)?;
        scene.write(
            "home/.gitconfig",
            &format!("[user]\n\tname = A\n\temail = a@x\n{}", scene.at_top(person)),
        )?;
        let root = scene.top.join("repo");
        let obeys = GitObeys::new(root.clone(), discover(&root)?, Some(scene.top.join("home")));
        Ok(Self { obeys, ..scene })
    }

    fn fill(&self) -> Result<()> {
        self.write("home/.gitconfig", "[user]\n\tname = A\n\temail = a@x\n[init]\n\tdefaultBranch = main\n")?;
        self.write("outside/x.txt", "x\n")?;
        self.write(UNNAMED, "x\n")?;
        fs::create_dir_all(self.scratch())?;
        self.git("", &["init", "-q", "repo"])?;
        for (path, text) in [
            ("a.txt", "x one\ntwo x\nthree\n"),
            ("b.txt", "b\n"),
            ("src/x.rs", "fn x() {}\n"),
            ("sp ace.txt", "x\n"),
            ("ü.txt", "x\n"),
            ("data.json", "{\"a\": [1, 2]}\n"),
            ("dir/deep/c.txt", "c\n"),
            (".gitattributes", "*.txt diff=x filter=x merge=x\n"),
            ("tools/more.cfg", "[diff]\n\texternal = tools/show\n[core]\n\tfsmonitor = tools/show\n"),
        ] {
            self.write(&format!("repo/{path}"), text)?;
        }
        self.write("repo/big.txt", &"x line of many\n".repeat(20_000))?;
        for program in ["repo/tools/show", "repo/tools/hooks/post-index-change"] {
            self.program(program, PROGRAM)?;
        }
        self.program("outside/show", HARMLESS)?;
        self.commits()?;
        self.strangers()
    }

    fn commits(&self) -> Result<()> {
        self.git("repo", &["add", "-A"])?;
        self.git("repo", &["commit", "-q", "-m", "one"])?;
        self.write("repo/a.txt", "x one\ntwo y\nthree\n")?;
        self.git("repo", &["commit", "-q", "-am", "two"])?;
        self.git("repo", &["tag", "v1"])?;
        self.git("repo", &["tag", "-a", "-m", "noted", "v2"])?;
        let tree = self.git("repo", &["rev-parse", "HEAD^{tree}"])?;
        let parent = self.git("repo", &["rev-parse", "HEAD"])?;
        self.write("outside/commit", &format!("tree {tree}\nparent {parent}\n{SIGNED}"))?;
        let file = self.outside("commit").display().to_string();
        let signed = self.git("repo", &["hash-object", "-t", "commit", "-w", &file])?;
        self.git("repo", &["branch", "signed", &signed])?;
        self.git("repo", &["reset", "-q", "--soft", &signed])?;
        self.write("repo/a.txt", "x one\ntwo z\nthree\n")
    }

    /// Other repositories, all of which run a program of theirs when git believes them.
    fn strangers(&self) -> Result<()> {
        let evil = self.top.join("repo/tools/show").display().to_string();
        self.git("", &["clone", "-q", "--bare", "repo", "outside/bare"])?;
        self.git("", &["clone", "-q", "repo", "outside/stranger"])?;
        self.git("", &["clone", "-q", "--bare", "repo", "repo/kit"])?;
        self.git("", &["clone", "-q", "--bare", "repo", "repo/bare.git"])?;
        self.git("", &["clone", "-q", "repo", "repo/nested"])?;
        self.git("", &["clone", "-q", "--separate-git-dir", "repo/kept", "repo", "repo/sep"])?;
        for folder in ["kit/sub", "nested/deep"] {
            fs::create_dir_all(self.top.join("repo").join(folder))?;
        }
        for place in
            ["outside/bare", "outside/stranger", "repo/kit", "repo/bare.git", "repo/nested", "repo/sep"]
        {
            for key in ["core.fsmonitor", "diff.external", "gpg.program", "diff.x.textconv", "core.pager"] {
                self.git(place, &["config", key, &evil])?;
            }
            self.git(place, &["config", "core.worktree", &self.outside("").display().to_string()])
                .or_else(|_| Ok::<_, anyhow::Error>(String::new()))?;
            self.git(place, &["config", "core.bare", "false"])?;
        }
        fs::create_dir_all(self.top.join("repo/sub"))?;
        Ok(())
    }

    fn at_top(&self, text: &str) -> String {
        text.replace("TOP", &self.top.display().to_string())
    }

    fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.top.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text).with_context(|| path.display().to_string())
    }

    fn append(&self, path: &str, text: &str) -> Result<()> {
        let before = fs::read_to_string(self.top.join(path))?;
        self.write(path, &format!("{before}{}", self.at_top(text)))
    }

    fn program(&self, path: &str, text: &str) -> Result<()> {
        self.write(path, &self.at_top(text))?;
        let mut chmod = Command::new("chmod");
        ensure!(chmod.arg("755").arg(self.top.join(path)).status()?.success(), "chmod fails");
        Ok(())
    }

    fn git(&self, folder: &str, arguments: &[&str]) -> Result<String> {
        let mut git = Command::new("git");
        self.surround(&mut git);
        git.args(arguments).current_dir(self.top.join(folder)).stdin(Stdio::null());
        let output = git.output()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "git {arguments:?} in {folder}: {errors}");
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// Sets what programs see around them: the search path and this scene's person.
    pub(crate) fn surround(&self, command: &mut Command) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // Shims of version managers are scripts, and start a dozen programs of the machine before the one that is named.
        let folders = std::env::split_paths(&path).filter(|folder| !folder.ends_with("shims"));
        let path = std::env::join_paths(folders).unwrap_or_default();
        command
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.top.join("home"))
            .env("LC_ALL", "C.UTF-8")
            .env("TMPDIR", self.scratch());
        // A version manager that finds no home makes one; the one of this machine is only read.
        if let Some(toolchains) = toolchains() {
            command.env("RUSTUP_HOME", toolchains);
        }
    }

    /// A folder of [`FOLDERS`].
    pub(crate) fn folder(&self, at: usize) -> PathBuf {
        let relative = FOLDERS.get(at).copied().unwrap_or(".");
        match relative.strip_prefix("../") {
            Some(outside) => self.top.join(outside),
            None if relative == "." => self.top.join("repo"),
            None => self.top.join("repo").join(relative),
        }
    }

    /// A path beside the repository.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.top.join("outside").join(name)
    }

    /// Whether the gate believes git there: never outside of the root.
    pub(crate) fn believes_git_in(&self, relative: &str) -> bool {
        let inside = if relative == "." { "" } else { relative };
        !relative.starts_with("..") && self.obeys.distrusted(inside).is_none()
    }

    /// What the index of the repository holds.
    pub(crate) fn entries(&self) -> Result<String> {
        let mut git = Command::new("git");
        self.surround(&mut git);
        let output = git.args(["ls-files", "--stage"]).current_dir(self.folder(0)).output()?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Gives tracked files new times, so that git has something to refresh.
    pub(crate) fn age(&self) -> Result<()> {
        for path in ["b.txt", "src/x.rs"] {
            let text = fs::read(self.folder(0).join(path))?;
            fs::write(self.folder(0).join(path), text)?;
        }
        Ok(())
    }

    /// Why a call is no reading, if it is none.
    pub(crate) fn fault(&self, call: &Call) -> Option<String> {
        let texts = call.texts();
        let fault = || Some(format!("{}({})", call.name, call.arguments));
        if call.name.starts_with("execve") {
            let program = texts.first()?;
            return (!self.may_start(program)).then(fault).flatten();
        }
        if call.name.starts_with("open") && !call.opens_to_write() {
            return texts.iter().any(|path| path.ends_with(UNNAMED)).then(fault).flatten();
        }
        let may_change = |path: &String| {
            let name =
                Path::new(path).file_name().is_some_and(|name| name == "index" || name == "index.lock");
            let is_scratch = Path::new(path).starts_with(self.scratch());
            name || is_scratch || matches!(path.as_str(), "/dev/null" | "/dev/tty")
        };
        if !texts.is_empty() && texts.iter().all(may_change) { None } else { fault() }
    }

    /// Where programs keep what does not fit into memory (`sort`), or hand a copy of a file to a text conversion of the
    /// person's (git). They take it away again.
    fn scratch(&self) -> PathBuf {
        self.top.join("tmp")
    }

    /// Whether nothing is left there.
    pub(crate) fn is_clean(&self) -> Result<bool> {
        Ok(fs::read_dir(self.scratch())?.next().is_none())
    }

    /// Whether the person's own configuration names programs that lie outside of the repository.
    fn has_programs(&self) -> bool {
        self.name == "programs of the machine"
    }

    /// Programs that were named, git's own, and what this scene's person has outside of the repository.
    fn may_start(&self, program: &str) -> bool {
        let name = program.rsplit('/').next().unwrap_or(program);
        let is_of_machine = program.starts_with('/') && !Path::new(program).starts_with(&self.top);
        let is_git = name.starts_with("git-") || program.contains("/git-core/");
        let is_persons = self.has_programs() && program == self.outside("show").display().to_string();
        (is_of_machine && (is_git || self.programs.iter().any(|known| known == name))) || is_persons
    }
}

/// Where the toolchains of this machine lie.
fn toolchains() -> Option<PathBuf> {
    let named = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    named.or_else(|| Some(std::env::home_dir()?.join(".rustup"))).filter(|folder| folder.is_dir())
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}
