//! How much processor time finding out the class of a change takes: over typical writes beside parsing both sides once,
//! and over writes that were made to take long. `cargo xtask bench ast` runs it; the same writes in every run.
//!
//! Prints one JSON object, times in microseconds.

mod sources;

use std::io::Write as _;
use std::time::Duration;

use bailiwick_adapters_ast::AstReader;
use bailiwick_domain::{FileChange, Mutation, MutationClassifier as _, MutationMethod, RepoPath, json};
use rustix::time::{ClockId, clock_gettime};
use tree_sitter::Parser;

use crate::sources::{Write, hostile, typical};

/// The processor time of this process so far.
fn spent() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = spent();
    let done = work();
    (done, spent().saturating_sub(before))
}

fn classified(write: &Write) -> Option<(Mutation, Duration)> {
    let path = RepoPath::new(&write.path).ok()?;
    let change = FileChange {
        path: &path,
        before: Some(write.before.as_bytes()),
        after: Some(write.after.as_bytes()),
    };
    let reader = AstReader::default();
    Some(timed(|| reader.classify(&[change])))
}

/// The least that it could take: both sides parsed.
fn parsed(write: &Write) -> Duration {
    let parse = || {
        let mut parser = Parser::new();
        parser.set_language(&write.grammar.into()).ok()?;
        Some((parser.parse(&write.before, None)?, parser.parse(&write.after, None)?))
    };
    timed(parse).1
}

fn percentile(times: &mut [Duration], percent: usize) -> u128 {
    times.sort_unstable();
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(0, Duration::as_micros)
}

fn main() {
    let writes = typical();
    let mut times: Vec<Duration> = writes.iter().filter_map(classified).map(|(_, time)| time).collect();
    let mut floor: Vec<Duration> = writes.iter().map(parsed).collect();
    let mut worst = Vec::new();
    for write in hostile() {
        let Some((mutation, time)) = classified(&write) else { continue };
        let is_limit = mutation.method == MutationMethod::Limit;
        worst.push(json!({
            "what": write.what, "micros": time.as_micros(), "class": mutation.class, "is_limit": is_limit,
        }));
    }
    let said = json!({
        "writes": writes.len(),
        "p50": percentile(&mut times, 50),
        "p95": percentile(&mut times, 95),
        "floor_p95": percentile(&mut floor, 95),
        "hostile": worst,
    });
    drop(writeln!(std::io::stdout(), "{said}"));
}
