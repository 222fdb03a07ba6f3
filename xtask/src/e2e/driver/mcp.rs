//! The MCP server under clients that are not ours: installs the pinned driver and plays what they do, and the official
//! conformance suite; and the proxy in front of servers that are not ours.
//!
//! The steps are `run.mjs`, `proxied.mjs`, `conformance.mjs` and `behind.mjs` in `crates/adapters-mcp/e2e`.

use std::process::Command;

use anyhow::Result;

use crate::e2e::driver;
use crate::stage::product;
use crate::workspace;

const DRIVER: &str = "crates/adapters-mcp/e2e";
const FILES: [&str; 11] = [
    "package.json",
    "package-lock.json",
    "run.mjs",
    "door.mjs",
    "caller.mjs",
    "conformance.mjs",
    "proxied.mjs",
    "behind.mjs",
    "fixture.mjs",
    "expected-failures.yml",
    "expected-failures-behind.yml",
];
const PLAYS: [&str; 4] = ["run.mjs", "proxied.mjs", "conformance.mjs", "behind.mjs"];

/// Plays every scenario; any failure is an error.
pub(crate) fn run() -> Result<()> {
    let (binary, driver) = (product::binary()?, driver::install(DRIVER, &FILES, "mcp-driver")?);
    let folder = tempfile::tempdir()?;
    PLAYS.iter().try_for_each(|play| {
        let mut node = Command::new("node");
        node.arg(driver.join(play)).arg(&binary).arg(folder.path());
        workspace::run(node.current_dir(folder.path()))
    })
}
