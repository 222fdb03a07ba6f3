//! Who may import whom inside the workspace, and which outside crates the pure crates may name.
//!
//! It reads what `cargo metadata` and `cargo tree` say; it never looks into source text.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The part of `cargo metadata` that the rules need.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// `None` for a normal dependency, else `dev` or `build`.
    kind: Option<String>,
    /// Where a workspace member lies; `None` for outside crates.
    path: Option<String>,
    features: Vec<String>,
    #[serde(default)]
    optional: bool,
}

enum Permitted {
    Nothing,
    Only(&'static [&'static str]),
    Everything,
}

/// The layer table: a member, what it may import, what only its tests may import.
const LAYERS: &[(&str, Permitted, Permitted)] = &[
    (DOMAIN, Permitted::Nothing, Permitted::Only(&[DOMAIN])),
    (POLICY, Permitted::Only(&[DOMAIN]), Permitted::Only(&[DOMAIN])),
    ("bailiwick-loopback", Permitted::Nothing, Permitted::Nothing),
    (FRAMES, Permitted::Nothing, Permitted::Nothing),
    ("bailiwick-adapters-*", Permitted::Only(&[DOMAIN, FRAMES, LOOPBACK]), Permitted::Only(&[DOMAIN])),
    (GATE, Permitted::Only(&[DOMAIN, POLICY]), Permitted::Only(&[DOMAIN, POLICY])),
    ("bailiwick", Permitted::Everything, Permitted::Everything),
    ("bailiwick-differential", Permitted::Everything, Permitted::Everything),
    ("bailiwick-fuzz", Permitted::Everything, Permitted::Everything),
    ("xtask", Permitted::Nothing, Permitted::Nothing),
];

const DOMAIN: &str = "bailiwick-domain";
const POLICY: &str = "bailiwick-policy";
const GATE: &str = "bailiwick-gate";
const FRAMES: &str = "bailiwick-frames";
const LOOPBACK: &str = "bailiwick-loopback";

/// Imports that the tests of one member need beyond the table: member, import, reason.
const DEV_EXCEPTIONS: &[(&str, &str, &str)] = &[];

/// What the crates without adapters may name directly.
const OUTSIDE: &[(&str, &[&str])] = &[
    (DOMAIN, &["async-trait", "serde", "serde_json", "sha2", "thiserror"]),
    (POLICY, &["globset", "regex", "schemars", "serde"]),
    (
        GATE,
        &["async-trait", "imara-diff", "regex", "schemars", "serde", "serde_json", "similar", "thiserror"],
    ),
];

/// What a pure crate's feature `testing` may bring in, optional dependencies only.
const TEST_SUPPORT: &[&str] = &["mockall", "pollster", "proptest"];

/// What may not lie anywhere below the pure crates.
const FORBIDDEN_BELOW: &[&str] = &[
    "actix-rt",
    "async-io",
    "async-std",
    "chrono",
    "fastrand",
    "getrandom",
    "h2",
    "http",
    "hyper",
    "jiff",
    "mio",
    "notify",
    "rand",
    "rand_core",
    "redis",
    "reqwest",
    "rusqlite",
    "rustix",
    "smol",
    "socket2",
    "sqlx",
    "time",
    "tokio",
    "tracing",
    "uuid",
    "walkdir",
];

/// What the library for embedding does without: no command line, no screen, no grammar.
const NOT_IN_LIBRARY: &[&str] = &[
    "clap",
    "clap_complete",
    "clap_mangen",
    "crossterm",
    "indicatif",
    "ratatui",
    "tokio",
    "tree-sitter",
    "bailiwick-adapters-ast",
];

/// Crates that come along with a permitted one: below whom, which, reason.
const BELOW_EXCEPTIONS: &[(&str, &str, &str)] = &[];

