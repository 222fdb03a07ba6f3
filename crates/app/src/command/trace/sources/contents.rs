//! Contents of files from before, for the questions about code: pre-images, and what git keeps.
//!
//! Each is looked for once for each question. A person asks; never on the way of a call.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use bailiwick_adapters_fs::FsPendingStore;
use bailiwick_domain::{ContentHash, PendingStore, RepoPath, Timestamp};
use pollster::block_on;

use crate::command::git::{Blob, Git};
use crate::evidence::{Committed, Contents, Moved};
use crate::site::Site;

/// What is kept of the files of one working copy.
#[derive(Debug)]
pub(crate) struct Kept {
    root: PathBuf,
    images: FsPendingStore,
    git: Option<Git>,
    histories: RefCell<BTreeMap<RepoPath, Rc<History>>>,
    commits: RefCell<BTreeMap<String, Option<Committed>>>,
    texts: RefCell<BTreeMap<ContentHash, Rc<[u8]>>>,
    /// Where the commit that brought a path moved it from, with the content that it had there then.
    moves: RefCell<BTreeMap<RepoPath, Option<(ContentHash, Moved)>>>,
    /// Whether the one revision follows the other.
    order: RefCell<BTreeMap<(String, String), bool>>,
}

/// What git knows of one path, the newest commit first.
#[derive(Debug, Default)]
struct History(Vec<Commit>);

#[derive(Debug)]
struct Commit {
    id: String,
    parents: Vec<String>,
    at: Timestamp,
    content: Option<ContentHash>,
}

impl Commit {
    fn committed(&self) -> Option<Committed> {
        Some(Committed {
            id: self.id.clone(),
            content: self.content.clone()?,
            at: self.at,
            takes_back: false,
        })
    }
}

impl Kept {
    pub(crate) fn of(site: &Site) -> Self {
        Self {
            root: site.layout.root().to_owned(),
            images: FsPendingStore::new(site.layout.clone()),
            git: site.git.as_ref().map(|_| Git::new(site.layout.root())),
            histories: RefCell::default(),
            commits: RefCell::default(),
            texts: RefCell::default(),
            moves: RefCell::default(),
            order: RefCell::default(),
        }
    }

    fn history(&self, path: &RepoPath) -> Rc<History> {
        if let Some(known) = self.histories.borrow().get(path) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.git.as_ref().and_then(|git| self.read(git, path)).unwrap_or_default());
        self.histories.borrow_mut().insert(path.clone(), Rc::clone(&found));
        found
    }

    fn read(&self, git: &Git, path: &RepoPath) -> Option<History> {
        let commits = git.commits_of(path.as_str()).ok()?;
        let names: Vec<String> = commits.iter().map(|commit| format!("{}:{path}", commit.id)).collect();
        let blobs = git.blobs(&names).ok()?;
        let known = commits.into_iter().zip(blobs).map(|(commit, blob)| Commit {
            content: blob.and_then(|blob| self.keep(blob)),
            id: commit.id,
            parents: commit.parents,
            at: Timestamp::from_unix_ms(commit.at_s.saturating_mul(1000)),
        });
        Some(History(known.collect()))
    }

    /// The move by which a path first came. A commit that was amended or rebased brought it again, in the same way.
    fn find_move(&self, path: &RepoPath) -> Option<(ContentHash, Moved)> {
        /// So many commits that bring one path are looked at.
        const MOST: usize = 16;
        let history = self.history(path);
        let mut found: Option<(ContentHash, Moved)> = None;
        for commit in history.0.iter().filter(|commit| commit.parents.is_empty()).take(MOST) {
            let (content, moved) = self.moved_by(commit, path)?;
            let Some((known, first)) = &mut found else {
                found = Some((content, moved));
                continue;
            };
            if *known != content || first.path != moved.path || first.then.content != moved.then.content {
                return None;
            }
            first.is_certain &= moved.is_certain;
        }
        found
    }

    fn moved_by(&self, commit: &Commit, path: &RepoPath) -> Option<(ContentHash, Moved)> {
        let moved = self.git.as_ref()?.moved_by(&commit.id, path.as_str())?;
        let from = RepoPath::new(&moved.from).ok()?;
        let then = self.at(&format!("{}^", commit.id), &from)?;
        Some((commit.content.clone()?, Moved { path: from, then, is_certain: moved.is_certain }))
    }

    fn keep(&self, blob: Blob) -> Option<ContentHash> {
        let hash = ContentHash::of(&blob);
        self.texts.borrow_mut().entry(hash.clone()).or_insert_with(|| Rc::from(blob));
        Some(hash)
    }

    fn at(&self, revision: &str, path: &RepoPath) -> Option<Committed> {
        let name = format!("{revision}:{path}");
        if let Some(known) = self.commits.borrow().get(&name) {
            return known.clone();
        }
        let found = self.look(revision, path, &name);
        self.commits.borrow_mut().insert(name, found.clone());
        found
    }

    fn look(&self, revision: &str, path: &RepoPath, name: &str) -> Option<Committed> {
        let git = self.git.as_ref()?;
        let blob = git.blobs(&[name.to_owned()]).ok()?.pop()??;
        let content = self.keep(blob)?;
        let (id, at_s, takes_back) = git.last_commit(revision, path.as_str())?;
        Some(Committed { id, content, at: Timestamp::from_unix_ms(at_s.saturating_mul(1000)), takes_back })
    }
}

