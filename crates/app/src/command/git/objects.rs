//! What git keeps, as bytes, and never more of it than fits: a commit can bring a file of any size, which is small in git.
//!
//! What is larger is as if it were not there. Deliberately absent: what the bytes say.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::process::Stdio;

use super::{END, Git};
use crate::command::CommandError;

/// The bytes of a file that git keeps.
pub(in crate::command) type Blob = Vec<u8>;

/// A content that is larger is not read, in bytes: no segment is, and no text that anybody asks about.
pub(super) const LARGEST: u64 = 64 << 20;

/// So much is read for one question, in bytes.
const MOST: u64 = 1 << 30;

/// One answer of `git cat-file --batch`.
enum Answer {
    Found(Vec<u8>),
    Missing,
    /// It is there, and was not read: what follows is not the next answer.
    TooLarge,
}

impl Git {
    /// What is kept under a name, such as `HEAD:src/main.rs`; `None` where there is none, or more than so many bytes.
    pub(super) fn blob(&self, name: &str, most: u64) -> Option<Blob> {
        self.at_most(&["cat-file", "blob", END, name], most)
    }

    /// What such a command prints; `None` where it fails, or prints more than so many bytes.
    pub(in crate::command) fn at_most(&self, words: &[&str], most: u64) -> Option<Vec<u8>> {
        let mut command = self.command();
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().ok()?;
        let mut bytes = Vec::new();
        // The pipe is closed behind this, so that git does not wait with more.
        let read = process.stdout.take().map(|out| out.take(most.saturating_add(1)).read_to_end(&mut bytes));
        let is_done = process.wait().is_ok_and(|status| status.success());
        let is_all = read.is_some_and(|read| read.is_ok()) && bytes.len() as u64 <= most;
        (is_done && is_all).then_some(bytes)
    }

    /// What is kept under each of these names, such as `HEAD:src/main.rs`; `None` where there is none, or too much.
    pub(in crate::command) fn blobs(&self, names: &[String]) -> Result<Vec<Option<Blob>>, CommandError> {
        self.kept_as("blob", names)
    }

    /// The commits of these ids, as git keeps them; `None` where there is none.
    pub(in crate::command) fn commits(&self, ids: &[String]) -> Result<Vec<Option<Vec<u8>>>, CommandError> {
        self.kept_as("commit", ids)
    }

    fn kept_as(&self, kind: &str, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, CommandError> {
        let (mut found, mut left) = (Vec::with_capacity(names.len()), MOST);
        while let Some(rest) = names.get(found.len()..).filter(|rest| !rest.is_empty()) {
            let read = self.read_on(kind, rest, &mut found, &mut left);
            read.map_err(|error| CommandError::io("git", error))?;
        }
        Ok(found)
    }

    /// Looks for these names until something is too large: git is not asked to say it, and what follows is asked anew.
    fn read_on(
        &self,
        kind: &str,
        names: &[String],
        found: &mut Vec<Option<Vec<u8>>>,
        left: &mut u64,
    ) -> std::io::Result<()> {
        let mut command = self.command();
        command.args(["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let is_asked = |name: &&String| !name.contains('\n');
        let asked: String = names.iter().filter(is_asked).flat_map(|name| [name, "\n"]).collect();
        let input = process.stdin.take();
        let writer =
            std::thread::spawn(move || input.map_or(Ok(()), |mut input| input.write_all(asked.as_bytes())));
        let mut answers = BufReader::new(process.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?);
        for name in names {
            let answer = match is_asked(&name) {
                true => answer(&mut answers, kind, *left)?,
                false => Answer::Missing,
            };
            let is_too_large = matches!(answer, Answer::TooLarge);
            let bytes = if let Answer::Found(bytes) = answer { Some(bytes) } else { None };
            *left -= bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
            found.push(bytes);
            if is_too_large {
                break;
            }
        }
        drop(answers);
        drop(writer.join());
        process.wait().map(drop)
    }
}

/// The next answer of `git cat-file --batch`, if it is of that kind and `left` is enough for it.
fn answer(answers: &mut impl BufRead, kind: &str, left: u64) -> std::io::Result<Answer> {
    let mut head = String::new();
    answers.read_line(&mut head)?;
    let mut words = head.trim_end().rsplit(' ');
    let (size, found) = match (words.next().and_then(|size| size.parse::<u64>().ok()), words.next()) {
        (Some(size), Some(found @ ("blob" | "tree" | "commit" | "tag"))) => (size, found),
        _ => return Ok(Answer::Missing),
    };
    if size > LARGEST.min(left) {
        return Ok(Answer::TooLarge);
    }
    let mut bytes = Vec::new();
    let said = size.saturating_add(1);
    if answers.take(said).read_to_end(&mut bytes)? as u64 != said {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    bytes.pop();
    Ok(if found == kind { Answer::Found(bytes) } else { Answer::Missing })
}
