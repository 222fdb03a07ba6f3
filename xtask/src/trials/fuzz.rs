//! Starts the fuzzer of `crates/fuzz`: libFuzzer, with code that counts its branches. The stable compiler can make such code;
//! what it cannot is watch memory, and no code here needs that.
//!
//! What a run learns stays below `target/fuzz`, so the next one goes on from there. An input that breaks a target is kept in
//! `target/fuzz/found`; put it among the seeds when you have mended what it found.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use anyhow::{Context, Result, bail, ensure};

use crate::stage::product;
use crate::workspace;

/// Seconds for each target: at a desk and for each change, and at night.
const SHORT: u64 = 5;
const FULL: u64 = 600;
/// How many targets run beside each other.
const AT_ONCE: usize = 2;
/// The longest input, in bytes, the most memory in MiB, and the most seconds for one input.
const LIMITS: [&str; 3] = ["-max_len=32768", "-rss_limit_mb=768", "-timeout=10"];

/// Counts branches and shows comparisons to the fuzzer.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions=on --cfg fuzzing";

/// Every target for ten minutes.
pub(crate) fn full() -> Result<()> {
    play(&[], FULL)
}

/// `fuzz [TARGET]… [--seconds N]`.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    match options {
        [names @ .., "--seconds", seconds] => {
            play(names, seconds.parse().context("--seconds takes a number")?)
        }
        names => play(names, SHORT),
    }
}

fn play(names: &[&str], seconds: u64) -> Result<()> {
    let fuzzer = Fuzzer::build()?;
    let mut targets = fuzzer.targets()?;
    ensure!(
        names.iter().all(|name| targets.iter().any(|target| target == name)),
        "targets: {}",
        targets.join(", ")
    );
    targets.retain(|target| names.is_empty() || names.contains(&target.as_str()));
    let (waiting, failed) = (Mutex::new(targets.into_iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(target) = waiting.lock().ok().and_then(|mut waiting| waiting.next()) else {
                        return;
                    };
                    match fuzzer.play(&target, seconds) {
                        Ok(told) => println!("ok      {target}: {told}"),
                        Err(error) => {
                            println!("FAILED  {target}: {error:#}");
                            failed.lock().iter_mut().for_each(|failed| failed.push(target.clone()));
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
    if failed.is_empty() { Ok(()) } else { bail!("broken: {}", failed.join(", ")) }
}

struct Fuzzer {
    program: PathBuf,
    folder: PathBuf,
}

impl Fuzzer {
    /// In a folder of its own, because everything is compiled otherwise.
    fn build() -> Result<Self> {
        let folder = product::target_folder()?.join("fuzz");
        let mut build = workspace::cargo();
        build.args(["build", "--quiet", "--locked", "--profile", "floor", "--package", "bailiwick-fuzz"]);
        build.args(["--features", "fuzzer", "--message-format", "json", "--target-dir"]).arg(&folder);
        let program = product::built_by(build.env("RUSTFLAGS", FLAGS).current_dir(workspace::root()))?;
        Ok(Self { program, folder })
    }

    /// Writes the seeds; the folders have the targets' names.
    fn targets(&self) -> Result<Vec<String>> {
        let seeds = self.folder.join("seeds");
        if seeds.exists() {
            std::fs::remove_dir_all(&seeds)?;
        }
        workspace::stdout(Command::new(&self.program).env("BAILIWICK_FUZZ_SEEDS", &seeds))?;
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&seeds)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    fn play(&self, target: &str, seconds: u64) -> Result<String> {
        let (learned, found) =
            (self.folder.join("learned").join(target), self.folder.join("found").join(target));
        std::fs::create_dir_all(&learned)?;
        std::fs::create_dir_all(&found)?;
        let mut run = Command::new(&self.program);
        run.args(LIMITS).arg(format!("-max_total_time={seconds}")).arg("-print_final_stats=1");
        run.arg(format!("-artifact_prefix={}/", found.display())).arg(&learned);
        run.arg(self.folder.join("seeds").join(target)).env("BAILIWICK_FUZZ_TARGET", target);
        let output = run.current_dir(&self.folder).stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            bail!("{}\ninputs are in {}", last_lines(&said), found.display());
        }
        Ok(format!("{} inputs, {} branches", stat(&said, "stat::number_of_executed_units:"), covered(&said)))
    }
}

fn stat<'a>(said: &'a str, name: &str) -> &'a str {
    said.lines().find_map(|line| line.strip_prefix(name)).map_or("?", str::trim)
}

fn covered(said: &str) -> &str {
    let last = said.lines().rev().find_map(|line| line.split_once(" cov: "));
    last.and_then(|(_, rest)| rest.split(' ').next()).unwrap_or("?")
}

/// The end of what the fuzzer says, without the bytes.
fn last_lines(said: &str) -> String {
    let lines: Vec<&str> =
        said.lines().filter(|line| !line.starts_with("0x") && !line.contains("NEW ")).collect();
    lines.get(lines.len().saturating_sub(25)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_says_is_read() {
        let said = "#2\tINITED cov: 10 ft: 12\n#9\tDONE   cov: 431 ft: 800 corp: 3\nstat::number_of_executed_units: 9\n";
        assert_eq!((stat(said, "stat::number_of_executed_units:"), covered(said)), ("9", "431"));
    }
}
