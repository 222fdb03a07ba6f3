//! spec-kit: a feature is a folder with `spec.md`, `plan.md` and `tasks.md`; a constitution binds all of them.

mod constitution;
mod plan;
mod spec;
mod tasks;

use std::collections::BTreeMap;

use crate::Document;
use crate::paths::{Roots, keep};
use crate::unit::{Form, Left, Specs, Unit};

/// Where a constitution is; the first that is there counts.
const CONSTITUTIONS: &[&str] = &[".specify/memory/constitution.md", "memory/constitution.md"];

pub(crate) fn read(documents: &[Document]) -> Specs {
    let mut specs = Specs::default();
    let mut features: BTreeMap<&str, BTreeMap<&str, &Document>> = BTreeMap::new();
    for document in documents {
        if let Some((folder, file)) =
            document.path.rsplit_once('/').filter(|_| !is_constitution(&document.path))
        {
            features.entry(folder).or_default().insert(file, document);
        }
    }
    for (folder, files) in &features {
        let Some(spec) = files.get("spec.md") else {
            let first = files.values().next().map(|document| document.path.clone()).unwrap_or_default();
            specs.left.push(Left { path: first, line: 0, why: "there is no `spec.md` beside it".to_owned() });
            continue;
        };
        specs.units.extend(feature(folder, spec, files, &mut specs.left));
    }
    let of = |path: &&str| documents.iter().find(|document| document.path == **path);
    specs.rules =
        CONSTITUTIONS.iter().find_map(of).and_then(|document| constitution::read(document, &mut specs.left));
    specs
}

fn is_constitution(path: &str) -> bool {
    CONSTITUTIONS.contains(&path)
}

fn feature(
    folder: &str,
    document: &Document,
    files: &BTreeMap<&str, &Document>,
    left: &mut Vec<Left>,
) -> Option<Unit> {
    let slug = folder.rsplit('/').next().unwrap_or(folder);
    let mut unit = spec::read(document, slug, left)?;
    let plan = files.get("plan.md").map(|document| plan::read(document)).unwrap_or_default();
    unit.why = unit.why.or(plan.summary);
    unit.limits.extend(plan.limits);
    unit.questions.extend(plan.questions);
    let roots = Roots::of(plan.drawn.iter().map(String::as_str));
    let own = |path: &str| path.starts_with("specs/") || path.starts_with(".specify/");
    if let Some(document) = files.get("tasks.md") {
        tasks::read(document, &mut unit, &roots);
    }
    plan.drawn.into_iter().for_each(|path| keep(&mut unit.paths, path));
    unit.paths.retain(|path| !own(path));
    unit.stories.iter_mut().for_each(|story| story.paths.retain(|path| !own(path)));
    if unit.stories.is_empty() {
        unit.form = Form::Single(bailiwick_domain::IntentKind::Change);
    }
    Some(unit)
}
