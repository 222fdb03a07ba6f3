//! What puts the program in place and shows that it works: init and uninstall, the doctor, settings, completions, the demo.

mod apart;
pub(super) mod completions;
pub(super) mod config;
pub(super) mod demo;
pub(super) mod doctor;
mod git_hook;
pub(super) mod init;
pub(super) mod man;
pub(super) mod uninstall;
