//! Mutates the code that decides and looks whether a test fails: the policy, the stages of the gate and the reading of
//! paths.
//!
//! `cargo mutants` chooses the mutants. What a change touches it plays itself, with one build for each; all of them are
//! played in one build that holds each behind a switch. Which files are mutated, and which survivors are known with their
//! reason, stands in `.cargo/mutants.toml`. A new survivor is a failure.

mod built;
mod listed;
mod played;
mod switched;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::workspace;
use built::Site;
use listed::Mutant;
use played::{Asked, Fate, Stage};

/// How many mutants a change is tried with; all of them are tried at night.
const SAMPLE: usize = 15;

/// The package that decides; its tests are quick.
const DECIDES: &str = "bailiwick-policy";
/// What is mutated: what decides, what reads paths, and the stages of the gate.
const MUTATED: [&str; 3] = [DECIDES, "bailiwick-adapters-fs", "bailiwick-gate"];
/// Whose tests may notice: those of the packages, and of the product whole.
const TESTED: [&str; 4] = [DECIDES, "bailiwick-adapters-fs", "bailiwick-gate", "bailiwick"];

/// `mutants`: the lines that changed since the merge base, a sample of them where they are many.
pub(crate) fn changed() -> Result<()> {
    let diff = workspace::root().join("target/mutants.diff");
    let base = base()?;
    let text = workspace::stdout(&mut git(&["diff", &base, "--", "crates/policy/src"]))?;
    if text.trim().is_empty() {
        println!("mutants: nothing that decides changed since {base}");
        return Ok(());
    }
    std::fs::write(&diff, text)?;
    let mut list = listed::mutator(DECIDES)?;
    let count = workspace::stdout(list.args(["--list", "--in-diff"]).arg(&diff))?.lines().count();
    println!("mutants: {count} in what changed since {base}");
    let mut run = listed::mutator(DECIDES)?;
    run.arg("--in-diff").arg(&diff);
    if count > SAMPLE {
        run.args(["--sharding", "round-robin", "--shard", &format!("0/{}", count.div_ceil(SAMPLE))]);
    }
    workspace::run(&mut run)
}

/// `mutants full`: all of them.
pub(crate) fn full() -> Result<()> {
    let _ = std::fs::remove_file(fates_file());
    again("")
}

/// `mutants again [TEXT]`: those that no test has failed for yet, where their names hold the text.
pub(crate) fn again(text: &str) -> Result<()> {
    let mut all = BTreeMap::new();
    for package in MUTATED {
        all.extend((all.len()..).zip(listed::of(package)?));
    }
    let known = known()?;
    let is_open = |number: &&usize| {
        let name = &all[number].name;
        name.contains(text) && known.get(name).is_none_or(|fate| !fate.is_caught())
    };
    let site = Site::new()?;
    let built = site.build(&all, &TESTED)?;
    println!("mutants: {} of {} stand in one build", built.switched.len(), all.len());
    let settings = site.settings();
    let stage = Stage::new(&settings)?;
    let tests = surveyed(&site, &stage, &built.tests)?;
    let asked = |number: &usize| {
        let mutant = &all[number];
        Asked { number: *number, mutant, again: known.contains_key(&mutant.name) }
    };
    let mut mutants: Vec<Asked<'_>> = built.switched.iter().filter(is_open).map(asked).collect();
    // What nobody played yet comes first.
    mutants.sort_by_key(|asked| asked.again);
    let together = play(&stage, mutants, &tests)?;
    let alone = play_alone(built.left_out.iter().filter(is_open).map(|number| &all[number]))?;
    ensure!(together + alone == 0, "{} mutants survived", together + alone);
    Ok(())
}

