//! What a piece of text says: how binding it is, what it leaves open, which label it begins with.

use bailiwick_domain::Strength;

/// The longest text that is taken over, in characters.
const LONGEST: usize = 1_000;
/// The longest name.
const LONGEST_NAME: usize = 160;

/// Words that a requirement's heading begins with.
pub(crate) const REQUIREMENT: &[&str] =
    &["Requirement", "Req", "要件", "需求", "요구사항", "Requisito", "Anforderung", "Exigence"];

/// A text in one line, without signs that no YAML holds, cut where it is too long.
pub(crate) fn one_line(text: &str) -> String {
    shortened(text, LONGEST)
}

/// A text with more behind it.
pub(crate) fn with(text: &str, more: &str) -> String {
    let ends = text.ends_with([':', ';', '.', '。', ',']) || text.is_empty();
    one_line(&format!("{text}{} {more}", if ends { "" } else { ";" }))
}

/// A name in one line.
pub(crate) fn name(text: &str) -> String {
    shortened(text, LONGEST_NAME)
}

fn shortened(text: &str, longest: usize) -> String {
    let plain: String = text.chars().map(|c| if is_plain(c) { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= longest {
        return line;
    }
    let cut: String = line.chars().take(longest - 1).collect();
    format!("{}…", cut.trim_end())
}

/// Whether a text was cut where it is too long.
pub(crate) fn is_cut(text: &str) -> bool {
    text.ends_with('…') && text.chars().count() + 8 > LONGEST
}

/// Whether every reader of YAML takes the sign as it is.
fn is_plain(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// What follows a label such as `Input:`, if the text begins with one of them.
pub(crate) fn after_label<'t>(text: &'t str, labels: &[&str]) -> Option<&'t str> {
    let (before, rest) = text.trim_start().split_once([':', '：'])?;
    let before = before.trim();
    labels.iter().any(|label| label.eq_ignore_ascii_case(before)).then(|| rest.trim())
}

/// Whether a title says one of these words; case does not matter.
pub(crate) fn says(title: &str, words: &[&str]) -> bool {
    let folded = title.to_lowercase();
    words.iter().any(|word| folded.contains(word))
}

/// Words of languages without blanks that say how binding a sentence is.
const SPELLED: &[(&str, Strength)] = &[
    ("必须", Strength::Must),
    ("必須", Strength::Must),
    ("なければならない", Strength::Must),
    ("なければなりません", Strength::Must),
    ("应", Strength::Should),
    ("應", Strength::Should),
    ("べき", Strength::Should),
    ("可以", Strength::May),
];

/// The first of them in a text. Words such as 应用 (an application) and 响应 (an answer) only look like one.
fn spelled(text: &str) -> Option<Strength> {
    let counts = |word: &str, at: usize| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|text| text.chars().next());
        let is_part = before.is_some_and(|c| "响響对對适適供反相感效".contains(c))
            || after.is_some_and(|c| "用对對付邀".contains(c));
        !(matches!(word, "应" | "應") && is_part)
    };
    let first = |(word, strength): &(&str, Strength)| {
        let at = text.match_indices(word).map(|(at, _)| at).find(|at| counts(word, *at))?;
        Some((at, *strength))
    };
    SPELLED.iter().filter_map(first).min_by_key(|(at, _)| *at).map(|(_, strength)| strength)
}

/// How binding a sentence is: its first word that says so, in capitals before any other.
pub(crate) fn strength(text: &str) -> Option<Strength> {
    let words = || text.split(|c: char| !c.is_alphanumeric());
    let quiet = || words().filter(|word| *word != "May").find_map(|word| loud(&word.to_ascii_uppercase()));
    words().find_map(loud).or_else(|| spelled(text)).or_else(quiet)
}

/// Whether a sentence says in capitals how binding it is.
pub(crate) fn is_loud(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| loud(word).is_some())
}

fn loud(word: &str) -> Option<Strength> {
    match word {
        "MUST" | "SHALL" => Some(Strength::Must),
        "SHOULD" => Some(Strength::Should),
        "MAY" => Some(Strength::May),
        _ => None,
    }
}

/// Whether a sentence forbids something.
pub(crate) fn forbids(text: &str) -> bool {
    says(text, &["must not", "must never", "shall not", "shall never", "should not", "never ", "not allowed"])
}

/// Whether a text is still what a template left there to be filled in.
pub(crate) fn is_template(text: &str) -> bool {
    let text = text.trim();
    if text.contains("$ARGUMENTS") {
        return true;
    }
    let is_mark = |part: &str| part.trim_start().to_ascii_uppercase().starts_with("NEEDS");
    let whole = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if whole.is_some_and(|inside| !is_mark(inside) && !inside.contains(']')) {
        return true;
    }
    let samples = ["initial state", "action", "expected outcome", "error scenario", "boundary condition"];
    let is_sample = |inside: &&str| {
        let is_told = says(inside, &["e.g.", "feature name", "brief title"]);
        !is_mark(inside) && (is_told || samples.contains(&inside.trim().to_lowercase().as_str()))
    };
    brackets(text).iter().any(is_sample)
}

/// What the text leaves open: the questions of its marks.
pub(crate) fn questions(text: &str) -> Vec<String> {
    let mark = |inside: &&str| {
        let word: String = inside.chars().take(19).map(|c| if c == '_' { ' ' } else { c }).collect();
        word.to_ascii_uppercase().starts_with("NEEDS CLARIFICATION")
    };
    let asked = brackets(text).into_iter().filter(mark);
    let question = |inside: &str| {
        let rest: String = inside.chars().skip("NEEDS CLARIFICATION".len()).collect();
        let asked = one_line(rest.trim_start_matches([':', '：', '-', '–', '—', ' ']));
        if asked.is_empty() { one_line(text) } else { asked }
    };
    let is_sample =
        |asked: &String| asked.eq_ignore_ascii_case("specific question") || asked == "…" || asked == "...";
    asked.map(question).filter(|asked| !asked.is_empty() && !is_sample(asked)).collect()
}

/// What stands between square brackets, the outermost ones.
fn brackets(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' => {
                if depth == 0 {
                    start = at + 1;
                }
                depth += 1;
            }
            ']' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.extend(text.get(start..at));
                }
            }
            _ => {}
        }
    }
    found
}

/// The title without what a template puts before it, such as `Feature Specification:`.
pub(crate) fn title(text: &str) -> String {
    const GENERIC: &[&str] = &[
        "feature specification",
        "feature",
        "specification",
        "spec",
        "requirements document",
        "requirements",
        "implementation plan",
        "tasks",
        "design document",
        "change",
        "proposal",
        "change proposal",
        "bugfix requirements document",
        "需求文档",
        "需求文件",
        "需求规格说明书",
        "需求",
        "要件定義書",
        "要件定義",
        "要件",
        "요구사항 문서",
        "documento de requisitos",
        "anforderungsdokument",
        "document d'exigences",
    ];
    let is_generic = |text: &str| GENERIC.contains(&text.trim().to_lowercase().as_str());
    let text = text.trim();
    let rest = match text.split_once([':', '：']) {
        Some((before, rest)) if is_generic(before) || before.chars().count() <= 14 => rest.trim(),
        _ => text,
    };
    if is_generic(rest) { String::new() } else { name(rest) }
}
