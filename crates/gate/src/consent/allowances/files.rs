//! The files that an allowed command depends on: the script that it runs and the manifests that it dispatches to. Of
//! `package.json` only the scripts that would run count, so that an allowance outlives a new dependency.
//!
//! Sources that a command compiles or loads are not among them.

use std::collections::VecDeque;

use bailiwick_domain::{AllowedFile, ContentHash, RepoPath, TrustedCommand, Value, canonical_json};

use super::{Allowances, spelling};
use crate::gathering::case::{in_folder, inside};
use crate::gathering::dispatch;

/// The largest file that counts as a script or a manifest, in bytes.
const LARGEST: u64 = 16 << 20;

/// No allowance depends on more files.
const MOST_FILES: usize = 256;

/// Where a package has its scripts.
const PACKAGE: &str = "package.json";

/// Programs that run a script of `package.json` by its name.
const RUN_SCRIPTS: &[&str] = &["npm", "pnpm", "yarn", "bun", "node"];

/// Scripts that npm runs without `run` before their name; to the others any script may follow, but for what they do themselves.
const NPM_RUNS: &[&str] = &["test", "start", "stop"];
#[rustfmt::skip]
const BUILT_IN: &[&str] = &[
    "install", "i", "ci", "add", "remove", "update", "upgrade", "up", "exec", "dlx", "x", "link", "rebuild", "prune",
    "dedupe", "pack", "audit", "outdated", "list", "ls", "why", "import", "fetch", "store", "node", "create",
];

impl Allowances<'_> {
    /// What the command depends on, as it is now.
    pub(super) async fn files_of(
        &self,
        command: &TrustedCommand,
        elsewhere: Option<&[String]>,
    ) -> Result<Vec<AllowedFile>, String> {
        let folder = command.folder.as_ref().map(RepoPath::as_str);
        let mut files: Vec<AllowedFile> = Vec::new();
        let mut names = VecDeque::from(dispatch::names(&command.words.join(" ")));
        while let Some(name) = names.pop_front() {
            let location = self.workspace.locate(&in_folder(folder, &name), None).await;
            let Some(path) = inside(&location).cloned() else { continue };
            let content = self.content_of(&path).await;
            if (content.is_none() && !dispatch::is_manifest(&name))
                || files.iter().any(|file| file.path == path)
            {
                continue;
            }
            names.extend(
                content.as_deref().map(|content| dispatch::included(&name, content)).unwrap_or_default(),
            );
            let words = elsewhere.unwrap_or_else(|| spelling::from_program(&command.words));
            for entry in entries(&name, words, content.as_deref()) {
                at_most(files.len())?;
                let hash = content.as_deref().and_then(|content| hash_of(content, entry.as_deref()));
                files.push(AllowedFile { path: path.clone(), entry, hash });
            }
        }
        if let Some(plain) = elsewhere {
            self.add_scripts(plain, &mut files).await?;
        }
        Ok(files)
    }

    /// Adds the script that a package manager runs, of each package of the root that has one of its name.
    async fn add_scripts(&self, plain: &[String], files: &mut Vec<AllowedFile>) -> Result<(), String> {
        let script = script_of(plain).ok_or("which script it runs in other packages is not plain")?;
        let listing = self.meter.tree().await.map_err(|error| error.to_string())?;
        if !listing.is_complete {
            return Err("the repository has too many files to look for its packages".to_owned());
        }
        let is_one = |path: &&RepoPath| path.as_str().rsplit('/').next() == Some(PACKAGE);
        let mut runs = false;
        for path in listing.files.iter().filter(is_one) {
            runs |=
                files.iter().any(|file| file.path == *path && file.entry.is_some() && file.hash.is_some());
            if files.iter().any(|file| file.path == *path) {
                continue;
            }
            let content = self.content_of(path).await;
            for entry in entries(PACKAGE, plain, content.as_deref()).into_iter().flatten() {
                at_most(files.len())?;
                let hash = content.as_deref().and_then(|content| hash_of(content, Some(&entry)));
                files.push(AllowedFile { path: path.clone(), entry: Some(entry), hash });
                runs = true;
            }
        }
        if runs { Ok(()) } else { Err(format!("no package of this repository has a script `{script}`")) }
    }

    /// Those that are not what they were.
    pub(super) async fn changed_files<'f>(&self, files: &'f [AllowedFile]) -> Vec<&'f AllowedFile> {
        let mut changed = Vec::new();
        let mut last: Option<(&RepoPath, Option<Vec<u8>>)> = None;
        for file in files {
            if last.as_ref().is_none_or(|(path, _)| *path != &file.path) {
                last = Some((&file.path, self.content_of(&file.path).await));
            }
            let content = last.as_ref().and_then(|(_, content)| content.as_deref());
            // An entry that was not there binds nothing by itself.
            let is_bound = file.entry.is_none()
                || files.iter().any(|other| other.path == file.path && other.hash.is_some());
            if !is_bound || content.and_then(|content| hash_of(content, file.entry.as_deref())) != file.hash {
                changed.push(file);
            }
        }
        changed
    }

    async fn content_of(&self, path: &RepoPath) -> Option<Vec<u8>> {
        self.workspace.read(path, LARGEST).await.ok().flatten()
    }
}

