//! How much of a change does a suggested scope own? Real commits, or made ones, are replayed: the message is the goal, the
//! commit before is the tree, and the files that the commit changed are the truth.
//!
//! The other column is what one does without the product: the files that the message names, then their folders, at the
//! same size. Two repositories are for tuning, three are held out; the drawn commits are kept in `xtask/data/scopes.txt`.

mod commits;
mod made;
mod naive;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::stage::product;
use crate::stage::world::World;
use crate::workspace;
use commits::Change;

/// So many files may be owned for each file that the commit changed.
const SIZES: [usize; 3] = [3, 6, 12];
/// The size at which the goal is judged, and by how many points a suggestion is better there than the naive one.
const JUDGED: usize = 1;
const BETTER: f64 = 15.0;
/// The product suggests no more.
const MOST: usize = 240;

/// What was covered at one size: by the suggestion, and by the naive one.
type Shares = [[f64; 2]; SIZES.len()];

/// The commits of one part, each with what was covered.
#[derive(Default)]
struct Found {
    commits: Vec<Shares>,
}

/// `eval scopes [--mirrors DIR] [--draw] [--verbose]`.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    let mirrors = options.iter().position(|option| *option == "--mirrors");
    let mirrors = match mirrors {
        Some(at) => Some(PathBuf::from(options.get(at + 1).context("--mirrors needs a folder")?)),
        None => None,
    };
    let is_verbose = options.contains(&"--verbose");
    match mirrors {
        Some(folder) if options.contains(&"--draw") => commits::draw(&folder),
        Some(folder) => real(&folder, is_verbose),
        None => generated(is_verbose),
    }
}

/// Real commits of public repositories.
fn real(mirrors: &Path, is_verbose: bool) -> Result<()> {
    let product = product::binary()?;
    let (mut tuned, mut held_out) = (Found::default(), Found::default());
    for repository in commits::REPOSITORIES {
        let world = World::new(&product)?;
        let folder = world.base().join("clone");
        let mirror = repository.place(mirrors)?;
        let mut clone = Command::new("git");
        clone.args(["clone", "-q", "--shared", "--no-checkout"]).arg(mirror).arg(&folder);
        workspace::run(&mut clone)?;
        let changes = commits::kept(repository, &folder)?;
        let found = replay(&world, &folder, &changes, is_verbose)?;
        print_row(repository.name, &found);
        let part = if repository.is_tuned { &mut tuned } else { &mut held_out };
        part.commits.extend(found.commits);
    }
    print_row("tuned", &tuned);
    print_row("held out", &held_out);
    judge(&held_out)
}

/// Commits of a repository that is made for this, the same for each run.
fn generated(is_verbose: bool) -> Result<()> {
    let world = World::new(&product::binary()?)?;
    let folder = world.base().join("made");
    let changes = made::repository(&folder)?;
    let found = replay(&world, &folder, &changes, is_verbose)?;
    print_row("generated", &found);
    judge(&found)
}

fn replay(world: &World, folder: &Path, changes: &[Change], is_verbose: bool) -> Result<Found> {
    world.place_program(world.product())?;
    let mut found = Found::default();
    for change in changes {
        workspace::run(git(folder).args(["checkout", "-q", "--force", "--detach", &change.parent]))?;
        let intents = folder.join(".orchestration/active_intents.yaml");
        std::fs::create_dir_all(folder.join(".orchestration"))?;
        std::fs::write(intents, "active_intents: []\n")?;
        let shares = measure(world, folder, change).with_context(|| format!("commit {}", change.id))?;
        if is_verbose {
            let [suggested, naive] = shares[JUDGED];
            println!("{} {:>3.0} % ({naive:.0} %)  {}", change.id, suggested, change.subject);
        }
        found.commits.push(shares);
    }
    Ok(found)
}

fn measure(world: &World, folder: &Path, change: &Change) -> Result<Shares> {
    let tree = workspace::stdout(git(folder).args(["ls-files", "-z"]))?;
    let tree: Vec<&str> = tree.split('\0').filter(|path| !path.is_empty()).collect();
    let mut shares = Shares::default();
    for (share, size) in shares.iter_mut().zip(SIZES) {
        let room = size * change.files.len();
        let scope = suggested(world, folder, &change.subject, room)?;
        let owns = |path: &str| scope.iter().any(|pattern| is_owned(pattern, path));
        let naive = naive::scope(&change.subject, &tree, room);
        *share = [change.share(owns), change.share(|path| naive.contains(path))];
    }
    Ok(shares)
}

/// The patterns that the product suggests, the likeliest first, as long as they own no more files than there is room for.
fn suggested(world: &World, folder: &Path, goal: &str, room: usize) -> Result<Vec<String>> {
    let most = room.min(MOST).to_string();
    let mut ask = Command::new(world.gate());
    ask.args(["--json", "intent", "new", "--suggest", &most, "--", goal]).current_dir(folder);
    let output = ask.env_clear().envs(world.environment()).stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let Ok(value) = serde_json::from_str::<Value>(&text) else {
        bail!("{}{}", text, String::from_utf8_lossy(&output.stderr));
    };
    let mut owned = 0;
    let mut scope = Vec::new();
    for one in value["suggested_scope"].as_array().with_context(|| format!("no suggestion: {text}"))? {
        let files = one["files"].as_u64().and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
        owned += files;
        if owned > room {
            break;
        }
        scope.extend(one["pattern"].as_str().map(str::to_owned));
    }
    Ok(scope)
}

/// A suggestion knows files and folders only.
fn is_owned(pattern: &str, path: &str) -> bool {
    let plain = pattern.replace('\\', "");
    if plain.ends_with('/') { path.starts_with(&plain) } else { path == plain }
}

fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(folder);
    git
}

fn print_row(name: &str, found: &Found) {
    println!("{name} ({} commits)", found.commits.len());
    for (at, size) in SIZES.iter().enumerate() {
        let of = |column: usize| found.commits.iter().map(|shares| shares[at][column]).collect::<Vec<f64>>();
        println!("  {size:>2} files each   suggested {}   naive {}", spread(of(0)), spread(of(1)));
    }
}

/// The mean, the middle, and what nine of ten commits have at least, and how many are covered whole.
fn spread(mut shares: Vec<f64>) -> String {
    shares.sort_by(f64::total_cmp);
    let at = |tenth: usize| shares.get(shares.len() * tenth / 10).copied().unwrap_or_default();
    let whole = shares.iter().filter(|share| **share >= 100.0).count();
    format!(
        "mean {:>5.1} %  median {:>5.1} %  p90 {:>5.1} %  p10 {:>5.1} %  whole {:>5.1} %",
        mean(&shares),
        at(5),
        at(9),
        at(1),
        100.0 * float(whole) / float(shares.len().max(1))
    )
}

fn judge(found: &Found) -> Result<()> {
    let of = |column: usize| {
        mean(&found.commits.iter().map(|shares| shares[JUDGED][column]).collect::<Vec<f64>>())
    };
    let better = of(0) - of(1);
    println!("{better:.1} points above the naive suggestion at {} files each", SIZES[JUDGED]);
    ensure!(better >= BETTER, "less than {BETTER} points above the naive suggestion");
    Ok(())
}

fn mean(shares: &[f64]) -> f64 {
    shares.iter().sum::<f64>() / float(shares.len().max(1))
}

fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
