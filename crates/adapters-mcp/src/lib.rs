//! adapters-mcp