/// Checks the layer table over every member.
pub(crate) fn check_layers(metadata: &Metadata) -> Vec<String> {
    let mut findings = Vec::new();
    for package in &metadata.packages {
        let Some((_, normal, dev)) = LAYERS.iter().find(|(pattern, ..)| matches(pattern, &package.name))
        else {
            findings
                .push(format!("layers: `{}` is not in the layer table; place it on purpose", package.name));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
            let is_dev = dependency.kind.as_deref() == Some("dev");
            let table = if is_dev { dev } else { normal };
            let excepted = is_dev && is_excepted(&package.name, &dependency.name);
            if !excepted && !permits(table, &dependency.name) {
                let section = if is_dev { "dev-imports" } else { "imports" };
                findings.push(format!("layers: `{}` {section} `{}`", package.name, dependency.name));
            }
            if !is_dev && dependency.features.iter().any(|feature| feature == "testing") {
                findings.push(format!(
                    "layers: `{}` turns on `testing` of `{}` outside dev-dependencies",
                    package.name, dependency.name
                ));
            }
        }
    }
    findings
}

/// Checks the direct outside dependencies of the pure crates, dev-dependencies apart.
pub(crate) fn check_outside(metadata: &Metadata) -> Vec<String> {
    let mut findings = Vec::new();
    for (member, permitted) in OUTSIDE {
        let package = metadata.packages.iter().find(|package| package.name == *member);
        for dependency in package.iter().flat_map(|package| &package.dependencies) {
            let judged = dependency.path.is_none() && dependency.kind.as_deref() != Some("dev");
            let name = dependency.name.as_str();
            let supports_tests = dependency.optional && TEST_SUPPORT.contains(&name);
            if judged && !permitted.contains(&name) && !supports_tests {
                findings.push(format!("outside crates: `{member}` may not depend on `{}`", dependency.name));
            }
        }
    }
    findings
}

/// Checks everything below the pure crates; `trees` maps a member to the crates of its own tree without dev edges.
pub(crate) fn check_below(trees: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut findings = Vec::new();
    for (member, _) in OUTSIDE {
        let Some(tree) = trees.get(*member) else {
            findings.push(format!("outside crates: no tree for `{member}`"));
            continue;
        };
        for name in tree {
            let excepted = BELOW_EXCEPTIONS.iter().any(|(below, which, _)| below == member && which == name);
            if FORBIDDEN_BELOW.contains(&name.as_str()) && !excepted {
                findings.push(format!("outside crates: `{name}` lies below `{member}`"));
            }
        }
    }
    findings
}

/// Checks what lies below the library without its default features.
pub(crate) fn check_library(tree: &[String]) -> Vec<String> {
    let found =
        tree.iter().filter(|name| NOT_IN_LIBRARY.contains(&name.as_str()) || name.starts_with("mockall"));
    found
        .map(|name| format!("features: `{name}` lies below the library without its default features"))
        .collect()
}

/// The members whose trees [`check_below`] wants.
pub(crate) fn pure_members() -> impl Iterator<Item = &'static str> {
    OUTSIDE.iter().map(|(member, _)| *member)
}

