// Bailiwick's plugin for OpenCode. `bailiwick init --agent opencode` wrote it, `bailiwick uninstall` takes it out.
// It asks `bailiwick hook --agent opencode` before each tool, and throws whenever there is no clear yes: OpenCode then
// runs nothing.
const GATE = {};
