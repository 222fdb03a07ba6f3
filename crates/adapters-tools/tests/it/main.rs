//! Listing, searching and running, on real folders and real commands.
#![cfg(test)]
#![cfg(unix)]

mod looking;
mod running;
