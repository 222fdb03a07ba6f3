//! The way back from a content of a file through the entries and texts that led to it.

mod by_content;
mod texts;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use bailiwick_domain::{ChangedFile, ContentHash, FileState, RepoPath, StoredEntry};

use super::compare::{self, compare, lines};
use super::runs::{Run, Runs};
use super::{Came, Committed, Contents, How, Moved};
use by_content::ByContent;
use texts::Like;

/// So many texts are compared for one question; what is behind stays unknown.
const COMPARISONS: usize = 512;
/// So many contents are looked at as what one may have been made of, out of what so many steps left.
const SOURCES: usize = 16;
const STEPS: usize = 64;
/// So many moves of one content are followed.
const MOVES: usize = 64;
/// So many gaps may follow each other.
const DEPTH: usize = 200;

/// Where a line is from, as a place in the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) step: usize,
    pub(super) line: usize,
    pub(super) how: How,
}

/// What one entry did to one file.
#[derive(Clone, Copy, Debug)]
struct Step<'a> {
    stored: &'a StoredEntry,
    file: &'a ChangedFile,
}

/// A content of a file at some time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    path: RepoPath,
    content: ContentHash,
    /// Steps before this one are newer.
    since: usize,
}

/// What is known of all lines of a content.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) owners: Vec<Option<Origin>>,
    /// Every content on the way.
    through: Vec<ContentHash>,
}

#[derive(Debug)]
pub(super) struct Walk<'a, 'c> {
    steps: Vec<Step<'a>>,
    made: ByContent<'a>,
    /// Only where something else than an entry changed the file.
    found: OnceCell<ByContent<'a>>,
    of_path: HashMap<&'a RepoPath, Vec<usize>>,
    pub(super) contents: &'c dyn Contents,
    known: HashMap<Place, Rc<Known>>,
    /// The contents whose gaps are being looked over, so that one which came back is not looked for in itself.
    open: BTreeSet<ContentHash>,
    comparisons: usize,
    /// Texts that nobody kept, made again.
    rebuilt: HashMap<&'a ContentHash, Rc<[u8]>>,
}

impl<'a, 'c> Walk<'a, 'c> {
    /// Entries come newest first.
    pub(super) fn new(entries: &'a [StoredEntry], contents: &'c dyn Contents) -> Self {
        let files =
            |stored: &'a StoredEntry| stored.entry.files.iter().map(move |file| Step { stored, file });
        let steps: Vec<Step<'a>> = entries.iter().flat_map(files).collect();
        let made = ByContent::of(steps.iter().map(|step| content(&step.file.after)));
        let mut of_path: HashMap<&'a RepoPath, Vec<usize>> = HashMap::new();
        let mut at = 0;
        for same in steps.chunk_by(|one, next| one.file.path == next.file.path) {
            let places = at..at + same.len();
            at = places.end;
            same.first().into_iter().for_each(|step| {
                of_path.entry(&step.file.path).or_default().extend(places.clone());
            });
        }
        let (found, known, open, comparisons, rebuilt) = <_>::default();
        Self { steps, made, found, of_path, contents, known, open, comparisons, rebuilt }
    }

    /// Where each line of the file as it is now is from.
    pub(super) fn whole(&mut self, path: &RepoPath, text: &[u8]) -> Vec<Option<Origin>> {
        let place = Place { path: path.clone(), content: ContentHash::of(text), since: 0 };
        self.know(&place, text.split_inclusive(|byte| *byte == b'\n').count(), Some(text), None)
            .owners
            .clone()
    }

