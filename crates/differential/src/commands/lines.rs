//! Command lines out of the tables: every program, its options, hostile values and operands.

use bailiwick_adapters_shell::{Known, known, questions};
use proptest::prelude::*;

use super::scene::{FOLDERS, PLEASANT};

/// Lines for one scene, each with the place of its folder in [`FOLDERS`].
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) scene: usize,
    pub(crate) lines: Vec<(usize, String)>,
}

/// Values of options: numbers, names, formats and what looks like an option.
#[rustfmt::skip]
const VALUES: &[&str] = &[
    "1", "0", "2", "10", "a.txt", "src/x.rs", "HEAD", "HEAD~1", "main", "always", "never", "auto", "all", "name",
    "short", "iso", "relative", "json", "full", "none", "1k", "/", ".", "*.txt", "x", "'a b'", "'[a-z]*'",
    "oneline", "'%h %s'", "'%C(auto)%d %(trailers)'", "raw", "'%(refname:short)'", "-committerdate", "refname",
    "'%(objectname) %(subject)'", "'1,3:a.txt'", "'/x/,+2:src/x.rs'", "text", "binary", "recurse", "skip",
    "'%Y-%m-%d'", "'%p %s\\n'", "f", "d", "u", "type", "modified", "size", "first-parent", "histogram",
    "traditional", "AMD", "plain", "zebra", "matching", "no", "normal",
];

/// Letters that make some program write, run or read another file.
const LETTERS: &[&str] = &["o", "w", "e", "i", "f", "x", "O", "C", "T"];

/// What a gate should stumble over, or the program.
#[rustfmt::skip]
const ODD_VALUES: &[&str] = &[
    "-1", "'%G?'", "'%+GG'", "'% GK'", "'%-GS %H'", "'format:%an%x09%GP'", "mine", "'%(signature:grade)'",
    "signature", "tools/show", "'!tools/show'", "../outside/show", "--output=out.txt", "-o", "out.txt", "'{}'",
];

/// Operands: paths, revisions, patterns, scripts.
#[rustfmt::skip]
const OPERANDS: &[&str] = &[
    "a.txt", "b.txt", "src", "src/x.rs", ".", "..", "tools/show", "data.json", "'sp ace.txt'", "'ü.txt'",
    "gone.txt", "HEAD", "HEAD~1", "main", "HEAD:a.txt", ":/src", "':(top)a.txt'", "HEAD~1..HEAD", "x", "'^x'",
    "'.*'", "v1", "signed", "big.txt", "dir", "kit", "kit/HEAD", "nested", "tools", "sub", ".gitattributes",
    "'1,3p'", "'$='", "'s/x/y/g'", "'1d'", "'/x/p'", "'5q'", "'.a'", "'.[]'", "'{print $1}'", "'NR>1'", "'/x/{n++} END {print n}'", "'/^(a|b)[.]/ {print}'", "'{print NF/2}'", "user.name", "+%Y", "'+%s'", "*.txt", "src/*", "?.txt", "tools/*", ".*", "'%s\\n'", "'%d'", "1", "12",
];

/// What a gate should stumble over, or the program.
#[rustfmt::skip]
const ODD_OPERANDS: &[&str] = &[
    "link", "--", "-", ".git/config", ".git/index", "'s/a/b/w out.txt'", "'w out.txt'", "'e touch out.txt'",
    "'env'", "'input_filename'", "'\"./tools/show\" | modulemeta'", "'s/a/b/e'", "'s/[/]/x/w out.txt'", "ARGC=2", "'{print > \"out.txt\"}'", "'BEGIN{system(\"tools/show\")}'", "'{print | \"tools/show\"}'",
     "-delete", "-exec", "-fprint", "out.txt", "--output=out.txt", "--ext-diff",
    "--textconv", "--show-signature", "-O", "--open-files-in-pager=tools/show", "--pre=tools/show",
    "--compress-program=tools/show",
];

/// Most often what a person would type, and now and then what one would not.
fn pick(usual: &'static [&'static str], odd: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![12 => prop::sample::select(usual), 1 => prop::sample::select(odd)]
}

/// What programs of `awk` are made of.
#[rustfmt::skip]
const AWK: &[&str] = &[
    "{", "}", "{print ", "{print}", "$1", "$0", "NR", ">", ">", "> 1", ">=", "<", "==", "(", ")", "/x/", "/", "/(a|x)/", "!", "~",
    "\"out.txt\"", "\"tools/show\"", "|", "||", "&&", " | getline", "getline", "system(", "system (", "length($0)", "BEGIN", "END",
    "c=", "c", ";", ",", " ", " ", "1", "if (NR>1) ", "/[/]", "\\/", "printf(", "close(", "toupper(", "ENVIRON", "@", "?", ":",
    "x", " | x", "x 1", "1 /2", " / 1", "/[]/", "{system(x)}", "ARGC=2;", "nextfile", "NF/2", "++",
    "/[[:alpha:]]/", "/\"/", "a[", "]", "else ", "in ",
];

