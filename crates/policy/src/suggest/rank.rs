//! The ranking: each file's own evidence first, then what hangs on the strongest files.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use bailiwick_domain::RepoPath;

use super::{FileFacts, Goal, PastCommit, Why, words};

/// How much each kind of evidence weighs against the others.
const PATH: f64 = 1.0;
const TEXT: f64 = 0.6;
const EARLIER: f64 = 0.7;
const OFTEN: f64 = 0.1;
/// What a companion takes over from the file that it hangs on.
const TOGETHER: f64 = 0.7;
const TEST: f64 = 0.5;
const DERIVED: f64 = 0.4;
const IMPORTED: f64 = 0.3;
/// A folder's name says less than the file's own.
const FOLDER_NAME: f64 = 0.4;
/// Many more times the same word in a text add little.
const SATURATION: f64 = 4.0;
/// So many of the strongest files may bring companions.
const SEEDS: usize = 8;
/// Fewer commits than this that changed both are chance, and so is a smaller share.
const LEAST_BOTH: usize = 2;
const LEAST_SHARE: f64 = 0.25;
/// A commit with more files than this ties nothing together.
const LARGE_COMMIT: usize = 30;
/// A file with less than this share of the best one is not suggested.
const LEAST_OF_BEST: f64 = 0.2;
/// An import's name that so many files have tells nothing.
const COMMON_NAME: usize = 3;

/// A file with its weight, and why.
#[derive(Clone, Debug)]
pub struct Ranked<'f> {
    /// The file.
    pub path: &'f RepoPath,
    /// Against the others of one ranking; never a share.
    pub weight: f64,
    /// The strongest reason first.
    pub why: Vec<Why>,
}

/// The files that the goal is most likely to change, the likeliest first: at most `most`, and none without a reason.
/// Past commits are given newest first.
pub fn rank<'f>(goal: &Goal, files: &'f [FileFacts], past: &[PastCommit], most: usize) -> Vec<Ranked<'f>> {
    let mut board = Board::new(files);
    board.by_words(goal);
    board.by_messages(goal, past);
    let best = board.best();
    if best <= 0.0 {
        return Vec::new();
    }
    board.by_frequency(past, best);
    let seeds = board.strongest(SEEDS);
    board.by_commits(&seeds, past);
    board.by_names(&seeds);
    let best = board.best();
    let order = board.strongest(most);
    order.into_iter().filter_map(|at| board.ranked(at, best * LEAST_OF_BEST)).collect()
}

/// A weight and its reasons for each file.
struct Board<'f> {
    files: &'f [FileFacts],
    spots: Vec<Spot>,
}

#[derive(Clone, Default)]
struct Spot {
    weight: f64,
    why: Vec<(f64, Why)>,
}

impl<'f> Board<'f> {
    fn new(files: &'f [FileFacts]) -> Self {
        Self { files, spots: vec![Spot::default(); files.len()] }
    }

    fn best(&self) -> f64 {
        self.spots.iter().map(|spot| spot.weight).fold(0.0, f64::max)
    }

    fn add(&mut self, at: usize, weight: f64, why: Why) {
        if let Some(spot) = self.spots.get_mut(at) {
            spot.weight += weight;
            spot.why.push((weight, why));
        }
    }

    /// The files with the most weight, in one order whatever the order of what was added.
    fn strongest(&self, most: usize) -> Vec<usize> {
        let mut order: Vec<(f64, usize)> =
            self.spots.iter().enumerate().map(|(at, spot)| (spot.weight, at)).collect();
        order.retain(|(weight, at)| {
            *weight > 0.0 && self.spots.get(*at).is_some_and(|spot| !spot.why.is_empty())
        });
        let path = |at: usize| self.files.get(at).map(|file| &file.path);
        order.sort_by(|(a, left), (b, right)| b.total_cmp(a).then_with(|| path(*left).cmp(&path(*right))));
        order.into_iter().take(most).map(|(_, at)| at).collect()
    }

    fn ranked(&self, at: usize, least: f64) -> Option<Ranked<'f>> {
        let (file, spot) = (self.files.get(at)?, self.spots.get(at)?);
        let mut why = spot.why.clone();
        why.sort_by(|(a, _), (b, _)| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        let why = why.into_iter().map(|(_, why)| why).collect();
        (spot.weight >= least).then_some(Ranked { path: &file.path, weight: spot.weight, why })
    }

