//! What the program promises as a process: real binaries, real repositories, real pipes. One module per subject.
//!
//! Rules that can be said at the level of the library are tested in `gate`; here is what only a process can show.
#![cfg(unix)]

mod acceptance;
mod allow;
mod audit;
mod born;
mod claims;
mod codex;
mod commands;
mod drift;
mod editor;
mod elsewhere;
mod environment;
mod evidence;
mod fail_closed;
mod faulty_store;
mod followers;
mod foreign;
mod forging;
mod grants;
mod hosts;
mod intent_check;
mod later;
mod lineage;
mod machine;
mod mixed_versions;
mod modes;
mod movement;
mod page;
mod parallel;
mod paths;
mod pause;
mod proofs;
mod questions;
mod recovery;
mod report;
mod restore;
mod scratch;
mod screen;
mod sealing;
mod settings_change;
mod shown_text;
mod signing;
mod stops;
mod stored_state;
mod sub_agents;
mod team;
mod trace;
mod turns;
mod view_in_git;
mod wire;
