// Bailiwick's plugin for Cline. `bailiwick init --agent cline` wrote it, `bailiwick uninstall` takes it out.
// It asks `bailiwick hook --agent cline` before each tool, and has the call skipped whenever there is no clear yes.
// Cline itself ends the run when this plugin fails or takes longer than three seconds.
const GATE = {};
