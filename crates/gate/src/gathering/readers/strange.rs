//! Keeps a command from being believed read-only where what it starts would obey what nobody looked at.
//!
//! Git obeys the configuration of the repository that it finds, and starts programs that it names: a stranger's, or files
//! of the working copy that an agent may write. What the configuration says, the version control port tells;
//! it is asked only where a command runs git. A version manager in front of a program obeys a file of the folder, which may
//! name a program by its path; such a file is looked for only where a command asks a program about itself.

use bailiwick_domain::{Location, RepoPath, Starts, ToolCall};

use crate::gathering::Gathering;

/// Files by which version managers choose the program that answers: of rustup, asdf, mise and .NET.
#[rustfmt::skip]
const CHOOSERS: &[&str] = &[
    "rust-toolchain", "rust-toolchain.toml", ".tool-versions", "mise.toml", ".mise.toml", "mise.local.toml",
    ".mise.local.toml", "mise/config.toml", ".mise/config.toml", ".config/mise.toml", ".config/mise/config.toml", ".rtx.toml",
    "global.json",
];

/// Words by which they name a program by its path, a script that is run first, or where something is fetched from.
const NAMING: &[&str] = &["path", "_.", "exec", "source", "file", "plugin", "http", "{{"];

/// They are small; a larger one is not read.
const MOST_OF_A_CHOOSER: u64 = 64 << 10;

impl Gathering<'_> {
    /// Why a command that was proved to read is not believed in the folder that it runs in: it moved out of the root to
    /// get there, or what it starts may obey what lies there.
    pub(crate) async fn misleads(
        &self,
        call: &ToolCall,
        starts: Starts,
        moved: Option<&str>,
        folder: Option<&str>,
    ) -> Option<String> {
        if let Some(moved) = moved
            && let Some(why) = self.leaves(call, moved).await
        {
            return Some(why);
        }
        if !starts.obeys_its_folder() {
            return None;
        }
        let folder = match self.workspace.locate(folder.unwrap_or("."), call.cwd.as_deref()).await {
            Location::Root => String::new(),
            Location::Inside(found) => found.path.to_string(),
            _ if starts.git => {
                return Some(
                    "it runs outside of this repository, and git obeys the settings that are there"
                        .to_owned(),
                );
            }
            _ => return None,
        };
        if starts.asked
            && let Some(chooser) = self.chooser_by_path(&folder).await
        {
            return Some(format!("{chooser} may name the program that answers by its path"));
        }
        if starts.git { self.vcs.distrusted(&folder).await } else { None }
    }

    /// The file in a folder of the root, or in one above it, by which a version manager may start a program that is named by
    /// its path. A text that cannot be read may.
    async fn chooser_by_path(&self, folder: &str) -> Option<RepoPath> {
        for file in choosers(folder) {
            let is_harmless = match self.workspace.read(&file, MOST_OF_A_CHOOSER).await {
                Ok(content) => content.is_none_or(|text| !names_what_runs(&text)),
                Err(_) => false,
            };
            if !is_harmless {
                return Some(file);
            }
        }
        None
    }
}

/// Where such a file may lie for a folder of the root.
fn choosers(folder: &str) -> Vec<RepoPath> {
    let above = std::iter::successors(Some(folder), |folder| folder.rsplit_once('/').map(|(above, _)| above));
    let folders = above.chain((!folder.is_empty()).then_some(""));
    let files = folders.flat_map(|folder| CHOOSERS.iter().map(move |name| format!("{folder}/{name}")));
    files.filter_map(|file| RepoPath::new(file.trim_start_matches('/')).ok()).collect()
}

/// Whether a chooser's text may name what is run: by one of the words, which TOML lets one write with escapes, or as a file of
/// nothing but a path.
fn names_what_runs(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.contains('\\') || text.trim_start().starts_with('/') || NAMING.iter().any(|word| text.contains(word))
}
