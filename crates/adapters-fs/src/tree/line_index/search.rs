//! Looks for line hashes in all files: those that were read now, and those whose hashes lie in the cache.
//!
//! Deliberately absent: which files there are (`scan`), and how the cache is laid out (`kept`).

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use bailiwick_domain::{COMMON_LINE, LineHash};

use super::indexed::{Hashes, Indexed};
use super::kept::Kept;

/// How many hashes are read at once: so many that they stay in the processor's own memory.
const PIECE: usize = 32 * 1024;
/// A thread of its own pays for itself from so many hashes on.
const HASHES_FOR_A_THREAD: usize = 256 * 1024;

/// A line: the file and the line in it.
pub(super) type Spot = (usize, usize);

/// Each wanted hash with where its lines stand, but for hashes that stand too often to be of use.
///
/// # Errors
/// The cache cannot be read.
pub(super) fn find(
    files: &[Indexed],
    kept: &Kept,
    wanted: &[LineHash],
) -> io::Result<HashMap<u32, Vec<Spot>>> {
    let mut now = vec![None; kept.files().len()];
    let mut search = Search::of(wanted);
    for (file, indexed) in files.iter().enumerate() {
        match &indexed.hashes {
            Hashes::Fresh(hashes) => search.look(hashes, |line| Some((file, line))),
            Hashes::Kept(nth) => now.get_mut(*nth).into_iter().for_each(|now| *now = Some(file)),
        }
    }
    for found in in_row(kept, &now, wanted)? {
        search.take(found);
    }
    Ok(search.rare())
}

/// Looks through the row of the cache, with several threads. `now` has for each of its files which one it is today.
fn in_row(kept: &Kept, now: &[Option<usize>], wanted: &[LineHash]) -> io::Result<Vec<Search>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = kept.hashes().div_ceil(threads).max(HASHES_FOR_A_THREAD);
    let shares = (0..kept.hashes()).step_by(share).map(|start| start..kept.hashes().min(start + share));
    let look = |share: Range<usize>| in_share(kept, now, wanted, share);
    std::thread::scope(|scope| {
        let mut shares: Vec<Range<usize>> = shares.collect();
        let own = shares.pop();
        let spawned = shares.into_iter().map(|share| {
            let spawned = std::thread::Builder::new().spawn_scoped(scope, {
                let share = share.clone();
                move || look(share)
            });
            spawned.map_err(|_| share)
        });
        let spawned: Vec<_> = spawned.collect();
        let own = own.map(look);
        let others = spawned.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(share) => look(share),
        });
        own.into_iter().chain(others).collect()
    })
}

fn in_share(
    kept: &Kept,
    now: &[Option<usize>],
    wanted: &[LineHash],
    share: Range<usize>,
) -> io::Result<Search> {
    let mut search = Search::of(wanted);
    let mut piece = vec![0; PIECE * size_of::<u32>()];
    for first in share.clone().step_by(PIECE) {
        let length = PIECE.min(share.end - first) * size_of::<u32>();
        let piece = piece.get_mut(..length).unwrap_or_default();
        kept.read_row(first, piece)?;
        search.look(piece.as_chunks().0, |at| {
            let at = first + at;
            let nth = kept.files().partition_point(|file| file.lines.end <= at);
            Some(((*now.get(nth)?)?, at - kept.files().get(nth)?.lines.start))
        });
    }
    Ok(search)
}

/// What was found so far.
#[derive(Debug)]
struct Search {
    found: HashMap<u32, Vec<Spot>>,
    /// One bit for each upper half of a hash: most lines are passed over without a look at what is wanted.
    sieve: Vec<u64>,
}

impl Search {
    fn of(wanted: &[LineHash]) -> Self {
        let wanted = wanted.iter().filter(|hash| !hash.is_blank());
        let mut search =
            Self { found: wanted.map(|hash| (hash.bits(), Vec::new())).collect(), sieve: Vec::new() };
        search.weave();
        search
    }

    /// The sieve for what is still wanted.
    fn weave(&mut self) {
        let mut sieve = vec![0; 1 << 10];
        for (hash, _) in self.found.iter().filter(|(_, spots)| spots.len() <= COMMON_LINE) {
            if let Some(word) = sieve.get_mut((hash >> 22) as usize) {
                *word |= 1 << ((hash >> 16) & 63);
            }
        }
        self.sieve = sieve;
    }

    /// Looks at hashes in a row; `spot` says where one of them stands, if it still does.
    fn look(&mut self, hashes: &[[u8; 4]], spot: impl Fn(usize) -> Option<Spot>) {
        for (at, hash) in hashes.iter().enumerate() {
            let hash = u32::from_le_bytes(*hash);
            let word = self.sieve.get((hash >> 22) as usize).copied().unwrap_or_default();
            if (word >> ((hash >> 16) & 63)) & 1 == 0 {
                continue;
            }
            let Some(spots) = self.found.get_mut(&hash) else { continue };
            if spots.len() <= COMMON_LINE {
                spots.extend(spot(at));
                if spots.len() > COMMON_LINE {
                    self.weave();
                }
            }
        }
    }

    /// Takes up what another one found.
    fn take(&mut self, other: Self) {
        for (hash, spots) in other.found {
            self.found.entry(hash).or_default().extend(spots);
        }
    }

