//! What agents and their hosts talk to, the hook apart: the neutral wire, the MCP server, the gate's own tools, and what an
//! agent is told about them.

pub(super) mod gate;
pub(super) mod mcp;
pub(super) mod own_tool;
pub(super) mod prompt;
pub(super) mod tools;
