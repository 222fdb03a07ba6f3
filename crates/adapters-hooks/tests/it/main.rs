//! The hosts' dialects, tested at the crate's public surface.
#![cfg(test)]

mod answers;
mod conformance;
mod events;
mod facts;
mod hosts_page;
mod listed;
mod mcp_settings;
mod settings;
mod strict_json;
mod toml;
mod toy;
