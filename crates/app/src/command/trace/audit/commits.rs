//! The commits of a range, as git keeps them. A message may hold any sign, so nothing is told apart by what stands in one.
//!
//! What a commit changed is not read here.

use crate::command::CommandError;
use crate::command::git::Git;
use crate::counted::counted;

/// A commit of the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parents: Vec<String>,
    /// When it was committed, in seconds.
    pub(super) at_s: i64,
    pub(super) author: String,
    pub(super) subject: String,
    pub(super) message: String,
}

impl Commit {
    /// What is staged, as the commit that it would be after that one. It has no name yet: the index is called so.
    pub(super) fn staged(base: &str) -> Self {
        Self {
            id: String::new(),
            parents: Vec::from([base.to_owned()]),
            at_s: i64::MAX,
            author: String::new(),
            subject: String::new(),
            message: String::new(),
        }
    }

    pub(super) fn is_staged(&self) -> bool {
        self.id.is_empty()
    }
}

/// Signs of which git makes more commits than one, or fewer, as in `A..B` and `A^!`.
const OF_RANGES: &[&str] = &["..", "^!", "^@", "^-"];

/// The commits of a range, oldest first; a name alone is that commit. One that cannot be read is an error, since it would
/// pass unseen.
pub(super) fn of_range(git: &Git, range: &str) -> Result<Vec<Commit>, CommandError> {
    git.must_be_one(range)?;
    let is_range = OF_RANGES.iter().any(|sign| range.contains(sign)) && git.commit(range).is_none();
    let asked = if is_range { range.to_owned() } else { format!("{range}^!") };
    let words = ["rev-list", "--reverse", "--topo-order", "--parents", "--end-of-options", &asked, "--"];
    let listed = git.text(&words).map_err(|_| unknown(git, range))?;
    let listed: Vec<Vec<String>> = listed.lines().map(ids).collect::<Result<_, _>>()?;
    let names: Vec<String> = listed.iter().filter_map(|ids| ids.first().cloned()).collect();
    let written = git.commits(&names)?;
    listed.into_iter().zip(written).map(|(ids, written)| commit(ids, written.as_deref())).collect()
}

/// Why there are none, with what helps.
fn unknown(git: &Git, range: &str) -> CommandError {
    let range = crate::inert::line(range);
    CommandError::Usage(match git.text(&["rev-list", "--count", "HEAD", "--"]) {
        Err(_) => "this branch has no commit yet: commit first".to_owned(),
        Ok(count) => {
            let count = counted(count.trim().parse::<usize>().unwrap_or_default(), "commit", "commits");
            format!("git knows no commits `{range}`; this branch has {count}")
        }
    })
}

/// The id of a commit and those of its parents.
fn ids(line: &str) -> Result<Vec<String>, CommandError> {
    let is_id = |word: &str| {
        matches!(word.len(), 40 | 64) && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    match line.split(' ').all(is_id) {
        true => Ok(line.split(' ').map(str::to_owned).collect()),
        false => Err(unreadable(line)),
    }
}

fn commit(ids: Vec<String>, written: Option<&[u8]>) -> Result<Commit, CommandError> {
    let mut ids = ids.into_iter();
    let id = ids.next().unwrap_or_default();
    let read = written.and_then(parts);
    let Some((author, at_s, message)) = read else { return Err(unreadable(&id)) };
    let subject = message.lines().skip_while(|line| line.trim().is_empty());
    let subject: Vec<&str> = subject.take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    Ok(Commit { id, parents: ids.collect(), at_s, author, subject: subject.join(" "), message })
}

/// Author, time and message of a commit as git keeps it: lines, each with its name in front, and after the first empty
/// line the message. A line that goes on begins with a blank.
fn parts(written: &[u8]) -> Option<(String, i64, String)> {
    let end = written.windows(2).position(|two| two == b"\n\n")?;
    let (head, message) = (written.get(..end)?, written.get(end + 2..)?);
    let field = |name: &[u8]| head.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(name));
    let is_encoded = field(b"encoding ").is_some();
    let (author, _) = person(field(b"author ")?)?;
    let (_, at_s) = person(field(b"committer ")?)?;
    Some((text(author, is_encoded), at_s, text(message, is_encoded)))
}

/// `Name <address>`, and the time in seconds after it.
fn person(field: &[u8]) -> Option<(&[u8], i64)> {
    let end = field.iter().rposition(|byte| *byte == b'>')? + 1;
    let (who, time) = (field.get(..end)?, field.get(end..)?);
    Some((who, str::from_utf8(time).ok()?.split_whitespace().next()?.parse().ok()?))
}

/// Text as a person wrote it. Of an older encoding each byte is taken for the sign that Latin-1 has there.
fn text(bytes: &[u8], is_encoded: bool) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if is_encoded => bytes.iter().copied().map(char::from).collect(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn unreadable(name: &str) -> CommandError {
    CommandError::Other(format!("cannot read the commit `{}`", crate::inert::line(name)))
}

#[cfg(test)]
mod tests {
    use super::{commit, ids};

    const ID: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn only_ids_are_ids() {
        assert_eq!(ids(&format!("{ID} {ID}")).unwrap(), [ID, ID]);
        for line in ["", "--output=x", &format!("{ID} --output=x"), &format!("{ID} "), &format!("-{ID}")] {
            assert!(ids(line).is_err(), "{line}");
        }
    }

    #[test]
    fn a_commit_is_read_as_git_keeps_it_or_is_an_error() {
        let of = |written: &[u8]| commit(vec![ID.to_owned(), ID.to_owned()], Some(written));
        let written = "tree x\nparent y\nauthor Ada > <a@b> 1 +0000\ncommitter Bo <b@c> 2 +0000\ngpgsig a\n author no\n\nFix\nit\u{1e}\n\nauthor no\0\n";
        let read = of(written.as_bytes()).unwrap();
        assert_eq!(
            (read.author.as_str(), read.at_s, read.subject.as_str()),
            ("Ada > <a@b>", 2, "Fix it\u{1e}")
        );
        assert_eq!((read.message.as_str(), read.parents.len()), ("Fix\nit\u{1e}\n\nauthor no\0\n", 1));
        let latin = b"author J\xf6rg <j@x> 1 +0000\ncommitter a <b> 1 +0000\nencoding ISO-8859-1\n\n\xe4\n";
        assert_eq!(of(latin).unwrap().author, "J\u{f6}rg <j@x>");
        for broken in ["", "author a <b> 1 +0000\n\nm", "author a <b> 1 +0000\ncommitter a <b> x\n\nm"] {
            assert!(of(broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(commit(vec![ID.to_owned()], None).is_err());
    }
}