/// What is set before the program, for one that runs what a variable holds.
const SET: &[&str] =
    &["", "", "-v x='tools/show #' ", "-v 'x=touch out.txt #' ", "-F: -v c=1 ", "-v ARGC=3 "];

/// What is set between the files.
const BETWEEN: &[&str] = &["", "", "x=tools/show ", "ARGC=3 ", "FS=: "];

/// What stands between slashes and pipes in an expression of `awk`, where `x` holds a command.
const HELD: &[&str] = &["x", "x 1", "1", "2", "$1", "(1)"];

/// What may divide, begin an expression of another kind, or hand something to a command.
const BETWEEN_HELD: &[&str] = &[" /", " / ", "/", " | ", " ", "++ /"];

/// Classes that programs end at different places, and what would be harmless inside of a string or an expression.
#[rustfmt::skip]
const CLASSED: &[&str] = &["/[]/", "/[^]/", "/[a]/", "/[[]/", " \"]/", "]/", " {system(x)}", " {print | x}", " #\"", " #/"];

/// Programs that read a file which nobody named, if the variables mean what they mean to `awk`.
const NAMING: &[&str] = &[
    "BEGIN{ARGV[1]=\"../outside/.unnamed\"} {print}",
    "BEGIN{ARGV[ARGC]=\"../outside/.unnamed\";ARGC++} 1",
    "BEGIN{n=\"../outside/.unnamed\"; ARGV[1]=n; ARGC=2} {n+=NF/2} END {print n}",
];

/// A program of `awk`, most often one that it cannot read: what gets through both is what counts.
fn awk() -> impl Strategy<Value = String> {
    let concat = |pieces: Vec<&str>| pieces.concat();
    let soup = prop::collection::vec(prop::sample::select(AWK), 1..9).prop_map(concat);
    let body = prop::collection::vec(prop::sample::select(AWK), 1..6);
    let body = body.prop_map(|pieces| format!("{{print {}}}", pieces.concat()));
    let pair = (prop::sample::select(HELD), prop::sample::select(BETWEEN_HELD));
    let divided =
        (prop::collection::vec(pair, 1..5), prop::sample::select(HELD)).prop_map(|(pairs, last)| {
            let terms: String = pairs.into_iter().flat_map(|(term, joint)| [term, joint]).collect();
            format!("BEGIN{{x=\"tools/show #\"; print {terms}{last}}}")
        });
    let classed = prop::collection::vec(prop::sample::select(CLASSED), 2..5).prop_map(concat);
    let naming = prop::sample::select(NAMING).prop_map(str::to_owned);
    let program = prop_oneof![6 => soup, 6 => body, 6 => divided, 4 => classed, 1 => naming];
    let (set, between) = (prop::sample::select(SET), prop::sample::select(BETWEEN));
    (set, program, between).prop_map(|(set, program, between)| format!("awk {set}'{program}' {between}a.txt"))
}

/// One option of a program, with a value where it may have one.
fn option(one: Known) -> BoxedStrategy<String> {
    let mut forms: Vec<(u32, BoxedStrategy<String>)> = Vec::new();
    let letters = |text: &str| -> Vec<char> { text.chars().collect() };
    if !one.flags.is_empty() {
        let flag = prop::sample::select(letters(&one.flags));
        forms.push((
            4,
            prop::collection::vec(flag, 1..4).prop_map(|all| format!("-{}", String::from_iter(all))).boxed(),
        ));
    }
    if !one.valued.is_empty() {
        let letter = prop::sample::select(letters(&one.valued));
        let both = (letter, pick(VALUES, ODD_VALUES), any::<bool>());
        forms.push((
            2,
            both.prop_map(|(l, v, apart)| if apart { format!("-{l} {v}") } else { format!("-{l}{v}") })
                .boxed(),
        ));
        // Programs differ in whether letters go on behind one that takes a value.
        let behind = (
            prop::sample::select(letters(&one.valued)),
            prop::sample::select(LETTERS),
            pick(VALUES, ODD_VALUES),
        );
        forms.push((1, behind.prop_map(|(l, letter, v)| format!("-{l}{letter} {v}")).boxed()));
    }
    if !one.long.is_empty() {
        let is_find = one.start == "find";
        let long = (prop::sample::select(one.long), pick(VALUES, ODD_VALUES), any::<bool>());
        let form = move |(name, value, apart): (String, &str, bool)| {
            let bare = name.trim_end_matches(['=', '?']).to_owned();
            match name.chars().next_back() {
                Some('=') if is_find => format!("{bare} {value}"),
                Some('=') if apart => format!("--{bare} {value}"),
                Some('=') => format!("--{bare}={value}"),
                Some('?') if apart => format!("--{bare}={value}"),
                _ if is_find => {
                    if matches!(bare.as_str(), "(" | ")" | "!") {
                        format!("'{bare}'")
                    } else {
                        bare
                    }
                }
                _ => format!("--{bare}"),
            }
        };
        forms.push((4, long.prop_map(form).boxed()));
    }
    if forms.is_empty() {
        Just(String::new()).boxed()
    } else {
        proptest::strategy::Union::new_weighted(forms).boxed()
    }
}

