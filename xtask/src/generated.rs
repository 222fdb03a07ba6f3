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
