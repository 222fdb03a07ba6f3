//! Generated patch texts: every format, mixed, indented, quoted, cut and doubled.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::tree::{FILES, LINES};

/// A text that is shown as it is.
#[derive(Clone)]
pub(crate) struct Text(pub(crate) String);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Whole texts: parts of formats that are understood or not, then small damages.
pub(crate) fn all() -> impl Strategy<Value = Text> {
    let well = prop_oneof![6 => unified(), 6 => git(), 2 => prose()];
    let other = prop_oneof![
        6 => unified(), 6 => git(), 3 => prose(), 3 => envelope(), 2 => context(), 2 => normal(), 2 => ed(),
    ];
    let wrapped = (prose(), envelope(), prose()).prop_map(|(a, b, c)| vec![a, b, c]);
    let parts = prop_oneof![5 => vec(well, 1..5), 4 => vec(other, 1..5), 1 => wrapped];
    let damages = prop_oneof![3 => Just(Vec::new()), 2 => vec(damage(), 1..4)];
    (parts, damages, prop::bool::weighted(0.05)).prop_map(|(parts, damages, crlf)| {
        let mut lines: Vec<String> = parts.concat().lines().map(str::to_owned).collect();
        for damage in damages {
            damage.apply(&mut lines);
        }
        let end = if crlf { "\r\n" } else { "\n" };
        Text(lines.iter().map(|line| format!("{line}{end}")).collect())
    })
}

#[derive(Clone, Debug)]
pub(crate) enum Damage {
    Drop(Index),
    Double(Index),
    Swap(Index, Index),
    Insert(Index, String),
    Prefix(Index, Index, &'static str),
    Suffix(Index, &'static str),
}

impl Damage {
    pub(crate) fn apply(self, lines: &mut Vec<String>) {
        if lines.is_empty() {
            return;
        }
        let count = lines.len();
        match self {
            Self::Drop(at) => drop(lines.remove(at.index(count))),
            Self::Double(at) => {
                if let Some(line) = lines.get(at.index(count)).cloned() {
                    lines.insert(at.index(count), line);
                }
            }
            Self::Swap(one, other) => lines.swap(one.index(count), other.index(count)),
            Self::Insert(at, line) => lines.insert(at.index(count + 1), line),
            Self::Prefix(from, length, prefix) => {
                let (from, length) = (from.index(count), length.index(12));
                lines.iter_mut().skip(from).take(length).for_each(|line| line.insert_str(0, prefix));
            }
            Self::Suffix(at, suffix) => {
                if let Some(line) = lines.get_mut(at.index(count)) {
                    line.push_str(suffix);
                }
            }
        }
    }
}

pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    let prefix = select(vec![" ", "  ", "\t", "X", "XX ", "- ", "+", "-", "> "]);
    let suffix = select(vec![
        " ",
        "\t",
        "\r",
        " x",
        "\t2026-01-01 00:00:00 +0000",
        " 2026-01-01 00:00:00 +0000",
        ",1",
        "0",
    ]);
    let line = prop_oneof![6 => header_line(), 1 => prose()];
    prop_oneof![
        at().prop_map(Damage::Drop),
        at().prop_map(Damage::Double),
        (at(), at()).prop_map(|(one, other)| Damage::Swap(one, other)),
        (at(), line).prop_map(|(at, line)| Damage::Insert(at, line.trim_end().to_owned())),
        (at(), at(), prefix).prop_map(|(from, length, prefix)| Damage::Prefix(from, length, prefix)),
        (at(), suffix).prop_map(|(at, suffix)| Damage::Suffix(at, suffix)),
    ]
}

/// Lines that start something in one format or another.
fn header_line() -> impl Strategy<Value = String> {
    let heads = vec![
        "--- a/",
        "+++ b/",
        "--- ",
        "+++ ",
        "*** ",
        "*** a/",
        "Index: ",
        "Index: a/",
        "Prereq: ",
        "rename from ",
        "rename to ",
        "copy from ",
        "copy to ",
        "diff --git a/x b/",
        "*** Update File: ",
        "*** Delete File: ",
    ];
    let fixed = vec![
        "@@ -1 +1 @@",
        "@@ -0,0 +1 @@",
        "***************",
        "1d",
        "1c1",
        "< alpha",
        "---",
        "> x",
        ".",
        "1,2d",
        "old mode 100644",
        "new mode 100755",
        "new file mode 100755",
        "deleted file mode 100644",
        "GIT binary patch",
        "*** Begin Patch",
        "*** End Patch",
        "*** End of File",
        "-- ",
        "\\ No newline at end of file",
        "index 1111111..0000000",
        "similarity index 100%",
        "--- /dev/null",
        "+++ /dev/null",
        "",
    ];
    prop_oneof![
        (select(heads), file()).prop_map(|(head, file)| format!("{head}{file}\n")),
        select(fixed).prop_map(|line| format!("{line}\n")),
    ]
}

pub(crate) fn prose() -> impl Strategy<Value = String> {
    select(vec![
        "Here is the change.\n",
        "\n",
        "From: a\nSubject: [PATCH] b\n\nText.\n---\n src/a.ts | 2 +-\n\n",
        "-- \n2.47.3\n",
        "```diff\n",
        "```\n",
        "Only in src: c.ts\n",
        "diff -ruN a/src/a.ts b/src/a.ts\n",
        "* a list\n- of things\n+ and more\n",
        "index.html\n",
        "1. first\n2. second\n",
        "    indented\n",
    ])
    .prop_map(str::to_owned)
}

fn file() -> impl Strategy<Value = &'static str> {
    let others = vec![
        "new.ts",
        "src/new.ts",
        "../out.ts",
        "src/../a.ts",
        "/tmp/bailiwick-x",
        "./a.ts",
        "src//a.ts",
        ".git/config",
    ];
    prop_oneof![8 => select(FILES.to_vec()), 1 => select(others)]
}