    /// The words of the goal in paths and texts: the fewer files have one, the more it says.
    fn by_words(&mut self, goal: &Goal) {
        let paths: Vec<Vec<f64>> = self.files.iter().map(|file| in_path(goal, file.path.as_str())).collect();
        let texts: Vec<Vec<f64>> = self.files.iter().map(|file| in_text(&file.found)).collect();
        for (of, share) in [(paths, PATH), (texts, TEXT)] {
            let rarity = rarity(goal.words().len(), &of);
            let weigh =
                |counts: &Vec<f64>| counts.iter().zip(&rarity).map(|(count, rare)| count * rare).sum();
            let weights: Vec<f64> = of.iter().map(weigh).collect();
            let best = weights.iter().copied().fold(0.0, f64::max);
            for (at, (weight, counts)) in weights.iter().zip(&of).enumerate().filter(|(_, (w, _))| **w > 0.0)
            {
                let found = counts.iter().zip(goal.words()).filter(|(count, _)| **count > 0.0);
                let found: Vec<String> = found.map(|(_, word)| word.clone()).collect();
                let is_path = share.total_cmp(&PATH).is_eq();
                let why = if is_path { Why::InPath(found) } else { Why::InText(found) };
                self.add(at, share * weight / best, why);
            }
        }
        for at in 0..self.files.len() {
            if self.files.get(at).is_some_and(|file| goal.names(file.path.as_str())) {
                self.add(at, 2.0 * PATH, Why::Named);
            }
        }
    }

    /// Earlier commits whose messages have words of the goal, the rarer in messages the more.
    fn by_messages(&mut self, goal: &Goal, past: &[PastCommit]) {
        let has = |commit: &PastCommit| {
            let words: BTreeSet<String> = words::all(&commit.subject).collect();
            let has = |word: &String| if words.contains(word) { 1.0 } else { 0.0 };
            (goal.words().iter().map(has).collect::<Vec<f64>>(), words.len())
        };
        let said: Vec<(Vec<f64>, usize)> = past.iter().map(has).collect();
        let counts: Vec<Vec<f64>> = said.iter().map(|(counts, _)| counts.clone()).collect();
        let rarity = rarity(goal.words().len(), &counts);
        let mut weights: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
        for (age, (commit, (counts, length))) in past.iter().zip(&said).enumerate() {
            let shared: f64 = counts.iter().zip(&rarity).map(|(count, rare)| count * rare).sum();
            if shared <= 0.0 || commit.files.is_empty() || commit.files.len() > LARGE_COMMIT {
                continue;
            }
            let weight = shared * shared
                / float(*length).sqrt()
                / float(commit.files.len()).sqrt()
                / (1.0 + float(age) / 1000.0);
            for file in &commit.files {
                let (sum, times) = weights.entry(*file).or_default();
                *sum += weight;
                *times += 1;
            }
        }
        let best = weights.values().map(|(weight, _)| *weight).fold(0.0, f64::max);
        for (file, (weight, times)) in weights {
            self.add(file, EARLIER * (weight / best).sqrt(), Why::Earlier(times));
        }
    }

    /// What changes often is a little likelier to change again; alone that is no reason.
    fn by_frequency(&mut self, past: &[PastCommit], best: f64) {
        let mut often: BTreeMap<usize, f64> = BTreeMap::new();
        for (age, commit) in past.iter().enumerate().filter(|(_, commit)| commit.files.len() <= LARGE_COMMIT)
        {
            for file in &commit.files {
                *often.entry(*file).or_default() += 1.0 / (1.0 + float(age) / 200.0);
            }
        }
        let most = often.values().copied().fold(0.0, f64::max);
        for (at, count) in often {
            if let Some(spot) = self.spots.get_mut(at).filter(|spot| !spot.why.is_empty()) {
                spot.weight += OFTEN * best * (count / most).sqrt();
            }
        }
    }

    /// What was changed together with the strongest files.
    fn by_commits(&mut self, seeds: &[usize], past: &[PastCommit]) {
        let mut found: BTreeMap<usize, (f64, Why)> = BTreeMap::new();
        for seed in seeds {
            let of_seed = past.iter().filter(|commit| commit.files.contains(seed));
            let of_seed: Vec<&PastCommit> =
                of_seed.filter(|commit| commit.files.len() <= LARGE_COMMIT).collect();
            let mut both: BTreeMap<usize, usize> = BTreeMap::new();
            for file in of_seed.iter().flat_map(|commit| &commit.files).filter(|file| *file != seed) {
                *both.entry(*file).or_default() += 1;
            }
            for (file, both) in both.into_iter().filter(|(_, both)| *both >= LEAST_BOTH) {
                let share = float(both) / (float(of_seed.len()) + 1.0);
                let Some(with) = self.files.get(*seed).map(|seed| seed.path.clone()) else { continue };
                if share >= LEAST_SHARE {
                    let weight = TOGETHER * share * self.weight(*seed);
                    keep(&mut found, file, weight, Why::Together { both, of: of_seed.len(), with });
                }
            }
        }
        self.add_all(found);
    }