impl Kept {
    /// Whether commits moved this content from the one path to the other, one after another, and nothing else.
    fn is_certain_move(&self, from: &RepoPath, to: &RepoPath, content: &ContentHash) -> bool {
        /// So many moves are followed.
        const MOVES: usize = 64;
        let before = |path: &RepoPath| {
            let moved = self.moved_from(path, content)?;
            (moved.is_certain && moved.then.content == *content).then_some(moved.path)
        };
        std::iter::successors(before(to), before).take(MOVES).any(|path| path == *from)
    }
}

impl Contents for Kept {
    fn text(&self, path: &RepoPath, hash: &ContentHash) -> Option<Rc<[u8]>> {
        if let Some(known) = self.texts.borrow().get(hash) {
            return Some(Rc::clone(known));
        }
        if let Some(image) = block_on(self.images.kept(hash)).ok().flatten() {
            let image: Rc<[u8]> = Rc::from(image);
            self.texts.borrow_mut().insert(hash.clone(), Rc::clone(&image));
            return Some(image);
        }
        self.history(path);
        self.texts.borrow().get(hash).map(Rc::clone)
    }

    fn parents(&self, path: &RepoPath, hash: &ContentHash) -> Vec<Committed> {
        let history = self.history(path);
        // What brought it back later is newer than what it was made of.
        let having = history.0.iter().filter(|commit| commit.content.as_ref() == Some(hash));
        let first = having.rev().min_by_key(|commit| commit.at);
        let mut found: Vec<Committed> = Vec::new();
        for name in first.into_iter().flat_map(|commit| &commit.parents) {
            let parent = history.0.iter().find(|commit| commit.id == *name);
            let known = parent.and_then(Commit::committed);
            found.extend(known.filter(|known| known.content != *hash && !found.contains(known)));
        }
        found
    }

    fn first_commit(&self, path: &RepoPath, hash: &ContentHash) -> Option<Committed> {
        let history = self.history(path);
        let having = history.0.iter().filter(|commit| commit.content.as_ref() == Some(hash));
        having.rev().min_by_key(|commit| commit.at).and_then(Commit::committed)
    }

    fn follows(&self, revision: &str, commit: &str) -> bool {
        let asked = (revision.to_owned(), commit.to_owned());
        if let Some(known) = self.order.borrow().get(&asked) {
            return *known;
        }
        let found = self.git.as_ref().is_some_and(|git| git.is_ancestor(commit, revision));
        self.order.borrow_mut().insert(asked, found);
        found
    }

    fn committed(&self, revision: Option<&str>, path: &RepoPath) -> Option<Committed> {
        self.at(revision.unwrap_or("HEAD"), path)
    }

    fn shows_move(&self, from: &RepoPath, to: &RepoPath, content: &ContentHash) -> bool {
        if !self.history(to).0.is_empty() {
            return self.is_certain_move(from, to, content);
        }
        let was_there = self.at("HEAD", from).is_some_and(|then| then.content == *content);
        // A file that stayed where it was is no move: the other one may be anybody's.
        let is_gone = || !self.root.join(from.as_str()).exists();
        was_there && is_gone() && self.git.as_ref().is_some_and(|git| git.is_only_one_gone(from.as_str()))
    }

    fn knows(&self, revision: &str) -> bool {
        self.git.as_ref().is_some_and(|git| git.has_commit(revision))
    }

    fn moved_from(&self, path: &RepoPath, content: &ContentHash) -> Option<Moved> {
        let known = self.moves.borrow().get(path).cloned();
        let found = known.unwrap_or_else(|| {
            let found = self.find_move(path);
            self.moves.borrow_mut().insert(path.clone(), found.clone());
            found
        });
        found.filter(|(first, _)| first == content).map(|(_, moved)| moved)
    }
}
