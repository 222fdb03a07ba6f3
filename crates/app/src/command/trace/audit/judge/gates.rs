//! The gate's own files in a commit: no work of anybody's, but the evidence that all others are judged by, and what gives
//! permission.

use std::cell::OnceCell;

use bailiwick_adapters_fs::Layout;
use bailiwick_domain::ContentHash;

use super::super::commits::Commit;
use super::super::history::{self, Kind, Touched};
use super::{Judge, Judged, Judgement, Label, whole};
use crate::command::CommandError;
use crate::command::git::{SEGMENTS, TakesBack, reverts, segment_name};

const CHANGED: &str = "sealed entries are no more what was sealed";
const UNSEEN: &str = "it takes back work in a file that went away before, and nobody can compare";

/// The commits that a commit takes back.
#[derive(Debug, Default)]
struct TakenBack {
    known: Vec<String>,
    /// Those of which some file cannot be compared any more, and no other speaks against it.
    unseen: Vec<String>,
}

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
        let taken_back = OnceCell::new();
        let taken_back = || taken_back.get_or_init(|| self.taken_back(&judgement.commit));
        let mut tampered = Vec::new();
        for touched in files {
            let segment = segment_of(&touched.name);
            let why = segment.and_then(|segment| self.tampering(touched, &segment, judgement, taken_back));
            tampered
                .extend(why.map(|why| Judged { why: Some(why), ..whole(&touched.name, Label::Tampered) }));
        }
        judgement.runs.extend(tampered);
        let permissions = files.iter().map(|touched| touched.name.clone()).filter(|name| is_permission(name));
        judgement.permissions.extend(permissions);
    }

    /// Why a segment is not what was sealed. It is called by the hash of its content, so it never changes. It goes with the
    /// commit that brought it, where a commit takes that one back.
    fn tampering<'t>(
        &self,
        touched: &Touched,
        segment: &ContentHash,
        judgement: &Judgement,
        taken_back: impl Fn() -> &'t TakenBack,
    ) -> Option<&'static str> {
        let content = || self.git.file_at(&judgement.commit.id, &touched.name);
        let has = |name: &str| self.git.segments_at(name).is_ok_and(|all| all.contains(segment));
        let brought = |id: &String| has(id) && !has(&format!("{id}^"));
        let is_sealed = match touched.after {
            Kind::Nothing if taken_back().known.iter().any(brought) => true,
            Kind::Nothing if taken_back().unseen.iter().any(brought) => return Some(UNSEEN),
            Kind::File | Kind::Executable => {
                content().is_some_and(|bytes| ContentHash::of(&bytes) == *segment)
            }
            Kind::Nothing | Kind::Link | Kind::Submodule => false,
        };
        (!is_sealed).then_some(CHANGED)
    }

    /// The commits that a commit says it takes back, and does.
    fn taken_back(&self, commit: &Commit) -> TakenBack {
        let mut all = TakenBack::default();
        for other in reverts::named(&commit.message) {
            match self.takes_back(commit, other).unwrap_or(TakesBack::No) {
                TakesBack::Yes => all.known.push(other.to_owned()),
                TakesBack::Unseen => all.unseen.push(other.to_owned()),
                TakesBack::No => {}
            }
        }
        all
    }

    /// Whether nothing of what another commit did to files is left. One that brought entries alone has nothing to take back:
    /// what they tell of is elsewhere.
    fn takes_back(&self, commit: &Commit, other: &str) -> Result<TakesBack, CommandError> {
        let before = format!("{other}^");
        let before = Some(before.as_str()).filter(|before| self.git.has_commit(before));
        let mut work = history::between(self.git, before, other)?;
        work.retain(|touched| !is_gates(touched));
        let mut found = if work.is_empty() { TakesBack::No } else { TakesBack::Yes };
        for touched in &work {
            match self.git.takes_back_at(&commit.id, other, &touched.name) {
                TakesBack::Yes => {}
                TakesBack::No => return Ok(TakesBack::No),
                TakesBack::Unseen => found = TakesBack::Unseen,
            }
        }
        Ok(found)
    }
}