    pub(super) fn told(&self, origin: Origin) -> Option<Came<'a>> {
        let step = self.steps.get(origin.step)?;
        Some(Came { stored: step.stored, file: step.file, line: origin.line, how: origin.how })
    }

    pub(super) fn stored(&self, origin: Origin) -> Option<&'a StoredEntry> {
        self.steps.get(origin.step).map(|step| step.stored)
    }

    /// The newest content that an entry left at each other path, with its lines and where they are from.
    pub(super) fn newest_of(&mut self, path: &RepoPath, like: &[u8]) -> Option<(Vec<Vec<u8>>, Rc<Known>)> {
        let nth = *self.of_path.get(path)?.iter().find(|nth| {
            self.steps.get(**nth).is_some_and(|step| matches!(step.file.after, FileState::Content(_)))
        })?;
        let (text, _) = self.left_by(nth, &mut Like::to(like))?;
        let FileState::Content(content) = &self.steps.get(nth)?.file.after else { return None };
        let place = Place { path: path.clone(), content: content.clone(), since: nth };
        let known = self.know(&place, text.len(), None, None);
        Some((text, known))
    }

    pub(super) fn paths(&self) -> BTreeSet<&'a RepoPath> {
        self.of_path.keys().copied().collect()
    }

    fn know(&mut self, place: &Place, len: usize, text: Option<&[u8]>, revision: Option<&str>) -> Rc<Known> {
        if let Some(known) = self.known.get(place).filter(|known| known.owners.len() == len) {
            return Rc::clone(known);
        }
        let mut way = Way::new(place.clone(), len, revision.map(str::to_owned));
        self.follow(&mut way);
        for _ in 0..MOVES {
            if way.runs.is_empty() || !self.before_the_move(&mut way) {
                break;
            }
            self.follow(&mut way);
        }
        if !way.runs.is_empty() && self.open.len() < DEPTH {
            let here = way.place.content.clone();
            let is_new = self.open.insert(here.clone());
            self.over_the_gap(&mut way, text);
            if is_new {
                self.open.remove(&here);
            }
        }
        let known = Rc::new(Known { owners: way.owners, through: way.through });
        self.known.insert(place.clone(), Rc::clone(&known));
        known
    }

    /// Goes back as long as an entry left exactly this content.
    fn follow(&self, way: &mut Way) {
        while !way.runs.is_empty() {
            let Some((nth, is_sure)) = self.maker(&way.place, way.back()) else { return };
            let Some(step) = self.steps.get(nth) else { return };
            way.place.since = nth + 1;
            if step.stored.entry.context.restores.is_some() && step.file.moved_from.is_none() {
                // Who put a content back wrote none of it: it is whose it was.
                way.is_put_back = true;
                if self.maker(&way.place, way.back()).is_none() {
                    way.put_back = content(&step.file.before).cloned();
                }
                continue;
            }
            way.is_put_back = false;
            if !is_sure {
                way.doubt_all();
            }
            if way.place.path != step.file.path {
                way.place.path = step.file.path.clone();
            }
            let Some(lineage) = &step.file.lineage else {
                way.take_ranges(nth, step.file);
                way.without_lineage = content(&step.file.before).cloned();
                return;
            };
            for (first, last) in &lineage.doubtful {
                way.doubt(first.saturating_sub(1), *last);
            }
            way.undo(nth, step.file, &lineage.hunks);
            let Some(before) = self.before(step) else {
                way.runs = Runs::all(0);
                return;
            };
            way.place = Place { since: nth + 1, ..before };
            way.revision = step.stored.entry.vcs.commit().map(str::to_owned);
            way.through.push(way.place.content.clone());
        }
    }

    /// Goes over to the name that the file had before a commit moved it as it is.
    fn before_the_move(&self, way: &mut Way) -> bool {
        let Place { path, content, .. } = &way.place;
        let moved = self.contents.moved_from(path, content);
        let Some(moved) = moved.filter(|moved| moved.then.content == *content) else { return false };
        if !moved.is_certain {
            way.doubt_all();
        }
        way.place.since = way.place.since.max(self.after(&moved.path, &moved.then));
        way.place.path = moved.path;
        true
    }

    /// What the step began with, under the name that it had.
    fn before(&self, step: &Step<'a>) -> Option<Place> {
        let at = |file: &ChangedFile| {
            Some(Place { path: file.path.clone(), content: content(&file.before)?.clone(), since: 0 })
        };
        match &step.file.moved_from {
            Some(from) => at(step.stored.entry.files.iter().find(|file| file.path == *from)?),
            None => at(step.file),
        }
    }

    /// The newest step that left exactly this content there; or elsewhere, where nothing older is known of this name. And
    /// whether that is as good as proof. A content that entries came behind counts where git brought it back.
    fn maker(&self, place: &Place, back: Back<'_>) -> Option<(usize, bool)> {
        let mut older = self.made.steps(&place.content).filter(|nth| *nth >= place.since);
        let at =
            |nth: &usize, path: &RepoPath| self.steps.get(*nth).is_some_and(|step| step.file.path == *path);
        let newest = self.newest(&place.path, place.since);
        if let Some(nth) = older.clone().find(|nth| at(nth, &place.path)) {
            let newest = newest.filter(|newest| *newest < nth);
            let is_back = newest.is_none_or(|newest| self.is_brought_back(place, back, newest));
            return is_back.then_some((nth, true));
        }
        if newest.is_some() {
            return None;
        }
        let nth = older.next()?;
        let from = &self.steps.get(nth)?.file.path;
        let was_there =
            self.steps.get(nth).and_then(|step| step.stored.entry.vcs.commit()).is_some_and(|revision| {
                self.contents
                    .committed(Some(revision), &place.path)
                    .is_some_and(|then| then.content == place.content)
            });
        (!was_there).then(|| (nth, self.contents.shows_move(from, &place.path, &place.content)))
    }

    /// Whether git has brought the content back as a whole, over what that step left: the commit that the working copy
    /// stands on has it from before, or took something back.
    fn is_brought_back(&self, place: &Place, back: Back<'_>, over: usize) -> bool {
        let Back::ByGit(revision) = back else { return true };
        let Some(step) = self.steps.get(over) else { return false };
        let then =
            self.contents.committed(revision, &place.path).filter(|then| then.content == place.content);
        then.is_some_and(|then| then.takes_back || self.is_newer(step, &then))
    }

    /// The newest step at that path from that place on which left a content there.
    fn newest(&self, path: &RepoPath, since: usize) -> Option<usize> {
        let all = self.of_path.get(path)?;
        let all = all.get(all.partition_point(|nth| *nth < since)..).unwrap_or_default();
        let left = |nth: &usize| self.steps.get(*nth).is_some_and(|step| content(&step.file.after).is_some());
        all.iter().copied().find(left)
    }

    /// Something else changed the file: its lines are those of the contents before it that they are equal to.
    fn over_the_gap(&mut self, way: &mut Way, text: Option<&[u8]>) {
        let text = match text.filter(|_| way.is_at_start()) {
            Some(text) => Rc::from(text),
            None => match self.text(&way.place.path, &way.place.content) {
                Some(text) => text,
                None => return,
            },
        };
        self.date(way);
        let moved = self.contents.moved_from(&way.place.path, &way.place.content);
        if moved.is_some() {
            // What a commit both moved and changed is only like what was there.
            way.doubt_all();
        }
        let (mut sources, mut on_the_way): (Vec<Source>, HashSet<ContentHash>) = <_>::default();
        let mut like = Like::to(&text);
        for (place, is_parent) in self.sources(way, moved) {
            let is_known = on_the_way.contains(&place.content) || self.open.contains(&place.content);
            if is_known || sources.len() >= SOURCES || self.comparisons >= COMPARISONS {
                continue;
            }
            self.comparisons += 1;
            let Some((old, is_exact)) = self.lines_of(&place, &mut like) else { continue };
            let known = self.know(&place, old.len(), None, None);
            let came = compared(&old, &text, is_exact);
            let is_loose = self.contents.first_commit(&place.path, &place.content).is_none();
            on_the_way.extend(known.through.iter().cloned());
            sources.push(Source { known, came, is_parent, since: place.since, is_loose });
        }
        choose_parent(&mut sources);
        let has_parent = sources.iter().any(|source| source.is_parent);
        let made_of = sources.iter().filter(|source| source.is_parent || !has_parent);
        let further: HashSet<&ContentHash> = made_of.flat_map(|source| &source.known.through).collect();
        way.through.extend(further.into_iter().cloned());
        let is_legacy = way.without_lineage.is_some();
        let runs: Vec<Run> = way.runs.iter().copied().collect();
        for run in runs {
            for offset in 0..run.len {
                let told = from_sources(&sources, run.at + offset);
                let line = run.line + offset;
                let is_doubtful = is_legacy || way.is_doubtful(line);
                if let (Some(origin), Some(slot)) = (told, way.owners.get_mut(line)) {
                    *slot = Some(if is_doubtful {
                        Origin { how: origin.how.at_most_likely(), ..origin }
                    } else {
                        origin
                    });
                }
            }
        }
    }

    /// Passes over what was written after the content was there: a commit has it from before, or a call found it and git
    /// has brought it back.
    fn date(&self, way: &mut Way) {
        if let Some(first) = self.contents.first_commit(&way.place.path, &way.place.content) {
            way.place.since = way.place.since.max(self.after(&way.place.path, &first));
        }
        let found = self
            .found
            .get_or_init(|| ByContent::of(self.steps.iter().map(|step| content(&step.file.before))));
        let found = found.steps(&way.place.content);
        let at = |nth: &usize| self.steps.get(*nth).is_some_and(|step| step.file.path == way.place.path);
        let mut found = found.filter(|nth| *nth >= way.place.since).filter(at);
        let newest = self.newest(&way.place.path, way.place.since);
        if let (Some(nth), Some(newest)) = (found.next(), newest)
            && self.is_brought_back(&way.place, way.back(), newest)
        {
            way.place.since = nth + 1;
            way.revision =
                self.steps.get(nth).and_then(|step| step.stored.entry.vcs.commit()).map(str::to_owned);
        }
    }

    /// The contents that this one may have been made of, what is nearest first.
    fn sources(&self, way: &Way, moved: Option<Moved>) -> Vec<(Place, bool)> {
        let place = &way.place;
        let at = |content: &ContentHash, since: usize| Place {
            path: place.path.clone(),
            content: content.clone(),
            since,
        };
        if let Some(before) = way.without_lineage.as_ref().or(way.put_back.as_ref()) {
            return vec![(at(before, place.since), true)];
        }
        let mut found: Vec<(Place, bool)> = Vec::new();
        found.extend(moved.map(|Moved { path, then, .. }| {
            let since = place.since.max(self.after(&path, &then));
            (Place { path, content: then.content, since }, true)
        }));
        let is_committed = self.contents.first_commit(&place.path, &place.content).is_some();
        let committed = match is_committed {
            false => self.contents.committed(way.revision.as_deref(), &place.path).into_iter().collect(),
            true => self.contents.parents(&place.path, &place.content),
        };
        for then in committed.into_iter().filter(|then| then.content != place.content) {
            let since = place.since.max(self.after(&place.path, &then));
            found.push((at(&then.content, since), is_committed));
        }
        // What entries left on branches that were put together in another way, or that nobody committed.
        let steps = self.of_path.get(&place.path).into_iter().flatten().copied();
        for nth in steps.filter(|nth| *nth >= place.since).take(STEPS) {
            let left = self.steps.get(nth).and_then(|step| content(&step.file.after));
            found.extend(left.map(|content| (at(content, nth), false)));
        }
        found
    }

    /// How many steps are newer than that commit of a path.
    fn after(&self, path: &RepoPath, then: &Committed) -> usize {
        // A commit names its second alone.
        let second = then.at.unix_ms();
        let newer_than =
            |ms: i64| self.steps.partition_point(|step| step.stored.entry.timestamp.unix_ms() > ms);
        let within = newer_than(second.saturating_add(999))..newer_than(second.saturating_sub(1));
        // What the commit has was left within that second, or is what stood there when it began.
        let left = |nth: &usize| self.steps.get(*nth).and_then(|step| content(&step.file.after));
        let here = self.of_path.get(path).into_iter().flatten().copied().filter(|nth| left(nth).is_some());
        let before = here.clone().find(|nth| *nth >= within.end);
        let made = here.filter(|nth| within.contains(nth)).chain(before);
        let mut made = made.filter(|nth| left(nth) == Some(&then.content));
        if let (Some(maker), None) = (made.next(), made.next()) {
            return maker;
        }
        let is_newer = |nth: &usize| self.steps.get(*nth).is_some_and(|step| self.is_newer(step, then));
        within.clone().rev().find(is_newer).map_or(within.start, |newer| newer + 1)
    }

    /// Whether a step was made after that commit: it stood on it, or on one that follows it.
    fn is_newer(&self, step: &Step<'a>, then: &Committed) -> bool {
        match step.stored.entry.vcs.commit() {
            Some(revision) => self.contents.follows(revision, &then.id),
            None => false,
        }
    }

    /// The lines of a content without their ends, and whether they are exactly those.
    fn lines_of(&mut self, place: &Place, like: &mut Like<'_>) -> Option<(Vec<Vec<u8>>, bool)> {
        if let Some(text) = self.text(&place.path, &place.content) {
            return Some((lines(&text).into_iter().map(<[u8]>::to_vec).collect(), true));
        }
        let (nth, _) = self.maker(place, Back::ByGit(None))?;
        self.left_by(nth, like)
    }
}

