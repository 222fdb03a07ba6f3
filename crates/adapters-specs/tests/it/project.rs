//! The fixtures as projects, and what becomes of them.

use std::path::{Path, PathBuf};

use bailiwick_adapters_specs::{Document, Merged, Place, Tool, found, is_wanted, merged, read, records};
use bailiwick_domain::IntentRecord;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The names of all fixtures.
pub(crate) fn names() -> Vec<String> {
    let entries = std::fs::read_dir(fixtures()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// All files of a fixture.
pub(crate) fn project(name: &str) -> Vec<Document> {
    let root = fixtures().join(name);
    let (mut folders, mut documents) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            documents.push(Document { path: name, text: std::fs::read_to_string(&path).unwrap() });
        }
    }
    documents.sort_by(|a, b| a.path.cmp(&b.path));
    documents
}

/// A project of one file.
pub(crate) fn one(path: &str, text: &str) -> Vec<Document> {
    vec![Document { path: path.to_owned(), text: text.to_owned() }]
}

/// What is left out of a project, with its line.
pub(crate) fn left(documents: &[Document]) -> Vec<String> {
    let left = read(tool(documents), documents).left;
    left.iter().map(|one| format!("{}:{} {}", one.path, one.line, one.why)).collect()
}

/// The ids and lines of an intent's requirements.
pub(crate) fn said(record: &IntentRecord) -> Vec<String> {
    let line = |source: &str| source.rsplit_once(':').map(|(_, line)| line.to_owned()).unwrap_or_default();
    let named = record.requirements.iter();
    named.map(|one| format!("{} {}", one.id, one.source.as_deref().map(line).unwrap_or_default())).collect()
}

/// The kind of specs that a fixture is.
pub(crate) fn tool(documents: &[Document]) -> Tool {
    *found(documents.iter().map(|document| document.path.as_str())).first().unwrap()
}

/// The intents of a project beside those that are there.
pub(crate) fn intents(documents: &[Document], existing: &[IntentRecord], flat: bool) -> Vec<IntentRecord> {
    let tool = tool(documents);
    let wanted: Vec<Document> =
        documents.iter().filter(|document| is_wanted(tool, &document.path)).cloned().collect();
    records(&read(tool, &wanted), existing, &Place::default(), flat)
}

/// What an import changes.
pub(crate) fn import(documents: &[Document], existing: &[IntentRecord]) -> Merged {
    let tool = tool(documents);
    merged(&intents(documents, existing, false), existing, tool.word(), |_| true)
}

/// The intents after an import.
pub(crate) fn after(existing: &[IntentRecord], merged: &Merged) -> Vec<IntentRecord> {
    let changed = |record: &IntentRecord| {
        let found = merged.changed.iter().find(|(was, _)| was.id == record.id);
        found.map_or_else(|| record.clone(), |(_, now)| now.clone())
    };
    existing.iter().map(changed).chain(merged.new.iter().cloned()).collect()
}

/// The project with one text in place of another.
#[track_caller]
pub(crate) fn with(documents: &[Document], from: &str, to: &str) -> Vec<Document> {
    assert!(documents.iter().any(|document| document.text.contains(from)), "no file says {from}");
    let changed =
        |document: &Document| Document { text: document.text.replace(from, to), ..document.clone() };
    documents.iter().map(changed).collect()
}
