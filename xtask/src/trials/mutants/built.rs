//! One build of the workspace with all mutants in it.
//!
//! It lies below `target/mutants`, beside the workspace, so that the next one builds only what changed. A mutant that does
//! not compile takes the rest with it, so the compiler is asked until no more is wrong, and what it names is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::listed::{Genre, Mutant};
use super::switched::Switched;
use crate::workspace;

/// How often the compiler is asked; it stops at the first kind of fault of a package.
const ROUNDS: usize = 40;

/// The compiler's code for a match that an arm is missing in.
const NOT_EXHAUSTIVE: &str = "E0004";
/// And for a call in a constant.
const NOT_CONST: &str = "E0015";

/// Where it is remembered what was left out.
const KNOWN: &str = "left-out.json";

/// Which mutant is on, for the packages that have mutants.
const SWITCH: &str = include_str!("switch.rs");

/// The workspace with switches, and the tests of it.
pub(super) struct Built {
    pub(super) tests: Vec<TestBinary>,
    /// The mutants that are in it.
    pub(super) switched: BTreeSet<usize>,
    /// The mutants that would compile, but not behind a switch.
    pub(super) left_out: BTreeSet<usize>,
}

/// The tests of one package in one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TestBinary {
    pub(super) package: PathBuf,
    pub(super) program: PathBuf,
}

impl TestBinary {
    /// When it was built.
    pub(super) fn age(&self) -> Result<SystemTime> {
        Ok(std::fs::metadata(&self.program)?.modified()?)
    }
}

/// The names of what was left out, and the texts that it was learnt of.
#[derive(Serialize, Deserialize)]
struct Known {
    files: BTreeMap<String, String>,
    faulty: BTreeSet<String>,
    unswitched: BTreeSet<String>,
}

/// The mutants that the build does without.
#[derive(Default)]
struct LeftOut {
    /// They do not compile.
    faulty: BTreeSet<usize>,
    /// They may compile, but their switch does not.
    unswitched: BTreeSet<usize>,
}

impl LeftOut {
    fn has(&self, number: usize) -> bool {
        self.faulty.contains(&number) || self.unswitched.contains(&number)
    }

    fn len(&self) -> usize {
        self.faulty.len() + self.unswitched.len()
    }

    /// A switch cannot stand in a constant; and the body of a function may not do for one that returns a type without a name.
    fn note(&mut self, number: usize, error: &Value, mutants: &BTreeMap<usize, Mutant>) {
        let is_unnamed = mutants.get(&number).is_some_and(|mutant| mutant.name.contains("-> impl "));
        let is_switch = error["code"]["code"] == NOT_CONST || is_unnamed;
        let to = if is_switch { &mut self.unswitched } else { &mut self.faulty };
        to.insert(number);
    }
}

/// Where the copy and what is built of it lie.
pub(super) struct Site {
    root: PathBuf,
}

impl Site {
    pub(super) fn new() -> Result<Self> {
        let root = workspace::root().join("target/mutants");
        std::fs::create_dir_all(root.join("tree"))?;
        Ok(Self { root })
    }

    /// Where a process looks up which mutant is on.
    pub(super) fn settings(&self) -> PathBuf {
        self.root.join("settings")
    }

    fn tree(&self) -> PathBuf {
        self.root.join("tree")
    }

    /// What was learnt of the tests, while they are the same files.
    pub(super) fn survey(&self) -> PathBuf {
        self.root.join("survey.json")
    }

    /// Builds the tests of these packages, with these mutants.
    pub(super) fn build(&self, mutants: &BTreeMap<usize, Mutant>, packages: &[&str]) -> Result<Built> {
        self.copy()?;
        let mut left_out = self.known(mutants)?;
        for round in 0..ROUNDS {
            let files = self.write(mutants, &mut left_out)?;
            let errors = self.errors(packages)?;
            if errors.is_empty() {
                self.remember(mutants, &left_out)?;
                let switched = mutants.keys().filter(|number| !left_out.has(**number)).copied().collect();
                return Ok(Built { tests: self.tests(packages)?, switched, left_out: left_out.unswitched });
            }
            let before = left_out.len();
            for error in &errors {
                for number in blamed(error, &files, mutants) {
                    left_out.note(number, error, mutants);
                }
            }
            println!("mutants: round {round}: {} errors, {} left out", errors.len(), left_out.len());
            let first = errors.first().and_then(|error| error["rendered"].as_str()).unwrap_or_default();
            ensure!(left_out.len() > before, "no mutant explains: {first}");
        }
        bail!("the workspace with its mutants does not compile after {ROUNDS} rounds")
    }

