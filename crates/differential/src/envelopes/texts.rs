//! Generated envelopes: those that fit the tree, and those that are damaged, mixed with other formats or named oddly.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::patches::texts::{self, Text, damage};
use crate::tree::{FILES, LINES};

/// Stands for the root of the tree.
const ROOT: &str = "@ROOT@";

/// A text with the root put in.
pub(super) fn placed(text: &Text, root: &std::path::Path) -> String {
    text.0.replace(ROOT, &root.display().to_string())
}

/// As a model writes them: whole, of files that are there, each once.
pub(super) fn plain() -> impl Strategy<Value = Text> {
    let marks = vec!["@@\n", "@@\n", "@@ alpha\n"];
    let bodies = vec(body(select(marks).boxed()), 3);
    (subsequence(FILES.to_vec(), 1..=3), bodies).prop_map(|(files, bodies)| {
        let sections = files.iter().zip(bodies).map(|(file, body)| body.of(file, &format!("moved/{file}")));
        Text(whole(&sections.collect::<String>()))
    })
}

/// Everything else as well.
pub(super) fn any() -> impl Strategy<Value = Text> {
    let envelope = (sections(), wrapping()).prop_map(|(body, wrapping)| wrapping.around(&body));
    let damages = prop_oneof![2 => Just(Vec::new()), 3 => vec(damage(), 1..4)];
    let own = (envelope, damages, prop::bool::weighted(0.1)).prop_map(|(text, damages, crlf)| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        damages.into_iter().for_each(|damage| damage.apply(&mut lines));
        let end = if crlf { "\r\n" } else { "\n" };
        Text(lines.iter().map(|line| format!("{line}{end}")).collect())
    });
    prop_oneof![8 => own, 1 => texts::all()]
}

fn whole(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

/// What stands around an envelope.
#[derive(Clone, Debug)]
enum Wrapping {
    None,
    Between(String, String),
    Heredoc(&'static str),
    Twice,
    Indented,
    NoEnd,
}

impl Wrapping {
    fn around(&self, body: &str) -> String {
        let text = whole(body);
        match self {
            Self::None => text,
            Self::Between(before, after) => format!("{before}{text}{after}"),
            Self::Heredoc(mark) => format!("<<{mark}\n{text}EOF\n"),
            Self::Twice => format!("{text}{text}"),
            Self::Indented => text.lines().map(|line| format!("  {line}\n")).collect(),
            Self::NoEnd => format!("*** Begin Patch\n{body}"),
        }
    }
}

fn wrapping() -> impl Strategy<Value = Wrapping> {
    prop_oneof![
        12 => Just(Wrapping::None),
        2 => (texts::prose(), texts::prose()).prop_map(|(before, after)| Wrapping::Between(before, after)),
        1 => select(vec!["EOF", "'EOF'", "\"EOF\"", "-EOF"]).prop_map(Wrapping::Heredoc),
        1 => Just(Wrapping::Twice),
        1 => Just(Wrapping::Indented),
        1 => Just(Wrapping::NoEnd),
    ]
}

/// A name as it stands in a header.
fn name() -> impl Strategy<Value = String> {
    let odd = vec![
        "new.ts",
        "src/new.ts",
        "../out.ts",
        "src/../a.ts",
        "./a.ts",
        "src//a.ts",
        ".git/config",
        "deep/er/new.ts",
        "@ROOT@/a.ts",
        "@ROOT@/../beside.ts",
        "a.ts ",
        " a.ts",
        "\ta.ts",
        "\"a.ts\"",
        "'a.ts'",
        "a/../../out.ts",
        "~/a.ts",
        "$HOME/a.ts",
        "A.TS",
        "a.ts\u{a0}",
        "file:a.ts",
        "src\\b.ts",
        "a.ts\\n",
        "a.ts\t2026-01-01",
        "a.ts\u{200b}",
        "a\u{feff}.ts",
        "\u{202e}a.ts",
        "a\u{ad}.ts",
        "u\u{308}m.ts",
        "a\u{0}.ts",
        "a.ts\r",
        "a.ts\u{7f}",
        "a.ts\u{85}",
        "a.ts\u{2028}",
        "src/./b.ts",
        "src/",
        ".",
        "",
    ];
    prop_oneof![6 => select(FILES.to_vec()), 2 => select(odd)].prop_map(str::to_owned)
}

/// What is done to a file.
#[derive(Clone, Debug)]
enum Body {
    Update(String),
    Move(String),
    Add(&'static str),
    Delete,
}

impl Body {
    fn of(&self, file: &str, to: &str) -> String {
        match self {
            Self::Update(hunks) => format!("*** Update File: {file}\n{hunks}"),
            Self::Move(hunks) => format!("*** Update File: {file}\n*** Move to: {to}\n{hunks}"),
            Self::Add(lines) => format!("*** Add File: {to}\n{lines}"),
            Self::Delete => format!("*** Delete File: {file}\n"),
        }
    }
}

fn body(mark: BoxedStrategy<&'static str>) -> impl Strategy<Value = Body> {
    let hunks = |some| vec(hunk(mark.clone()), some).prop_map(|hunks| hunks.concat());
    prop_oneof![
        5 => hunks(1..3).prop_map(Body::Update),
        2 => hunks(0..2).prop_map(Body::Move),
        2 => select(vec!["+one\n", "+one\n+*** Delete File: a.ts\n", "+one\n+\n", "+\n+two\n", "+\n", ""]).prop_map(Body::Add),
        1 => Just(Body::Delete),
    ]
}

fn sections() -> impl Strategy<Value = String> {
    let marks =
        prop_oneof![6 => Just("@@\n"), 1 => Just(""), 1 => Just("@@ beta\n"), 1 => Just("@@ -1,2 +1,2 @@\n")];
    let section = (body(marks.boxed()), name(), name());
    vec(section.prop_map(|(body, file, to)| body.of(&file, &to)), 1..4).prop_map(|sections| sections.concat())
}

/// Lines that fit a file of the tree, mostly.
fn hunk(mark: BoxedStrategy<&'static str>) -> impl Strategy<Value = String> {
    let end = prop_oneof![8 => Just(""), 1 => Just("*** End of File\n"), 1 => Just("\n")];
    let added =
        (mark.clone(), 1..3_usize).prop_map(|(mark, comes)| format!("{mark}{}", "+new\n".repeat(comes)));
    let changed = (mark, 0..6_usize, 0..3_usize, 1..3_usize, 0..3_usize, end).prop_map(
        |(mark, start, lead, goes, comes, end)| {
            let lines = |from: usize, to: usize, sign: &str| -> String {
                LINES.iter().take(to).skip(from).map(|line| format!("{sign}{line}\n")).collect()
            };
            let added: String = (0..comes).map(|at| format!("+new {at}\n")).collect();
            let (from, until) = (start.saturating_sub(lead), start + goes);
            format!(
                "{mark}{}{}{added}{}{end}",
                lines(from, start, " "),
                lines(start, until, "-"),
                lines(until, until + 2, " ")
            )
        },
    );
    prop_oneof![9 => changed, 1 => added]
}
