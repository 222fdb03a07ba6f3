//! Acceptance tests of the program and its library. Each module is about one door.
#![cfg(test)]

mod doctor;
mod error_schema;
mod evidence;
mod gate;
mod install;
mod process;
mod restore_plan;
mod world;
