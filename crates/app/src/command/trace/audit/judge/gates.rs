//! The gate's own files in a commit: no work of anybody's, but the evidence that all others are judged by, and what gives
//! permission.

use bailiwick_adapters_fs::Layout;
use bailiwick_domain::ContentHash;

use super::super::history::{Kind, Touched};
use super::{Judge, Judged, Judgement, Label, whole};
use crate::command::git::{SEGMENTS, segment_name};

/// What the gate itself keeps in its folder, beside segments. A launcher is a program, and no different from any other.
const OWN: &[&str] = &[
    Layout::INTENTS,
    Layout::CONFIG,
    ".orchestration/.gitignore",
    ".orchestration/.intentignore",
    ".orchestration/agent_trace.jsonl",
    ".orchestration/intent_map.md",
    ".orchestration/trace/.gitattributes",
];

/// Whether a path is one that the gate keeps, and as it keeps it. Whatever else is in its folder is work as any other.
pub(super) fn is_gates(touched: &Touched) -> bool {
    let name = touched.name.as_str();
    let is_plain = matches!(touched.after, Kind::Nothing | Kind::File);
    segment_of(name).is_some() || (is_plain && OWN.contains(&name))
}

/// The segment that a path in the gate's folder is the name of.
fn segment_of(name: &str) -> Option<ContentHash> {
    let name = name.strip_prefix(SEGMENTS)?.strip_prefix('/').filter(|name| !name.contains('/'))?;
    segment_name(name)
}

impl Judge<'_> {
    /// Names what gives permission, and sealed entries that are not what was sealed any more.
    pub(super) fn gates_files(&self, files: &[&Touched], judgement: &mut Judgement) {
        let is_permission = |name: &str| [Layout::INTENTS, Layout::CONFIG].contains(&name);
        for touched in files {
            let name = touched.name.as_str();
            if is_permission(name) {
                judgement.permissions.push(name.to_owned());
            }
            let segment = segment_of(name);
            if segment.is_some_and(|segment| self.is_tampered(touched, &segment, judgement)) {
                let why = Some("sealed entries are no more what was sealed");
                judgement.runs.push(Judged { why, ..whole(name, Label::Tampered) });
            }
        }
    }

    /// A segment is called by the hash of its content, so it never changes. It goes with the commit that brought it, where
    /// a commit takes that one back.
    fn is_tampered(&self, touched: &Touched, segment: &ContentHash, judgement: &Judgement) -> bool {
        let content = || self.git.file_at(&judgement.commit.id, &touched.name);
        match touched.after {
            Kind::Nothing => !self.takes_back(&judgement.commit.message, segment),
            Kind::File | Kind::Executable => {
                content().is_none_or(|bytes| ContentHash::of(&bytes) != *segment)
            }
            Kind::Link | Kind::Submodule => true,
        }
    }

    /// Whether a message says that its commit takes another one back, and that one brought the segment.
    fn takes_back(&self, message: &str, segment: &ContentHash) -> bool {
        let taken = message.split("This reverts commit ").skip(1);
        let ids = taken.filter_map(|rest| rest.split(|sign: char| !sign.is_ascii_hexdigit()).next());
        let has = |name: &str| self.git.segments_at(name).is_ok_and(|all| all.contains(segment));
        ids.filter(|id| matches!(id.len(), 40 | 64)).any(|id| has(id) && !has(&format!("{id}^")))
    }
}
