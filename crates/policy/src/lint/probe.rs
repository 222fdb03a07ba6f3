//! Near misses of a path: what a scope that fits keeps out.

use bailiwick_domain::RepoPath;

/// In which way a path is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The same name in a folder beside its own.
    Sibling,
    /// The same name one folder up.
    Parent,
    /// The same place with another extension.
    Extension,
    /// A test beside it.
    Test,
    /// Out of the repository with `..`.
    Outside,
}

/// The near misses of a path; `None` where it is no path of the repository at all.
pub(super) fn near(path: &RepoPath) -> Vec<(Probe, Option<RepoPath>)> {
    let (folder, name) = match path.as_str().rsplit_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, path.as_str()),
    };
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, Some(extension)),
        _ => (name, None),
    };
    let below = |folder: Option<&str>, name: &str| match folder {
        Some(folder) => format!("{folder}/{name}"),
        None => name.to_owned(),
    };
    let mut tried = Vec::new();
    if let Some(folder) = folder {
        tried.push((Probe::Sibling, format!("{folder}-beside/{name}")));
        let up = folder.rsplit_once('/').map(|(up, _)| up);
        tried.push((Probe::Parent, below(up, name)));
    }
    let other = if extension == Some("sh") { "py" } else { "sh" };
    tried.push((Probe::Extension, below(folder, &format!("{stem}.{other}"))));
    let suffix = extension.map(|extension| format!(".{extension}")).unwrap_or_default();
    tried.push((Probe::Test, below(folder, &format!("{stem}_test{suffix}"))));
    let ups = "../".repeat(path.as_str().split('/').count());
    tried.push((Probe::Outside, below(folder, &format!("{ups}{name}"))));
    tried.into_iter().map(|(probe, text)| (probe, RepoPath::new(&text).ok())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Probe, near};
    use bailiwick_domain::RepoPath;

    #[test]
    fn a_near_miss_keeps_the_stem_and_a_leading_dot_begins_no_extension() {
        for (text, extension, test) in [
            ("src/jwt.rs", "src/jwt.sh", "src/jwt_test.rs"),
            ("run.sh", "run.py", "run_test.sh"),
            ("a/.env", "a/.env.sh", "a/.env_test"),
            ("Makefile", "Makefile.sh", "Makefile_test"),
        ] {
            let near = near(&RepoPath::new(text).unwrap());
            for missed in [(Probe::Extension, extension), (Probe::Test, test)] {
                assert!(near.contains(&(missed.0, RepoPath::new(missed.1).ok())), "{missed:?} {near:?}");
            }
        }
    }

    #[test]
    fn each_near_miss_is_another_path() {
        for text in ["src/auth/jwt.rs", "src/a", "README.md", "Makefile", ".env", "a/b/c/run.sh"] {
            let path = RepoPath::new(text).unwrap();
            let near = near(&path);
            assert!(near.iter().all(|(_, other)| other.as_ref() != Some(&path)), "{near:?}");
            assert!(near.iter().any(|(_, other)| other.is_none()), "one leaves the repository: {near:?}");
        }
    }
}