    fn rare(mut self) -> HashMap<u32, Vec<Spot>> {
        self.found.retain(|_, spots| spots.len() <= COMMON_LINE);
        self.found
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::RepoPath;
    use proptest::prelude::*;

    use super::*;
    use crate::files::identity::Identity;
    use crate::tree::line_index::kept;

    type Hash = [u8; 4];

    fn indexed(number: usize, hashes: Hashes) -> Indexed {
        let identity = Identity::from_words([number as u64, 0, 0, 0, 0]);
        Indexed { path: RepoPath::new(&format!("f{number:03}")).unwrap(), identity, read_at_ns: 0, hashes }
    }

    /// Hashes of which some share the upper half, and the first ones are wanted.
    fn hash(number: u32) -> Hash {
        ((number << 16 & 0x3_0000) | (number + 1)).to_le_bytes()
    }

    fn kept_of(dir: &std::path::Path, files: &[Vec<Hash>]) -> Kept {
        let files = files.iter().enumerate();
        let files: Vec<Indexed> =
            files.map(|(number, hashes)| indexed(number, Hashes::Fresh(hashes.clone()))).collect();
        let path = dir.join("cache");
        std::fs::write(&path, kept::to_bytes(&files, &Kept::default()).unwrap()).unwrap();
        Kept::read(&path)
    }

    fn naive(files: &[(usize, &Vec<Hash>)], wanted: &[LineHash]) -> Vec<(u32, Vec<Spot>)> {
        let mut all: Vec<(u32, Vec<Spot>)> = Vec::new();
        for wanted in wanted {
            let spots = files.iter().flat_map(|(file, hashes)| {
                let lines = hashes.iter().enumerate();
                let alike = lines.filter(|(_, hash)| u32::from_le_bytes(**hash) == wanted.bits());
                alike.map(move |(line, _)| (*file, line))
            });
            let spots: Vec<Spot> = spots.collect();
            if spots.len() <= COMMON_LINE {
                all.push((wanted.bits(), spots));
            }
        }
        all.sort();
        all.dedup();
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        // REQ 163
        #[test]
        fn a_line_is_found_wherever_its_file_is_known_from(
            files in prop::collection::vec((prop::collection::vec(0..24_u32, 0..60), 0..4_u8), 0..40),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let all: Vec<Vec<Hash>> =
                files.iter().map(|(lines, _)| lines.iter().map(|line| hash(*line)).collect()).collect();
            let kept = kept_of(dir.path(), &all);
            prop_assert_eq!(kept.files().len(), all.len());
            let wanted: Vec<LineHash> =
                (0..12).map(|number| LineHash::from_bits(u32::from_le_bytes(hash(number)))).collect();
            let (mut now, mut expected) = (Vec::new(), Vec::new());
            for (nth, (_, fate)) in files.iter().enumerate() {
                match fate {
                    0 => continue,
                    1 => now.push(indexed(nth, Hashes::Fresh(all[nth].clone()))),
                    _ => now.push(indexed(nth, Hashes::Kept(nth))),
                }
                expected.push((now.len() - 1, &all[nth]));
            }
            let found = find(&now, &kept, &wanted).unwrap();
            let mut found: Vec<(u32, Vec<Spot>)> = found.into_iter().collect();
            found.iter_mut().for_each(|(_, spots)| spots.sort());
            found.sort();
            prop_assert_eq!(found, naive(&expected, &wanted));
            let (again, path) = (kept::to_bytes(&now, &kept).unwrap(), dir.path().join("again"));
            std::fs::write(&path, &again).unwrap();
            let again = Kept::read(&path);
            let lengths = |kept: &Kept| kept.files().iter().map(|file| file.lines.len()).collect::<Vec<_>>();
            prop_assert_eq!(lengths(&again), expected.iter().map(|(_, lines)| lines.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn several_threads_find_what_one_finds() {
        let dir = tempfile::tempdir().unwrap();
        let line = |number: usize| hash(u32::try_from(number % 40_000).unwrap() + 100);
        let all: Vec<Vec<Hash>> =
            (0..7).map(|file| (0..150_000).map(|number| line(number * 7 + file)).collect()).collect();
        let kept = kept_of(dir.path(), &all);
        assert!(kept.hashes() > 2 * HASHES_FOR_A_THREAD);
        let wanted: Vec<LineHash> =
            (0..50).map(|number| LineHash::from_bits(u32::from_le_bytes(line(number * 777)))).collect();
        let now: Vec<Indexed> = (0..7).map(|nth| indexed(nth, Hashes::Kept(nth))).collect();
        let mut found: Vec<_> = find(&now, &kept, &wanted).unwrap().into_iter().collect();
        found.iter_mut().for_each(|(_, spots)| spots.sort());
        found.sort();
        let files: Vec<_> = all.iter().enumerate().collect();
        assert_eq!(found, naive(&files, &wanted));
        assert!(found.iter().any(|(_, spots)| spots.len() > 10), "something is there to be found");
    }

    #[test]
    fn a_row_that_cannot_be_read_is_said_to_be_so() {
        let dir = tempfile::tempdir().unwrap();
        let kept = kept_of(dir.path(), &[vec![hash(1), hash(2)]]);
        std::fs::OpenOptions::new().write(true).open(dir.path().join("cache")).unwrap().set_len(40).unwrap();
        assert!(find(&[indexed(0, Hashes::Kept(0))], &kept, &[LineHash::from_bits(1)]).is_err());
    }
}
