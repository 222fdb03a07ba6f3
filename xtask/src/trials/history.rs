//! Random histories of ordinary git over a governed repository: whatever git does, `trace verify` never raises a false
//! alarm, and what was really tampered with is still one.
//!
//! A history is made from a number alone, so that a failing one can be run again. Git is the real one, with the hook
//! that seals at each commit.

mod people;
mod places;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::stage::dice::Dice;
use crate::stage::product;
use crate::stage::side_by_side::side_by_side;
use crate::stage::wire::Wire;
use crate::stage::world::World;

/// How many histories a short run makes.
pub(crate) const SHORT: u64 = 12;
/// How many a full run makes.
pub(crate) const FULL: u64 = 1000;
/// After how many histories a long run says how far it is.
const TOLD: u64 = 50;
/// Operations in a history.
const LENGTH: usize = 25;

/// Runs that many histories, from the first number on.
pub(crate) fn run(first: u64, count: u64) -> Result<()> {
    let product = product::binary()?;
    let played = side_by_side(first..first + count, |seed| {
        if seed > first && (seed - first).is_multiple_of(TOLD) {
            println!("{} of {count} histories", seed - first);
        }
        let played = History::begin(&product, seed)?.play();
        if let Err(error) = &played {
            println!(
                "FAILED  history {seed}: {error:#}; `cargo xtask e2e ledger histories {seed} 1` repeats it"
            );
        }
        played
    });
    let failed = played.iter().filter(|played| played.is_err()).count();
    ensure!(failed == 0, "{failed} of {count} histories failed");
    println!("{count} histories of {LENGTH} operations: no false alarm, and every edit found");
    Ok(())
}

struct History {
    world: World,
    seed: u64,
}

/// What is going on in a history.
struct State {
    dice: Dice,
    files: usize,
    branches: usize,
    said: Vec<String>,
}

/// One ordinary operation.
type Operation = fn(&History, &mut State) -> Result<()>;

const OPERATIONS: &[(&str, Operation)] = &[
    ("change", History::change),
    ("change", History::change),
    ("change", History::change),
    ("commit", History::commit),
    ("commit", History::commit),
    ("branch", History::branch),
    ("switch", History::switch),
    ("merge", History::merge),
    ("squash", History::squash),
    ("rebase", History::rebase),
    ("cherry-pick", History::cherry_pick),
    ("amend", History::amend),
    ("reset", History::reset),
    ("revert", History::revert),
    ("stash", History::stash),
    ("clean", History::clean),
    ("delete branch", History::delete_branch),
    ("gc", History::gc),
    ("worktree", History::worktree),
    ("clone", History::clone),
    ("seal", History::seal),
    ("older branch", History::older_branch),
    ("line ends", History::line_ends),
    ("merge -s ours", History::merge_ours),
    ("filter", History::filter),
    ("sparse", History::sparse),
    ("partial", History::partial),
    ("shallow", History::shallow),
    ("move", History::moved),
    ("copy", History::copied),
    ("second clone", History::second_clone),
    ("laptop", History::laptop),
    ("container", History::container),
];

impl History {
    fn begin(product: &Path, seed: u64) -> Result<Self> {
        let world = World::new(product)?;
        world.govern()?;
        world.gate_says(&["init", "--git"])?;
        let history = Self { world, seed };
        history.git(&["config", "user.name", "t"])?;
        history.git(&["config", "user.email", "t@example.invalid"])?;
        history.git(&["add", "-A"])?;
        history.try_git(&["commit", "-qm", "govern"])?;
        Ok(history)
    }

    fn play(&self) -> Result<()> {
        let dice = Dice::of(self.seed);
        let mut state = State { dice, files: 0, branches: 0, said: Vec::new() };
        self.change(&mut state)?;
        for _ in 0..LENGTH {
            let Some((name, operation)) = state.dice.pick(OPERATIONS) else { continue };
            state.said.push((*name).to_owned());
            operation(self, &mut state).with_context(|| state.said.join(", "))?;
            self.verify(&self.world.repo()).with_context(|| state.said.join(", "))?;
        }
        let said = state.said.join(", ");
        self.tamper(&mut state).context(said)
    }

