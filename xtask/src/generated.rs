//! Files that are made from others and committed: pages, pictures, samples of what is stored, the linker's script.

pub(crate) mod docs;
pub(crate) mod error_codes;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub(crate) mod layout;
#[cfg(unix)]
pub(crate) mod page;
pub(crate) mod picture;
pub(crate) mod status;
#[cfg(unix)]
pub(crate) mod stored_state;
pub(crate) mod texts;

/// Calls are followed on one system so far.
#[cfg(all(unix, not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))))]
pub(crate) mod layout {
    pub(crate) fn write() -> anyhow::Result<()> {
        anyhow::bail!("the layout is written on Linux on x86-64 only")
    }

    pub(crate) fn check() -> anyhow::Result<()> {
        println!("layout: it is for Linux on x86-64, nothing to check");
        Ok(())
    }
}
