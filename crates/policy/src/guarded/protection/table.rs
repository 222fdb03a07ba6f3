//! The protected, sensitive and secret paths, as data. Lower case; see [`super`] for what a pattern means.

/// Only a person changes these, and no scope, grant or approval opens them: the gate's own files and every host's
/// hooks, permissions and servers.
#[rustfmt::skip]
pub(super) const PROTECTED: &[&str] = &[
    ".orchestration/**", ".intentignore", ".git/**", ".local/state/bailiwick/**",
    ".mcp.json", ".claude.json",
    ".claude/settings*.json", ".claude/hooks/**",
    ".codex/config.toml", ".codex/hooks.json", ".codex/hooks/**", ".codex/rules/**",
    ".cursor/hooks.json", ".cursor/hooks/**", ".cursor/mcp.json", ".cursor/cli.json", ".cursor/permissions.json",
    ".gemini/settings.json", ".gemini/hooks/**", ".gemini/config/hooks.json", ".gemini/extensions/**",
    ".gemini/antigravity-cli/**", ".agents/hooks.json",
    ".github/hooks/**", ".copilot/hooks/**", ".copilot/mcp-config.json", ".vscode/mcp.json",
    ".clinerules/hooks/**", ".cline/hooks/**", ".cline/plugins/**", ".cline/mcp.json", ".roo/mcp.json",
    ".opencode/plugin*/**", ".opencode/tool*/**", ".opencode/package.json", ".opencode/node_modules/**",
    ".opencode/opencode.json*", "opencode.json", "opencode.jsonc",
    ".windsurf/hooks.json", ".codeium/hooks.json", ".codeium/windsurf/hooks.json", ".devin/hooks*.json",
    ".factory/hooks*", ".factory/hooks/**", ".factory/settings*.json", ".factory/mcp.json",
    ".kiro/hooks/**", ".kiro/agents/**", ".kiro/settings/**", ".amazonq/**",
    ".qwen/settings*.json", ".qwen/hooks/**", ".qwen/extensions/**", ".qwen/.env", ".gemini/.env",
    ".kimi/**", ".kimi-code/mcp.json", ".kimi-code/config.toml", ".kimi-code/local.toml",
];

/// A scope must name these literally, and a person is always asked: what instructs agents, and what others run
/// without looking.
#[rustfmt::skip]
pub(super) const SENSITIVE: &[&str] = &[
    "agents.md", "agents.override.md", "claude.md", "claude.local.md", "agent.md", "gemini.md",
    ".github/copilot-instructions.md", ".github/instructions/**",
    ".claude/agents/**", ".claude/commands/**", ".claude/skills/**", ".claude/rules/**", ".claude/output-styles/**",
    ".opencode/agent*/**", ".opencode/command*/**", ".opencode/skill*/**", ".opencode/mode*/**", "qwen.md",
    ".qwen/agents/**", ".qwen/skills/**", ".qwen/commands/**", ".qwen/rules/**",
    ".agents/skills/**", ".cursor/rules/**", ".cursorrules",
    ".clinerules/**", ".roo/**", ".roomodes", ".windsurf/rules/**", ".windsurfrules", ".rooignore", ".clineignore",
    ".vscode/settings.json", ".vscode/tasks.json", ".vscode/launch.json", "*.code-workspace", ".devcontainer/**",
    ".gitattributes", ".gitignore", ".gitmodules", ".gitconfig", ".githooks/**", ".husky/**",
    ".pre-commit-config.yaml", "lefthook.yml",
    ".github/workflows/**", ".github/actions/**", ".gitlab-ci.yml", ".circleci/**", ".travis.yml",
    ".buildkite/**", "azure-pipelines.yml", "bitbucket-pipelines.yml", "jenkinsfile",
    ".envrc", ".npmrc", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", "pyvenv.cfg",
    ".cargo/config", ".cargo/config.toml",
];

/// Never shown to an agent: secrets, keys, and the gate's private state.
#[rustfmt::skip]
pub(super) const SECRET: &[&str] = &[
    ".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
    ".ssh/**", ".gnupg/**", ".aws/credentials", ".kube/config", ".docker/config.json", ".config/gcloud/**",
    ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd", "*.ppk", ".dockercfg", ".vault-token",
    // Where tools keep the tokens that a login gave them, by their own documentation.
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d/credentials.tfrc.json",
    ".config/gh/hosts.yml", ".azure/accesstokens.json", ".azure/msal_token_cache.json", ".azure/msal_token_cache.bin",
    ".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".qwen/oauth_creds.json",
    ".local/share/opencode/auth.json",
    PRIVATE, ".orchestration/state/**", ".local/state/bailiwick/**",
];

/// Where the gate's private state lies in a repository.
pub(super) const PRIVATE: &str = ".git/bailiwick/**";

/// Examples, which only their folder makes secret.
pub(super) const HARMLESS: &[&str] = &[".env*.example", ".env*.sample", ".env*.template", ".env*.dist"];
