//! Comments that are more than comments: directives of compilers and tools, and documentation that a program reads.
//!
//! A comment weighs nothing unless something is known to act on it.

mod attributes;

use std::collections::BTreeSet;

use tree_sitter::Node as Syntax;

use crate::budget::Budget;
use crate::language::Language;

/// Whether nodes of this kind are comments, in any of the grammars.
pub(crate) fn is_comment(kind: &str) -> bool {
    matches!(kind, "comment" | "line_comment" | "block_comment" | "html_comment")
}

/// What a comment is.
pub(crate) enum Weight {
    /// Words for people.
    Nothing,
    /// Tells a tool to keep quiet.
    Suppression,
    /// Acts like code; with the part that does.
    Code(String),
}

/// How the comments of one text are weighed.
pub(crate) struct Remarks {
    language: Language,
    /// Where documentation of Rust begins that an attribute may look at.
    read: BTreeSet<usize>,
    /// Something in a text of Python reads docstrings.
    docstrings_are_read: bool,
    /// Comments of this text are read by another compiler or tool.
    all_are_code: bool,
    /// The comments within its functions say what they are to print.
    are_expected: bool,
    /// It begins with the name of what runs it.
    is_script: bool,
}

impl Remarks {
    pub(crate) fn of(language: Language, source: &str, root: Syntax<'_>, budget: &Budget) -> Self {
        let read = match language {
            Language::Rust => attributes::read_documentation(source, root, budget),
            _ => BTreeSet::new(),
        };
        let docstrings_are_read = language == Language::Python && reads_docstrings(source);
        let all_are_code = match language {
            Language::Go => source.contains("\"C\""),
            // What a script says of the packages that it needs.
            Language::Python => source.contains("# /// "),
            _ => false,
        };
        let are_expected = language == Language::Go && source.lines().any(expects_output);
        let is_script = source.starts_with("#!");
        Self { language, read, docstrings_are_read, all_are_code, are_expected, is_script }
    }

    /// Whether docstrings are only words.
    pub(crate) fn docstrings_are_inert(&self) -> bool {
        !self.docstrings_are_read
    }

    pub(crate) fn weigh(&self, node: Syntax<'_>, text: &str) -> Weight {
        let words = text.trim();
        if self.all_are_code || self.acts(node, words) {
            return Weight::Code(words.to_owned());
        }
        if self.language == Language::Php {
            let tags = php_tags(words);
            if !tags.is_empty() {
                return Weight::Code(tags);
            }
        }
        if is_suppression(words) { Weight::Suppression } else { Weight::Nothing }
    }

    fn acts(&self, node: Syntax<'_>, text: &str) -> bool {
        let body = text.trim_start_matches(['/', '#', '*', '!', '-', '<']).trim_start();
        match self.language {
            Language::Rust => {
                is_documentation(text) && (is_in_macro(node) || self.read.contains(&node.start_byte()))
            }
            Language::Go => {
                let is_within = || node.parent().is_some_and(|parent| parent.kind() != "source_file");
                acts_in_go(text, body) || self.are_expected && is_within()
            }
            Language::TypeScript | Language::Tsx | Language::JavaScript => acts_in_script(text),
            Language::Python => acts_in_python(node, text, body),
            Language::Ruby => acts_in_ruby(node, text, self.is_script),
            // A line that ends in a backslash goes on in the next one.
            Language::C | Language::Cpp => text.ends_with('\\'),
            // Between these signs stands JavaScript for the browser.
            Language::Java => ends_by_escape(text) || text.starts_with("/*-{"),
            // What the folder of a site asks its files for.
            Language::Php => {
                ["Plugin Name:", "Theme Name:", "Template Name:"].iter().any(|head| text.contains(head))
            }
            Language::CSharp => false,
        }
    }
}

/// Whether something in the text reads a docstring. To pass it on as documentation, `self.__doc__ = doc or f.__doc__`, is
/// not to read it: it stays words for people.
fn reads_docstrings(source: &str) -> bool {
    let is_plain =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let passes_on = |line: &str| {
        line.trim()
            .split_once(".__doc__ = ")
            .is_some_and(|(to, from)| is_plain(to) && from.split(' ').all(is_plain))
    };
    const SHOWING: &[&str] = &["fire.Fire(", "getdoc", "tools=[", "typer.run("];
    SHOWING.iter().any(|word| source.contains(word))
        || source.lines().any(|line| line.contains("__doc__") && !passes_on(line))
}

/// Escapes are read before comments are: one may be a sign that ends a comment, or the backslash of another.
fn ends_by_escape(text: &str) -> bool {
    text.split("\\u").skip(1).any(|tail| {
        let digits = tail.trim_start_matches('u').get(..4).unwrap_or_default();
        let sign = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        sign.is_none_or(|sign| matches!(sign, '*' | '/' | '\n' | '\r' | '\\'))
    })
}

/// Whether a line of Go is a comment that may say what an example prints.
fn expects_output(line: &str) -> bool {
    let line = line.trim_start();
    (line.starts_with("//") || line.starts_with("/*")) && line.to_ascii_lowercase().contains("output:")
}

