//! Put into each package whose mutants are played: which of them is on in this process.
//!
//! A file named by the id of the process, or of one that started it, says so: `on 17`, or `note FILE` to have each mutant
//! that is reached written to that file.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

const SETTINGS: &str = "@SETTINGS@";
const COUNT: usize = 0;

/// An iterator that is one of two.
pub(crate) enum Either<L, R> {
    Left(L),
    Right(R),
}

impl<L: Iterator, R: Iterator<Item = L::Item>> Iterator for Either<L, R> {
    type Item = L::Item;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Left(left) => left.next(),
            Self::Right(right) => right.next(),
        }
    }
}

enum Setting {
    None,
    On(usize),
    Note(Mutex<std::fs::File>),
}

#[inline(never)]
pub(crate) fn on(number: usize) -> bool {
    static SETTING: OnceLock<Setting> = OnceLock::new();
    match SETTING.get_or_init(setting) {
        Setting::None => false,
        Setting::On(this) => *this == number,
        Setting::Note(file) => note(file, number),
    }
}

fn note(file: &Mutex<std::fs::File>, number: usize) -> bool {
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    if let Some(seen) = SEEN.get(number) {
        if !seen.swap(true, Ordering::Relaxed) {
            if let Ok(mut file) = file.lock() {
                let _ = file.write_all(format!("{number}\n").as_bytes());
            }
        }
    }
    false
}

fn setting() -> Setting {
    let mut process = std::process::id().to_string();
    for _ in 0..16 {
        if let Ok(text) = std::fs::read_to_string(Path::new(SETTINGS).join(&process)) {
            return read(&text);
        }
        let Some(parent) = parent(&process) else { break };
        process = parent;
    }
    Setting::None
}

fn read(text: &str) -> Setting {
    match text.split_once(' ') {
        Some(("on", number)) => number.parse().map_or(Setting::None, Setting::On),
        Some(("note", file)) => {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(PathBuf::from(file));
            file.map_or(Setting::None, |file| Setting::Note(Mutex::new(file)))
        }
        _ => Setting::None,
    }
}

/// The name of a program may hold blanks and brackets, so the fields are counted from the last bracket.
fn parent(process: &str) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1).map(str::to_owned)
}
