//! The parts of the gate: the façade stays short, only its files know a whole gate, and the architecture page says what each
//! part holds.
//!
//! What a part may reach is the compiler's to say, as its fields are private. This says that nobody goes around it.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use crate::rust_source::RustSource;
use crate::workspace::TextFile;

const RING: &str = "crates/gate/src/";
const FACADE: &str = "crates/gate/src/gate.rs";
const FACADE_LINES: usize = 150;
const PAGE: &str = "docs/architecture.md";
const TABLE: &str = "| part | ports that it holds | parts that it works with |";

/// The files that may name a type which reaches every port.
const KNOW_ALL: &[(&str, &[&str])] = &[
    ("Gate", &["gate.rs", "gate/building.rs", "gate/parts.rs", "lib.rs", "memory.rs"]),
    ("House", &["gate/parts.rs", "parts.rs"]),
];

/// A part, the ports that it holds and the parts that it works with.
type Part = (String, BTreeSet<String>, BTreeSet<String>);

/// What is wrong with the parts.
pub(crate) fn check(sources: &[RustSource<'_>], files: &[TextFile]) -> Vec<String> {
    let ring: Vec<_> = sources.iter().filter(|source| source.path.starts_with(RING)).collect();
    let mut findings: Vec<String> = ring.iter().flat_map(|source| who_knows_all(source)).collect();
    findings.extend(ring.iter().filter_map(|source| facade_size(source)));
    let declared: Vec<Part> = ring.iter().flat_map(|source| declared(source.text)).collect();
    let page = files.iter().find(|file| file.path == PAGE).map_or("", |file| file.text.as_str());
    findings.extend(table_findings(&declared, &in_table(page)));
    findings
}

fn facade_size(source: &RustSource<'_>) -> Option<String> {
    let lines = source.text.lines().count();
    let is_long = source.path == FACADE && lines > FACADE_LINES;
    is_long.then(|| format!("{FACADE}: parts: {lines} lines, at most {FACADE_LINES}"))
}

fn who_knows_all(source: &RustSource<'_>) -> Vec<String> {
    let place = source.path.strip_prefix(RING).unwrap_or_default();
    let forbidden = KNOW_ALL.iter().filter(|(_, files)| !files.contains(&place));
    let names: Vec<&str> = forbidden.map(|(name, _)| *name).collect();
    let mut seen = Named { names, found: Vec::new() };
    seen.visit_file(&source.syntax);
    let said = |name: &String| format!("{}: parts: only the façade may name `{name}`", source.path);
    seen.found.iter().map(said).collect()
}

/// Looks for types by their last name; a variant of an enum may be called the same.
struct Named<'n> {
    names: Vec<&'n str>,
    found: Vec<String>,
}