/// A content that another one may have been made of.
#[derive(Debug)]
struct Source {
    known: Rc<Known>,
    came: Vec<Option<compare::Came>>,
    /// Whether the other one was made of it: version control says so, or it is nearer to it than any else.
    is_parent: bool,
    /// Steps before this one are newer than it.
    since: usize,
    /// Whether no commit has it.
    is_loose: bool,
}

impl Source {
    /// How many lines came or went.
    fn distance(&self) -> usize {
        let same = self.came.iter().flatten().filter(|came| came.is_kept).count();
        self.came.len().saturating_sub(same) + self.known.owners.len().saturating_sub(same)
    }
}

/// Where version control does not say what a content was made of, it is what it differs from least, if that is one.
fn choose_parent(sources: &mut [Source]) {
    if sources.iter().any(|source| source.is_parent) {
        return;
    }
    let Some(least) = sources.iter().map(Source::distance).min() else { return };
    let mut nearest = sources.iter_mut().filter(|source| source.distance() == least);
    if let (Some(source), None) = (nearest.next(), nearest.next()) {
        source.is_parent = true;
    }
}

/// Whether a newer content that nobody committed does not have the line any more: it went away, and may have been typed again.
/// What a commit has may be of another branch.
fn went_away(sources: &[Source], from: &Source, line: usize) -> bool {
    let is_newer = |source: &&Source| source.is_loose && source.since < from.since;
    let lacks = |source: &Source| source.came.get(line).is_none_or(Option::is_none);
    sources.iter().filter(is_newer).any(lacks)
}

