//! The relay between a scripted editor and a scripted agent.
#![cfg(test)]

mod asked;
mod ends;
mod passing;
mod room;
