//! What the trials and the measurements stand on: a scratch world, the product's binary, a person's terminal, a hook that is
//! driven without its client, and work that is done two at a time.

#[cfg(unix)]
pub(crate) mod dice;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub(crate) mod follow;
#[cfg(unix)]
pub(crate) mod hook_driver;
#[cfg(unix)]
pub(crate) mod large_ledger;
#[cfg(unix)]
pub(crate) mod pages;
pub(crate) mod product;
#[cfg(unix)]
pub(crate) mod side_by_side;
#[cfg(unix)]
pub(crate) mod terminal;
#[cfg(unix)]
pub(crate) mod wire;
#[cfg(unix)]
pub(crate) mod world;
