//! A file with all its mutants in it, each behind a switch: `a && b` becomes what is `a || b` while mutant 17 is on.
//!
//! So one build holds them all, where `cargo mutants` builds each.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Result, anyhow};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::listed::{Genre, Mutant};

/// Around what belongs to a mutant: `BEGIN 17 NAMED …code… END`. No source has these characters.
const BEGIN: char = '\u{E000}';
const NAMED: char = '\u{E001}';
const END: char = '\u{E002}';

/// A part of the new text, in bytes, and the mutants that it exists for.
type Owned = (Range<usize>, Vec<usize>);

/// A file with switches.
pub(super) struct Switched {
    pub(super) text: String,
    owned: Vec<Owned>,
    /// The mutants that have no switch.
    pub(super) left_out: Vec<usize>,
    /// The mutants that do not compile: `a || let Some(b) = c`.
    pub(super) faulty: Vec<usize>,
}

impl Switched {
    /// Puts a switch around each of these mutants of a file.
    ///
    /// # Errors
    /// A file that does not parse.
    pub(super) fn new(text: &str, mutants: &BTreeMap<usize, Mutant>) -> Result<Self> {
        let syntax = syn::parse_file(text).map_err(|error| anyhow!("does not parse: {error}"))?;
        let mut finder = Finder::new(text, mutants);
        finder.visit_file(&syntax);
        let Finder { mut places, wanted, faulty, .. } = finder;
        places.extend(functions(text, mutants));
        places.sort_by_key(|place| (place.range.start, place.order(), std::cmp::Reverse(place.range.end)));
        let marked = Writer { text, places: &places }.written(0..text.len(), 0);
        let (text, owned) = unmarked(&marked);
        let left_out = wanted.into_values().flatten().map(|(number, _)| number).collect();
        Ok(Self { text, owned, left_out, faulty })
    }

    /// The mutants that the code at this byte exists for, as narrow as can be told.
    pub(super) fn at(&self, byte: usize) -> &[usize] {
        let around = self.owned.iter().filter(|(range, _)| range.contains(&byte));
        around.min_by_key(|(range, _)| range.len()).map_or(&[], |(_, numbers)| numbers)
    }
}

/// A place that is written otherwise.
struct Place {
    range: Range<usize>,
    form: Form,
}

enum Form {
    /// A whole function, so that an error in it is some mutant's.
    Function(Vec<usize>),
    /// The start of a function: it returns one of these at once.
    Start(Vec<(usize, String)>),
    /// The whole body of a function whose iterator has no name: it ends with one of these, or as it did.
    Iterator(Vec<(usize, String)>),
    Binary {
        left: Range<usize>,
        right: Range<usize>,
        operator: String,
        others: Vec<(usize, String)>,
    },
    Unary {
        operand: Range<usize>,
        number: usize,
    },
    /// The guard of an arm, or the place for one. What it is replaced with is `true` or `false`.
    Guard {
        guard: Option<Range<usize>>,
        deleted: Option<usize>,
        always: Vec<(usize, String)>,
    },
    /// A struct that is built on a base, so that these fields may be left out.
    Struct {
        without: Vec<(usize, Range<usize>)>,
    },
}

impl Place {
    /// Of two that start at one place, which is around the other.
    fn order(&self) -> usize {
        match self.form {
            Form::Function(_) => 0,
            Form::Start(_) | Form::Iterator(_) => 1,
            Form::Guard { .. } => 2,
            Form::Binary { .. } | Form::Unary { .. } | Form::Struct { .. } => 3,
        }
    }
}

/// Each function with mutants, with the numbers of all of them.
fn functions(text: &str, mutants: &BTreeMap<usize, Mutant>) -> Vec<Place> {
    let mut found: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (number, mutant) in mutants {
        if let Some(function) = &mutant.function {
            let range = function.span.in_text(text);
            found.entry((range.start, range.end)).or_default().push(*number);
        }
    }
    let place = |((start, end), numbers)| Place { range: start..end, form: Form::Function(numbers) };
    found.into_iter().map(place).collect()
}

/// Writes a part of the text with the places in it.
struct Writer<'a> {
    text: &'a str,
    places: &'a [Place],
}