/// A name as it stands in a header.
fn name(prefix: &'static str) -> impl Strategy<Value = String> {
    (file(), style()).prop_map(move |(file, style)| styled(prefix, file, style))
}

fn style() -> impl Strategy<Value = usize> {
    prop_oneof![12 => Just(0_usize), 1 => 1..11_usize]
}

fn styled(prefix: &str, file: &str, style: usize) -> String {
    let needs_quotes = file.contains(['"', '\\']) || !file.is_ascii();
    let quoted = || {
        let inner: String = file
            .bytes()
            .map(|byte| match byte {
                b'"' => "\\\"".to_owned(),
                b'!'..=b'~' | b' ' => char::from(byte).to_string(),
                byte => format!("\\{byte:03o}"),
            })
            .collect();
        format!("\"{prefix}{inner}\"")
    };
    match style {
        0 if needs_quotes => quoted(),
        0 if file.contains(' ') => format!("{prefix}{file}\t"),
        1 => quoted(),
        2 => format!("{prefix}{file}\t2026-01-01 00:00:00.000000000 +0000"),
        3 => format!("{prefix}{file} 2026-01-01 00:00:00 +0000"),
        4 => format!("{prefix}{file} "),
        5 => format!("{prefix}{file}\t1970-01-01 00:00:00.000000000 +0000"),
        6 => file.to_owned(),
        7 => format!("x/{prefix}{file}"),
        8 => "/dev/null".to_owned(),
        9 => format!("./{file}"),
        10 => format!("{prefix}{file}\t(revision 3)"),
        _ => format!("{prefix}{file}"),
    }
}

/// Two names, nearly always of one file.
fn names() -> impl Strategy<Value = (String, String)> {
    let same = (file(), style(), style())
        .prop_map(|(file, one, other)| (styled("a/", file, one), styled("b/", file, other)));
    let plain =
        (file(), style()).prop_map(|(file, style)| (styled("a/", file, style), styled("b/", file, style)));
    prop_oneof![8 => plain, 2 => same, 1 => (name("a/"), name("b/")), 1 => (name(""), name(""))]
}

fn line(at: usize) -> &'static str {
    LINES.get(at).copied().unwrap_or("theta")
}

/// A hunk that fits, mostly.
fn hunk() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "",
        "+extra\n",
        " \n",
        "\\ No newline at end of file\n",
        "-- \n",
        "--- a/src/b.ts\n",
        "\n",
    ]);
    (
        0..6_usize,
        0..3_usize,
        0..3_usize,
        prop_oneof![8 => Just(0_isize), 1 => -1..2_isize],
        prop_oneof![8 => Just(""), 1 => odd],
        0..3_usize,
    )
        .prop_map(|(start, lead, goes, lie, odd, comes)| {
            let mut body = String::new();
            let from = start.saturating_sub(lead);
            for at in from..start {
                body += &format!(" {}\n", line(at));
            }
            for at in start..start + goes {
                body += &format!("-{}\n", line(at));
            }
            for at in 0..comes {
                body += &format!("+new {at}\n");
            }
            let tail = start + goes..LINES.len().min(start + goes + 2);
            for at in tail.clone() {
                body += &format!(" {}\n", line(at));
            }
            let kept = start - from + tail.len();
            let (old, new) = ((kept + goes).saturating_add_signed(lie), kept + comes);
            format!("@@ -{},{old} +{},{new} @@\n{body}{odd}", from + 1, from + 1)
        })
}

fn hunks() -> impl Strategy<Value = String> {
    let created = "@@ -0,0 +1,2 @@\n+one\n+two\n".to_owned();
    let removed: String = LINES.iter().map(|line| format!("-{line}\n")).collect();
    let removed = format!("@@ -1,{} +0,0 @@\n{removed}", LINES.len());
    prop_oneof![12 => vec(hunk(), 1..3).prop_map(|hunks| hunks.concat()), 2 => Just(created), 2 => Just(removed)]
}

