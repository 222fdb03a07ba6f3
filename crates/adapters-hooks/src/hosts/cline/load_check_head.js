// Bailiwick's hook for Cline. `bailiwick init --agent cline` wrote it, `bailiwick uninstall` takes it out.
// Cline goes on without a plugin that it could not load. This ends the run when Bailiwick's is not there.
const GATE = {};
import { writeFileSync } from "node:fs";
