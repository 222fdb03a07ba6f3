//! Tells the program what it was built from, and hands `hook.ld` to the linker, so that the code of a hook call lies side by
//! side (`cargo xtask layout` writes it).
//!
//! The layout is only for release binaries that are built with the workspace's own flags (`.cargo/config.toml`): whoever
//! brings other flags may bring another linker, and nothing but time depends on the layout. The same sources at the same
//! commit tell the same: no clock and no path is told.

use std::env::var;
use std::path::Path;
use std::process::Command;

/// Set by whoever builds from an archive and knows the commit.
const TOLD: &str = "BAILIWICK_COMMIT";
/// What the program is made of, from here.
const SOURCES: [&str; 3] = ["../../Cargo.toml", "../../Cargo.lock", "../../.cargo/config.toml"];

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=hook.ld");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={TOLD}");
    let is = |name: &str, value: &str| var(name).is_ok_and(|found| found == value);
    let is_release = is("PROFILE", "release");
    let commit = if is_release { told_or_found()? } else { "not told: a build for development".to_owned() };
    println!("cargo::rustc-env=BAILIWICK_BUILT_FROM={commit}");
    println!("cargo::rustc-env=BAILIWICK_FEATURES={}", features());
    println!("cargo::rustc-env=BAILIWICK_TARGET={}", var("TARGET").unwrap_or_default());
    let own_flags =
        var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("relocation-model=static"));
    if let (true, true, Ok(out)) =
        (own_flags, is_release && is("TARGET", "x86_64-unknown-linux-gnu"), var("OUT_DIR"))
    {
        // A copy, because builds of several checkouts may share one target folder and this script's answer.
        let layout = Path::new(&out).join("hook.ld");
        std::fs::copy("hook.ld", &layout)?;
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", layout.display());
        // What the linker put where, for `cargo xtask layout`.
        println!("cargo::rustc-link-arg-bins=-Wl,-Map={}", Path::new(&out).join("hook.map").display());
    }
    Ok(())
}

/// The features of this crate, in the order of the alphabet.
fn features() -> String {
    let all = var("CARGO_CFG_FEATURE").unwrap_or_default();
    let mut named: Vec<&str> = all.split(',').filter(|name| !name.is_empty() && *name != "default").collect();
    named.sort_unstable();
    if named.is_empty() { "none".to_owned() } else { named.join(", ") }
}

/// The commit that somebody tells, else the one that the checkout stood on when its sources last changed.
fn told_or_found() -> std::io::Result<String> {
    if let Some(told) = var(TOLD).ok().filter(|told| is_commit(told)) {
        return Ok(told);
    }
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    // A commit that touches no source makes no other program, and takes no build.
    for entry in std::fs::read_dir("..")? {
        let sources = entry?.path().join("src");
        if sources.is_dir() {
            println!("cargo::rerun-if-changed={}", sources.display());
        }
    }
    Ok(found().unwrap_or_else(|| "not told: built outside a checkout of git".to_owned()))
}

fn is_commit(word: &str) -> bool {
    (7..=64).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn found() -> Option<String> {
    // Sources that were unpacked within another repository are no part of it.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let (top, here) = (Path::new(&top).canonicalize().ok()?, Path::new("../..").canonicalize().ok()?);
    let commit = git(&["rev-parse", "--verify", "HEAD"]).filter(|commit| top == here && is_commit(commit))?;
    let changed = ["status", "--porcelain", "--", "../*/src/*", "build.rs", "hook.ld"]
        .into_iter()
        .chain(SOURCES)
        .collect::<Vec<_>>();
    let changed = git(&changed)?;
    Some(if changed.is_empty() { commit } else { format!("{commit}, with changes that are in no commit") })
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
