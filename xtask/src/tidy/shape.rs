//! The shape of the source: sizes, openings, names, and test files that nobody runs.
//!
//! It counts and names; whether the code is good is for a reader.

use std::collections::{BTreeMap, BTreeSet};

use crate::rust_source::{RustSource, is_test_path};

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 80;
const FOLDER_FILES: usize = 12;
const PLACEHOLDERS: &[&str] =
    &["common", "core", "helper", "helpers", "manager", "misc", "shared", "stuff", "util", "utils"];

/// A file's product code stays small enough to read in one sitting.
pub(crate) fn check_file_size(source: &RustSource<'_>) -> Vec<String> {
    let lines = source.product_lines();
    if lines <= FILE_LINES {
        return Vec::new();
    }
    vec![format!("{}: shape: {lines} lines without tests, at most {FILE_LINES}", source.path)]
}

/// A function fits on a screen.
pub(crate) fn check_function_size(source: &RustSource<'_>) -> Vec<String> {
    let too_long = |function: &&crate::rust_source::Function| {
        function.lines() > FUNCTION_LINES && !source.is_test_line(function.first_line)
    };
    source
        .functions
        .iter()
        .filter(too_long)
        .map(|function| {
            let (path, line, name, lines) =
                (source.path, function.first_line, &function.name, function.lines());
            format!("{path}:{line}: shape: `{name}` has {lines} lines, at most {FUNCTION_LINES}")
        })
        .collect()
}

/// Every file opens with what it owns.
pub(crate) fn check_opening(source: &RustSource<'_>) -> Vec<String> {
    if source.text.starts_with("//!") {
        return Vec::new();
    }
    vec![format!("{}: shape: does not open with `//!`", source.path)]
}

/// A lint is expected with a reason or obeyed, never silenced.
pub(crate) fn check_silenced_lints(source: &RustSource<'_>) -> Vec<String> {
    let mut lines = source.lines_with(&["#", "[", "allow", "("]);
    lines.extend(source.lines_with(&["#", "!", "[", "allow", "("]));
    lines.sort_unstable();
    lines
        .into_iter()
        .map(|line| format!("{}:{line}: shape: `allow`; use `#[expect(…, reason = …)]`", source.path))
        .collect()
}

/// A module says what it is for.
pub(crate) fn check_names(source: &RustSource<'_>) -> Vec<String> {
    let mut findings = Vec::new();
    for part in source.path.trim_end_matches(".rs").split('/') {
        if PLACEHOLDERS.contains(&part) {
            findings.push(format!("{}: shape: `{part}` says nothing about its content", source.path));
        }
    }
    for pair in source.tokens.windows(2) {
        let [keyword, name] = pair else { continue };
        if keyword.text == "mod" && PLACEHOLDERS.contains(&name.text.as_str()) {
            let (path, line, name) = (source.path, name.line, &name.text);
            findings.push(format!("{path}:{line}: shape: `mod {name}` says nothing about its content"));
        }
    }
    findings
}

/// A `mod.rs` only lists what lies beside it.
pub(crate) fn check_module_roots(source: &RustSource<'_>) -> Vec<String> {
    if !source.path.ends_with("/mod.rs") || source.is_test_file() {
        return Vec::new();
    }
    let lists =
        |item: &syn::Item| matches!(item, syn::Item::Mod(_) | syn::Item::Use(_) | syn::Item::ExternCrate(_));
    if source.syntax.items.iter().all(lists) {
        return Vec::new();
    }
    vec![format!("{}: shape: a `mod.rs` with code; put it into a named file", source.path)]
}

