//! The Debian package: the program, man pages, completions where each shell looks for them. The program is static, so it
//! depends on nothing.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::{Release, SUMMARY, VERSION, copy, write};
use crate::workspace;

/// The names of Debian's architectures.
const ARCHITECTURES: [(&str, &str); 2] = [("x86_64", "amd64"), ("aarch64", "arm64")];

/// Each file of the archive's completions with its place on Debian.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bailiwick.bash", "usr/share/bash-completion/completions/bailiwick"),
    ("_bailiwick", "usr/share/zsh/vendor-completions/_bailiwick"),
    ("bailiwick.fish", "usr/share/fish/vendor_completions.d/bailiwick.fish"),
];

pub(super) fn name(release: &Release) -> Result<String> {
    Ok(format!("bailiwick_{VERSION}-1_{}.deb", architecture(release)?))
}

fn architecture(release: &Release) -> Result<&'static str> {
    let cpu = release.platform.split('-').next().unwrap_or_default();
    let found = ARCHITECTURES.iter().find(|(rust, _)| *rust == cpu);
    found.map(|(_, debian)| *debian).with_context(|| format!("Debian has no name for {cpu}"))
}

/// Puts the tree together from what the archive has, and packs it.
pub(super) fn make(release: &Release) -> Result<()> {
    let tree = release.staging("debian")?;
    let unpacked = release.staging(&release.archive_name())?;
    copy(&unpacked.join("bailiwick"), &tree.join("usr/bin/bailiwick"))?;
    for (file, place) in COMPLETIONS {
        copy(&unpacked.join("completions").join(file), &tree.join(place))?;
    }
    for entry in std::fs::read_dir(unpacked.join("man/man1"))? {
        let page = entry?;
        let name = format!("{}.gz", page.file_name().to_string_lossy());
        zipped(&page.path(), &tree.join("usr/share/man/man1").join(name))?;
    }
    let documents = tree.join("usr/share/doc/bailiwick");
    zipped(&unpacked.join("CHANGELOG.md"), &documents.join("changelog.gz"))?;
    write(&documents.join("copyright"), &copyright()?)?;
    write(&tree.join("DEBIAN/control"), &control(release, &tree)?)?;
    let mut build = Command::new("dpkg-deb");
    build
        .args(["--root-owner-group", "-Zxz", "-z2", "--build"])
        .arg(&tree)
        .arg(release.out.join(name(release)?));
    workspace::stdout(build.env("SOURCE_DATE_EPOCH", &release.time)).map(drop)
}

fn control(release: &Release, tree: &Path) -> Result<String> {
    let size =
        workspace::stdout(Command::new("du").args(["--summarize", "--apparent-size", "-k"]).arg(tree))?;
    let size = size.split_whitespace().next().unwrap_or("0").to_owned();
    Ok(format!(
        "Package: bailiwick\nVersion: {VERSION}-1\nArchitecture: {}\nSection: devel\nPriority: optional\n\
         Maintainer: The Bailiwick contributors <contributors@bailiwick.invalid>\nInstalled-Size: {size}\n\
         Recommends: git\nDescription: {SUMMARY}\n \
         A gate between AI coding agents and their tools: approvals, scopes, and a ledger of\n what was changed and who \
         said so.\n",
        architecture(release)?,
    ))
}

/// The licences, in the form that Debian reads.
fn copyright() -> Result<String> {
    let mit = std::fs::read_to_string(workspace::root().join("LICENSE-MIT"))?;
    let mit: String = mit
        .lines()
        .map(|line| if line.trim().is_empty() { " .\n".to_owned() } else { format!(" {line}\n") })
        .collect();
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: bailiwick\n\n\
         Files: *\nCopyright: The Bailiwick contributors\nLicense: Expat or Apache-2.0\n\nLicense: Expat\n{mit}\n\
         License: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n"
    ))
}

/// Zips a file without its name and time, as Debian does.
fn zipped(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let output = Command::new("gzip").args(["-9", "-n", "--stdout"]).arg(from).output()?;
    anyhow::ensure!(output.status.success(), "gzip failed on {}", from.display());
    std::fs::write(to, output.stdout).with_context(|| to.display().to_string())
}