fn unified() -> impl Strategy<Value = String> {
    (names(), hunks()).prop_map(|((old, new), hunks)| format!("--- {old}\n+++ {new}\n{hunks}"))
}

fn git() -> impl Strategy<Value = String> {
    let kind = prop_oneof![6 => 0..8_usize, 1 => 8..16_usize];
    (file(), file(), kind, hunks(), hunk(), style()).prop_map(|(file, to, kind, any, hunk, style)| {
        let bare = |prefix: &str, file: &str| styled(prefix, file, style).split('\t').next().unwrap_or_default().to_owned();
        let head = |old: &str, new: &str| format!("diff --git {} {}\n", bare("a/", old), bare("b/", new));
        let sides = |old: &str, new: &str| format!("--- {}\n+++ {}\n", styled("a/", old, style), styled("b/", new, style));
        let (same, moved) = (head(file, file), head(file, to));
        let (from, into) = (bare("", file), bare("", to));
        let one = bare("b/", file);
        match kind {
            0 => format!("{same}index 1111111..2222222 100644\n{}{hunk}", sides(file, file)),
            1 => format!("{same}old mode 100644\nnew mode 100755\n"),
            2 => format!("{same}old mode 100644\nnew mode 100755\nindex 1..2\n{}{any}", sides(file, file)),
            3 => format!("{moved}similarity index 100%\nrename from {from}\nrename to {into}\n"),
            4 => format!("{moved}similarity index 90%\nrename from {from}\nrename to {into}\nindex 1..2 100644\n{}{hunk}", sides(file, to)),
            5 => format!("{moved}similarity index 90%\ncopy from {from}\ncopy to {into}\n{}{hunk}", sides(file, to)),
            6 => format!("{same}new file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ {one}\n@@ -0,0 +1 @@\n+one\n"),
            7 => {
                let removed: String = LINES.iter().map(|line| format!("-{line}\n")).collect();
                format!("{same}deleted file mode 100644\nindex 1..0\n--- {}\n+++ /dev/null\n@@ -1,{} +0,0 @@\n{removed}", bare("a/", file), LINES.len())
            }
            8 => format!("{same}new file mode 120000\nindex 0..1\n--- /dev/null\n+++ {one}\n@@ -0,0 +1 @@\n+a.ts\n\\ No newline at end of file\n"),
            9 => format!("{same}rename from {from}\nrename to {into}\n"),
            10 => format!("{moved}{}{hunk}", sides(file, to)),
            11 => format!("{same}{}{any}", sides(file, to)),
            12 => format!("{same}index 1111111..0000000\n{}{any}", sides(file, file)),
            13 => format!("{same}new file mode 100644\nindex 0..2\nGIT binary patch\nliteral 4\nLcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n"),
            14 => format!("{same}deleted file mode 100644\n"),
            _ => format!("{same}new file mode 100755\n"),
        }
    })
}

fn envelope() -> impl Strategy<Value = String> {
    let content = select(vec![
        " alpha\n-beta\n+new\n",
        "-alpha\n",
        "--- old\n+++ new\n",
        " --- a/src/b.ts\n",
        "@@ -1 +1 @@\n-alpha\n+new\n",
        " @@ -1 +1 @@\n -alpha\n +new\n",
        " 1d\n",
        " ***************\n *** 1 ****\n",
        " Index: a.ts\n",
        "@@ alpha\n+x\n",
        "--- a/lib/b.ts\n+++ b/lib/b.ts\n@@ -1 +1 @@\n-alpha\n+beta\n",
        " diff --git a/run.sh b/run.sh\n old mode 100644\n new mode 100755\n",
    ]);
    let update = (file(), vec(content, 1..3))
        .prop_map(|(file, body)| format!("*** Update File: {file}\n@@\n{}", body.concat()));
    let op = prop_oneof![
        4 => update,
        1 => file().prop_map(|file| format!("*** Add File: {file}\n+one\n+--- a/x\n")),
        1 => file().prop_map(|file| format!("*** Delete File: {file}\n")),
    ];
    vec(op, 1..4).prop_map(|ops| format!("*** Begin Patch\n{}*** End Patch\n", ops.concat()))
}

fn context() -> impl Strategy<Value = String> {
    names().prop_map(|(old, new)| {
        format!("*** {old}\n--- {new}\n***************\n*** 1,2 ****\n! alpha\n  beta\n--- 1,2 ----\n! new\n  beta\n")
    })
}

fn normal() -> impl Strategy<Value = String> {
    (select(vec!["Index: ", "--- ", "*** ", "+++ ", ""]), name("a/"))
        .prop_map(|(head, name)| format!("{head}{name}\n1c1\n< alpha\n---\n> new\n"))
}

fn ed() -> impl Strategy<Value = String> {
    (
        select(vec!["Index: ", "--- ", "*** ", ""]),
        name("a/"),
        select(vec!["1d\n", "1c\nnew\n.\n", "2a\nnew\n.\n"]),
    )
        .prop_map(|(head, name, script)| format!("{head}{name}\n{script}"))
}