fn at_most(count: usize) -> Result<(), String> {
    match count >= MOST_FILES {
        true => Err(format!("it depends on more than {MOST_FILES} files")),
        false => Ok(()),
    }
}

/// The parts of a file that count: of a manifest the script that is named and there, else the whole file.
fn entries(name: &str, words: &[String], content: Option<&[u8]>) -> Vec<Option<String>> {
    let script = script_of(words).filter(|_| name.ends_with("package.json"));
    let entry = |hook: &str| script.map(|script| format!("scripts.{hook}{script}"));
    let is_there = |entry: String| content.and_then(|content| hash_of(content, Some(&entry))).is_some();
    if !entry("").is_some_and(is_there) {
        return vec![None];
    }
    ["", "pre", "post"].map(entry).into()
}

/// The script that a package manager runs, where its words leave no doubt which one that is.
fn script_of(words: &[String]) -> Option<&str> {
    match words {
        [program, ..] if !RUN_SCRIPTS.contains(&program.as_str()) => None,
        [_, run, script, ..] if matches!(run.as_str(), "run" | "run-script" | "--run") => Some(script),
        [node, ..] if node == "node" => None,
        [npm, verb, ..] if npm == "npm" && verb == "t" => Some("test"),
        [npm, verb, ..] if npm == "npm" => NPM_RUNS.iter().find(|script| *script == verb).copied(),
        [_, verb, ..] if !BUILT_IN.contains(&verb.as_str()) => Some(verb),
        _ => None,
    }
}

/// What a file holds, or one entry of it; a manifest that is no JSON counts as a whole.
fn hash_of(content: &[u8], entry: Option<&str>) -> Option<ContentHash> {
    let Some((section, name)) = entry.and_then(|entry| entry.split_once('.')) else {
        return Some(ContentHash::of(content));
    };
    let Ok(manifest) = serde_json::from_slice::<Value>(content) else {
        return Some(ContentHash::of(content));
    };
    let entry = manifest.get(section)?.get(name)?;
    Some(ContentHash::of(canonical_json(entry).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{entries, script_of};

    fn words(command: &str) -> Vec<String> {
        command.split(' ').map(str::to_owned).collect()
    }

    // D-32
    #[test]
    fn the_script_is_known_where_the_words_name_it_plainly() {
        for (command, expected) in [
            ("npm test", Some("test")),
            ("npm t", Some("test")),
            ("npm start", Some("start")),
            ("npm run lint", Some("lint")),
            ("npm test lint", Some("test")),
            ("yarn lint fix", Some("lint")),
            ("npm run-script lint", Some("lint")),
            ("node --run lint", Some("lint")),
            ("node lint", None),
            ("yarn lint", Some("lint")),
            ("pnpm run lint", Some("lint")),
            ("npm tst", None),
            ("npm ci", None),
            ("npm run", None),
            ("yarn install", None),
            ("make test", None),
            ("npm", None),
        ] {
            assert_eq!(script_of(&words(command)), expected, "{command}");
        }
    }

    // D-32
    #[test]
    fn of_a_manifest_the_script_counts_that_is_there() {
        let manifest = br#"{"scripts": {"test": "vitest"}}"#;
        let of_script =
            ["scripts.test", "scripts.pretest", "scripts.posttest"].map(|entry| Some(entry.to_owned()));
        for (name, command, content, expected) in [
            ("package.json", "npm test", Some(&manifest[..]), &of_script[..]),
            ("web/package.json", "npm t", Some(manifest), &of_script),
            ("package.json", "npm run lint", Some(manifest), &[None]),
            ("package.json", "npm run --silent test", Some(manifest), &[None]),
            ("package.json", "npm test", None, &[None]),
            (".npmrc", "npm test", Some(manifest), &[None]),
            ("package.json", "make test", Some(manifest), &[None]),
        ] {
            assert_eq!(entries(name, &words(command), content), expected, "{name} {command}");
        }
    }
}
