//! Lines of ignore files, and paths: hostile ones, and those that people write.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Some lines, and paths that are held against them.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) lines: Vec<String>,
    /// Whether the last line ends without a line feed.
    pub(super) is_open: bool,
    pub(super) folds_case: bool,
    pub(super) paths: Vec<Vec<u8>>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<_> = self.paths.iter().map(|path| String::from_utf8_lossy(path)).collect();
        let (lines, open, folds) = (&self.lines, self.is_open, self.folds_case);
        write!(f, "lines {lines:?}, last one open: {open}, case folds: {folds}, paths {paths:?}")
    }
}

impl Case {
    /// The same with one byte for each character.
    pub(super) fn narrow(&self) -> Self {
        let paths = self.paths.iter().map(|path| narrow(&String::from_utf8_lossy(path)).into_bytes());
        Self { paths: paths.collect(), ..self.clone() }
    }
}

/// A plain text with a capital of its own for each character beyond ASCII. No plain line asks for capitals.
pub(super) fn narrow(text: &str) -> String {
    text.replace('\u{e9}', "X").replace('\u{fc}', "Y").replace('\u{65e5}', "Z").replace('\u{672c}', "W")
}

/// Every sign of the grammar next to every other.
pub(super) fn hostile() -> impl Strategy<Value = Case> {
    let flags = (any::<bool>(), prop::bool::weighted(0.2));
    (vec(line(), 1..6), vec(path(), 1..12), flags).prop_map(|(lines, paths, (is_open, folds_case))| Case {
        lines,
        is_open,
        folds_case,
        paths,
    })
}

fn piece() -> impl Strategy<Value = &'static str> {
    let literal =
        select(vec!["a", "a", "b", "ab", "A", "\u{e9}", "a\u{e9}", "\u{e8}", "-", ".", " ", "\t", "\u{17f}"]);
    let wild = select(vec!["?", "??", "*", "*", "**", "a**", "**a", "***", "****"]);
    let class = select(vec![
        "[ab]",
        "[!a]",
        "[^b]",
        "[\u{e9}]",
        "[!\u{e9}]",
        "[\u{e0}-\u{fc}]",
        "[a-\u{e9}]",
        "[]a]",
        "[a-]",
        "[a-c-e]",
        "[[:alpha:]]",
        "[[:upper:]b]",
        "[![:lower:]]",
        "[[:punct:]]",
        "[\\]]",
        "[!-/]",
        "[+-9]",
        "[\\!a]",
        "[^^]",
        "[[:x]",
        "[A-\\]]",
        "[\\\\-a]",
        "[.-.]",
        "[!A]",
        "[!A-Z]",
        "[a",
    ]);
    let sign = select(vec![
        "\\a",
        "\\*",
        "\\?",
        "\\[",
        "\\\\",
        "{a,b}",
        "\\{a,b\\}",
        "{a",
        ",",
        "}",
        "\\ ",
        "#",
        "!",
        "\\\u{e9}",
        "\\/",
    ]);
    prop_oneof![4 => literal, 3 => wild, 3 => class, 2 => sign]
}

fn line() -> impl Strategy<Value = String> {
    let segment = prop_oneof![6 => vec(piece(), 1), 3 => vec(piece(), 2), 1 => vec(piece(), 3..5)]
        .prop_map(|pieces| pieces.concat());
    let start =
        select(vec!["", "", "", "!", "!", "/", "!/", "**/", "\\!", "\\#", "#", " ", "//", "!!", "\t"]);
    let end = select(vec![
        "", "", "", "/", "/", "/**", "/*", " ", "  ", "\\ ", "\t", "/ ", "//", "\r", "\r\r", "\\", "/**/",
    ]);
    (start, prop_oneof![3 => vec(segment.clone(), 1), 2 => vec(segment, 2..4)], end)
        .prop_map(|(start, segments, end)| format!("{start}{}{end}", segments.join("/")))
}

fn path() -> impl Strategy<Value = Vec<u8>> {
    let name = select(vec![
        &b"a"[..],
        b"a",
        b"b",
        b"ab",
        b"ba",
        b"A",
        "\u{e9}".as_bytes(),
        "a\u{e9}".as_bytes(),
        "\u{e8}".as_bytes(),
        "\u{fc}".as_bytes(),
        b"aa",
        b"aab",
        b"a b",
        b"a ",
        b" a",
        b"[a]",
        b"]",
        b"{a,b}",
        b"{a",
        b"*",
        b"?",
        b"!a",
        b"!",
        b"#a",
        b"\\a",
        b"a\\",
        b"\\",
        b"-",
        b"...",
        b"^",
        b"a\t",
        b"\t",
        b"a\r",
        b"a\n",
        b"5",
        b"d",
        "\u{10348}".as_bytes(),
        "e\u{301}".as_bytes(),
        "\u{17f}".as_bytes(),
        "\u{c9}".as_bytes(),
        b"\xc3",
        b"\xff",
        b"a\xa9",
    ]);
    vec(name, 1..5).prop_map(|names| names.join(&b'/'))
}

/// What stands in the ignore files of ordinary repositories, and paths of files in them.
pub(super) fn plain() -> impl Strategy<Value = Case> {
    (vec(plain_line(), 1..10), vec(plain_path(), 1..12)).prop_map(|(lines, paths)| Case {
        lines,
        is_open: false,
        folds_case: false,
        paths: paths.into_iter().map(String::into_bytes).collect(),
    })
}

const FOLDERS: [&str; 10] = [
    "build",
    "dist",
    "src",
    "docs",
    "node_modules",
    "vendor",
    "B\u{fc}cher",
    "\u{65e5}\u{672c}",
    "target",
    ".cache",
];
const NAMES: [&str; 10] = [
    "main.rs",
    "app.log",
    "keep.log",
    "a.o",
    "r\u{e9}sum\u{e9}.pdf",
    "\u{e9}.ts",
    "x.tmp",
    ".env",
    "Thumbs.db",
    "a1.pyc",
];

fn plain_line() -> impl Strategy<Value = String> {
    let forms = vec![
        "NAME",
        "/NAME",
        "FOLDER/",
        "/FOLDER/",
        "FOLDER/NAME",
        "*.log",
        "*.py[co]",
        "/FOLDER/*",
        "FOLDER/**",
        "**/FOLDER/",
        "FOLDER/**/NAME",
        "!NAME",
        "!/FOLDER/NAME",
        "*~",
        ".*",
        "!.env",
        "# words",
        "",
        "?.ts",
        "a[0-9].pyc",
        "NAME ",
        "*.*",
        "FOLDER/*.tmp",
        "r?sum?.pdf",
        "FOLDER/[!a-z].ts",
        "**/NAME",
        "!*.log",
    ];
    (select(forms), select(FOLDERS.to_vec()), select(NAMES.to_vec()))
        .prop_map(|(form, folder, name)| form.replace("FOLDER", folder).replace("NAME", name))
}

fn plain_path() -> impl Strategy<Value = String> {
    (vec(select(FOLDERS.to_vec()), 0..4), select(NAMES.to_vec())).prop_map(|(folders, name)| {
        let mut segments = folders;
        segments.push(name);
        segments.join("/")
    })
}
