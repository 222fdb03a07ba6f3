//! Whether a program that takes names of files apart at their blanks gets none that it would take for another.

use bailiwick_domain::{Listed, RepoPath, ToolCall};

use crate::gathering::Gathering;
use crate::gathering::case::{folder_of, in_folder};

/// So many names are looked at for a line, in folders that lie so deep.
const MOST_NAMES: usize = 20_000;
const DEEPEST: usize = 64;

/// Where git keeps its objects: it alone names them.
const OBJECTS: &str = ".git/objects";

impl Gathering<'_> {
    /// Looks through the names below folders, as spelled from the one that a command runs in.
    ///
    /// # Errors
    /// The name that stands for more than one, or why that cannot be told, for people.
    pub(super) async fn taken_apart(
        &self,
        call: &ToolCall,
        all: &[Listed],
        folder: Option<&str>,
    ) -> Result<(), String> {
        let mut left = MOST_NAMES;
        for (at, listed) in all.iter().enumerate() {
            if all.iter().take(at).any(|before| before == listed) {
                continue;
            }
            for start in &listed.below {
                let place = self.workspace.locate(&in_folder(folder, start), call.cwd.as_deref()).await;
                let start = folder_of(place).ok_or_else(|| format!("`{start}` is out of this repository"))?;
                left = self.walked(listed, start, left).await?;
            }
        }
        Ok(())
    }

    /// Looks through the names below one folder, of which so many may be left; gives how many are left then.
    async fn walked(
        &self,
        listed: &Listed,
        start: Option<RepoPath>,
        mut left: usize,
    ) -> Result<usize, String> {
        let mut folders = vec![(start, 0)];
        while let Some((folder, depth)) = folders.pop() {
            let found = self.workspace.names_in(folder.as_ref(), left).await;
            let names = found.map_err(|_| {
                format!("its folders hold more than {MOST_NAMES} names, or one that cannot be told")
            })?;
            left -= names.len();
            for name in names.iter().filter(|name| !is_left_out(listed, name, depth)) {
                if is_taken_apart(name) {
                    return Err(format!("`xargs` would take the name `{name}` apart"));
                }
                let path = folder.as_ref().map_or_else(|| name.clone(), |folder| format!("{folder}/{name}"));
                if path == OBJECTS || path.ends_with(&format!("/{OBJECTS}")) {
                    continue;
                }
                let path = RepoPath::new(&path).ok().filter(|_| depth < DEEPEST);
                folders.push((Some(path.ok_or_else(|| format!("`{name}` lies too deep"))?), depth + 1));
            }
        }
        Ok(left)
    }
}

fn is_left_out(listed: &Listed, name: &str, depth: usize) -> bool {
    let is_it = |folder: &String| match folder.strip_prefix("./") {
        Some(folder) => depth == 0 && folder == name,
        None => folder == name,
    };
    listed.without.iter().any(is_it)
}

fn is_taken_apart(name: &str) -> bool {
    name.contains(|sign: char| sign.is_whitespace() || sign.is_control() || "'\"\\".contains(sign))
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::Listed;

    use super::{is_left_out, is_taken_apart};

    #[test]
    fn a_name_is_one_where_nothing_in_it_parts_names() {
        for name in ["a b", "it's", "a\"b", "a\\b", "a\nb", "a\u{a0}b"] {
            assert!(is_taken_apart(name), "{name:?}");
        }
        for name in ["a.rs", "a-b", "-n", "[id].tsx", "a$b", "é"] {
            assert!(!is_taken_apart(name), "{name}");
        }
    }

    #[test]
    fn folders_are_left_out_everywhere_or_right_below_the_start() {
        let listed = Listed { below: Vec::new(), without: vec!["target".into(), "./out".into()] };
        for (name, depth, expected) in
            [("target", 3, true), ("out", 0, true), ("out", 1, false), ("targets", 0, false)]
        {
            assert_eq!(is_left_out(&listed, name, depth), expected, "{name} {depth}");
        }
    }
}
