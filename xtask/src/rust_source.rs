//! One Rust file as the rules see it: its syntax tree, its flat tokens with lines, and which lines are tests.
//!
//! It finds facts; what is allowed is decided in `tidy`.

use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::workspace::TextFile;

/// A parsed file.
pub(crate) struct RustSource<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    pub(crate) syntax: syn::File,
    pub(crate) tokens: Vec<Token>,
    pub(crate) functions: Vec<Function>,
    test_lines: Vec<RangeInclusive<usize>>,
}

/// One token and the line that it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// One function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) first_line: usize,
    pub(crate) last_line: usize,
    pub(crate) is_test: bool,
}

impl Function {
    /// Its length from the signature to the closing brace.
    pub(crate) fn lines(&self) -> usize {
        self.last_line - self.first_line + 1
    }
}

impl<'a> RustSource<'a> {
    /// Parses a file; a file that does not parse cannot be judged and is an error.
    pub(crate) fn parse(file: &'a TextFile) -> Result<Self> {
        let describe = |error: &dyn std::fmt::Display| anyhow!("{}: does not parse: {error}", file.path);
        let syntax = syn::parse_file(&file.text).map_err(|error| describe(&error))?;
        let stream = TokenStream::from_str(&file.text).map_err(|error| describe(&error))?;
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        let mut finder = Finder::default();
        finder.visit_file(&syntax);
        Ok(Self {
            path: &file.path,
            text: &file.text,
            syntax,
            tokens,
            functions: finder.functions,
            test_lines: finder.test_lines,
        })
    }

    /// Whether the whole file is test code by its place.
    pub(crate) fn is_test_file(&self) -> bool {
        is_test_path(self.path)
    }

    /// Whether a line belongs to test code.
    pub(crate) fn is_test_line(&self, line: usize) -> bool {
        self.is_test_file() || self.test_lines.iter().any(|range| range.contains(&line))
    }

    /// How many lines are not test code.
    pub(crate) fn product_lines(&self) -> usize {
        (1..=self.text.lines().count()).filter(|line| !self.is_test_line(*line)).count()
    }

    /// The lines on which this run of tokens starts.
    pub(crate) fn lines_with(&self, pattern: &[&str]) -> Vec<usize> {
        let matches = |window: &&[Token]| window.iter().zip(pattern).all(|(token, text)| token.text == *text);
        self.tokens
            .windows(pattern.len())
            .filter(matches)
            .filter_map(|window| window.first().map(|token| token.line))
            .collect()
    }
}

/// Whether a path holds nothing but tests.
pub(crate) fn is_test_path(path: &str) -> bool {
    path.contains("/tests/") || path.contains("/benches/") || path.ends_with("/tests.rs")
}

fn flatten(stream: TokenStream, into: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                into.push(Token { text: open.to_owned(), line });
                flatten(group.stream(), into);
                into.push(Token { text: close.to_owned(), line: group.span_close().start().line });
            }
            other => into.push(Token { text: other.to_string(), line }),
        }
    }
}

#[derive(Default)]
struct Finder {
    functions: Vec<Function>,
    test_lines: Vec<RangeInclusive<usize>>,
}

impl Finder {
    fn note_test_code(&mut self, attributes: &[syn::Attribute], start: LineColumn, end: LineColumn) {
        if attributes.iter().any(marks_test) {
            let first = attributes.iter().map(|a| a.span().start().line).min().unwrap_or(start.line);
            self.test_lines.push(first.min(start.line)..=end.line);
        }
    }

    fn note_function(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, end: LineColumn) {
        self.functions.push(Function {
            name: signature.ident.to_string(),
            first_line: signature.span().start().line,
            last_line: end.line,
            is_test: attributes.iter().any(is_test_attribute),
        });
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if let Some(attributes) = attributes_of(item) {
            self.note_test_code(attributes, item.span().start(), item.span().end());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.note_function(&function.attrs, &function.sig, function.span().end());
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.note_test_code(&function.attrs, function.span().start(), function.span().end());
        self.note_function(&function.attrs, &function.sig, function.span().end());
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if function.default.is_some() {
            self.note_function(&function.attrs, &function.sig, function.span().end());
        }
        visit::visit_trait_item_fn(self, function);
    }

    /// Property tests live inside a macro; their functions are found by parsing what it holds.
    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        if invocation.path.segments.last().is_some_and(|segment| segment.ident == "proptest") {
            self.functions.extend(functions_in_tokens(invocation.tokens.clone()));
        }
        visit::visit_macro(self, invocation);
    }
}

fn attributes_of(item: &syn::Item) -> Option<&[syn::Attribute]> {
    Some(match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::ExternCrate(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => return None,
    })
}

/// `#[test]`, `#[tokio::test]`, `#[cfg(test)]`, `#[cfg(any(test, …))]`; not `#[cfg(not(test))]`.
fn marks_test(attribute: &syn::Attribute) -> bool {
    if is_test_attribute(attribute) {
        return true;
    }
    let syn::Meta::List(list) = &attribute.meta else { return false };
    let mut tokens = Vec::new();
    flatten(list.tokens.clone(), &mut tokens);
    let has = |word: &str| tokens.iter().any(|token| token.text == word);
    attribute.path().is_ident("cfg") && has("test") && !has("not")
}

fn is_test_attribute(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "test")
}

fn functions_in_tokens(stream: TokenStream) -> Vec<Function> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut found = Vec::new();
    for (index, pair) in trees.windows(2).enumerate() {
        let [TokenTree::Ident(keyword), TokenTree::Ident(name)] = pair else { continue };
        if keyword != "fn" {
            continue;
        }
        let body = trees
            .iter()
            .skip(index)
            .find(|tree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace));
        let first_line = keyword.span().start().line;
        found.push(Function {
            name: name.to_string(),
            first_line,
            last_line: body.map_or(first_line, |body| body.span().end().line),
            is_test: true,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "//! x\nfn a() {\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n    proptest! { #[test] fn c(x in 0..1) {\n } }\n}\n";

    #[test]
    fn tells_product_lines_from_test_lines() {
        let file = TextFile::sample("crates/x/src/a.rs", SAMPLE);
        let source = RustSource::parse(&file).unwrap();
        assert_eq!(source.product_lines(), 3);
        assert!(source.is_test_line(4) && source.is_test_line(9) && !source.is_test_line(3));
    }

    #[test]
    fn finds_functions_even_inside_a_property_macro() {
        let file = TextFile::sample("crates/x/src/a.rs", SAMPLE);
        let source = RustSource::parse(&file).unwrap();
        let found: Vec<_> =
            source.functions.iter().map(|f| (f.name.as_str(), f.lines(), f.is_test)).collect();
        assert_eq!(found, [("a", 2, false), ("b", 1, true), ("c", 2, true)]);
    }

    #[test]
    fn finds_a_run_of_tokens_by_line() {
        let file = TextFile::sample("a.rs", "fn f() {\n  println!(\"x\");\n}\n");
        assert_eq!(RustSource::parse(&file).unwrap().lines_with(&["println", "!"]), [2]);
    }
}