/// Where a line is from, as those contents say that have it: what the other one was made of, else any. It is proof where
/// they agree, and where the line is in all of them or in one that it certainly came from and did not leave since.
fn from_sources(sources: &[Source], line: usize) -> Option<Origin> {
    let having =
        sources.iter().filter_map(|source| Some((source, source.came.get(line).copied().flatten()?)));
    let mut all: Vec<_> = having.collect();
    let is_certain = all.iter().any(|(source, _)| source.is_parent);
    if is_certain {
        all.retain(|(source, _)| source.is_parent);
    }
    let owner = |source: &Source, came: compare::Came| source.known.owners.get(came.from).copied().flatten();
    let told = all.iter().find_map(|(source, came)| owner(source, *came))?;
    let agree = all.iter().all(|(source, came)| {
        came.is_sure
            && owner(source, *came).is_some_and(|owner| owner.step == told.step && owner.how == How::Proved)
    });
    let is_lasting = || !all.iter().any(|(source, _)| went_away(sources, source, line));
    let is_proof = agree && (all.len() == sources.len() || (is_certain && is_lasting()));
    Some(if is_proof { told } else { Origin { how: told.how.at_most_likely(), ..told } })
}

fn compared(old: &[Vec<u8>], text: &[u8], is_exact: bool) -> Vec<Option<compare::Came>> {
    let new = lines(text);
    let old: Vec<&[u8]> = old.iter().map(Vec::as_slice).collect();
    if is_exact {
        return compare(&old, &new);
    }
    let new: Vec<&[u8]> = new.iter().map(|line| line.trim_ascii()).collect();
    let mut came = compare(&old, &new);
    came.iter_mut().flatten().for_each(|came| came.is_sure = false);
    came
}