impl Writer<'_> {
    /// The places from `first` on that lie in this part.
    fn written(&self, part: Range<usize>, first: usize) -> String {
        let (mut written, mut at) = (String::new(), part.start);
        for (index, place) in self.places.iter().enumerate().skip(first) {
            let lies_in = place.range.start >= at && place.range.end <= part.end;
            if lies_in {
                written.push_str(self.plain(at..place.range.start));
                written.push_str(&self.placed(place, index + 1));
                at = place.range.end;
            }
        }
        written.push_str(self.plain(at..part.end));
        written
    }

    fn plain(&self, part: Range<usize>) -> &str {
        self.text.get(part).unwrap_or_default()
    }

    fn placed(&self, place: &Place, next: usize) -> String {
        let inner = |part: &Range<usize>| self.written(part.clone(), next);
        match &place.form {
            Form::Function(numbers) => owned(numbers, &inner(&place.range)),
            Form::Start(values) => {
                let value = |(number, value): &(usize, String)| {
                    format!("if {} {{ return {}; }} ", on(*number), owned(&[*number], value))
                };
                values.iter().map(value).collect()
            }
            Form::Iterator(values) => {
                let either = |rest: String, (number, value): &(usize, String)| {
                    let value = format!("crate::switch::Either::Left({})", owned(&[*number], value));
                    let rest = format!("crate::switch::Either::Right({rest})");
                    format!("if {} {{ {value} }} else {{ {rest} }}", on(*number))
                };
                values.iter().fold(format!("{{ {} }}", inner(&place.range)), either)
            }
            Form::Binary { left, right, operator, others } if matches!(operator.as_str(), "&&" | "||") => {
                let right = inner(right);
                let other = |(number, other): &(usize, String)| {
                    let whole = owned(&[*number], &format!("__left {other} ({right})"));
                    format!("if {} {{ {whole} }} else ", on(*number))
                };
                let others: String = others.iter().map(other).collect();
                let whole = format!("{{ __left {operator} ({right}) }}");
                format!("({{ let __left: bool = {}; {others}{whole} }})", inner(left))
            }
            Form::Binary { left, right, operator, others } => {
                let (left, right) = (inner(left), inner(right));
                let other = |(number, other): &(usize, String)| {
                    let whole = owned(&[*number], &format!("({left}) {other} ({right})"));
                    format!("if {} {{ {whole} }} else ", on(*number))
                };
                let others: String = others.iter().map(other).collect();
                format!("({others}{{ ({left}) {operator} ({right}) }})")
            }
            Form::Unary { operand, number } => {
                let whole = self.plain(place.range.start..operand.start);
                let operand = inner(operand);
                let without = owned(&[*number], &operand);
                format!("(if {} {{ {without} }} else {{ {whole}({operand}) }})", on(*number))
            }
            Form::Guard { guard, deleted, always } => {
                let mut all: Vec<String> =
                    deleted.iter().map(|number| owned(&[*number], &format!("!{}", on(*number)))).collect();
                let mut guarded = guard.as_ref().map(|guard| format!("({})", inner(guard)));
                for (number, value) in always {
                    let told = guarded.take().unwrap_or_else(|| "true".to_owned());
                    let switch = on(*number);
                    guarded = Some(match value.as_str() {
                        "true" => format!("({switch} || {told})"),
                        _ => format!("(!{switch} && {told})"),
                    });
                }
                all.extend(guarded);
                let word = if guard.is_some() { "" } else { " if " };
                format!("{word}{}", all.join(" && "))
            }
            Form::Struct { without } => {
                let less = |(number, field): &(usize, Range<usize>)| {
                    let less =
                        [inner(&(place.range.start..field.start)), inner(&(field.end..place.range.end))];
                    format!("if {} {{ {} }} else ", on(*number), owned(&[*number], &less.concat()))
                };
                let others: String = without.iter().map(less).collect();
                format!("({others}{{ {} }})", inner(&place.range))
            }
        }
    }
}

fn on(number: usize) -> String {
    owned(&[number], &format!("crate::switch::on({number})"))
}

fn owned(numbers: &[usize], code: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("{BEGIN}{}{NAMED}{code}{END}", numbers.join(" "))
}

