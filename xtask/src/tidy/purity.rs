//! What the pure crates may not name in their source, and who may print.
//!
//! Dependencies are `layers`' business; this one reads source text.

use syn::visit::{self, Visit};

use crate::rust_source::RustSource;

const PURE: &[&str] = &["crates/domain/src/", "crates/gate/src/", "crates/policy/src/"];

/// Shares pure work among threads, which changes nothing of what comes out.
const SHARES: &str = "crates/gate/src/shares.rs";

/// Test support behind the feature `testing`: its clocks and threads never reach the product.
const TEST_SUPPORT: &str = "crates/domain/src/testing/";

const FORBIDDEN_STD: &[&[&str]] = &[
    &["std", "fs"],
    &["std", "env"],
    &["std", "net"],
    &["std", "process"],
    &["std", "thread"],
    &["std", "time", "SystemTime"],
    &["std", "time", "Instant"],
];

const MAY_PRINT: &[&str] = &["crates/app/", "crates/differential/", "xtask/"];

const PRINTERS: &[&str] = &["print", "println", "eprint", "eprintln"];

/// The domain cannot name files, environment or clock, because it has no standard library.
pub(crate) fn check_no_std(source: &RustSource<'_>) -> Vec<String> {
    if source.path != "crates/domain/src/lib.rs"
        || !source.lines_with(&["#", "!", "[", "no_std", "]"]).is_empty()
    {
        return Vec::new();
    }
    vec![format!("{}: purity: the line `#![no_std]` is gone", source.path)]
}

/// No file, environment, network, process or clock in the product code of a pure crate.
pub(crate) fn check_std_paths(source: &RustSource<'_>) -> Vec<String> {
    let pure = PURE.iter().any(|prefix| source.path.starts_with(prefix));
    if !pure || source.path.starts_with(TEST_SUPPORT) || source.path == SHARES {
        return Vec::new();
    }
    let mut paths = Paths::default();
    paths.visit_file(&source.syntax);
    let mut found = paths.found;
    found.extend(paths_in_tokens(source));
    found.retain(|(path, line)| !source.is_test_line(*line) && is_forbidden(path));
    found.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    found.dedup();
    found
        .iter()
        .map(|(path, line)| format!("{}:{line}: purity: names `{}`", source.path, path.join("::")))
        .collect()
}

/// Only the program itself and these tasks print; everything else returns values.
pub(crate) fn check_printing(source: &RustSource<'_>) -> Vec<String> {
    if source.is_test_file() || MAY_PRINT.iter().any(|prefix| source.path.starts_with(prefix)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for printer in PRINTERS {
        for line in source.lines_with(&[printer, "!"]) {
            if !source.is_test_line(line) {
                findings.push(format!("{}:{line}: printing: `{printer}!` outside the app", source.path));
            }
        }
    }
    findings
}

fn is_forbidden(path: &[String]) -> bool {
    let starts_with =
        |prefix: &&[&str]| prefix.len() <= path.len() && prefix.iter().zip(path).all(|(a, b)| a == b);
    let hidden =
        path.first().is_some_and(|first| first == "std") && path.get(1).is_none_or(|next| next == "*");
    hidden || FORBIDDEN_STD.iter().any(starts_with)
}

/// Every path that `use` brings in, groups spelled out.
#[derive(Default)]
struct Paths {
    found: Vec<(Vec<String>, usize)>,
}

impl Paths {
    fn spell_out(&mut self, tree: &syn::UseTree, before: &[String]) {
        let extended = |ident: &syn::Ident| {
            let mut path = before.to_vec();
            if ident != "self" {
                path.push(ident.to_string());
            }
            (path, ident.span().start().line)
        };
        match tree {
            syn::UseTree::Path(path) => self.spell_out(&path.tree, &extended(&path.ident).0),
            syn::UseTree::Name(name) => self.found.push(extended(&name.ident)),
            syn::UseTree::Rename(rename) => self.found.push(extended(&rename.ident)),
            syn::UseTree::Glob(glob) => {
                let star = before.iter().cloned().chain(["*".to_owned()]).collect();
                self.found.push((star, glob.star_token.spans[0].start().line));
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.spell_out(item, before));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.spell_out(&item.tree, &[]);
        visit::visit_item_use(self, item);
    }
}

/// Paths that start with `std::`, wherever they stand, macros included.
fn paths_in_tokens(source: &RustSource<'_>) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    for (index, token) in source.tokens.iter().enumerate().filter(|(_, token)| token.text == "std") {
        let mut path = vec![token.text.clone()];
        let rest = source.tokens.iter().skip(index + 1).collect::<Vec<_>>();
        for chunk in rest.chunks(3) {
            let [first, second, name] = chunk else { break };
            if first.text != ":" || second.text != ":" || !name.text.starts_with(char::is_alphabetic) {
                break;
            }
            path.push(name.text.clone());
        }
        if path.len() > 1 {
            found.push((path, token.line));
        }
    }
    found
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
    fn the_domain_stays_without_a_standard_library() {
        let path = "crates/domain/src/lib.rs";
        assert_eq!(check(check_no_std, path, "//! x\n#![no_std]\n"), [""; 0]);
        let bad = check(check_no_std, path, "//! no_std\n");
        assert_eq!(bad, ["crates/domain/src/lib.rs: purity: the line `#![no_std]` is gone"]);
    }

    #[test]
    fn a_pure_crate_without_the_world_passes() {
        let text = "use std::collections::BTreeMap;\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(check(check_std_paths, "crates/policy/src/a.rs", text), [""; 0]);
        assert_eq!(check(check_std_paths, "crates/adapters-fs/src/a.rs", "use std::fs;"), [""; 0]);
    }

    #[test]
    fn the_world_in_a_pure_crate_is_named() {
        let text = "use std::{fs::File, time::{Duration, SystemTime}};\nfn f() { std::env::var(\"X\"); }\nuse std as s;\nuse std::*;\nfn g() { m!(::std::net::x()); }\n";
        assert_eq!(
            check(check_std_paths, "crates/policy/src/a.rs", text),
            [
                "crates/policy/src/a.rs:1: purity: names `std::fs::File`",
                "crates/policy/src/a.rs:1: purity: names `std::time::SystemTime`",
                "crates/policy/src/a.rs:2: purity: names `std::env::var`",
                "crates/policy/src/a.rs:3: purity: names `std`",
                "crates/policy/src/a.rs:4: purity: names `std::*`",
                "crates/policy/src/a.rs:5: purity: names `std::net::x`",
            ]
        );
    }

    #[test]
    fn only_the_app_prints() {
        let text = "fn f() {\n println!(\"x\");\n}\n#[test]\nfn t() { println!(\"x\"); }\n";
        assert_eq!(check(check_printing, "crates/app/src/a.rs", text), [""; 0]);
        assert_eq!(
            check(check_printing, "crates/policy/src/a.rs", text),
            ["crates/policy/src/a.rs:2: printing: `println!` outside the app"]
        );
    }
}
