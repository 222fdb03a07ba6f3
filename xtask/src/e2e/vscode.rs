//! The extension in a real VS Code: code-server in a headless browser, the real sidecar, and agents through the real hook.
//!
//! The chapters are in `crates/adapters-vscode/e2e`; this module makes their repository and starts them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::stage::product;
use crate::stage::world::{self, World};
use crate::{extension, workspace};

const SOURCES: &str = "crates/adapters-vscode/e2e";

/// How often, and in which colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    runs: usize,
    themes: &'static [&'static str],
}

/// What every change must pass.
pub(crate) const SHORT: Plan = Plan { runs: 1, themes: &["Default Dark Modern"] };
/// One run in each of the colours, for whoever looks at the pictures.
pub(crate) const THEMES: Plan = Plan { runs: 1, ..FULL };
/// What a night tries: one run after the other, all of them green, in all colours.
pub(crate) const FULL: Plan =
    Plan { runs: 10, themes: &["Default Dark Modern", "Default Light Modern", "Default High Contrast"] };

/// Plays the chapters whose name holds the filter.
pub(crate) fn run(plan: Plan, filter: &str) -> Result<()> {
    let bench = Bench::ready()?;
    let mut failed = 0;
    for number in 0..plan.runs.max(plan.themes.len()) {
        let theme = plan.themes.iter().cycle().nth(number).copied().unwrap_or_default();
        println!("run {} in {theme}", number + 1);
        if let Err(error) = play(&bench, theme, filter) {
            println!("FAILED  run {}: {error:#}", number + 1);
            failed += 1;
        }
    }
    world::sweep();
    if failed > 0 {
        bail!("{failed} runs failed");
    }
    Ok(())
}

struct Bench {
    sources: PathBuf,
    extension: PathBuf,
    tools: PathBuf,
    product: PathBuf,
}

impl Bench {
    fn ready() -> Result<Self> {
        Ok(Self {
            sources: workspace::root().join(SOURCES),
            extension: extension::build()?,
            tools: extension::packages(&workspace::root().join(SOURCES), "editor")?,
            product: product::binary()?,
        })
    }

    /// A script of the folder, in a governed repository of its own.
    fn script(&self, world: &World, script: &str) -> Result<Command> {
        world.govern()?;
        world.accept_intent("INT-001")?;
        let mut node = Command::new("node");
        node.arg(script).current_dir(stage(self, world)?).env_clear();
        node.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        node.env("HOME", world.home()).env("LANG", "C.UTF-8");
        node.env("EXTENSION", &self.extension).env("EDITOR_TOOLS", &self.tools);
        for name in ["CHROMIUM", "TELL"] {
            node.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        node.env("WORLD_BASE", world.base()).env("WORLD_REPO", world.repo()).env("WORLD_HOME", world.home());
        node.env("WORLD_GATE", world.gate());
        let path = world.environment().into_iter().find(|(name, _)| name == "PATH");
        node.envs(path.map(|(_, path)| ("WORLD_PATH", path)));
        Ok(node)
    }
}

/// What a question costs in the editor, as the script says in one line of JSON.
pub(crate) fn costs(rounds: usize, windows: usize) -> Result<String> {
    let bench = Bench::ready()?;
    let world = World::new(&bench.product)?;
    let mut script = bench.script(&world, "costs.mjs")?;
    script.env("ROUNDS", rounds.to_string()).env("WINDOWS", windows.to_string());
    let said = workspace::stdout(&mut script);
    drop(world);
    world::sweep();
    said
}

fn play(bench: &Bench, theme: &str, filter: &str) -> Result<()> {
    let world = World::new(&bench.product)?;
    let pictures = product::target_folder()?.join("pictures").join(theme.replace(' ', "-").to_lowercase());
    let mut chapters = bench.script(&world, "run.mjs")?;
    chapters.env("THEME", theme).env("CHAPTERS", filter).env("PICTURES", pictures);
    workspace::run(&mut chapters)
}

/// The chapters beside the packages that they need.
fn stage(bench: &Bench, world: &World) -> Result<PathBuf> {
    let folder = world.base().join("chapters");
    workspace::run(Command::new("cp").arg("-R").arg("--").arg(&bench.sources).arg(&folder))?;
    link(&bench.tools.join("node_modules"), &folder.join("node_modules"))?;
    Ok(folder)
}

fn link(to: &Path, at: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(to, at)?)
}
