//! What the screen shows and what its keys do, without a terminal.

mod keys;
mod planted;
mod reviews;
mod screens;
mod staged;
