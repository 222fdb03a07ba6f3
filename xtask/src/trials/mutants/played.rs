//! Plays mutants: for each, the tests that reach its code, until one of them fails.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::built::TestBinary;
use super::listed::Mutant;
use crate::stage::side_by_side::side_by_side;

/// How many tests of one process run beside each other: most of them wait for programs that they start.
const THREADS: &str = "2";
/// A test may take so many times what it took without a mutant, and this more.
const PATIENCE: u32 = 5;
const MORE: Duration = Duration::from_secs(20);
/// So many of the tests that reach a mutant are tried, and all of them where those failed to notice it before.
const MOST: usize = 60;
/// The sizes of the first parts that are tried, and of the others.
const PARTS: [usize; 2] = [3, 15];
const PART: usize = 60;
/// Mutants with such numbers around are in code near by.
const NEAR: usize = 25;
/// A test that takes longer is tried behind the others of its package, and last of all.
const QUICK: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(3);
/// How often it is looked whether one of the tests failed.
const LOOK: Duration = Duration::from_millis(100);
/// The memory of a process in KiB, for a mutant that never stops to allocate.
const MEMORY: &str = "6000000";

/// One test, and what is known of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Test {
    pub(super) binary: TestBinary,
    name: String,
    takes: Duration,
    reaches: BTreeSet<usize>,
}

/// How a mutant fared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Fate {
    /// This test failed.
    Caught(String),
    /// The tests did not end.
    TimedOut,
    Survived {
        tests: usize,
    },
    /// No test runs its code.
    Unreached,
}

impl Fate {
    /// Whether a test failed, or did not end.
    pub(super) fn is_caught(&self) -> bool {
        matches!(self, Self::Caught(_) | Self::TimedOut)
    }
}

/// A mutant that is asked for.
pub(super) struct Asked<'m> {
    pub(super) number: usize,
    pub(super) mutant: &'m Mutant,
    /// Whether it survived before.
    pub(super) again: bool,
}

/// Where tests are run.
pub(super) struct Stage<'s> {
    /// Where a process looks up which mutant is on.
    settings: &'s Path,
    scratch: tempfile::TempDir,
}

impl<'s> Stage<'s> {
    pub(super) fn new(settings: &'s Path) -> Result<Self> {
        std::fs::create_dir_all(settings)?;
        Ok(Self { settings, scratch: tempfile::Builder::new().prefix("mutants-").tempdir()? })
    }

