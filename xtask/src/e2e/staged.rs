//! Sessions of the client on a stage, with a script and a person at the desk: what the day and the forgeries are played
//! with.

pub(crate) mod desk;
pub(crate) mod line;
pub(crate) mod session;
pub(crate) mod stage;
