//! What the program is made of: a CycloneDX file by `cargo-cyclonedx`, for the crates that are in the program on this
//! platform and no others.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{Release, VERSION};
use crate::workspace;

const TOOL: &str = "cargo-cyclonedx";
const TOOL_VERSION: &str = "0.5.9";

/// Makes the file. The tool writes beside the manifests, so it works on a copy of them.
pub(super) fn make(release: &Release) -> Result<PathBuf> {
    let copy = release.staging("manifests")?;
    copy_manifests(&copy)?;
    let mut run = Command::new(workspace::installed_tool(TOOL, TOOL_VERSION)?);
    run.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--describe", "binaries"]);
    run.args(["--target", &release.platform, "--manifest-path"]).arg(copy.join("crates/app/Cargo.toml"));
    run.env("SOURCE_DATE_EPOCH", &release.time).env("CARGO_NET_OFFLINE", "true").current_dir(&copy);
    workspace::stdout(&mut run)?;
    let text = std::fs::read_to_string(copy.join("crates/app/bailiwick_bin.cdx.json"))?;
    let text = text.replace(&format!("{}/", copy.display()), "").replace(&copy.display().to_string(), ".");
    let made = release.out.join(format!("bailiwick-{VERSION}.cdx.json"));
    std::fs::write(&made, reproducible(&text)?)?;
    Ok(made)
}

/// The same without the number that the tool draws anew each time.
fn reproducible(text: &str) -> Result<String> {
    let mut bom: Value = serde_json::from_str(text)?;
    bom.as_object_mut().context("the bill of materials is no object")?.remove("serialNumber");
    Ok(serde_json::to_string_pretty(&bom)? + "\n")
}

/// The manifests, and a source for each so that cargo finds what it builds.
fn copy_manifests(to: &Path) -> Result<()> {
    let root = workspace::root();
    for file in workspace::text_files(&root)? {
        let is_wanted = file.path.ends_with("Cargo.toml")
            || file.path == "Cargo.lock"
            || file.path.ends_with("/src/lib.rs")
            || file.path.ends_with("/src/main.rs")
            || file.path.ends_with("build.rs")
            || file.path.ends_with("/tests/it/main.rs")
            || file.path.starts_with("crates/app/examples/");
        if is_wanted {
            super::write(&to.join(&file.path), &file.text)?;
        }
    }
    Ok(())
}

/// Every crate in the program is named, as `cargo tree` names them.
pub(super) fn check(release: &Release) -> Result<()> {
    let text = std::fs::read_to_string(release.out.join(format!("bailiwick-{VERSION}.cdx.json")))?;
    let bom: Value = serde_json::from_str(&text)?;
    ensure!(bom["bomFormat"] == "CycloneDX" && bom["specVersion"] == "1.5", "no CycloneDX 1.5");
    let mut named = Vec::new();
    collect(&bom["components"], &mut named);
    let mut tree = workspace::cargo();
    tree.args(["tree", "--locked", "--package", "bailiwick", "--edges", "normal", "--prefix", "none"]);
    tree.args(["--format", "{p}", "--target", &release.platform]).current_dir(workspace::root());
    let crates = workspace::stdout(&mut tree)?;
    let mut missing = Vec::new();
    for line in crates.lines().filter(|line| !line.starts_with("bailiwick ")) {
        let mut words = line.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if !named.contains(&format!("{name} {}", version.trim_start_matches('v'))) {
            missing.push(line);
        }
    }
    ensure!(missing.is_empty(), "the bill of materials leaves out: {}", missing.join(", "));
    println!("   the bill of materials names all {} crates of the program", named.len());
    Ok(())
}

fn collect(components: &Value, named: &mut Vec<String>) {
    for component in components.as_array().into_iter().flatten() {
        let text = |key: &str| component[key].as_str().unwrap_or_default().to_owned();
        named.push(format!("{} {}", text("name"), text("version")));
    }
}