impl How {
    fn at_most_likely(self) -> Self {
        if self == Self::Proved { Self::Likely } else { self }
    }
}

fn content(state: &FileState) -> Option<&ContentHash> {
    match state {
        FileState::Content(hash) => Some(hash),
        FileState::Absent | FileState::Other => None,
    }
}

/// The lines of one content on their way back.
#[derive(Debug)]
struct Way {
    place: Place,
    start: Place,
    runs: Runs,
    owners: Vec<Option<Origin>>,
    is_doubtful: Vec<bool>,
    through: Vec<ContentHash>,
    /// The commit that the working copy stood on when the content was there.
    revision: Option<String>,
    /// What an entry began with that does not say how its lines follow from it.
    without_lineage: Option<ContentHash>,
    /// What was there before a person put the content back, where nothing else is known of it.
    put_back: Option<ContentHash>,
    /// Whether a person put this content back, as the ledger says.
    is_put_back: bool,
}

/// What may have brought a content back over what was written since.
#[derive(Clone, Copy, Debug)]
enum Back<'w> {
    /// An entry says so.
    ByPerson,
    /// Git, where the working copy stood on that commit.
    ByGit(Option<&'w str>),
}

impl Way {
    fn new(place: Place, len: usize, revision: Option<String>) -> Self {
        Self {
            start: place.clone(),
            through: vec![place.content.clone()],
            place,
            runs: Runs::all(len),
            owners: vec![None; len],
            is_doubtful: vec![false; len],
            revision,
            without_lineage: None,
            put_back: None,
            is_put_back: false,
        }
    }