    /// What was left out before, of the files that are the same still.
    fn known(&self, mutants: &BTreeMap<usize, Mutant>) -> Result<LeftOut> {
        let Ok(text) = std::fs::read_to_string(self.root.join(KNOWN)) else { return Ok(LeftOut::default()) };
        let known: Known = serde_json::from_str(&text).context(KNOWN)?;
        let mut left_out = LeftOut::default();
        let mut same = BTreeMap::new();
        for (file, text) in &known.files {
            same.insert(
                file,
                std::fs::read_to_string(workspace::root().join(file)).is_ok_and(|now| now == *text),
            );
        }
        for (number, mutant) in mutants.iter().filter(|(_, mutant)| same.get(&mutant.file) == Some(&true)) {
            if known.faulty.contains(&mutant.name) {
                left_out.faulty.insert(*number);
            } else if known.unswitched.contains(&mutant.name) {
                left_out.unswitched.insert(*number);
            }
        }
        Ok(left_out)
    }

    fn remember(&self, mutants: &BTreeMap<usize, Mutant>, left_out: &LeftOut) -> Result<()> {
        let names =
            |numbers: &BTreeSet<usize>| numbers.iter().map(|number| mutants[number].name.clone()).collect();
        let mut files = BTreeMap::new();
        for mutant in mutants.values() {
            if !files.contains_key(&mutant.file) {
                files.insert(
                    mutant.file.clone(),
                    std::fs::read_to_string(workspace::root().join(&mutant.file))?,
                );
            }
        }
        let known = Known { files, faulty: names(&left_out.faulty), unswitched: names(&left_out.unswitched) };
        Ok(std::fs::write(self.root.join(KNOWN), serde_json::to_string(&known)?)?)
    }

    /// Brings all but the sources up to date; what did not change keeps its time.
    fn copy(&self) -> Result<()> {
        let root = workspace::root();
        let mut list = Command::new("git");
        list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
        let listing = workspace::stdout(list.current_dir(&root))?;
        let others = listing.split('\0').filter(|path| !path.is_empty() && !is_source(path));
        for path in others.filter(|path| root.join(path).is_file()) {
            put(&self.tree().join(path), &std::fs::read(root.join(path))?)?;
            let mode = std::fs::metadata(root.join(path))?.permissions();
            std::fs::set_permissions(self.tree().join(path), mode)?;
        }
        Ok(())
    }

    /// Writes each source with the mutants that are still in.
    fn write(
        &self,
        mutants: &BTreeMap<usize, Mutant>,
        left_out: &mut LeftOut,
    ) -> Result<BTreeMap<String, Switched>> {
        let mut of: BTreeMap<&str, BTreeMap<usize, Mutant>> = BTreeMap::new();
        for (number, mutant) in mutants {
            let numbers = of.entry(&mutant.file).or_default();
            if !left_out.has(*number) {
                numbers.insert(*number, mutant.clone());
            }
        }
        let mut roots = BTreeSet::new();
        let mut files = BTreeMap::new();
        let sources = workspace::text_files(&workspace::root())?;
        for file in &sources {
            let root = file.path.split_once("/src/").map(|(package, _)| format!("{package}/src/lib.rs"));
            let Some(here) = of.get(file.path.as_str()) else { continue };
            roots.extend(root);
            let switched = Switched::new(&file.text, here).with_context(|| file.path.clone())?;
            left_out.unswitched.extend(&switched.left_out);
            left_out.faulty.extend(&switched.faulty);
            put(&self.tree().join(&file.path), switched.text.as_bytes())?;
            files.insert(file.path.clone(), switched);
        }
        let switch = SWITCH.replace("@SETTINGS@", &self.settings().to_string_lossy());
        let last = mutants.keys().last().copied().unwrap_or_default();
        let switch = switch.replace("COUNT: usize = 0", &format!("COUNT: usize = {}", last + 1));
        for file in &sources {
            if roots.contains(&file.path) {
                let text = files.get(&file.path).map_or(file.text.as_str(), |switched| &switched.text);
                put(&self.tree().join(&file.path), format!("{text}\nmod switch;\n").as_bytes())?;
                put(&self.tree().join(&file.path).with_file_name("switch.rs"), switch.as_bytes())?;
            } else if is_source(&file.path) && !of.contains_key(file.path.as_str()) {
                put(&self.tree().join(&file.path), file.text.as_bytes())?;
            }
        }
        Ok(files)
    }