/// Directives begin with a word and a colon, without a blank before them; marks of generators with a sign.
fn acts_in_go(text: &str, body: &str) -> bool {
    const OTHERS: &[&str] = &["//export ", "//extern ", "//line ", "/*line ", "//sys"];
    let is_small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_directive =
        text.strip_prefix("//").and_then(|text| text.split_once(':')).is_some_and(|(tool, rest)| {
            !tool.is_empty() && tool.chars().all(is_small) && tool != "nolint" && rest.starts_with(is_small)
        });
    let is_mark =
        body.strip_prefix(['+', '@']).is_some_and(|mark| mark.starts_with(|c: char| c.is_ascii_alphabetic()));
    is_directive || is_mark || OTHERS.iter().any(|other| text.starts_with(other))
}

fn acts_in_script(text: &str) -> bool {
    const MARKS: &[&str] = &[
        "@ts-nocheck",
        "@ts-check",
        "@jsx",
        "@flow",
        "@noflow",
        "@openapi",
        "@swagger",
        "@__",
        "#__",
        "@cc_on",
        "@deno-types",
        "@trackSignals",
        "@useSignals",
        "@vue-ignore",
        "ngInject",
        "@vite-",
        "@vitest-environment",
        "@jest-environment",
        "@jest-config",
        "webpack",
        "turbopack",
        "sourceMappingURL",
        "@preserve",
    ];
    text.starts_with("#!")
        || text == "/* GraphQL */"
        || text.starts_with("///") && text.contains('<')
        || MARKS.iter().any(|mark| text.contains(mark))
}

fn acts_in_python(node: Syntax<'_>, text: &str, body: &str) -> bool {
    const TOOLS: &[&str] = &["cython:", "distutils:", "MAGIC ", "COMMAND --"];
    let is_type = body.starts_with("type:") && !body.starts_with("type: ignore");
    let is_early = node.start_position().row < 2;
    is_type
        || is_first_line(node, text)
        || is_early && text.contains("coding")
        || TOOLS.iter().any(|tool| body.starts_with(tool))
}

/// The name of what runs a script: that of a file that begins with it.
fn is_first_line(node: Syntax<'_>, text: &str) -> bool {
    text.starts_with("#!") && node.start_byte() == 0
}

/// Ruby reads its magic words in any case; that of the encoding in the first line, or behind that of a script.
fn acts_in_ruby(node: Syntax<'_>, text: &str, is_script: bool) -> bool {
    const MAGIC: &[&str] = &["frozen_string_literal:", "shareable_constant_value:", "typed:", "warn_indent:"];
    let words = text.to_ascii_lowercase().replace('-', "_");
    let is_early = node.start_position().row <= usize::from(is_script);
    is_first_line(node, text)
        || is_early && words.contains("coding")
        || MAGIC.iter().any(|mark| words.contains(mark))
}

fn is_documentation(text: &str) -> bool {
    (text.starts_with("///") && !text.starts_with("////"))
        || text.starts_with("//!")
        || (text.starts_with("/**") && !text.starts_with("/***") && text != "/**/")
        || text.starts_with("/*!")
}

fn is_in_macro(node: Syntax<'_>) -> bool {
    let mut parent = node.parent();
    while let Some(node) = parent {
        if matches!(node.kind(), "token_tree" | "macro_definition" | "macro_invocation") {
            return true;
        }
        parent = node.parent();
    }
    false
}

/// The tags of a documentation comment that some program acts on, with the lines that belong to them; the others are words.
fn php_tags(text: &str) -> String {
    const WORDS: &[&str] = &[
        "api",
        "author",
        "category",
        "copyright",
        "deprecated",
        "example",
        "final",
        "inheritDoc",
        "inheritdoc",
        "internal",
        "license",
        "link",
        "method",
        "mixin",
        "package",
        "param",
        "property",
        "property-read",
        "return",
        "see",
        "since",
        "subpackage",
        "template",
        "throws",
        "todo",
        "uses",
        "var",
        "version",
    ];
    if !text.starts_with("/**") {
        return String::new();
    }
    let lines =
        text.lines().map(|line| line.trim_matches(|c: char| c.is_whitespace() || c == '*' || c == '/'));
    let acts = |line: &str| {
        line.split('@').skip(1).any(|tag| {
            let name = tag.split(|c: char| !(c.is_alphanumeric() || c == '-')).next().unwrap_or_default();
            let tool = name.starts_with("phpstan") || name.starts_with("psalm");
            !name.is_empty() && !WORDS.contains(&name) && !tool
        })
    };
    let mut goes_on = false;
    let mut acting = Vec::new();
    for line in lines {
        goes_on = acts(line) || goes_on && !line.starts_with('@');
        if goes_on && !line.is_empty() {
            acting.push(line);
        }
    }
    acting.join("\n")
}

fn is_suppression(text: &str) -> bool {
    const MARKS: &[&str] = &[
        "@ts-ignore",
        "@ts-expect-error",
        "eslint-disable",
        "eslint-enable",
        "noqa",
        "nolint",
        "NOLINT",
        "pylint:",
        "mypy:",
        "type: ignore",
        "pragma: no cover",
        "rubocop:",
        "istanbul ignore",
        "c8 ignore",
        "prettier-ignore",
        "biome-ignore",
        "noinspection",
        "clang-format",
        "fmt: off",
        "fmt: on",
        "@phpstan-ignore",
    ];
    MARKS.iter().any(|mark| text.contains(mark))
}
