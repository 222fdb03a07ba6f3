//! What a host must have shown before it is believed: that its hooks are loaded, that its own hook judges a session, that
//! calls of its sub-agents meet them, and that a server with our name is ours.

pub(super) mod load_check;
pub(super) mod own_hook;
pub(super) mod own_server;
pub(super) mod sub_agents;
