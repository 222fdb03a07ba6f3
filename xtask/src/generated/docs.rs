//! Writes the pages that are generated from source.

use anyhow::{Context, Result, bail};

use crate::generated::error_codes;
use crate::workspace::{self, TextFile};

/// Regenerates every generated page.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let text = std::fs::read_to_string(root.join(error_codes::SOURCE)).context(error_codes::SOURCE)?;
    let source = TextFile { path: error_codes::SOURCE.to_owned(), text };
    write(error_codes::PAGE, &error_codes::page(&error_codes::parse(&source)?))
}

/// Writes a page that is generated.
pub(crate) fn write(page: &str, text: &str) -> Result<()> {
    std::fs::write(workspace::root().join(page), text).with_context(|| page.to_owned())?;
    println!("wrote {page}");
    Ok(())
}

/// Fails when a page is not what the task would write.
pub(crate) fn check(page: &str, text: &str, task: &str) -> Result<()> {
    if std::fs::read_to_string(workspace::root().join(page)).unwrap_or_default() != text {
        bail!("{page} is out of date; run `cargo xtask {task}`");
    }
    println!("{page} is up to date");
    Ok(())
}
