//! The pictures of the documents, recorded from real runs: `docs/demo.svg` is what the demo prints, `watch` takes those
//! of the screen.

#[cfg(unix)]
mod watch;

use std::process::Command;

use anstyle_svg::Term;
use anyhow::{Context as _, Result, ensure};

use crate::stage::product;
use crate::workspace;

/// Every picture.
pub(crate) fn write() -> Result<()> {
    write_demo()?;
    write_watch()
}

/// The screen of `bailiwick watch`, wide and narrow.
#[cfg(unix)]
pub(crate) fn write_watch() -> Result<()> {
    watch::write()
}

/// The screen needs a Unix to be recorded.
#[cfg(not(unix))]
pub(crate) fn write_watch() -> Result<()> {
    anyhow::bail!("pictures of the screen are recorded on a Unix")
}

/// Runs the demo with colour and writes its picture.
pub(crate) fn write_demo() -> Result<()> {
    let output = Command::new(product::binary()?)
        .arg("demo")
        .env("CLICOLOR_FORCE", "1")
        .env("USER", "you")
        .output()
        .context("the demo did not start")?;
    ensure!(output.status.success(), "the demo failed");
    let shown = String::from_utf8(output.stdout).context("the demo's output is no text")?;
    let path = workspace::root().join("docs/demo.svg");
    std::fs::write(&path, Term::new().render_svg(&shown)).with_context(|| path.display().to_string())?;
    println!("{}", path.display());
    Ok(())
}