/// The text without its marks, and what they were around.
fn unmarked(marked: &str) -> (String, Vec<Owned>) {
    let (mut text, mut found, mut open) = (String::new(), Vec::new(), Vec::new());
    let mut rest = marked;
    while let Some(at) = rest.find([BEGIN, END]) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        if let Some(from) = from.strip_prefix(BEGIN) {
            let (numbers, behind) = from.split_once(NAMED).unwrap_or((from, ""));
            open.push((text.len(), numbers.split(' ').filter_map(|number| number.parse().ok()).collect()));
            rest = behind;
        } else {
            found
                .extend(open.pop().map(|(start, numbers): (usize, Vec<usize>)| (start..text.len(), numbers)));
            rest = from.get(END.len_utf8()..).unwrap_or_default();
        }
    }
    text.push_str(rest);
    (text, found)
}

/// Finds the expression of each mutant by the place that it names.
struct Finder<'a> {
    text: &'a str,
    /// By the first byte and the genre's name, what no place was found for yet.
    wanted: BTreeMap<(usize, String), Vec<(usize, String)>>,
    places: Vec<Place>,
    faulty: Vec<usize>,
}

impl<'a> Finder<'a> {
    fn new(text: &'a str, mutants: &BTreeMap<usize, Mutant>) -> Self {
        let mut wanted: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let mut faulty = Vec::new();
        let mut bodies: BTreeMap<(usize, usize, bool), Vec<(usize, String)>> = BTreeMap::new();
        for (number, mutant) in mutants {
            if mutant.is_of_another_type() {
                faulty.push(*number);
                continue;
            }
            let span = mutant.span.in_text(text);
            let entry = (*number, mutant.replacement.clone());
            match mutant.genre {
                Genre::FnValue => {
                    bodies.entry((span.start, span.end, mutant.is_iterator())).or_default().push(entry);
                }
                genre => wanted.entry((span.start, format!("{genre:?}"))).or_default().push(entry),
            }
        }
        let place = |((start, end, is_iterator), values)| match is_iterator {
            true => Place { range: start..end, form: Form::Iterator(values) },
            false => Place { range: start..start, form: Form::Start(values) },
        };
        Self { text, wanted, places: bodies.into_iter().map(place).collect(), faulty }
    }

    fn range(&self, node: &impl Spanned) -> Range<usize> {
        let span = node.span();
        let at =
            |place: proc_macro2::LineColumn| super::listed::offset(self.text, place.line, place.column + 1);
        at(span.start())..at(span.end())
    }

    fn take(&mut self, start: usize, genre: Genre) -> Option<Vec<(usize, String)>> {
        self.wanted.remove(&(start, format!("{genre:?}")))
    }

