//! The house rules as tests: collects what every rule finds over the working copy, then fails once.
//!
//! A rule is a pure function over text or metadata in a module below, with its own bad and good sample.

mod circles;
mod codes;
mod diagrams;
mod layers;
mod machine;
mod merges;
mod parts;
mod purity;
mod shape;
mod walls;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};

use crate::generated::error_codes;
use crate::rust_source::RustSource;
use crate::workspace::{self, TextFile};

/// Rules that judge one Rust file.
const FILE_RULES: &[fn(&RustSource<'_>) -> Vec<String>] = &[
    codes::check,
    purity::check_no_std,
    purity::check_std_paths,
    purity::check_printing,
    shape::check_file_size,
    shape::check_function_size,
    shape::check_opening,
    shape::check_silenced_lints,
    shape::check_names,
    shape::check_module_roots,
];

/// Runs every rule and reports all findings.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let files = workspace::text_files(&root)?;
    let mut findings = source_findings(&files);
    findings.extend(text_findings(&files));
    findings.extend(code_findings(&files)?);
    findings.extend(diagrams::check(&files));
    findings.extend(layer_findings(&root)?);
    findings.extend(walls::check(&files));
    for finding in &findings {
        println!("{finding}");
    }
    if !findings.is_empty() {
        bail!("{} house rules are broken", findings.len());
    }
    println!("tidy: {} files, nothing found", files.len());
    Ok(())
}

fn source_findings(files: &[TextFile]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut sources = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        match RustSource::parse(file) {
            Ok(source) => sources.push(source),
            Err(error) => findings.push(format!("{error:#}")),
        }
    }
    findings.extend(sources.iter().flat_map(|source| FILE_RULES.iter().flat_map(|rule| rule(source))));
    findings.extend(shape::check_folder_size(&sources));
    findings.extend(shape::check_forgotten_tests(&sources));
    findings.extend(circles::check(&sources));
    findings.extend(parts::check(&sources, files));
    findings
}

fn text_findings(files: &[TextFile]) -> Vec<String> {
    files.iter().flat_map(|file| machine::check(file).into_iter().chain(merges::check(file))).collect()
}

fn code_findings(files: &[TextFile]) -> Result<Vec<String>> {
    let Some(source) = files.iter().find(|file| file.path == error_codes::SOURCE) else {
        return Ok(vec![format!("{}: the error catalogue is gone", error_codes::SOURCE)]);
    };
    let pages: Vec<_> = files
        .iter()
        .filter(|file| file.path.starts_with("docs/protocol/") && file.path.ends_with(".md"))
        .collect();
    Ok(error_codes::undocumented(&error_codes::parse(source)?, &pages))
}

fn layer_findings(root: &Path) -> Result<Vec<String>> {
    let mut query = workspace::cargo();
    query.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]).current_dir(root);
    let metadata: layers::Metadata = serde_json::from_str(&workspace::stdout(&mut query)?)?;
    let mut trees = BTreeMap::new();
    for member in layers::pure_members() {
        trees.insert(member.to_owned(), tree_of(root, member, &[])?);
    }
    let mut findings = layers::check_layers(&metadata);
    findings.extend(layers::check_outside(&metadata));
    findings.extend(layers::check_below(&trees));
    for features in [&["--no-default-features"][..], &["--no-default-features", "--features", "memory"]] {
        findings.extend(layers::check_library(&tree_of(root, "bailiwick", features)?));
    }
    Ok(findings)
}

/// The crates below a member, those of its tests apart.
fn tree_of(root: &Path, member: &str, features: &[&str]) -> Result<Vec<String>> {
    let mut query = workspace::cargo();
    query.args(["tree", "--offline", "-p", member, "-e", "no-dev", "--prefix", "none", "--format", "{p}"]);
    Ok(layers::tree_names(&workspace::stdout(query.args(features).current_dir(root))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<TextFile> {
        workspace::text_files(&workspace::root()).unwrap()
    }

    #[track_caller]
    fn none(findings: &[String]) {
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }

    #[test]
    fn the_architecture_page_shows_what_it_must() {
        none(&diagrams::check(&files()));
    }

    #[test]
    fn the_source_keeps_its_shape_and_purity() {
        none(&source_findings(&files()));
    }

    #[test]
    fn no_tracked_file_knows_this_machine() {
        none(&text_findings(&files()));
    }

    #[test]
    fn the_application_ring_keeps_its_walls() {
        none(&walls::check(&files()));
    }

    #[test]
    fn every_error_code_is_documented() {
        none(&code_findings(&files()).unwrap());
    }

    #[test]
    fn dependencies_point_inward() {
        none(&layer_findings(&workspace::root()).unwrap());
    }

    #[test]
    fn a_file_that_does_not_parse_is_named() {
        let findings = source_findings(&[TextFile::sample("crates/x/src/a.rs", "//! x\nfn {")]);
        assert!(findings.iter().any(|finding| finding.starts_with("crates/x/src/a.rs: does not parse")));
    }
}
