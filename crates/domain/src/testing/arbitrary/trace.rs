//! Generators of trace entries: every form of a changed file, any text where a host or a person chooses it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{actor, content_hash, file_state, intent, intent_id, repo_path, timestamp};
use crate::calls::{CallId, Mutation, MutationClass, MutationEvidence, MutationMethod, Symbol, SymbolKind};
use crate::consents::{ApprovalId, GrantId};
use crate::evidence::{
    Change, ChangedFile, ChangedRange, Hunk, Landmarks, LineHash, Lineage, Restores, TraceContext,
    TraceEntry, VcsRevision,
};
use crate::testing::sample;

fn landmarks() -> impl Strategy<Value = Landmarks> {
    let lines = || prop::collection::vec(any::<u32>().prop_map(LineHash::from_bits), 0..4);
    (lines(), lines(), lines()).prop_map(|(lines, above, below)| Landmarks {
        lines: lines.into_iter().collect(),
        above: above.into_iter().collect(),
        below: below.into_iter().collect(),
    })
}

fn symbol() -> impl Strategy<Value = Symbol> {
    let kinds = [SymbolKind::Function, SymbolKind::Type, SymbolKind::Module, SymbolKind::Constant];
    ("[A-Za-z.]{1,12}", prop::sample::select(kinds.to_vec()), content_hash())
        .prop_map(|(path, kind, structural_hash)| Symbol { path, kind, structural_hash })
}

fn changed_range() -> impl Strategy<Value = ChangedRange> {
    (1..10_000_usize, 0..50_usize, content_hash(), landmarks(), prop::option::of(symbol())).prop_map(
        |(start_line, more, content_hash, landmarks, symbol)| ChangedRange {
            start_line,
            end_line: start_line + more,
            content_hash,
            landmarks,
            symbol,
        },
    )
}

fn lineage() -> impl Strategy<Value = Option<Lineage>> {
    let hunks = prop::collection::vec(prop::array::uniform4(1..10_000_usize).prop_map(Hunk::from), 0..3);
    let doubtful = prop::collection::vec((1..100_usize, 1..100_usize), 0..3);
    prop::option::of((hunks, doubtful).prop_map(|(hunks, doubtful)| Lineage { hunks, doubtful }))
}

/// A changed file of any form.
pub fn changed_file() -> impl Strategy<Value = ChangedFile> {
    let change = prop::sample::select(&[Change::Created, Change::Modified, Change::Deleted][..]);
    let removed = prop::collection::vec((0..100_usize, content_hash()), 0..3);
    let ranges = prop::collection::vec(changed_range(), 0..3);
    let moved = (prop::option::of(repo_path()), prop::option::of(repo_path()));
    (repo_path(), change, (file_state(), file_state()), ranges, (removed, lineage()), any::<bool>(), moved)
        .prop_map(
            |(path, change, (before, after), ranges, (removed, lineage), binary, (moved_from, moved_to))| {
                ChangedFile {
                    path,
                    change,
                    before,
                    after,
                    ranges,
                    removed,
                    binary,
                    lineage,
                    moved_from,
                    moved_to,
                }
            },
        )
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let class = prop::sample::select(&[MutationClass::AstRefactor, MutationClass::IntentEvolution][..]);
    let method = prop::sample::select(&[MutationMethod::SameTokens, MutationMethod::Unexplained][..]);
    let evidence = (repo_path(), 1..100_usize, any::<String>());
    let evidence = evidence.prop_map(|(path, line, what)| MutationEvidence { path, line, what });
    let claimed = prop::option::of(class.clone());
    (class, method, prop::collection::vec(evidence, 0..3), claimed)
        .prop_map(|(class, method, evidence, claimed)| Mutation { class, method, evidence, claimed })
}

fn restores() -> impl Strategy<Value = Option<Restores>> {
    let entries = prop::collection::vec(any::<String>(), 0..3);
    let grant = prop::option::of(any::<u32>());
    prop::option::of((entries, grant).prop_map(|(entries, grant)| Restores {
        entries,
        grant: grant.map(|number| GrantId::new(u64::from(number))),
    }))
}

fn context() -> impl Strategy<Value = TraceContext> {
    let who = (actor(), any::<String>(), "[a-z_]{1,16}", any::<Option<String>>());
    let why = (intent_id(), intent(), prop::collection::vec("REQ-[0-9]{1,3}|\\PC{1,6}", 1..4), any::<bool>());
    let yes = (any::<Option<u16>>(), any::<Option<String>>(), prop::option::of(timestamp()), any::<String>());
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), prop::option::of(mutation()), restores());
    (who, why, yes, flags).prop_map(|(who, why, yes, flags)| {
        let (actor, call, tool, model) = who;
        let (intent, of, requirements, derived) = why;
        let (approval, approved_by, approved_at, seed) = yes;
        let (scope_override, late, amended, mutation, restores) = flags;
        TraceContext {
            call: CallId(call),
            actor,
            tool,
            intent,
            revision: of.revision().clone(),
            requirements,
            derived,
            approval: approval.map(|number| ApprovalId(format!("ap-{number:08}"))),
            approved_by,
            approved_at,
            fingerprint: sample::fingerprint(&seed),
            scope_override,
            model,
            late,
            amended,
            mutation,
            restores,
        }
    })
}

/// An entry of any form.
pub fn trace_entry() -> impl Strategy<Value = TraceEntry> {
    let vcs = prop_oneof![
        "[0-9a-f]{40}".prop_map(VcsRevision::Commit),
        any::<String>().prop_map(VcsRevision::None)
    ];
    let files = prop::collection::vec(changed_file(), 1..4);
    (any::<u32>(), timestamp(), vcs, context(), files).prop_map(|(number, timestamp, vcs, context, files)| {
        let id = format!("{number:08x}-0000-4000-8000-000000000000");
        TraceEntry { id, timestamp, vcs, context, files: files.into_iter().collect::<Vec<_>>() }
    })
}
