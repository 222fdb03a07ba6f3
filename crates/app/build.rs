//! Hands `hook.ld` to the linker, so that the code of a hook call lies side by side. `cargo xtask layout` writes it.
//!
//! Only for release binaries that are built with the workspace's own flags (`.cargo/config.toml`): whoever brings other
//! flags may bring another linker, and nothing but time depends on the layout.

use std::env::var;
use std::path::Path;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=hook.ld");
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| var(name).is_ok_and(|found| found == value);
    let own_flags =
        var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("relocation-model=static"));
    let release = is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu");
    if let (true, true, Ok(out)) = (own_flags, release, var("OUT_DIR")) {
        // A copy, because builds of several checkouts may share one target folder and this script's answer.
        let layout = Path::new(&out).join("hook.ld");
        std::fs::copy("hook.ld", &layout)?;
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", layout.display());
    }
    Ok(())
}