    fn guard(&mut self, arm: &syn::Arm) {
        let whole = self.range(arm);
        let deleted = self.take(whole.start, Genre::MatchArm);
        let deleted = deleted.and_then(|found| found.first().map(|(number, _)| *number));
        let guard = match &arm.pat {
            syn::Pat::Guard(guarded) => Some(self.range(&guarded.guard)),
            _ => None,
        };
        let always = guard.as_ref().and_then(|guard| self.take(guard.start, Genre::MatchArmGuard));
        if deleted.is_none() && always.is_none() {
            return;
        }
        let end = self.range(&arm.pat).end;
        let range = guard.clone().unwrap_or(end..end);
        let always = always.unwrap_or_default();
        self.places.push(Place { range, form: Form::Guard { guard, deleted, always } });
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let operator = self.range(&binary.op);
        let others = self.take(operator.start, Genre::BinaryOperator).unwrap_or_default();
        if binds_names(&binary.left) || binds_names(&binary.right) {
            self.faulty.extend(others.into_iter().map(|(number, _)| number));
        } else if !others.is_empty() {
            let (left, right) = (self.range(&binary.left), self.range(&binary.right));
            let operator = self.text.get(operator).unwrap_or_default().to_owned();
            let range = self.range(binary);
            self.places.push(Place { range, form: Form::Binary { left, right, operator, others } });
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let range = self.range(unary);
        if let Some(found) = self.take(range.start, Genre::UnaryOperator) {
            let operand = self.range(&unary.expr);
            for (number, _) in found {
                let form = Form::Unary { operand: operand.clone(), number };
                self.places.push(Place { range: range.clone(), form });
            }
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.guard(arm);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, built: &'ast syn::ExprStruct) {
        let mut without = Vec::new();
        for pair in built.fields.pairs() {
            let range = self.range(&pair);
            let found = self.take(range.start, Genre::StructField).unwrap_or_default();
            without.extend(found.into_iter().map(|(number, _)| (number, range.clone())));
        }
        if !without.is_empty() {
            self.places.push(Place { range: self.range(built), form: Form::Struct { without } });
        }
        visit::visit_expr_struct(self, built);
    }
}

/// Whether it is `a && let Some(b) = c`, where no other operator can stand.
fn binds_names(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds_names(&binary.left) || binds_names(&binary.right),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn mutant(genre: &str, replacement: &str, line: usize, columns: Range<usize>) -> Mutant {
        let at = |column: usize| json!({"line": line, "column": column});
        let span = json!({"start": at(columns.start), "end": at(columns.end)});
        let (package, file, name) = ("p", "a.rs", "a mutant");
        from_value(json!({
            "package": package, "file": file, "function": null, "genre": genre, "name": name,
            "replacement": replacement, "span": span,
        }))
        .unwrap()
    }

    fn switched(text: &str, mutants: Vec<Mutant>) -> Switched {
        Switched::new(text, &mutants.into_iter().enumerate().collect()).unwrap()
    }

    #[test]
    fn each_mutant_stands_behind_its_switch() {
        let (text, written) = (
            "fn f(a: bool, b: bool) -> bool {\n    a && !b\n}\n",
            "fn f(a: bool, b: bool) -> bool {\n    if crate::switch::on(0) { return true; } \
             ({ let __left: bool = a; if crate::switch::on(1) { __left || \
             ((if crate::switch::on(2) { b } else { !(b) })) } else { __left && \
             ((if crate::switch::on(2) { b } else { !(b) })) } })\n}\n",
        );
        let found = switched(
            text,
            vec![
                mutant("FnValue", "true", 2, 5..12),
                mutant("BinaryOperator", "||", 2, 7..9),
                mutant("UnaryOperator", "", 2, 10..11),
            ],
        );
        assert_eq!(found.text, written);
        assert!(found.left_out.is_empty() && found.faulty.is_empty());
        assert_eq!(found.at(written.find("return").unwrap() + 7), [0]);
        assert_eq!(found.at(written.find("{ b }").unwrap() + 2), [2]);
        assert!(found.at(0).is_empty());
    }

    #[test]
    fn an_arm_gets_a_guard_and_a_struct_is_built_without_the_field() {
        let found = switched(
            "fn f(a: u8) -> S {\n  match a {\n    1 if a > 0 => S { a, ..g() },\n    2 => g(),\n    _ => g(),\n  }\n}\n",
            vec![
                mutant("MatchArmGuard", "true", 3, 10..15),
                mutant("StructField", "", 3, 23..25),
                mutant("MatchArm", "", 4, 5..14),
            ],
        );
        let arms: Vec<&str> = found.text.lines().skip(2).take(2).map(str::trim).collect();
        assert_eq!(
            arms,
            [
                "1 if (crate::switch::on(0) || (a > 0)) => \
                 (if crate::switch::on(1) { S {  ..g() } } else { S { a, ..g() } }),",
                "2 if !crate::switch::on(2) => g(),",
            ]
        );
    }

    #[test]
    fn an_iterator_without_a_name_is_one_of_two() {
        let value = |value: &str| {
            let mut mutant = mutant("FnValue", value, 2, 5..6);
            mutant.name = "replace f -> impl Iterator<Item = u8> with it".to_owned();
            mutant
        };
        let found = switched(
            "fn f() -> impl Iterator<Item = u8> {\n    a\n}\n",
            vec![value("empty()"), value("once(0)"), value("once(Box::leak(Box::new(0)))")],
        );
        assert_eq!(found.faulty, [2], "a leaked value is borrowed mutably");
        let written = "    if crate::switch::on(1) { crate::switch::Either::Left(once(0)) } else { \
                       crate::switch::Either::Right(if crate::switch::on(0) { \
                       crate::switch::Either::Left(empty()) } else { crate::switch::Either::Right({ a }) }) }";
        assert_eq!(found.text.lines().nth(1), Some(written));
    }

    #[test]
    fn what_binds_a_name_can_stand_beside_and_alone() {
        let text = "fn f() -> bool {\n    if a && let Some(b) = c { b } else { d }\n}\n";
        let found = switched(text, vec![mutant("BinaryOperator", "||", 2, 10..12)]);
        assert_eq!((found.text.as_str(), found.faulty), (text, vec![0]));
    }
}
