//! The npm packages: one with the program for each platform, and `bailiwick`, which has them as optional dependencies and
//! starts the one that npm has installed. Nothing is downloaded by a script.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Release, SUMMARY, VERSION, copy, licences, write};
use crate::workspace;

/// Starts the program that lies in the platform's package, with the same streams and the same end.
const LAUNCHER: &str = include_str!("templates/launcher.cjs");

/// A platform as Rust names it, as npm does, and as node does.
const PLATFORMS: [(&str, &str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "linux", "x64"),
    ("aarch64-unknown-linux-gnu", "linux", "arm64"),
    ("x86_64-apple-darwin", "darwin", "x64"),
    ("aarch64-apple-darwin", "darwin", "arm64"),
];

/// Where the two packages lie.
pub(super) struct Packed {
    pub(super) main: PathBuf,
    pub(super) platform: PathBuf,
    /// The name of the second one.
    pub(super) name: String,
}

pub(super) fn make(release: &Release) -> Result<()> {
    let (os, cpu) = names(release)?;
    let name = format!("bailiwick-{os}-{cpu}");
    let program = release.staging("npm")?.join(&name);
    copy(&release.program, &program.join("bin/bailiwick"))?;
    let about = format!(
        "The program `bailiwick` for {os} on {cpu}. Install the package `bailiwick`, which brings it.\n"
    );
    package(
        &program,
        &about,
        &json!({ "name": name, "os": [os], "cpu": [cpu], "files": ["bin", "LICENSE-*"] }),
    )?;
    let main = release.staging("npm")?.join("bailiwick");
    write(&main.join("bin/bailiwick.cjs"), LAUNCHER)?;
    copy(&workspace::root().join("README.md"), &main.join("README.md"))?;
    let mut optional = json!({});
    optional[&name] = VERSION.into();
    let about = std::fs::read_to_string(workspace::root().join("README.md"))?;
    package(
        &main,
        &about,
        &json!({
            "name": "bailiwick", "bin": { "bailiwick": "bin/bailiwick.cjs" }, "optionalDependencies": optional,
            "engines": { "node": ">=18" }, "files": ["bin", "LICENSE-*"],
        }),
    )?;
    for folder in [&program, &main] {
        let mut pack = Command::new("npm");
        pack.args(["pack", "--offline", "--ignore-scripts", "--loglevel=error", "--pack-destination"]);
        workspace::stdout(pack.arg(&release.out).current_dir(folder))?;
    }
    Ok(())
}

/// What every package has, and its own fields.
fn package(folder: &Path, about: &str, own: &Value) -> Result<()> {
    licences(folder)?;
    write(&folder.join("README.md"), about)?;
    let mut fields = json!({ "version": VERSION, "description": SUMMARY, "license": "MIT OR Apache-2.0" });
    for (key, value) in own.as_object().into_iter().flatten() {
        fields[key] = value.clone();
    }
    write(&folder.join("package.json"), &(serde_json::to_string_pretty(&fields)? + "\n"))
}

fn names(release: &Release) -> Result<(&'static str, &'static str)> {
    let found = PLATFORMS.iter().find(|(rust, ..)| *rust == release.platform);
    found.map(|(_, os, cpu)| (*os, *cpu)).with_context(|| format!("npm has no name for {}", release.platform))
}

pub(super) fn packed(release: &Release) -> Result<Packed> {
    let (os, cpu) = names(release)?;
    let name = format!("bailiwick-{os}-{cpu}");
    Ok(Packed {
        main: release.out.join(format!("bailiwick-{VERSION}.tgz")),
        platform: release.out.join(format!("{name}-{VERSION}.tgz")),
        name,
    })
}
