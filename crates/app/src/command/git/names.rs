//! Whether what a person calls a commit is called so once. Anybody who can push can name a tag like a branch, and git then
//! takes the tag.
//!
//! Deliberately absent: which commits a range has.

use super::Git;
use crate::command::CommandError;
use crate::inert;

/// Where git looks for a name, one place after another. It takes the first that is there.
const PLACES: &[&str] = &["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

/// What always means one commit, whatever else is called so.
const CERTAIN: &[&str] = &["", "@", "HEAD"];

/// A ref, and the commit that it leads to.
struct Ref {
    name: String,
    id: String,
}

impl Git {
    /// Fails where an end of a range, or a commit, is called like several that are not the same.
    pub(in crate::command) fn must_be_one(&self, range: &str) -> Result<(), CommandError> {
        ends(range).try_for_each(|end| self.must_mean_one(name_of(end)))
    }

    fn must_mean_one(&self, name: &str) -> Result<(), CommandError> {
        let is_id = |name: &str| name.bytes().all(|sign| sign.is_ascii_hexdigit());
        if CERTAIN.contains(&name) || (matches!(name.len(), 40 | 64) && is_id(name)) {
            return Ok(());
        }
        let refs = self.called(name)?;
        let said = inert::line(name);
        let problem = match refs.as_slice() {
            [] => return Ok(()),
            [first, ..] if first.name == name => return Ok(()),
            [first, ..] if name.starts_with("refs/") => {
                format!("there is no `{said}` here; `{}` is only called like it", inert::line(&first.name))
            }
            [first, others @ ..] => {
                let other = others.iter().find(|other| other.id != first.id);
                let other = other.map(|other| other.name.clone()).or_else(|| self.shortened(name, first));
                let Some(other) = other else { return Ok(()) };
                let (first, other) = (inert::line(&first.name), inert::line(&other));
                format!("`{said}` is two different commits: give the full name, `{first}` or `{other}`")
            }
        };
        Err(CommandError::Usage(problem))
    }

    /// All that git may mean by a name, in its order.
    fn called(&self, name: &str) -> Result<Vec<Ref>, CommandError> {
        let whole = Some(name.to_owned()).filter(|name| name.starts_with("refs/"));
        let below = PLACES.iter().map(|place| format!("{place}{name}"));
        let places: Vec<String> =
            whole.into_iter().chain(below).chain([format!("refs/remotes/{name}/HEAD")]).collect();
        let form = "--format=%(refname) %(objectname) %(*objectname)";
        let words: Vec<&str> =
            ["for-each-ref", form].into_iter().chain(places.iter().map(String::as_str)).collect();
        let listed = self.text(&words)?;
        let found = |place: &String| {
            let line =
                listed.lines().find_map(|line| line.strip_prefix(place.as_str())?.strip_prefix(' '))?;
            // Of a tag with a text of its own what it names is told last.
            Some(Ref { name: place.clone(), id: line.trim_end().rsplit(' ').next()?.to_owned() })
        };
        Ok(places.iter().filter_map(found).collect())
    }

    /// The commit whose id is shortened to the name of a ref, where it is another one. Git takes the ref.
    fn shortened(&self, name: &str, than: &Ref) -> Option<String> {
        let digits = name.rsplit("-g").next().filter(|digits| digits.len() >= 4)?;
        let is_id = digits.bytes().all(|sign| sign.is_ascii_hexdigit());
        let listed = is_id.then(|| self.text(&["rev-parse", &format!("--disambiguate={digits}")]))?.ok()?;
        let mut others = listed.lines().filter(|id| *id != than.id && self.has_commit(id));
        others.next().map(str::to_owned)
    }
}

/// The ends of a range, as git finds them; a name alone is the only one.
fn ends(range: &str) -> impl Iterator<Item = &str> {
    let (first, second) = match range.split_once("..") {
        Some((first, second)) => (first, Some(second.strip_prefix('.').unwrap_or(second))),
        None => (range, None),
    };
    [Some(first), second].into_iter().flatten()
}

/// The name that a commit is found from: `main` in `^main~2^{tree}`. What is found by a message, or is what a branch
/// follows, is named by none.
fn name_of(end: &str) -> &str {
    let end = end.strip_prefix('^').unwrap_or(end);
    let signs = [end.find(['~', '^', ':']), end.find("@{")];
    let length = signs.into_iter().flatten().min().unwrap_or(end.len());
    let (name, rest) = end.split_at_checked(length).unwrap_or((end, ""));
    let rest = rest.to_ascii_lowercase();
    if ["@{u}", "@{upstream}", "@{push}"].iter().any(|mark| rest.starts_with(mark)) { "" } else { name }
}

#[cfg(test)]
mod tests {
    use super::{ends, name_of};

    #[test]
    fn each_end_of_a_range_is_found_from_a_name() {
        for (range, names) in [
            ("origin/main..HEAD", &["origin/main", "HEAD"][..]),
            ("a...b", &["a", "b"]),
            ("..b", &["", "b"]),
            ("a^!", &["a"]),
            ("^a~2", &["a"]),
            ("a@b@{yesterday}^{tree}", &["a@b"]),
            (":/Fix it", &[""]),
            ("main@{u}..@{1}", &["", ""]),
            ("v1^{/a..b}", &["v1", "b}"]),
        ] {
            assert_eq!(ends(range).map(name_of).collect::<Vec<_>>(), names, "{range}");
        }
    }
}