    /// All tests, each run once alone: how long it takes, and what it reaches. A test that fails already is told and left
    /// out.
    pub(super) fn survey(&self, binaries: &[TestBinary]) -> Result<Vec<Test>> {
        let mut names = Vec::new();
        for binary in binaries {
            names.extend(self.names(binary)?.into_iter().map(|name| (binary.clone(), name)));
        }
        println!("mutants: {} tests, each alone, to see what it reaches", names.len());
        let numbered: Vec<(usize, (TestBinary, String))> = names.into_iter().enumerate().collect();
        let found = side_by_side(numbered, |(index, (binary, name))| self.surveyed(index, &binary, &name));
        let found = found.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    fn names(&self, binary: &TestBinary) -> Result<Vec<String>> {
        let mut list = self.program(binary, "none", &["--list", "--format", "terse"], "list");
        let output = list.stderr(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
    }

    fn surveyed(&self, index: usize, binary: &TestBinary, name: &str) -> Result<Option<Test>> {
        let note = self.scratch.path().join(format!("reached-{index}"));
        let begun = Instant::now();
        let setting = format!("note {}", note.display());
        let ended =
            self.run(binary, &setting, &[name], &format!("survey-{index}"), Duration::from_secs(600))?;
        if ended != Ended::Passed {
            println!("mutants: fails without a mutant: {name}");
            return Ok(None);
        }
        let reached = std::fs::read_to_string(&note).unwrap_or_default();
        let _ = std::fs::remove_file(&note);
        let reaches = reached.lines().filter_map(|line| line.parse().ok()).collect();
        Ok(Some(Test { binary: binary.clone(), name: name.to_owned(), takes: begun.elapsed(), reaches }))
    }

    /// Plays these mutants, and tells each fate as it is known.
    pub(super) fn play(
        &self,
        mutants: Vec<Asked<'_>>,
        tests: &[Test],
        tell: &(dyn Fn(&Mutant, &Fate) -> Result<()> + Sync),
    ) -> Result<Vec<Fate>> {
        let fates = side_by_side(mutants, |asked| {
            let fate = self.fate(&asked, tests)?;
            tell(asked.mutant, &fate)?;
            Ok(fate)
        });
        fates.into_iter().collect()
    }

    fn fate(&self, asked: &Asked<'_>, tests: &[Test]) -> Result<Fate> {
        let number = asked.number;
        let mut reaching: Vec<&Test> = tests.iter().filter(|test| test.reaches.contains(&number)).collect();
        if reaching.is_empty() {
            return Ok(Fate::Unreached);
        }
        // The package's own tests are quick; and what goes most around in the code near by is the likeliest to notice.
        let near = |test: &Test| test.reaches.range(number.saturating_sub(NEAR)..=number + NEAR).count();
        let package = asked.mutant.folder();
        let is_of_another = |test: &Test| !test.binary.package.ends_with(package);
        let slowness = |test: &Test| (test.takes > LONG, is_of_another(test), test.takes > QUICK);
        // A test that is named after the place comes before the others.
        let words = asked.mutant.words();
        let named = |test: &Test| words.iter().filter(|word| test.name.contains(word.as_str())).count();
        let order = |test: &&Test| (slowness(test), Reverse((named(test), near(test))), test.takes);
        reaching.sort_by_cached_key(order);
        if !asked.again {
            reaching.truncate(MOST);
        }
        let mut rest = reaching.as_slice();
        for size in PARTS.into_iter().chain(std::iter::repeat(PART)) {
            let (part, behind) = rest.split_at(size.min(rest.len()));
            if let Some(fate) = self.tried(number, part)? {
                return Ok(fate);
            }
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        Ok(Fate::Survived { tests: reaching.len() })
    }

    /// Runs these tests with the mutant, those of one binary in one process.
    fn tried(&self, number: usize, tests: &[&Test]) -> Result<Option<Fate>> {
        let mut of: BTreeMap<&TestBinary, Vec<&Test>> = BTreeMap::new();
        for test in tests {
            of.entry(&test.binary).or_default().push(test);
        }
        for (binary, tests) in of {
            let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
            let allowed = tests.iter().map(|test| test.takes).sum::<Duration>() * PATIENCE + MORE;
            match self.run(binary, &format!("on {number}"), &names, &format!("mutant-{number}"), allowed)? {
                Ended::Passed => {}
                Ended::Failed(by) => return Ok(Some(Fate::Caught(by))),
                Ended::Late => return Ok(Some(Fate::TimedOut)),
            }
        }
        Ok(None)
    }

    fn run(
        &self,
        binary: &TestBinary,
        setting: &str,
        names: &[&str],
        scratch: &str,
        allowed: Duration,
    ) -> Result<Ended> {
        let mut words = vec!["--exact", "--test-threads", THREADS];
        words.extend(names);
        let printed = self.scratch.path().join(format!("{scratch}.log"));
        let mut command = self.program(binary, setting, &words, scratch);
        command.stdout(std::fs::File::create(&printed)?).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| binary.program.display().to_string())?;
        let begun = Instant::now();
        let mut looked = begun;
        let ended = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status.success());
            }
            if begun.elapsed() > allowed {
                break None;
            }
            // One test that fails is enough.
            if looked.elapsed() > LOOK && failed(&printed).is_some() {
                break Some(false);
            }
            looked = if looked.elapsed() > LOOK { Instant::now() } else { looked };
            std::thread::sleep(Duration::from_millis(5));
        };
        // What a test left running goes with it.
        if let Ok(group) = i32::try_from(child.id()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = child.wait();
        let by = failed(&printed).unwrap_or_else(|| "the process ended".to_owned());
        let _ = std::fs::remove_file(&printed);
        let _ = std::fs::remove_file(self.settings.join(child.id().to_string()));
        let _ = std::fs::remove_dir_all(self.scratch.path().join(scratch));
        Ok(match ended {
            None => Ended::Late,
            Some(true) => Ended::Passed,
            Some(false) => Ended::Failed(by),
        })
    }

    /// The program leads its own group of processes, and its setting is there before it starts.
    fn program(&self, binary: &TestBinary, setting: &str, words: &[&str], scratch: &str) -> Command {
        use std::os::unix::process::CommandExt;
        const START: &str =
            r#"printf %s "$1" > "$2/$$"; ulimit -v "$3"; mkdir -p "$TMPDIR"; shift 3; exec "$@""#;
        let mut command = Command::new("sh");
        command.args(["-c", START, "sh", setting]).arg(self.settings).arg(MEMORY);
        command.arg(&binary.program).args(words).current_dir(&binary.package);
        command.env("CARGO_MANIFEST_DIR", &binary.package).env("TMPDIR", self.scratch.path().join(scratch));
        command
            .env("RUST_BACKTRACE", "0")
            .env("INSTA_UPDATE", "no")
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true");
        command.stdin(Stdio::null()).process_group(0);
        command
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Passed,
    Failed(String),
    Late,
}

/// The first test that failed, as the output names it.
fn failed(printed: &Path) -> Option<String> {
    let output = std::fs::read_to_string(printed).ok()?;
    let named = |line: &str| {
        line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED")).map(str::to_owned)
    };
    output.lines().find_map(named)
}
