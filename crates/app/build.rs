//! Hands `hook.ld` to the linker, so that the code of a hook call lies side by side. `cargo xtask layout` writes it.
//!
//! Only for release binaries that are built with the workspace's own flags (`.cargo/config.toml`): whoever brings other
//! flags may bring another linker, and nothing but time depends on the layout.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=hook.ld");
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| var(name).is_ok_and(|found| found == value);
    let own_flags =
        var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("relocation-model=static"));
    let release = is("PROFILE", "release") && is("TARGET", "x86_64-unknown-linux-gnu");
    if let (true, true, Ok(folder)) = (own_flags, release, var("CARGO_MANIFEST_DIR")) {
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/hook.ld");
    }
}