    fn back(&self) -> Back<'_> {
        if self.is_put_back { Back::ByPerson } else { Back::ByGit(self.revision.as_deref()) }
    }

    fn is_at_start(&self) -> bool {
        self.place.content == self.start.content
    }

    fn is_doubtful(&self, line: usize) -> bool {
        self.is_doubtful.get(line).copied().unwrap_or(true)
    }

    fn doubt_all(&mut self) {
        self.is_doubtful.iter_mut().for_each(|doubtful| *doubtful = true);
    }

    /// Lines of the content, counted from 0, of which another way would be as good.
    fn doubt(&mut self, start: usize, end: usize) {
        let Self { runs, is_doubtful, .. } = self;
        for run in runs.within(start, end) {
            let lines = is_doubtful.get_mut(run.line..run.line + run.len);
            lines.into_iter().flatten().for_each(|doubtful| *doubtful = true);
        }
    }

    /// Gives the lines that a step brought to it, as far as they are its own.
    fn undo(&mut self, step: usize, file: &ChangedFile, hunks: &[bailiwick_domain::Hunk]) {
        let Self { runs, owners, is_doubtful, .. } = self;
        runs.undo(hunks, |run| give(run, step, file, owners, is_doubtful));
    }

    /// The same of a step that only says which lines are its own. They are likely.
    fn take_ranges(&mut self, step: usize, file: &ChangedFile) {
        self.doubt_all();
        let Self { runs, owners, is_doubtful, .. } = self;
        for run in runs.iter() {
            give(*run, step, file, owners, is_doubtful);
        }
        let rest: Vec<Run> = runs.iter().copied().collect();
        let open = |run: &Run| {
            (0..run.len)
                .filter(|on| owners.get(run.line + on).is_some_and(Option::is_none))
                .map(|on| Run { at: run.at + on, line: run.line + on, len: 1 })
                .collect::<Vec<_>>()
        };
        *runs = Runs::of(rest.iter().flat_map(open).collect());
    }
}

fn give(run: Run, step: usize, file: &ChangedFile, owners: &mut [Option<Origin>], is_doubtful: &[bool]) {
    for range in &file.ranges {
        let own = range.start_line.saturating_sub(1).max(run.at)..range.end_line.min(run.at + run.len);
        for at in own {
            let line = run.line + (at - run.at);
            let how = if is_doubtful.get(line).copied().unwrap_or(true) { How::Likely } else { How::Proved };
            if let Some(slot) = owners.get_mut(line) {
                *slot = Some(Origin { step, line: at, how });
            }
        }
    }
}