impl Named<'_> {
    fn note(&mut self, name: &syn::Ident) {
        if self.names.iter().any(|known| name == known) {
            self.found.push(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<&syn::Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
        let begins_with_module =
            names.first().is_some_and(|first| first.to_string().starts_with(char::is_lowercase));
        let count = if begins_with_module { names.len() } else { 1 };
        names.into_iter().take(count).for_each(|name| self.note(name));
        visit::visit_path(self, path);
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.note(&name.ident);
    }

    fn visit_use_rename(&mut self, name: &'ast syn::UseRename) {
        self.note(&name.ident);
    }
}

/// The parts that a file declares with `part!`.
fn declared(text: &str) -> Vec<Part> {
    let bodies = text.split("\npart! {\n").skip(1).filter_map(|rest| rest.split_once("\n    }\n"));
    let parts = bodies.filter_map(|(body, _)| {
        let (_, body) = body.split_once(" struct ")?;
        let (name, body) = body.split_once(" {")?;
        let mut part = (name.to_owned(), BTreeSet::new(), BTreeSet::new());
        for line in body.split(';').map(str::trim) {
            let words = |list: &str| list.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>();
            if let Some((_, ports)) = line.strip_prefix("from ").and_then(|line| line.split_once(": ")) {
                part.1.extend(words(ports));
            } else if let Some(parts) = line.strip_prefix("with ") {
                let named = |word: String| word.split_once(": ").map(|(_, of)| of.to_owned());
                part.2.extend(words(parts).into_iter().filter_map(named));
            }
        }
        Some(part)
    });
    parts.collect()
}

/// The parts of the architecture page, in their order.
fn in_table(page: &str) -> Vec<Part> {
    let rows =
        page.lines().skip_while(|line| *line != TABLE).skip(2).take_while(|line| line.starts_with('|'));
    let quoted =
        |cell: &str| -> BTreeSet<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let parts = rows.filter_map(|row| {
        let mut cells = row.split('|').skip(1);
        let (name, ports, parts) = (cells.next()?, cells.next()?, cells.next()?);
        Some((quoted(name).pop_first()?, quoted(ports), quoted(parts)))
    });
    parts.collect()
}

fn table_findings(declared: &[Part], table: &[Part]) -> Vec<String> {
    let mut findings = Vec::new();
    for part in declared.iter().filter(|part| !table.contains(part)) {
        let (name, ports, parts) = part;
        let list = |names: &BTreeSet<String>| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        findings.push(format!("{PAGE}: parts: lacks `| `{name}` | {} | {} |`", list(ports), list(parts)));
    }
    for (at, (name, _, parts)) in table.iter().enumerate() {
        if !declared.iter().any(|part| part.0 == *name) {
            findings.push(format!("{PAGE}: parts: there is no `{name}`"));
        }
        for lower in parts.iter().filter(|lower| !table.iter().take(at).any(|above| above.0 == **lower)) {
            findings.push(format!("{PAGE}: parts: `{name}` works with `{lower}`, which is not above it"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: &str = "//! x\nuse crate::low::Low;\n\npart! {\n    /// x\n    pub(crate) struct High {\n        from rules: intents, policy;\n        from tree: lock;\n        with low: Low,\n            other: Other;\n        keeps host: HostTraits;\n    }\n}\n";

    fn findings_of(path: &str, text: &str) -> Vec<String> {
        let file = TextFile::sample(path, text);
        let source = RustSource::parse(&file).unwrap();
        let long = facade_size(&source);
        who_knows_all(&source).into_iter().chain(long).collect()
    }

    #[test]
    fn a_part_that_knows_the_whole_gate_is_named() {
        let path = "crates/gate/src/consent/grants.rs";
        let said = |name: &str| [format!("{path}: parts: only the façade may name `{name}`")];
        assert_eq!(findings_of(path, "impl Gate { fn f(&self) {} }"), said("Gate"));
        assert_eq!(findings_of(path, "fn f(gate: &crate::Gate) {}"), said("Gate"));
        assert_eq!(findings_of(path, "use crate::gate::{Gate as Whole};"), said("Gate"));
        assert_eq!(findings_of(path, "fn f(house: &crate::parts::House<'_>) {}"), said("House"));
        assert_eq!(findings_of(path, "use crate::parts::House;"), said("House"));
        assert_eq!(findings_of(path, "fn f() -> E { E::Gate(1) } impl Grants<'_> {}"), [""; 0]);
        assert_eq!(findings_of("crates/gate/src/memory.rs", "impl Gate { fn f(&self) {} }"), [""; 0]);
    }

    #[test]
    fn a_long_facade_is_named() {
        let lines = |count: usize| "//! x\n".repeat(count);
        assert_eq!(findings_of(FACADE, &lines(FACADE_LINES)), [""; 0]);
        let found = findings_of(FACADE, &lines(FACADE_LINES + 1));
        assert_eq!(found, ["crates/gate/src/gate.rs: parts: 151 lines, at most 150"]);
    }

    #[test]
    fn the_page_must_say_what_a_part_holds() {
        let declared = declared(PART);
        let page = |rows: &str| in_table(&format!("{TABLE}\n|---|---|---|\n{rows}\nmore"));
        let low = "| `Low` | | |\n| `Other` | | |\n";
        let with_low = |rows: &str| {
            let mut all = declared.clone();
            all.extend(page(low));
            table_findings(&all, &page(rows))
        };
        let right = format!("{low}| `High` | `intents`, `policy`, `lock` | `Low`, `Other` |");
        assert_eq!(with_low(&right), [""; 0]);
        let [lacks] = &with_low(&right.replace("`lock`", ""))[..] else { panic!("one finding") };
        assert!(
            lacks.contains("lacks `| `High` | `intents`, `lock`, `policy` | `Low`, `Other` |`"),
            "{lacks}"
        );
        let gone = with_low(&right.replace("| `Low` | | |\n", "| `Low` | | |\n| `Gone` | | |\n"));
        assert_eq!(gone, ["docs/architecture.md: parts: there is no `Gone`"]);
        let upward =
            "| `High` | `intents`, `policy`, `lock` | `Low`, `Other` |\n| `Low` | | |\n| `Other` | | |";
        let found = with_low(upward);
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("`High` works with `Low`, which is not above it"), "{found:?}");
    }
}
