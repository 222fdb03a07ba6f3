//! What the gate promises, said at the level of the library: one world in memory, one module per subject.

mod acceptance;
mod approval;
mod born;
mod extensions;
mod followers;
mod grants;
mod handshake;
mod ignore_rules;
mod interception;
mod invariant;
mod loops;
mod meanwhile;
mod movement;
mod narrowed;
mod parallel;
mod pause;
mod records;
mod recovery;
mod scope;
mod selection;
mod stale;
mod stops;
mod subagents;
mod threats;
mod turns;
mod world;
