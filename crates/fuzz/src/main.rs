//! The fuzzer: libFuzzer over the targets of the library. `BAILIWICK_FUZZ_TARGET` names the target;
//! `BAILIWICK_FUZZ_SEEDS` is a folder into which the seeds of all targets are written instead. `cargo xtask fuzz` sets both.
#![no_main]
#![expect(clippy::panic, reason = "a fuzzer without a target stops")]

use std::path::Path;
use std::sync::LazyLock;

use bailiwick_fuzz::{Target, targets};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("BAILIWICK_FUZZ_TARGET").unwrap_or_default();
    let found = targets().into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no target is called {name:?}"))
});

libfuzzer_sys::fuzz_target!(
    init: {
        if let Ok(folder) = std::env::var("BAILIWICK_FUZZ_SEEDS") {
            std::process::exit(i32::from(write_seeds(Path::new(&folder)).is_err()));
        }
    },
    |bytes: &[u8]| TARGET.check(bytes)
);

/// A folder for each target, with its seeds.
fn write_seeds(folder: &Path) -> std::io::Result<()> {
    for target in targets() {
        let folder = folder.join(&target.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in target.seeds().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
    }
    Ok(())
}