    /// Git, which may refuse: a conflict, nothing to commit.
    fn try_git(&self, words: &[&str]) -> Result<bool> {
        let output = self.world.output(Command::new("git").args(words).env("GIT_EDITOR", "true"))?;
        Ok(output.status.success())
    }

    fn git(&self, words: &[&str]) -> Result<String> {
        let output = self.world.output(Command::new("git").args(words))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(said)
    }

    /// No alarm; what it found.
    fn verify(&self, folder: &Path) -> Result<Value> {
        self.verify_from(&self.world.home(), &self.world.repo(), folder)
    }

    /// Whether the branch of a working copy is one on which changes can be recorded.
    fn is_governed(folder: &Path) -> bool {
        folder.join(".orchestration/active_intents.yaml").exists()
    }

    /// An approved change through the neutral wire, in that working copy.
    fn change_in(&self, folder: &Path, state: &mut State) -> Result<()> {
        if !Self::is_governed(folder) {
            return Ok(());
        }
        state.files += 1;
        let path = format!("src/auth/file{}.ts", state.files);
        let content = format!("export const n{} = 1;\n", state.files);
        Wire::open(&self.world, folder)?.record(folder, &path, &content)
    }

    fn change(&self, state: &mut State) -> Result<()> {
        self.change_in(&self.world.repo(), state)
    }

    fn commit(&self, _: &mut State) -> Result<()> {
        self.git(&["add", "-A"])?;
        self.try_git(&["commit", "-qm", "work"]).map(drop)
    }

    fn branch(&self, state: &mut State) -> Result<()> {
        state.branches += 1;
        self.git(&["checkout", "-q", "-b", &format!("b{}", state.branches)]).map(drop)
    }

    fn other(&self, state: &mut State) -> Result<Option<String>> {
        let listing = self.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"])?;
        let current = self.git(&["branch", "--show-current"])?;
        let others: Vec<&str> = listing.lines().filter(|name| *name != current.trim()).collect();
        Ok(state.dice.pick(&others).map(|name| (*name).to_owned()))
    }

    fn with_other(&self, state: &mut State, words: &[&str], abort: &[&str]) -> Result<()> {
        let Some(other) = self.other(state)? else { return Ok(()) };
        let words: Vec<&str> = words.iter().copied().chain([other.as_str()]).collect();
        if !self.try_git(&words)? {
            self.try_git(abort)?;
        }
        Ok(())
    }

    fn switch(&self, state: &mut State) -> Result<()> {
        self.with_other(state, &["switch", "-q"], &["status"])
    }

    fn merge(&self, state: &mut State) -> Result<()> {
        self.with_other(state, &["merge", "-q", "--no-edit"], &["merge", "--abort"])
    }

    fn squash(&self, state: &mut State) -> Result<()> {
        self.with_other(state, &["merge", "-q", "--squash"], &["reset", "-q", "--merge"])?;
        self.try_git(&["commit", "-qm", "squashed"]).map(drop)
    }

    fn rebase(&self, state: &mut State) -> Result<()> {
        self.with_other(state, &["rebase", "-q"], &["rebase", "--abort"])
    }

    fn cherry_pick(&self, state: &mut State) -> Result<()> {
        self.with_other(state, &["cherry-pick", "--allow-empty"], &["cherry-pick", "--abort"])
    }

    fn amend(&self, _: &mut State) -> Result<()> {
        self.git(&["add", "-A"])?;
        self.try_git(&["commit", "-q", "--amend", "--no-edit"]).map(drop)
    }

    fn reset(&self, state: &mut State) -> Result<()> {
        let how = *state.dice.pick(&["--soft", "--mixed", "--hard"]).unwrap_or(&"--mixed");
        // The first two commits hold the store itself.
        if self.git(&["rev-list", "--count", "HEAD"])?.trim().parse::<u32>()? > 3 {
            self.try_git(&["reset", "-q", how, "HEAD~1"])?;
        }
        Ok(())
    }

