//! The programs that coding agents are started with.

/// Names of programs that are agents, or that have one in them, without an ending, as they are typed. A test in the
/// adapter of hosts looks that every host's programs are here.
pub const AGENT_PROGRAMS: &[&str] = &[
    "agy",
    "aider",
    "amp",
    "antigravity",
    "claude",
    "cline",
    "code",
    "code-insiders",
    "codex",
    "copilot",
    "cursor",
    "cursor-agent",
    "devin",
    "droid",
    "gemini",
    "goose",
    "jules",
    "kimi",
    "kiro",
    "kiro-cli",
    "opencode",
    "q",
    "qwen",
    "windsurf",
];