/// Those that cannot stand beside others are played with a build for each; how many survived.
fn play_alone<'m>(mutants: impl Iterator<Item = &'m Mutant>) -> Result<usize> {
    let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for mutant in mutants {
        of.entry(&mutant.package).or_default().push(&mutant.name);
    }
    let mut missed = 0;
    for (package, names) in of {
        println!("mutants: {} of {package}, each with its own build", names.len());
        let mut survived = listed::played_alone(package, &[], &names)?;
        // The tests of the package itself are built in a fraction of the time.
        if package != DECIDES && !survived.is_empty() {
            let names: Vec<&str> = survived.iter().map(String::as_str).collect();
            survived = listed::played_alone(package, &["bailiwick-gate", "bailiwick"], &names)?;
        }
        missed += survived.len();
        let told = |name: &&str| Told {
            name: (*name).to_owned(),
            fate: if survived.iter().any(|missed| missed == name) {
                Fate::Survived { tests: 0 }
            } else {
                Fate::Caught("cargo mutants".to_owned())
            },
        };
        let lines: Vec<Told> = names.iter().map(told).collect();
        remember(&lines)?;
    }
    Ok(missed)
}

/// What is known of the tests, learnt anew of those that were built since.
fn surveyed(site: &Site, stage: &Stage<'_>, binaries: &[built::TestBinary]) -> Result<Vec<played::Test>> {
    let known = std::fs::metadata(site.survey()).and_then(|known| known.modified()).ok();
    let (mut tests, mut unknown) = (Vec::new(), Vec::new());
    let text = std::fs::read_to_string(site.survey()).unwrap_or_else(|_| "[]".to_owned());
    let before: Vec<played::Test> = serde_json::from_str(&text).context("what was learnt of the tests")?;
    for binary in binaries {
        if known > Some(binary.age()?) {
            tests.extend(before.iter().filter(|test| test.binary == *binary).cloned());
        } else {
            unknown.push(binary.clone());
        }
    }
    tests.extend(stage.survey(&unknown)?);
    std::fs::write(site.survey(), serde_json::to_string(&tests)?)?;
    Ok(tests)
}

/// Plays those that stand in one build; how many survived.
fn play(stage: &Stage<'_>, mutants: Vec<Asked<'_>>, tests: &[played::Test]) -> Result<usize> {
    let count = mutants.len();
    let done = AtomicUsize::new(0);
    let tell = |mutant: &Mutant, fate: &Fate| {
        let line = Told { name: mutant.name.clone(), fate: fate.clone() };
        let nth = done.fetch_add(1, Ordering::Relaxed) + 1;
        if !fate.is_caught() || nth.is_multiple_of(50) {
            println!("{nth}/{count} {fate:?}: {}", line.name);
        }
        remember(&[line])
    };
    let fates = stage.play(mutants, tests, &tell)?;
    let missed = fates.iter().filter(|fate| !fate.is_caught()).count();
    println!("mutants: {} played, {} caught, {missed} not", fates.len(), fates.len() - missed);
    Ok(missed)
}

fn remember(lines: &[Told]) -> Result<()> {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(fates_file())?;
    for line in lines {
        file.write_all(format!("{}\n", serde_json::to_string(line)?).as_bytes())?;
    }
    Ok(())
}

/// One line of what is remembered of the mutants that were played.
#[derive(Serialize, Deserialize)]
struct Told {
    name: String,
    fate: Fate,
}

fn fates_file() -> PathBuf {
    workspace::root().join("target/mutants/fates.jsonl")
}

/// How those fared that were played before, by their names.
fn known() -> Result<BTreeMap<String, Fate>> {
    let text = std::fs::read_to_string(fates_file()).unwrap_or_default();
    let told = text.lines().map(|line| serde_json::from_str(line).context("what was played before"));
    Ok(told.collect::<Result<Vec<Told>>>()?.into_iter().map(|told| (told.name, told.fate)).collect())
}

/// Where the work branched off: the merge base with the published branch, else the commit before.
fn base() -> Result<String> {
    let published = workspace::stdout(&mut git(&["merge-base", "HEAD", "origin/HEAD"])).unwrap_or_default();
    let head = workspace::stdout(&mut git(&["rev-parse", "HEAD"]))?;
    if !published.trim().is_empty() && published != head {
        return Ok(published.trim().to_owned());
    }
    Ok(workspace::stdout(&mut git(&["rev-parse", "HEAD~1"]))?.trim().to_owned())
}

fn git(words: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args(words).current_dir(workspace::root());
    git
}