    fn cargo(&self, verb: &[&str], packages: &[&str]) -> Command {
        let mut cargo = workspace::cargo();
        cargo.args(verb).args(["--offline", "--message-format", "json", "--quiet"]);
        for package in packages {
            cargo.args(["--package", package]);
        }
        cargo.arg("--target-dir").arg(self.root.join("built")).current_dir(self.tree());
        // Whatever runs this task told its own.
        cargo.env_remove("CARGO_MANIFEST_DIR").stdin(Stdio::null()).stderr(Stdio::null());
        cargo
    }

    fn errors(&self, packages: &[&str]) -> Result<Vec<Value>> {
        let output = self.cargo(&["check", "--keep-going"], packages).output().context("cargo check")?;
        let messages = messages(&output.stdout);
        let errors: Vec<Value> = messages
            .into_iter()
            .filter(|message| {
                message["reason"] == "compiler-message" && message["message"]["level"] == "error"
            })
            .map(|mut message| message["message"].take())
            .filter(|error| error["spans"].as_array().is_some_and(|spans| !spans.is_empty()))
            .collect();
        ensure!(output.status.success() || !errors.is_empty(), "cargo check failed, and named no place");
        Ok(errors)
    }

    fn tests(&self, packages: &[&str]) -> Result<Vec<TestBinary>> {
        let output = self.cargo(&["test", "--no-run"], packages).output().context("cargo test")?;
        ensure!(output.status.success(), "the tests do not compile");
        let test = |message: &Value| {
            let program = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)?;
            let package = Path::new(message["manifest_path"].as_str()?).parent()?;
            Some(TestBinary { package: package.to_path_buf(), program: program.into() })
        };
        Ok(messages(&output.stdout).iter().filter_map(test).collect())
    }
}

/// Whether a file is of those that may hold mutants.
fn is_source(path: &str) -> bool {
    path.ends_with(".rs") && path.contains("/src/")
}

fn messages(output: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(output);
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The mutants that an error is about: the one whose code it points at, else those of the function that are the likeliest.
fn blamed(
    error: &Value,
    files: &BTreeMap<String, Switched>,
    mutants: &BTreeMap<usize, Mutant>,
) -> Vec<usize> {
    let spans = error["spans"].as_array().cloned().unwrap_or_default();
    let owners = |span: &Value| {
        let file = files.get(span["file_name"].as_str()?)?;
        let byte = usize::try_from(span["byte_start"].as_u64()?).ok()?;
        Some(file.at(byte).to_vec()).filter(|numbers| !numbers.is_empty())
    };
    let (first, others): (Vec<&Value>, Vec<&Value>) =
        spans.iter().partition(|span| span["is_primary"] == true);
    let all: Vec<Vec<usize>> = first.into_iter().chain(others).filter_map(owners).collect();
    if let Some(numbers) = all.iter().find(|numbers| numbers.len() == 1) {
        return numbers.clone();
    }
    let function = all.into_iter().next().unwrap_or_default();
    let likely = if error["code"]["code"] == NOT_EXHAUSTIVE { Genre::MatchArm } else { Genre::FnValue };
    let is_likely = |number: &&usize| mutants.get(number).is_some_and(|mutant| mutant.genre == likely);
    let guilty: Vec<usize> = function.iter().filter(is_likely).copied().collect();
    if guilty.is_empty() { function } else { guilty }
}

/// Writes a file where its bytes are others.
fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = path.parent().context("a file without a folder")?;
    std::fs::create_dir_all(folder)?;
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}