fn simple(one: Known) -> BoxedStrategy<String> {
    let start = one.start.clone();
    let options = prop::collection::vec(option(one), 0..4);
    let operands = prop::collection::vec(pick(OPERANDS, ODD_OPERANDS), 0..3);
    (options, operands, any::<bool>())
        .prop_map(move |(options, operands, mixed)| {
            let operands = operands.into_iter().map(str::to_owned);
            // Expressions of `find` stand behind its starting points.
            let first = mixed || start == "find";
            let words: Vec<String> = match first {
                true => operands.chain(options).collect(),
                false => options.into_iter().chain(operands).collect(),
            };
            let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
            format!("{start} {}", words.join(" ")).trim_end().to_owned()
        })
        .boxed()
}

/// Where git is told to run: a folder of the scene, or one beside it.
fn told_folder() -> BoxedStrategy<&'static str> {
    let others =
        prop::sample::select(&["..", "../outside/stranger", "nested/..", ".git", "missing", "a.txt"][..]);
    prop_oneof![4 => prop::sample::select(FOLDERS), 1 => others].boxed()
}

/// What a line may stand in, in place of `LINE`.
#[rustfmt::skip]
const HOLDERS: &[&str] = &[
    "for f in a.txt src/*; do LINE \"$f\"; done", "for f in *.txt HEAD; do echo \"== $f\"; LINE $f; done | head -5",
    "for n in -o --output=out.txt; do LINE $n out.txt; done", "for f in tools/show; do LINE \"$f\" < \"$f\"; done",
    "echo \"$(LINE)\"", "printf '%s\\n' $(LINE)", "if LINE; then LINE; else ls; fi", "(LINE) | wc -l",
    "(cd src && LINE) && ls", "find . src -type f -name '*.txt' -exec LINE {} +", "find . -type f -exec LINE {} \\;",
    "find . src -type f -name '*.txt' | xargs LINE", "find src -type f -print0 | xargs -0 LINE", "find . -type f | sort | xargs -n1 LINE",
    "find . -type f | xargs -I{} LINE {}", "find . -name '*.txt' | head -3 | xargs LINE -n", "LINE {a.txt,src} {-n,-o}", "LINE sp\\ ace.txt \"a$\"",
    "for f in a.txt; do for f in LINE; do LINE; done; LINE \"$f\"; done",
];

fn line() -> BoxedStrategy<String> {
    let git: Vec<Known> = known().into_iter().filter(|one| one.start.starts_with("git ")).collect();
    let others: Vec<Known> = known().into_iter().filter(|one| !one.start.starts_with("git ")).collect();
    let of = |all: Vec<Known>| prop::sample::select(all).prop_flat_map(simple);
    let git = of(git)
        .prop_flat_map(|line| {
            (Just(line), prop::bool::weighted(0.1), prop::option::weighted(0.15, told_folder()))
        })
        .prop_map(|(line, quiet, folder)| {
            let folder = folder.map(|folder| format!("-C {folder} ")).unwrap_or_default();
            let quiet = if quiet { "--no-pager " } else { "" };
            line.replacen("git ", &format!("git {folder}{quiet}"), 1)
        });
    let question = prop::sample::select(questions());
    let one = prop_oneof![9 => git, 6 => of(others), 1 => question, 3 => awk()].boxed();
    let framed = (
        prop::sample::select(&["", "LC_ALL=C ", "NO_COLOR=1 TZ=UTC ", "timeout 5 "][..]),
        one.clone(),
        prop::sample::select(&["", " < a.txt", " < 'sp ace.txt'", " >/dev/null 2>&1"][..]),
    );
    let framed = framed.prop_map(|(before, line, behind)| format!("{before}{line}{behind}"));
    let held =
        (prop::sample::select(HOLDERS), one.clone()).prop_map(|(holder, line)| holder.replace("LINE", &line));
    let one = prop_oneof![10 => one, 2 => framed, 3 => held].boxed();
    let joint = prop::sample::select(&[" | ", " && ", " || ", "; ", " 2>&1 | ", " 2>/dev/null; ", "\n"][..]);
    let several = (one.clone(), joint, one.clone()).prop_map(|(left, joint, right)| left + joint + &right);
    let line = prop_oneof![9 => one, 2 => several].boxed();
    // Where it moves to: a folder that stands among those where lines begin.
    let moved =
        (prop::sample::select(FOLDERS), line.clone()).prop_map(|(to, line)| format!("cd {to} && {line}"));
    prop_oneof![6 => line, 1 => moved].boxed()
}

/// Batches of so many lines on average.
pub(crate) fn batch(scenes: usize, together: usize) -> impl Strategy<Value = Batch> {
    let folder = prop_oneof![5 => Just(0_usize), 2 => 0..FOLDERS.len()];
    let lines = prop::collection::vec((folder, line()), 1..together * 2);
    let scene = prop_oneof![1 => 0..PLEASANT, 1 => 0..scenes];
    (scene, lines).prop_map(|(scene, lines)| Batch { scene, lines })
}
