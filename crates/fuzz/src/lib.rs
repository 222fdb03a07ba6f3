//! What must hold for any bytes that come in at a door of the gate, as functions that panic where it does not; and the seeds
//! that a fuzzer starts from.
//!
//! Deliberately absent: a fuzzer (`main.rs`, with the feature `fuzzer`) and files.
#![expect(clippy::panic, reason = "a target says what is wrong by a panic")]

mod hooks;
mod mcp;
mod patches;
mod shell;

use bailiwick_adapters_hooks::HOSTS;

/// The most bytes that a target looks at. The budgets of larger inputs are measured by `cargo xtask bench limits`.
pub const MOST_BYTES: usize = 64 * 1024;

/// One door: what comes in is any bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name in commands and folders.
    pub name: String,
    door: Door,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    /// The hook of the host at that place of the table.
    Hook(usize),
    /// Text that may be a patch.
    Patch,
    /// A line for a shell.
    Shell,
    /// Lines of an MCP client.
    Mcp,
}

/// All targets: the hook of each host, and the other doors.
pub fn targets() -> Vec<Target> {
    let hooks = HOSTS.iter().enumerate();
    let hooks = hooks.map(|(place, host)| (format!("hook-{}", host.profile.name), Door::Hook(place)));
    let others = [("patch", Door::Patch), ("shell", Door::Shell), ("mcp", Door::Mcp)];
    let others = others.map(|(name, door)| (name.to_owned(), door));
    hooks.chain(others).map(|(name, door)| Target { name, door }).collect()
}

impl Target {
    /// Lets the bytes in.
    ///
    /// # Panics
    /// Something does not hold that must.
    pub fn check(&self, bytes: &[u8]) {
        let bytes = bytes.get(..MOST_BYTES).unwrap_or(bytes);
        match self.door {
            Door::Hook(place) => HOSTS.get(place).into_iter().for_each(|host| hooks::check(host, bytes)),
            Door::Patch => patches::check(bytes),
            Door::Shell => shell::check(bytes),
            Door::Mcp => mcp::check(bytes),
        }
    }

    /// Inputs that a fuzzer starts from.
    pub fn seeds(&self) -> Vec<Vec<u8>> {
        match self.door {
            Door::Hook(place) => HOSTS.get(place).map(hooks::seeds).unwrap_or_default(),
            Door::Patch => patches::seeds(),
            Door::Shell => shell::seeds(),
            Door::Mcp => mcp::seeds(),
        }
    }
}