/// A folder holds what a reader can take in at one look. A file that is the face of a folder beside it counts as that folder.
pub(crate) fn check_folder_size(sources: &[RustSource<'_>]) -> Vec<String> {
    let paths: BTreeSet<&str> =
        sources.iter().filter(|source| !source.is_test_file()).map(|source| source.path).collect();
    let folders: BTreeSet<&str> =
        paths.iter().filter_map(|path| path.rsplit_once('/')).map(|it| it.0).collect();
    let is_face = |path: &str| path.strip_suffix(".rs").is_some_and(|module| folders.contains(module));
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for (folder, _) in paths.iter().filter(|path| !is_face(path)).filter_map(|path| path.rsplit_once('/')) {
        *files.entry(folder).or_default() += 1;
    }
    let crowded = files.into_iter().filter(|(_, count)| *count > FOLDER_FILES);
    let finding = |(folder, count)| format!("{folder}: shape: {count} source files, at most {FOLDER_FILES}");
    crowded.map(finding).collect()
}

/// Every file under `tests/` is compiled: one binary per crate, and each file is a module of it.
pub(crate) fn check_forgotten_tests(sources: &[RustSource<'_>]) -> Vec<String> {
    let declared: BTreeSet<String> = sources.iter().flat_map(declared_files).collect();
    let mut findings = Vec::new();
    for source in sources {
        let path = source.path;
        let Some((_, inside)) = path.rsplit_once("/tests/").filter(|_| is_test_path(path)) else { continue };
        if path.contains("/src/") || inside == "it/main.rs" || declared.contains(path) {
            continue;
        }
        findings.push(match inside.contains('/') {
            true => format!("{path}: tests: no `mod` names this file, so it never runs"),
            false => format!("{path}: tests: a second test binary; make it a module of `tests/it/main.rs`"),
        });
    }
    findings
}

/// The files that the `mod name;` lines of a source stand for.
fn declared_files(source: &RustSource<'_>) -> Vec<String> {
    let (folder, file) = source.path.rsplit_once('/').unwrap_or(("", source.path));
    let folder = match file {
        "main.rs" | "mod.rs" | "lib.rs" => folder.to_owned(),
        _ => format!("{folder}/{}", file.trim_end_matches(".rs")),
    };
    let mut files = Vec::new();
    for item in &source.syntax.items {
        if let syn::Item::Mod(module) = item
            && module.content.is_none()
        {
            files.push(format!("{folder}/{}.rs", module.ident));
            files.push(format!("{folder}/{}/mod.rs", module.ident));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::TextFile;

    fn check(rule: fn(&RustSource<'_>) -> Vec<String>, path: &str, text: &str) -> Vec<String> {
        let file = TextFile::sample(path, text);
        rule(&RustSource::parse(&file).unwrap())
    }

    #[test]
    fn a_long_file_is_named_and_its_tests_do_not_count() {
        let product = "// line\n".repeat(600);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "// line\n".repeat(500));
        assert_eq!(check(check_file_size, "crates/x/src/a.rs", &format!("{product}{tests}")), [""; 0]);
        assert_eq!(
            check(check_file_size, "crates/x/src/a.rs", &format!("//! x\n{product}")),
            ["crates/x/src/a.rs: shape: 601 lines without tests, at most 600"]
        );
    }

    #[test]
    fn a_long_function_is_named() {
        let body = |lines: usize| format!("impl A {{ fn long() {{\n{}}} }}", "    a();\n".repeat(lines));
        assert_eq!(check(check_function_size, "a.rs", &body(78)), [""; 0]);
        assert_eq!(
            check(check_function_size, "a.rs", &body(79)),
            ["a.rs:1: shape: `long` has 81 lines, at most 80"]
        );
    }

    #[test]
    fn a_file_without_an_opening_is_named() {
        assert_eq!(check(check_opening, "a.rs", "//! Owns a.\n"), [""; 0]);
        assert_eq!(check(check_opening, "a.rs", "fn a() {}\n"), ["a.rs: shape: does not open with `//!`"]);
    }

    #[test]
    fn a_silenced_lint_is_named() {
        let good =
            "#![expect(dead_code, reason = \"x\")]\n// #[allow(x)]\nconst A: &str = \"#[allow(x)]\";\n";
        assert_eq!(check(check_silenced_lints, "a.rs", good), [""; 0]);
        assert_eq!(
            check(check_silenced_lints, "a.rs", "#![allow(a)]\n#[allow(b)]\nfn f() {}\n"),
            [
                "a.rs:1: shape: `allow`; use `#[expect(…, reason = …)]`",
                "a.rs:2: shape: `allow`; use `#[expect(…, reason = …)]`"
            ]
        );
    }

    #[test]
    fn a_placeholder_name_is_named() {
        assert_eq!(check(check_names, "crates/x/src/range.rs", "mod ledger;\n"), [""; 0]);
        assert_eq!(
            check(check_names, "crates/x/src/utils.rs", "mod helpers {}\n"),
            [
                "crates/x/src/utils.rs: shape: `utils` says nothing about its content",
                "crates/x/src/utils.rs:1: shape: `mod helpers` says nothing about its content"
            ]
        );
    }

    #[test]
    fn a_module_root_with_code_is_named() {
        assert_eq!(check(check_module_roots, "crates/x/src/a/mod.rs", "mod b;\npub use b::B;\n"), [""; 0]);
        assert_eq!(
            check(check_module_roots, "crates/x/src/a/mod.rs", "mod b;\nfn f() {}\n"),
            ["crates/x/src/a/mod.rs: shape: a `mod.rs` with code; put it into a named file"]
        );
    }

    #[test]
    fn a_crowded_folder_is_named() {
        let crowded = |more: &[&str]| {
            let twelve = (1..=12).map(|at| format!("crates/x/src/part/file_{at}.rs"));
            let paths = twelve.chain(more.iter().map(|path| (*path).to_owned()));
            let files: Vec<_> = paths.map(|path| TextFile::sample(&path, "//! x\n")).collect();
            let sources: Vec<_> = files.iter().map(|file| RustSource::parse(file).unwrap()).collect();
            check_folder_size(&sources)
        };
        let a_thirteenth = ["crates/x/src/part: shape: 13 source files, at most 12"];
        assert_eq!(crowded(&["crates/x/src/part/file_13.rs"]), a_thirteenth);
        assert_eq!(crowded(&["crates/x/src/part/mod.rs"]), a_thirteenth);
        let is_fine =
            ["crates/x/src/part/deep.rs", "crates/x/src/part/deep/a.rs", "crates/x/src/part/tests.rs"];
        assert_eq!(crowded(&is_fine), [""; 0]);
        assert_eq!(
            crowded(&["crates/x/src/part/deep.rs"]),
            a_thirteenth,
            "a face without a folder is a file"
        );
    }

    #[test]
    fn a_forgotten_test_file_is_named() {
        let files = [
            TextFile::sample("crates/x/tests/it/main.rs", "mod a;\nmod b;\n"),
            TextFile::sample("crates/x/tests/it/a.rs", "mod deep;"),
            TextFile::sample("crates/x/tests/it/a/deep.rs", ""),
            TextFile::sample("crates/x/tests/it/b/mod.rs", ""),
            TextFile::sample("crates/x/tests/it/lost.rs", ""),
            TextFile::sample("crates/x/tests/second.rs", ""),
        ];
        let sources: Vec<_> = files.iter().map(|file| RustSource::parse(file).unwrap()).collect();
        assert_eq!(
            check_forgotten_tests(&sources),
            [
                "crates/x/tests/it/lost.rs: tests: no `mod` names this file, so it never runs",
                "crates/x/tests/second.rs: tests: a second test binary; make it a module of `tests/it/main.rs`"
            ]
        );
    }
}
