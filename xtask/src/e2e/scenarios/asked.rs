//! Scenarios in which a person is asked: at the screen, at the host's own prompt, in advance by a grant, or too late.

pub(super) mod approval;
pub(super) mod born;
pub(super) mod grants;
pub(super) mod host_prompt;
pub(super) mod stops;
