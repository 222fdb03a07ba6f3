//! The texts of a fresh store. They load without a complaint and, until edited, change nothing.

/// `active_intents.yaml`.
pub(super) const INTENTS: &str = r#"# The goals that agents may work on. You edit this file; agents cannot.
# Check it with `bailiwick intent check`. One intent looks like this:
#
#   - id: INT-001
#     name: Rotate refresh tokens
#     status: PENDING            # PENDING IN_PROGRESS BLOCKED COMPLETED ABANDONED
#     why: Stolen refresh tokens stay valid for 30 days.
#     requirements: [REQ-001]
#     owned_scope:               # what it may change; quote patterns that start with `!` or `*`
#       - src/auth/
#       - "!src/auth/legacy/**"
#     constraints:
#       - The public token format stays the same
#       - forbid_paths: ["migrations/**"]
#     acceptance_criteria:
#       - A reused refresh token is refused
active_intents: []
"#;

/// `config.yaml`: every key with its default, commented out.
pub(super) const CONFIG: &str = r#"# How strict the gate is. Every key is optional; these are the defaults. Check with `bailiwick config check`.
# Values marked (loosens) count only after you run `bailiwick config accept` on this machine.

# handshake:
#   reselect: request        # when a selection ends: request, session (loosens)
#   strict: false            # true: even safe tools wait for a selection

# scope:
#   on_violation: block      # a change outside the scope: block, ask (loosens)
#   overlap: warn            # two live intents with overlapping scopes: warn, deny

# stale:
#   never_read: block        # overwriting a file that was never read: block, ask (loosens), allow (loosens)

# approval:
#   channel: auto            # who is asked: auto, host, queue, deny
#   timeout_s: 100           # how long a hook waits for an answer, at most 110 (above 100 loosens)
#   grants: true             # whether you may answer with a grant instead of approving one call
#   show_prompt: true        # whether a question shows what you asked the agent for
#   dialogs: []              # clients in whose own dialogs you answer, such as zed (loosens)

# commands:
#   read_only: safe          # commands proved read-only: safe, destructive
#   allow: []                # commands that run without a question, such as `cargo test …` (loosens)

# classification:            # TOOL: SAFE (loosens) or DESTRUCTIVE, over the built-in registry
#   my_tool: DESTRUCTIVE

# protect:
#   write: []                # more patterns that nothing may change
#   read: []                 # more patterns that nothing may read

# read:
#   roots: []                # absolute folders outside this repository that may be read (loosens)

# network:
#   allow: []                # hosts that may be sent anything unasked, such as docs.rs (loosens)
#   ask: secrets             # asked about is what carries a token of a known form: secrets, all

# loop:
#   repeats: 3               # how often the same call may be blocked before it is a loop (above 3 loosens)

# intents:
#   broad_files: 200         # a scope that owns more files needs a second key
#   broad_share: 0.1         # so does one that owns more of the tree

# trace:
#   require_requirement: false   # true: an intent without requirements changes nothing
#   sign: true               # each entry is signed with your key; `bailiwick trace key` shows it
#   sync: always             # every entry reaches the disk first: always, os (loosens)
#   in_git: true             # sealed segments of the ledger are committed; `bailiwick init` keeps the ignore rule
#   keys: []                 # keys of your team, as `ed25519:… NAME`: each person takes them with `trace key trust --from-config`

# retention:
#   days: 30                 # how long `bailiwick gc` leaves contents from before calls (below 30 loosens)
#   log_mb: 64               # so much of closed decision logs it leaves, in MB (below 64 loosens)

# context:
#   max_bytes: 8192          # cap on what a selection tells the agent
#   include: []              # more sections: acceptance, requirements, lessons

# lessons:
#   from_agents: false       # whether a failing test, lint or build of an agent becomes a lesson (true loosens)

# fail_safe:
#   safe_tools: block        # safe tools while the store is broken: block, allow (loosens)
"#;

/// `.orchestration/.gitignore`: what is derived or private stays out of git (ADR 0003).
pub(super) const GITIGNORE: &str = "agent_trace.jsonl\nintent_map.md\nstate/\n";

/// What of the store is never in git, relative to it.
pub fn ignored() -> impl Iterator<Item = &'static str> {
    GITIGNORE.lines()
}
