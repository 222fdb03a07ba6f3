//! What git does besides the daily work: branches from before the repository was governed, line ends, histories written
//! anew, clones that have less than all, and repositories that are moved and copied.

use anyhow::{Result, ensure};

use super::{History, State};

impl History {
    /// Work on a branch that begins before the repository was governed, and back.
    pub(super) fn older_branch(&self, state: &mut State) -> Result<()> {
        let here = self.git(&["branch", "--show-current"])?.trim().to_owned();
        let first = self.git(&["rev-list", "--max-parents=0", "HEAD"])?;
        let Some(first) = first.lines().last() else { return Ok(()) };
        state.branches += 1;
        let name = format!("b{}", state.branches);
        if !self.try_git(&["switch", "-q", "-c", &name, first])? {
            return Ok(());
        }
        let file = format!("older{}.txt", state.branches);
        self.world.write(&file, "from before\n")?;
        self.verify(&self.world.repo())?;
        self.git(&["add", "-A"])?;
        let taken = self.git(&["ls-files", "--", ".orchestration/agent_trace.jsonl"])?;
        ensure!(taken.is_empty(), "git took the view on a branch from before");
        self.try_git(&["commit", "-qm", "from before"])?;
        self.verify(&self.world.repo())?;
        ensure!(self.try_git(&["switch", "-q", &here])?, "git refuses to leave a branch from before");
        Ok(())
    }

    /// Line ends as a checkout makes them, and everything put away and brought back.
    pub(super) fn line_ends(&self, state: &mut State) -> Result<()> {
        let ends = *state.dice.pick(&["crlf", "lf"]).unwrap_or(&"crlf");
        self.world.write(".gitattributes", &format!("* text=auto eol={ends}\n"))?;
        self.git(&["add", "-A"])?;
        self.try_git(&["commit", "-qm", "line ends"])?;
        self.verify(&self.world.repo())?;
        if self.try_git(&["stash", "-q", "-a"])? {
            self.verify(&self.world.repo())?;
            self.try_git(&["stash", "pop", "-q"])?;
        }
        Ok(())
    }

    pub(super) fn merge_ours(&self, state: &mut State) -> Result<()> {
        self.with_other(state, &["merge", "-q", "--no-edit", "-s", "ours"], &["merge", "--abort"])
    }

    /// Every commit is written anew: by another author, or without the segments.
    pub(super) fn filter(&self, state: &mut State) -> Result<()> {
        self.commit(state)?;
        let words: &[&str] = match state.dice.roll(3) {
            0 => &["--index-filter", "git rm -rq --cached --ignore-unmatch .orchestration/trace"],
            _ => &["--env-filter", "export GIT_AUTHOR_NAME=anew"],
        };
        let words = [&["filter-branch", "-f"][..], words, &["--", "--branches"]].concat();
        self.try_git(&words).map(drop)
    }

    /// A clone with a part of the files in its working copy.
    pub(super) fn sparse(&self, state: &mut State) -> Result<()> {
        let place = self.beside("sparse");
        let name = place.display().to_string();
        self.git(&["clone", "-q", "--no-local", "--no-checkout", ".", &name])?;
        let folders: &[&str] = match state.dice.roll(2) {
            0 => &["src"],
            _ => &["src", ".orchestration"],
        };
        self.git(&[&["-C", &name, "sparse-checkout", "set"][..], folders].concat())?;
        self.git(&["-C", &name, "checkout", "-q"])?;
        self.verify(&place)?;
        std::fs::remove_dir_all(place).map_err(Into::into)
    }

    /// A clone without the older contents, or without the older trees.
    pub(super) fn partial(&self, state: &mut State) -> Result<()> {
        let filter = *state.dice.pick(&["--filter=blob:none", "--filter=tree:0"]).unwrap_or(&"");
        self.git(&["config", "uploadpack.allowFilter", "true"])?;
        self.cloned_with("partial", filter)
    }

    /// A clone without the older commits.
    pub(super) fn shallow(&self, state: &mut State) -> Result<()> {
        let depth = *state.dice.pick(&["--depth=1", "--depth=2"]).unwrap_or(&"");
        self.cloned_with("shallow", depth)
    }

    fn cloned_with(&self, name: &str, option: &str) -> Result<()> {
        let place = self.beside(name);
        let from = format!("file://{}", self.world.repo().display());
        self.git(&["clone", "-q", option, &from, &place.display().to_string()])?;
        self.verify(&place)?;
        std::fs::remove_dir_all(place).map_err(Into::into)
    }

    /// The repository is called otherwise for a while.
    pub(super) fn moved(&self, _: &mut State) -> Result<()> {
        let place = self.beside("moved");
        std::fs::rename(self.world.repo(), &place)?;
        let found = self.verify_from(&self.world.home(), self.world.base(), &place);
        std::fs::rename(&place, self.world.repo())?;
        found.map(drop)
    }

    /// A copy with all of `.git`, in which somebody works and which is thrown away.
    pub(super) fn copied(&self, state: &mut State) -> Result<()> {
        let place = self.beside("copy");
        let (from, to) = (self.world.repo(), place.display().to_string());
        self.run_in(&self.world.home(), &from, "cp", &["-a", ".", &to])?;
        self.verify(&place)?;
        self.change_in(&place, state)?;
        self.verify(&place)?;
        self.git(&["-C", &to, "add", "-A"])?;
        self.try_git(&["-C", &to, "commit", "-qm", "in a copy"])?;
        self.verify(&place)?;
        if state.dice.roll(2) > 0
            && !self.try_git(&["pull", "-q", "--no-rebase", "--no-edit", &to, "HEAD"])?
        {
            self.try_git(&["merge", "--abort"])?;
        }
        self.verify(&self.world.repo())?;
        std::fs::remove_dir_all(place).map_err(Into::into)
    }
}
