//! Writes the pages that are generated from source.

use anyhow::{Context, Result};

use crate::error_codes;
use crate::workspace::{self, TextFile};

/// Regenerates every generated page.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let text = std::fs::read_to_string(root.join(error_codes::SOURCE)).context(error_codes::SOURCE)?;
    let source = TextFile { path: error_codes::SOURCE.to_owned(), text };
    let page = root.join(error_codes::PAGE);
    if let Some(folder) = page.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::write(&page, error_codes::page(&error_codes::parse(&source)?)).context(error_codes::PAGE)?;
    println!("wrote {}", error_codes::PAGE);
    Ok(())
}
