//! `docs/demo.svg`: what the demo prints, as a picture for the README. It is a recording of a real run.

use std::process::Command;

use anstyle_svg::Term;
use anyhow::{Context as _, Result, ensure};

use crate::product;
use crate::workspace;

/// Runs the demo with colour and writes the picture.
pub(crate) fn write() -> Result<()> {
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