    /// Tests, derived files and what is imported, by the names of the strongest files.
    fn by_names(&mut self, seeds: &[usize]) {
        let mut by_stem: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, file) in self.files.iter().enumerate() {
            by_stem.entry(stem(file.path.as_str())).or_default().push(at);
        }
        let mut found: BTreeMap<usize, (f64, Why)> = BTreeMap::new();
        for seed in seeds {
            let (Some(file), weight) = (self.files.get(*seed), self.weight(*seed)) else { continue };
            let here = |name: &str| by_stem.get(name).map(Vec::as_slice).unwrap_or_default();
            let own = stem(file.path.as_str());
            let namesakes = here(&own);
            let is_test = is_test(file.path.as_str());
            for at in namesakes.iter().filter(|at| *at != seed && namesakes.len() <= 2 * COMMON_NAME) {
                let other = self.files.get(*at).map_or("", |other| other.path.as_str());
                if self::is_test(other) != is_test {
                    keep(&mut found, *at, TEST * weight, Why::TestOf(file.path.clone()));
                }
            }
            for name in &file.imports {
                let named = here(&name.to_lowercase());
                for at in named.iter().filter(|at| *at != seed && named.len() <= COMMON_NAME) {
                    keep(&mut found, *at, IMPORTED * weight, Why::ImportedBy(file.path.clone()));
                }
            }
            for at in self.derived(file.path.as_str()) {
                keep(&mut found, at, DERIVED * weight, Why::DerivedFrom(file.path.clone()));
            }
        }
        self.add_all(found);
    }

    /// The lock files beside a manifest.
    fn derived(&self, path: &str) -> Vec<usize> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let locks: &[&str] = match name {
            "Cargo.toml" => &["Cargo.lock"],
            "package.json" => &["package-lock.json", "yarn.lock", "pnpm-lock.yaml"],
            "go.mod" => &["go.sum"],
            "pyproject.toml" => &["poetry.lock", "uv.lock"],
            "Gemfile" => &["Gemfile.lock"],
            "composer.json" => &["composer.lock"],
            _ => &[],
        };
        let is_lock = |other: &str| {
            let (at, name) = other.rsplit_once('/').unwrap_or(("", other));
            locks.contains(&name) && (at.is_empty() || at == folder)
        };
        if locks.is_empty() {
            return Vec::new();
        }
        let files = self.files.iter().enumerate();
        files.filter(|(_, file)| is_lock(file.path.as_str())).map(|(at, _)| at).collect()
    }

    fn weight(&self, at: usize) -> f64 {
        self.spots.get(at).map_or(0.0, |spot| spot.weight)
    }

    fn add_all(&mut self, found: BTreeMap<usize, (f64, Why)>) {
        for (at, (weight, why)) in found {
            self.add(at, weight, why);
        }
    }
}

/// The strongest of several reasons of one kind.
fn keep(found: &mut BTreeMap<usize, (f64, Why)>, at: usize, weight: f64, why: Why) {
    if found.get(&at).is_none_or(|(known, _)| *known < weight) {
        found.insert(at, (weight, why));
    }
}

/// How much each word says: the fewer have it, the more.
fn rarity(words: usize, counts: &[Vec<f64>]) -> Vec<f64> {
    let all = float(counts.len());
    let has =
        |word: usize| counts.iter().filter(move |counts| counts.get(word).is_some_and(|count| *count > 0.0));
    let rare = |word: usize| {
        let have = float(has(word).count());
        (1.0 + (all - have + 0.5) / (have + 0.5)).ln()
    };
    (0..words).map(rare).collect()
}

/// For each word of the goal, how much of it is in a path.
fn in_path(goal: &Goal, path: &str) -> Vec<f64> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let pairs = goal.count(name).into_iter().zip(goal.count(folders));
    pairs
        .map(|(name, folder)| {
            if name > 0 {
                1.0
            } else if folder > 0 {
                FOLDER_NAME
            } else {
                0.0
            }
        })
        .collect()
}

/// For each word of the goal, how much of it is in a text.
fn in_text(found: &[u32]) -> Vec<f64> {
    found
        .iter()
        .map(|count| f64::from(*count) * (SATURATION + 1.0) / (f64::from(*count) + SATURATION))
        .collect()
}

/// What a file is called without what makes it a test, and without its endings.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let name = name.split('.').find(|part| !part.is_empty()).unwrap_or_default();
    let ends = ["_test", "_tests", "_spec", "-test", "-spec"];
    let name = name.strip_prefix("test_").unwrap_or(name);
    ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
}

/// Whether a file is a test, by its path.
fn is_test(path: &str) -> bool {
    let path = path.to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let is_folder = |name: &str| matches!(name, "test" | "tests" | "spec" | "specs" | "__tests__");
    let marks = ["_test.", "_tests.", "_spec.", ".test.", ".spec.", "-test.", "-spec."];
    folders.split('/').any(is_folder)
        || name.starts_with("test_")
        || marks.iter().any(|mark| name.contains(mark))
}

pub(super) fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