/// The crate names of `cargo tree --prefix none --format {p}`.
pub(crate) fn tree_names(listing: &str) -> Vec<String> {
    let mut names: Vec<String> =
        listing.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

fn permits(table: &Permitted, name: &str) -> bool {
    match table {
        Permitted::Nothing => false,
        Permitted::Only(names) => names.contains(&name),
        Permitted::Everything => name != "xtask",
    }
}

fn is_excepted(member: &str, import: &str) -> bool {
    DEV_EXCEPTIONS.iter().any(|(from, to, _)| *from == member && *to == import)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn metadata(packages: Value) -> Metadata {
        serde_json::from_value(json!({ "packages": packages })).unwrap()
    }

    fn member(name: &str, dependencies: &[Value]) -> Value {
        json!({ "name": name, "dependencies": dependencies })
    }

    fn import(name: &str, kind: Option<&str>, features: &[&str]) -> Value {
        json!({ "name": name, "kind": kind, "path": "crates/x", "features": features })
    }

    fn outside(name: &str, kind: Option<&str>) -> Value {
        json!({ "name": name, "kind": kind, "path": null, "features": [] })
    }

    #[test]
    fn layers_that_point_inward_pass() {
        let good = metadata(json!([
            member(DOMAIN, &[]),
            member(
                "bailiwick-policy",
                &[import(DOMAIN, None, &[]), import(DOMAIN, Some("dev"), &["testing"])]
            ),
            member("bailiwick-adapters-fs", &[import(DOMAIN, None, &[])]),
            member(
                "bailiwick",
                &[import("bailiwick-policy", None, &[]), import("bailiwick-adapters-fs", None, &[])]
            ),
        ]));
        assert_eq!(check_layers(&good), [""; 0]);
    }

    #[test]
    fn an_import_across_layers_is_named() {
        let bad = metadata(json!([
            member("bailiwick-adapters-fs", &[import("bailiwick-policy", None, &[])]),
            member("bailiwick-policy", &[import("bailiwick-adapters-fs", Some("dev"), &[])]),
            member("bailiwick-adapters-git", &[import("bailiwick", Some("build"), &[])]),
            member(GATE, &[import("bailiwick-adapters-fs", None, &[])]),
            member("xtask", &[import(DOMAIN, None, &[])]),
        ]));
        assert_eq!(
            check_layers(&bad),
            [
                "layers: `bailiwick-adapters-fs` imports `bailiwick-policy`",
                "layers: `bailiwick-policy` dev-imports `bailiwick-adapters-fs`",
                "layers: `bailiwick-adapters-git` imports `bailiwick`",
                "layers: `bailiwick-gate` imports `bailiwick-adapters-fs`",
                "layers: `xtask` imports `bailiwick-domain`",
            ]
        );
    }

    #[test]
    fn a_member_that_nobody_placed_is_named() {
        let findings = check_layers(&metadata(json!([member("bailiwick-extra", &[])])));
        assert_eq!(findings, ["layers: `bailiwick-extra` is not in the layer table; place it on purpose"]);
    }

    #[test]
    fn test_support_in_the_product_is_named() {
        let bad = metadata(json!([member("bailiwick", &[import(DOMAIN, None, &["testing"])])]));
        assert_eq!(
            check_layers(&bad),
            ["layers: `bailiwick` turns on `testing` of `bailiwick-domain` outside dev-dependencies"]
        );
    }

    #[test]
    fn the_pure_crates_name_only_listed_crates() {
        let good =
            metadata(json!([member(DOMAIN, &[outside("serde", None), outside("insta", Some("dev"))])]));
        assert_eq!(check_outside(&good), [""; 0]);
        let bad = metadata(json!([member("bailiwick-policy", &[outside("ignore", None)])]));
        assert_eq!(check_outside(&bad), ["outside crates: `bailiwick-policy` may not depend on `ignore`"]);
    }

    #[test]
    fn test_support_of_a_pure_crate_is_optional() {
        let mut dependency = outside("mockall", None);
        let bad = metadata(json!([member(DOMAIN, &[dependency.clone()])]));
        assert_eq!(check_outside(&bad), ["outside crates: `bailiwick-domain` may not depend on `mockall`"]);
        dependency["optional"] = json!(true);
        assert_eq!(check_outside(&metadata(json!([member(DOMAIN, &[dependency])]))), [""; 0]);
    }

    #[test]
    fn a_runtime_below_a_pure_crate_is_named() {
        let trees = |domain: &[&str], policy: &[&str]| {
            let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            BTreeMap::from([
                (DOMAIN.to_owned(), own(domain)),
                (POLICY.to_owned(), own(policy)),
                (GATE.to_owned(), own(&["similar"])),
            ])
        };
        assert_eq!(check_below(&trees(&["serde"], &["globset", "regex"])), [""; 0]);
        assert_eq!(
            check_below(&trees(&["walkdir"], &["tokio"])),
            [
                "outside crates: `walkdir` lies below `bailiwick-domain`",
                "outside crates: `tokio` lies below `bailiwick-policy`"
            ]
        );
    }

    #[test]
    fn a_screen_or_a_grammar_below_the_library_is_named() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(check_library(&names(&["bailiwick-gate", "serde"])), [""; 0]);
        assert_eq!(
            check_library(&names(&["clap", "serde", "tree-sitter"])),
            [
                "features: `clap` lies below the library without its default features",
                "features: `tree-sitter` lies below the library without its default features",
            ]
        );
    }

    #[test]
    fn a_tree_listing_gives_each_name_once() {
        let listing = "bailiwick-domain v0.1.0 (crates/domain)\nserde v1.0.0\nserde v1.0.0 (*)\n";
        assert_eq!(tree_names(listing), ["bailiwick-domain", "serde"]);
    }
}