    fn revert(&self, _: &mut State) -> Result<()> {
        if self.git(&["rev-list", "--count", "HEAD"])?.trim().parse::<u32>()? > 3
            && !self.try_git(&["revert", "--no-edit", "HEAD"])?
        {
            self.try_git(&["revert", "--abort"])?;
        }
        Ok(())
    }

    fn stash(&self, state: &mut State) -> Result<()> {
        self.try_git(&["stash", "-q", "-u"])?;
        self.verify(&self.world.repo())?;
        if state.dice.roll(3) > 0 {
            self.try_git(&["stash", "pop", "-q"])?;
        }
        Ok(())
    }

    fn clean(&self, _: &mut State) -> Result<()> {
        self.git(&["clean", "-fdxq"]).map(drop)
    }

    fn delete_branch(&self, state: &mut State) -> Result<()> {
        match self.other(state)? {
            Some(other) if other != "main" => self.try_git(&["branch", "-q", "-D", &other]).map(drop),
            _ => Ok(()),
        }
    }

    fn gc(&self, _: &mut State) -> Result<()> {
        self.git(&["reflog", "expire", "--expire=now", "--all"])?;
        self.git(&["gc", "-q", "--prune=now"]).map(drop)
    }

    /// Work in a linked working copy, committed there.
    fn worktree(&self, state: &mut State) -> Result<()> {
        let place = self.beside("worktree");
        let name = place.display().to_string();
        state.branches += 1;
        self.git(&["worktree", "add", "-q", "-b", &format!("b{}", state.branches), &name])?;
        self.change_in(&place, state)?;
        self.verify(&place)?;
        self.git(&["-C", &name, "add", "-A"])?;
        self.try_git(&["-C", &name, "commit", "-qm", "beside"])?;
        self.verify(&place)?;
        self.git(&["worktree", "remove", "--force", &name]).map(drop)
    }

    /// A fresh clone verifies what came along.
    fn clone(&self, _: &mut State) -> Result<()> {
        let place = self.beside("clone");
        self.git(&["clone", "-q", "--no-local", ".", &place.display().to_string()])?;
        let found = self.verify(&place)?;
        ensure!(
            found.is_null() || found["extent"]["entries"] == 0,
            "a clone has no ledger of its own yet: {found}"
        );
        std::fs::remove_dir_all(place).map_err(Into::into)
    }

    fn seal(&self, _: &mut State) -> Result<()> {
        if !Self::is_governed(&self.world.repo()) {
            return Ok(());
        }
        self.world.gate_says(&["trace", "seal"]).map(drop)
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.world.base().join(name)
    }

    /// After all that, what somebody changes by hand is an alarm.
    fn tamper(&self, state: &mut State) -> Result<()> {
        let repo = self.world.repo();
        if !Self::is_governed(&repo) {
            self.git(&["switch", "-q", "-f", "main"])?;
        }
        let found = self.verify(&repo)?;
        let live = repo.join(".git/bailiwick/ledger/live.jsonl");
        let text = std::fs::read_to_string(&live)?;
        let segment = Self::segment(&repo)?;
        let is_witnessed = found["extent"]["witnessed"] == found["extent"]["entries"];
        let (place, changed) = match (state.dice.roll(3), segment) {
            (0, Some(segment)) => {
                let text = std::fs::read_to_string(&segment)?;
                (segment, text.replacen("INT-001", "INT-007", 1))
            }
            (1, _) if is_witnessed => {
                let kept = text.trim_end().rsplit_once('\n').map_or("", |(kept, _)| kept);
                (live, format!("{kept}\n").trim_start().to_owned())
            }
            _ => (live, text.replacen("INT-001", "INT-007", 1)),
        };
        std::fs::write(&place, changed)?;
        ensure!(self.verify(&repo).is_err(), "an edit of {} was not found", place.display());
        Ok(())
    }

    fn segment(repo: &Path) -> Result<Option<PathBuf>> {
        let folder = repo.join(".orchestration/trace");
        if !folder.is_dir() {
            return Ok(None);
        }
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        Ok(files.into_iter().find(|path| path.extension().is_some_and(|end| end == "jsonl")))
    }
}
