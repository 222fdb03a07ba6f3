//! Kiro: a feature is a folder with `requirements.md` (or `bugfix.md`), `design.md` and `tasks.md`. Each numbered
//! requirement is a story; each of its criteria is a requirement with an id such as `1.2`.

mod numbers;
mod reader;
mod steering;
mod tasks;

use std::collections::BTreeMap;

use bailiwick_domain::IntentKind;

use self::reader::Reader;
use crate::Document;
use crate::outline::{Block, Kind, outline};
use crate::paths::{Roots, drawn};
use crate::slug;
use crate::unit::{Form, Left, Question, Specs, Unit};
use crate::wording::{questions, title};

pub(crate) fn read(documents: &[Document]) -> Specs {
    let mut specs = Specs::default();
    let mut features: BTreeMap<&str, BTreeMap<&str, &Document>> = BTreeMap::new();
    let mut rules: Vec<&Document> = Vec::new();
    for document in documents {
        if document.path.starts_with(".kiro/steering/") {
            rules.push(document);
        } else if let Some((folder, file)) = document.path.rsplit_once('/') {
            features.entry(folder).or_default().insert(file, document);
        }
    }
    specs.rules = steering::read(&rules);
    for (folder, files) in &features {
        let slug = folder.rsplit('/').next().unwrap_or(folder);
        let main = files.get("requirements.md").or_else(|| files.get("bugfix.md"));
        let Some(main) = main else {
            let path = files.values().next().map(|document| document.path.clone()).unwrap_or_default();
            let why = "there is no `requirements.md` beside it".to_owned();
            specs.left.push(Left { path, line: 0, why });
            continue;
        };
        specs.units.push(feature(main, slug, files, &mut specs.left));
    }
    specs
}

fn feature(main: &Document, slug: &str, files: &BTreeMap<&str, &Document>, left: &mut Vec<Left>) -> Unit {
    let mut unit = Unit::new(&main.path, slug, "SPEC");
    let blocks = outline(&main.text);
    unit.lines = (1, blocks.last().map_or(1, |block| block.lines.1));
    let heading = blocks.iter().find(|block| block.level() == Some(1));
    let said = heading.map(|block| title(&block.text)).unwrap_or_default();
    unit.name = if said.is_empty() { slug::words(slug) } else { said };
    let is_bug = main.path.ends_with("/bugfix.md");
    let mut reader = Reader::new(is_bug);
    for block in &blocks {
        reader.take(block, main, &mut unit);
    }
    Reader::name_the_rest(&mut unit);
    if unit.requirements.is_empty() {
        let why = "it has no numbered criteria".to_owned();
        left.push(Left { path: main.path.clone(), line: 0, why });
    }
    let mut trees: Vec<String> = Vec::new();
    if let Some(design) = files.get("design.md") {
        for block in outline(&design.text) {
            match block.kind {
                Kind::Code => trees.extend(drawn(&block.text)),
                _ => ask(&block, design, &mut unit.questions),
            }
        }
    }
    if let Some(tasks) = files.get("tasks.md") {
        tasks::read(tasks, &Roots::of(trees.iter().map(String::as_str)), &mut unit);
    }
    unit.paths.retain(|path| !path.starts_with(".kiro/"));
    unit.stories.iter_mut().for_each(|story| story.paths.retain(|path| !path.starts_with(".kiro/")));
    if is_bug || unit.stories.is_empty() {
        let kind = if is_bug { IntentKind::Fix } else { IntentKind::Change };
        unit.form = Form::Single(kind);
    }
    unit
}

fn ask(block: &Block, document: &Document, into: &mut Vec<Question>) {
    for text in questions(&block.text) {
        into.push(Question { text, of: None, path: document.path.clone(), line: block.lines.0 });
    }
}
