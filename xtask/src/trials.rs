//! What holds the product against something else: other programs, a known truth, other people's labels, broken code.

#[cfg(unix)]
pub(crate) mod attribution;
#[cfg(unix)]
pub(crate) mod audits;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub(crate) mod crashes;
pub(crate) mod differential;
pub(crate) mod eval;
#[cfg(unix)]
pub(crate) mod fuzz;
#[cfg(unix)]
pub(crate) mod history;
#[cfg(unix)]
pub(crate) mod mutants;
pub(crate) mod relocs;
#[cfg(unix)]
pub(crate) mod scopes;
