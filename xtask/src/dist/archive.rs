//! The archive: the program, its man pages, completions for every shell, licences, and what it is made of.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Release, bom, copy, licences, tar};
use crate::workspace;

/// Each shell with the file that it reads.
pub(super) const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "bailiwick.bash"),
    ("zsh", "_bailiwick"),
    ("fish", "bailiwick.fish"),
    ("powershell", "_bailiwick.ps1"),
    ("elvish", "bailiwick.elv"),
];

pub(super) fn make(release: &Release) -> Result<()> {
    let name = release.archive_name();
    let folder = release.staging(&name)?;
    copy(&release.program, &folder.join("bailiwick"))?;
    licences(&folder)?;
    for page in ["README.md", "CHANGELOG.md"] {
        copy(&workspace::root().join(page), &folder.join(page))?;
    }
    man_pages(release, &folder.join("man/man1"))?;
    completions(release, &folder.join("completions"))?;
    let sbom = bom::make(release)?;
    copy(&sbom, &folder.join("bailiwick.cdx.json"))?;
    let packed = release.out.join(format!("{name}.tar.gz"));
    tar(release, &release.out.join("staging"), &name, &packed)
}

/// The program writes its own man pages.
pub(super) fn man_pages(release: &Release, folder: &Path) -> Result<()> {
    workspace::stdout(Command::new(&release.program).arg("man").arg(folder)).map(drop)
}

/// The program writes its own completions.
fn completions(release: &Release, folder: &Path) -> Result<()> {
    for (shell, file) in COMPLETIONS {
        let script = workspace::stdout(Command::new(&release.program).args(["completions", shell]))?;
        super::write(&folder.join(file), &script)?;
    }
    Ok(())
}
