//! The map of intents, files and symbols: which intent changed what, as the ledger has it. The same entries give the same
//! text, byte for byte; there are no counters in it, so that two branches change it in different rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bailiwick_domain::{IntentId, IntentSet, RepoPath, StoredEntry, Trust};

use super::proof::Proof;

/// One file that an intent changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapRow {
    /// The intent.
    pub intent: IntentId,
    /// The file.
    pub file: RepoPath,
    /// The named units that it changed in it, as the ledger knows them; empty where the text is not understood.
    pub symbols: BTreeSet<String>,
    /// For which requirements, sorted.
    pub requirements: BTreeSet<String>,
    /// The other intents that changed it too.
    pub shared_with: BTreeSet<IntentId>,
    /// How the entries are known that say so; empty where nobody asked.
    pub trust: BTreeSet<Trust>,
    /// How sure the surest of them is.
    pub proof: Proof,
}

/// One file that an intent changed, without what the others did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapChange<'m> {
    /// The intent.
    pub intent: &'m IntentId,
    /// The file.
    pub file: &'m RepoPath,
    /// The named units that it changed in it.
    pub symbols: &'m BTreeSet<String>,
    /// For which requirements, sorted.
    pub requirements: &'m BTreeSet<String>,
    /// How sure the surest of the entries is.
    pub proof: Proof,
}

/// Gathers rows out of entries, in any order.
#[derive(Clone, Debug, Default)]
pub struct IntentMap(BTreeMap<(IntentId, RepoPath), Cell>);

/// What an intent did to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cell {
    symbols: BTreeSet<String>,
    requirements: BTreeSet<String>,
    trust: BTreeSet<Trust>,
    proof: Proof,
}

impl IntentMap {
    /// Takes an entry up.
    pub fn take(&mut self, stored: &StoredEntry) {
        let context = &stored.entry.context;
        for file in &stored.entry.files {
            let row = self.0.entry((context.intent.clone(), file.path.clone())).or_default();
            row.requirements.extend(context.requirements.iter().cloned());
            let symbols = file.ranges.iter().filter_map(|range| range.symbol.as_ref());
            row.trust.extend(stored.trust.clone());
            row.proof = row.proof.max(Proof::of_entry(stored));
            row.symbols.extend(symbols.map(|symbol| symbol.path.clone()));
        }
    }

    /// What each intent did to each file, by intent and file. It holds no list per row, however many intents share a file.
    pub fn changes(&self) -> impl Iterator<Item = MapChange<'_>> {
        self.0.iter().map(|((intent, file), cell)| MapChange {
            intent,
            file,
            symbols: &cell.symbols,
            requirements: &cell.requirements,
            proof: cell.proof,
        })
    }

    /// The rows, by intent and file.
    pub fn rows(&self) -> Vec<MapRow> {
        let mut by_file: BTreeMap<&RepoPath, BTreeSet<&IntentId>> = BTreeMap::new();
        for (intent, file) in self.0.keys() {
            by_file.entry(file).or_default().insert(intent);
        }
        let others = |intent: &IntentId, file: &RepoPath| {
            let all = by_file.get(file).into_iter().flatten().copied();
            all.filter(|other| *other != intent).cloned().collect()
        };
        let row = |((intent, file), cell): (&(IntentId, RepoPath), &Cell)| MapRow {
            intent: intent.clone(),
            file: file.clone(),
            symbols: cell.symbols.clone(),
            requirements: cell.requirements.clone(),
            shared_with: others(intent, file),
            trust: cell.trust.clone(),
            proof: cell.proof,
        };
        self.0.iter().map(row).collect()
    }

    /// The whole as `intent_map.md`.
    pub fn to_markdown(&self, intents: &IntentSet) -> String {
        let mut text = String::from(
            "<!-- Made by `bailiwick map` from the ledger; changes by hand are lost. -->\n# Intent map\n\n\
             | intent | file | symbols | requirements | also changed by |\n|---|---|---|---|---|\n",
        );
        let join = |cells: Vec<String>| cells.join(" ");
        for row in self.rows() {
            let requirements = join(row.requirements.iter().map(|id| cell(id)).collect());
            let others = join(row.shared_with.iter().map(|id| cell(id.as_str())).collect());
            let symbols = join(row.symbols.iter().map(|symbol| cell(symbol)).collect());
            let (intent, file) = (cell(row.intent.as_str()), cell(row.file.as_str()));
            let _ = writeln!(text, "| {intent} | {file} | {symbols} | {requirements} | {others} |");
        }
        let named: BTreeSet<&IntentId> = self.0.keys().map(|(intent, _)| intent).collect();
        text.push_str("\n## Intents\n\n");
        for id in named {
            match intents.get(id) {
                Some(intent) => {
                    let _ = writeln!(
                        text,
                        "- {}: {} ({})",
                        cell(id.as_str()),
                        cell(intent.name()),
                        intent.status()
                    );
                }
                None => {
                    let _ = writeln!(text, "- {}: not in the intents file any more", cell(id.as_str()));
                }
            }
        }
        text
    }
}

impl MapRow {
    /// Whether the intent changed this unit, or one inside it.
    pub fn has_symbol(&self, name: &str) -> bool {
        let is_it = |symbol: &String| {
            symbol.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.symbols.iter().any(is_it)
    }
}

/// A text that stays inside its cell, and inert for whoever reads the page.
fn cell(text: &str) -> String {
    crate::presentation::inert::line(text)
        .replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('<', "&lt;")
        .replace('`', "\\`")
}
