//! The files that an allowed command depends on: the script that it runs and the manifests that it dispatches to. Of
//! `package.json` only the scripts that would run count, so that an allowance outlives a new dependency.
//!
//! Sources that a command compiles or loads are not among them.

use std::collections::VecDeque;

use bailiwick_domain::{AllowedFile, ContentHash, RepoPath, TrustedCommand, Value, canonical_json};

use super::Allowances;
use crate::gathering::case::{in_folder, inside};
use crate::gathering::dispatch;

/// The largest file that counts as a script or a manifest, in bytes.
const LARGEST: u64 = 16 << 20;

/// No allowance depends on more files.
const MOST_FILES: usize = 256;

/// Programs that run a script of `package.json` by its name.
const RUN_SCRIPTS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

impl Allowances<'_> {
    /// What the command depends on, as it is now.
    pub(super) async fn files_of(&self, command: &TrustedCommand) -> Result<Vec<AllowedFile>, String> {
        let folder = command.folder.as_ref().map(RepoPath::as_str);
        let mut files: Vec<AllowedFile> = Vec::new();
        let mut names = VecDeque::from(dispatch::names(&command.words.join(" ")));
        while let Some(name) = names.pop_front() {
            if files.len() > MOST_FILES {
                return Err(format!("it depends on more than {MOST_FILES} files"));
            }
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
            for entry in entries(&name, &command.words) {
                let hash = content.as_deref().and_then(|content| hash_of(content, entry.as_deref()));
                files.push(AllowedFile { path: path.clone(), entry, hash });
            }
        }
        Ok(files)
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
            if content.and_then(|content| hash_of(content, file.entry.as_deref())) != file.hash {
                changed.push(file);
            }
        }
        changed
    }

    async fn content_of(&self, path: &RepoPath) -> Option<Vec<u8>> {
        self.workspace.read(path, LARGEST).await.ok().flatten()
    }
}

/// The parts of a file that count; the whole of it where nothing says less.
fn entries(name: &str, words: &[String]) -> Vec<Option<String>> {
    let script = match words {
        [program, ..] if !name.ends_with("package.json") || !RUN_SCRIPTS.contains(&program.as_str()) => None,
        [_, run, script, ..] if run == "run" || run == "run-script" => Some(script.as_str()),
        [_, verb, ..] if verb == "t" => Some("test"),
        [_, verb, ..] if !verb.starts_with('-') => Some(verb.as_str()),
        _ => None,
    };
    let Some(script) = script else { return vec![None] };
    ["", "pre", "post"].iter().map(|hook| Some(format!("scripts.{hook}{script}"))).collect()
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
