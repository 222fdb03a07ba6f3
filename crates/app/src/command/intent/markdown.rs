//! An intent as Markdown for people: what, why, boundaries, success, scope. No field is left out.

use bailiwick_domain::{Check, Constraint, Intent, WrittenIntent, WrittenLine, WrittenRequirement};

use crate::inert;

/// The page of one intent.
pub(super) fn page(intent: &Intent, written: &WrittenIntent) -> String {
    let mut parts = vec![format!("# {} {}", intent.id(), text(intent.name())), head(intent, written)];
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            parts.push(format!("## {title}\n\n{}", lines.join("\n")));
        }
    };
    section("Why", intent.why().map(|why| lines(why, "")).into_iter().collect());
    section("Requirements", written.requirements.iter().map(|one| requirement(&one.value)).collect());
    section("Scope", scope(intent, written));
    section("Boundaries", boundaries(intent, written));
    section("Success", written.criteria.iter().map(|line| item(&line.value)).collect());
    section("Questions", written.questions.iter().map(|one| format!("- {}", below(one))).collect());
    section("Assumptions", written.assumptions.iter().map(|one| format!("- {}", below(one))).collect());
    section("Notes", written.notes.as_deref().map(|notes| lines(notes, "")).into_iter().collect());
    let source = written.source.iter().map(|(key, value)| format!("- {key}: {}", code(value)));
    section("Source", source.collect());
    parts.join("\n\n") + "\n"
}

fn requirement(one: &WrittenRequirement) -> String {
    let mut out = format!("- {}", text(&one.id));
    if let Some(said) = &one.text {
        out.push_str(&format!(": {}", below(said)));
    }
    let strength = one.strength.map(|strength| strength.as_str().to_owned());
    let vanished = one.vanished.then(|| "no longer there".to_owned());
    let parts: Vec<String> =
        [strength, one.source.as_deref().map(code), vanished].into_iter().flatten().collect();
    if !parts.is_empty() {
        out.push_str(&format!(" ({})", parts.join(", ")));
    }
    out
}

fn head(intent: &Intent, written: &WrittenIntent) -> String {
    let mut lines = vec![format!("- Status: {}", intent.status())];
    if intent.is_frozen() {
        lines.push("- Frozen".to_owned());
    }
    let words = bailiwick_domain::IntentKind::WORDS;
    let kind = words.iter().find(|(_, kind)| intent.kind() == Some(*kind));
    lines.extend(kind.map(|(word, _)| format!("- Kind: {word}")));
    lines.extend(intent.parent().map(|parent| format!("- Parent: {parent}")));
    lines.extend(written.priority.as_deref().map(|priority| format!("- Priority: {}", text(priority))));
    lines.extend(intent.expires().map(|end| format!("- Expires: {end}")));
    lines.push(format!("- Revision: {}", intent.revision().short()));
    lines.join("\n")
}

fn scope(intent: &Intent, written: &WrittenIntent) -> Vec<String> {
    let mut lines: Vec<String> = intent
        .owned_scope()
        .patterns()
        .iter()
        .map(|pattern| format!("- {}", code(pattern.as_str())))
        .collect();
    lines.extend(
        written.proposed.iter().map(|one| format!("- proposed, not accepted: {}", code(one.value.as_str()))),
    );
    if written.allow_broad {
        lines.push("- broad on purpose".to_owned());
    }
    lines.extend(written.allow.iter().map(|example| format!("- must own {}", code(&example.value))));
    lines.extend(written.deny.iter().map(|example| format!("- must not own {}", code(&example.value))));
    for ancestor in intent.within() {
        let patterns: Vec<String> =
            ancestor.owned_scope.patterns().iter().map(|pattern| code(pattern.as_str())).collect();
        lines.push(format!("- only within {}: {}", ancestor.intent, patterns.join(", ")));
    }
    lines
}

/// Texts as they are written, then what the gate enforces, the parents' bounds with it.
fn boundaries(intent: &Intent, written: &WrittenIntent) -> Vec<String> {
    let mut lines: Vec<String> = written
        .constraints
        .iter()
        .filter(|line| line.value.text.is_some())
        .map(|line| item(&line.value))
        .collect();
    let own = |said: &str| {
        let begins =
            |line: &WrittenLine| line.text.as_deref().is_some_and(|text| said.starts_with(text.trim()));
        written.constraints.iter().any(|line| begins(&line.value))
    };
    for constraint in intent.constraints() {
        match constraint {
            Constraint::Text(said) if own(said) => {}
            Constraint::Text(said) => lines.push(format!("- {} (from a parent)", below(said))),
            enforced => lines.push(format!("- enforced: {}", text(&super::said(enforced)))),
        }
    }
    lines
}

fn item(line: &WrittenLine) -> String {
    let mut out = String::from("- ");
    if let Some(id) = &line.id {
        out.push_str(&format!("**{}** ", text(id)));
    }
    out.push_str(&line.text.as_deref().map(below).unwrap_or_default());
    if let Some(because) = &line.because {
        out.push_str(&format!(" (because: {})", below(because)));
    }
    for check in &line.checks {
        out.push_str(&match check {
            Check::Run(command) => format!("; run {}", code(command)),
            Check::File(path) => format!("; file {}", code(path)),
            Check::Human => "; a person says so".to_owned(),
        });
    }
    out
}

/// The lines of an item, each further one below the first.
fn below(said: &str) -> String {
    lines(said, "  ")
}

/// Lines in which nothing is markup, with their breaks. What would make a list, a heading or code at the beginning of a line
/// does not.
fn lines(said: &str, indent: &str) -> String {
    let shown = inert::lines(said.trim_end());
    let last = shown.len().saturating_sub(1);
    let mut out = String::new();
    for (at, line) in shown.iter().enumerate() {
        let line = line.trim();
        let number = line.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0).unwrap_or_default();
        let (number, rest) = line.split_at(number);
        let is_marked = match number {
            "" => rest.starts_with(['-', '+', '=', '~']),
            _ => rest.starts_with(['.', ')']),
        };
        let gap = if at == 0 || line.is_empty() { "" } else { indent };
        let mark = if is_marked { "\\" } else { "" };
        // Two blanks before its end are a break within a paragraph; an empty line parts paragraphs.
        let is_followed = shown.get(at + 1).is_some_and(|next| !next.trim().is_empty());
        let end = match (at == last, is_followed && !line.is_empty()) {
            (true, _) => "",
            (false, true) => "  \n",
            (false, false) => "\n",
        };
        out.push_str(&format!("{gap}{number}{mark}{}{end}", text(rest)));
    }
    out
}

/// One line in which nothing is markup.
fn text(said: &str) -> String {
    let mut out = String::new();
    for c in inert::line(said).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Code in which every sign stands for itself.
fn code(said: &str) -> String {
    let said = inert::line(said);
    let longest = said.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let blank = if longest > 0 { " " } else { "" };
    format!("{fence}{blank}{said}{blank}{fence}")
}
