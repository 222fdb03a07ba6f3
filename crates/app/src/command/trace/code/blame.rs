//! `bailiwick trace blame FILE`: which entry wrote each line of a file, under which intent.

use std::borrow::Cow;
use std::fmt::Write;
use std::mem::ManuallyDrop;
use std::process::ExitCode;

use anstyle::Style;
use bailiwick_domain::{LedgerQuery, StoredEntry, Value, json};

use crate::command::output::columns::{self, cut};
use crate::command::output::reading;
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::trace::sources::claims::{self, Claimed};
use crate::command::trace::sources::columns::{CLASS, DAY, INTENT, REQUIREMENT, SESSION};
use crate::command::trace::sources::contents::Kept;
use crate::command::trace::sources::contradicted::{self, Contradictions};
use crate::command::trace::sources::departed::Departed;
use crate::command::trace::sources::filter::{Class, class_of};
use crate::command::trace::sources::foreign::{self, FromFile};
use crate::command::trace::sources::source::{SourceFile, entries, reader};
use crate::command::{CommandError, Context};
use crate::counted::counted;
use crate::evidence::{Certainty, IndexedText, Proof, Written, traced};
use crate::inert;
use crate::shares::in_shares;
use crate::site::Site;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line without an intent was not written through the gate, or nothing proves that it was. `~` marks \
a line whose block was changed since, or that stands elsewhere with different white space; `?` one \
of several equal blocks. With `--claimed`, `!` marks a line of an entry that nobody vouches for, and \
`x` one that is contradicted: the commit that its entry names has it already. The second column is \
the class of the change: `ref` a proved refactor, `evo` an evolution of intent.

With `--from`, lines that the ledger does not know show what the records of another program claim: \
its name stands in place of the intent, and `?` marks a claim that no hash proves.

Examples:
  bailiwick trace blame src/auth/jwt.rs
  bailiwick trace blame src/auth/jwt.rs --lines 10,40
  bailiwick trace blame src/auth/old.rs --at v1.2
  bailiwick trace blame src/auth/jwt.rs --from .agent-trace/traces.jsonl
  bailiwick trace blame --porcelain src/auth/jwt.rs | cut -f3 | sort | uniq -c")]
pub(in crate::command) struct Args {
    /// The file
    file: String,
    /// The file as this commit has it, also one that is gone since
    #[arg(long, value_name = "REV", conflicts_with = "from")]
    at: Option<String>,
    /// Only these lines, as FIRST,LAST
    #[arg(long, short = 'L', value_name = "FIRST,LAST", value_parser = lines)]
    lines: Option<(usize, usize)>,
    #[command(flatten)]
    from: FromFile,
    /// Only lines that a change of this class wrote
    #[arg(long, value_enum)]
    class: Option<Class>,
    /// One line of fields parted by tabs for each line: line, certainty, intent, requirements, session, time, entry,
    /// class, text; `--porcelain=2` has trust and signer behind the certainty
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = clap::value_parser!(u8).range(1..=2))]
    porcelain: Option<u8>,
    #[command(flatten)]
    pub(crate) claimed: Claimed,
}

impl Args {
    /// Whether it reads a file that is named on the command line.
    pub(crate) fn reads_a_file(&self) -> bool {
        self.from.is_given()
    }
}

fn lines(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once(',').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err("two line numbers such as 10,40".to_owned()),
    }
}

pub(crate) fn run(
    args: &Args,
    site: &Site,
    departed: &Departed,
    context: &Context,
) -> Result<ExitCode, CommandError> {
    let (source, until) = match &args.at {
        Some(revision) => {
            SourceFile::at(&args.file, revision, site, context).map(|(source, at)| (source, Some(at)))
        }
        None => SourceFile::named(&args.file, site, context).map(|source| (source, None)),
    }?;
    let text = IndexedText::new(&source.text);
    // The process ends with the answer: to give back what thousands of entries hold, piece by piece, takes a tenth of it.
    let query = LedgerQuery { without_records: true, ..LedgerQuery::default() };
    let mut entries = ManuallyDrop::new(entries(&reader(site, context), &source, &text, &query)?);
    if let Some(until) = until {
        entries.retain(|stored| stored.entry.timestamp <= until);
    }
    let mut owners = traced(&source.path, &source.text, &text, &entries, &Kept::of(site));
    let contradictions = Contradictions::marked(&mut owners, site);
    let foreign = args.from.read(context)?;
    let claims =
        foreign.as_ref().map(|trace| foreign::claims(&source.path, &text, trace)).unwrap_or_default();
    let owners: Vec<Owned<'_>> = owners
        .into_iter()
        .enumerate()
        .map(|(line, owner)| match (owner, claims.get(line).copied().flatten()) {
            (Some(written), _) => Owned::Written(written),
            (None, Some(claimed)) => Owned::Claimed(claimed),
            (None, None) => Owned::Nobody,
        })
        .collect();
    let (first, last) = args.lines.unwrap_or((1, usize::MAX));
    if args.lines.is_some() && first > owners.len() {
        let lines = counted(owners.len(), "line", "lines");
        return Err(CommandError::Usage(format!("{} has {lines}", source.path)));
    }
    let is_of_class = |owner: &Owned<'_>| {
        let is_of =
            |class: Class| matches!(owner, Owned::Written(written) if class.is_of(written.claim.stored));
        args.class.is_none_or(is_of)
    };
    let wanted = owners.iter().enumerate();
    let wanted = wanted.filter(|(line, owner)| (first..=last).contains(&(line + 1)) && is_of_class(owner));
    if context.json {
        let lines: Vec<Value> =
            wanted.map(|(line, owner)| as_json(line + 1, owner, &contradictions)).collect();
        context.terminal.json(&departed.with(json!({ "file": source.path, "lines": lines })));
        return Ok(ExitCode::SUCCESS);
    }
    let page = Page {
        number: owners.len().to_string().len(),
        columns: columns::of_terminal(),
        has_colours: context.terminal.has_colours(),
    };
    let wanted: Vec<(usize, &Owned<'_>)> = wanted.collect();
    let rows = in_shares(&wanted, |&(line, owner)| {
        let code = String::from_utf8_lossy(text.line(line).unwrap_or_default());
        let code = inert::shown(code.trim_end_matches(['\n', '\r']));
        match args.porcelain {
            Some(form) => porcelain(form, line + 1, owner, &code),
            None => page.row(line + 1, owner, &code),
        }
    });
    context.terminal.say_all(&rows);
    let mut shown = wanted.iter().filter_map(|(_, owner)| match owner {
        Owned::Written(Written { claim, .. }) => contradictions.in_file(claim.stored, &claim.file.path),
        _ => None,
    });
    if let Some(by) = shown.next().filter(|_| args.porcelain.is_none()) {
        context.terminal.warning(&format!("x is contradicted: {}", inert::line(&by.said())));
    }
    Ok(ExitCode::SUCCESS)
}

/// Who a line is from.
#[derive(Debug)]
enum Owned<'a> {
    Written(Written<'a>),
    Claimed(foreign::Claimed<'a>),
    Nobody,
}

fn as_json(line: usize, owner: &Owned<'_>, contradictions: &Contradictions) -> Value {
    let written = match owner {
        Owned::Written(written) => written,
        Owned::Claimed(claimed) => {
            return json!({ "line": line, "entry": null, "claim": claimed.as_json() });
        }
        Owned::Nobody => return json!({ "line": line, "entry": null }),
    };
    let StoredEntry { entry, .. } = written.claim.stored;
    let answer = json!({
        "line": line,
        "certainty": written.certainty.as_str(),
        "proof": Proof::from(written.certainty).as_str(),
        "class": entry.context.mutation.as_ref().map(|mutation| mutation.class),
        "entry": entry.id,
        "intent": entry.context.intent,
        "revision": entry.context.revision,
        "requirements": entry.context.requirements,
        "session": entry.context.actor.session,
        "timestamp": entry.timestamp,
    });
    let by = contradictions.in_file(written.claim.stored, &written.claim.file.path);
    contradicted::with(claims::with_trust(answer, written.claim.stored), by)
}

fn porcelain(form: u8, line: usize, owner: &Owned<'_>, code: &str) -> String {
    let has_trust = form > 1;
    let written = match owner {
        Owned::Written(written) => written,
        Owned::Claimed(claimed) => {
            let said = claimed.porcelain();
            let said = match said.split_once('\t').filter(|_| has_trust) {
                Some((certainty, rest)) => format!("{certainty}\t-\t-\t{rest}"),
                None => said,
            };
            return format!("{line}\t{said}\t{code}");
        }
        Owned::Nobody => {
            let trust = if has_trust { "\t-\t-" } else { "" };
            return format!("{line}{trust}\t-\t-\t-\t-\t-\t-\t-\t{code}");
        }
    };
    let entry = &written.claim.stored.entry;
    let [trust, signer] = claims::fields(written.claim.stored);
    let trust = if has_trust { vec![trust, signer] } else { Vec::new() };
    let known = [line.to_string(), written.certainty.as_str().to_owned()].into_iter().chain(trust);
    let fields = known.chain([
        entry.context.intent.to_string(),
        entry.context.requirements.join(","),
        entry.context.actor.session.clone(),
        entry.timestamp.to_string(),
        entry.id.clone(),
        class_of(written.claim.stored).to_owned(),
    ]);
    let fields: Vec<String> = fields.map(|field| inert::line(&field)).collect();
    format!("{}\t{code}", fields.join("\t"))
}

/// What rows for people are laid out for.
struct Page {
    /// The digits of the last line's number.
    number: usize,
    /// Where a terminal ends.
    columns: Option<usize>,
    has_colours: bool,
}

impl Page {
    /// `INT-001 evo REQ-7 3f9c2b7a 2026-11-22 ~ 12  code`.
    fn row(&self, line: usize, owner: &Owned<'_>, code: &str) -> String {
        let width = self.number;
        let parts = Parts::within(self.columns);
        let taken = parts.width() + 3 + width + 2;
        let code = match self.columns {
            Some(columns) => Cow::Owned(cut(code, columns.saturating_sub(taken))),
            None => Cow::Borrowed(code),
        };
        let [heading, dim] = [HEADING, DIM].map(|style| self.style(style));
        let written = match owner {
            Owned::Written(written) => written,
            Owned::Claimed(claimed) => {
                let (known, mark) = (claimed.columns(), claimed.mark());
                let (style, known) = (self.style(WARN), parts.plain(known.each_ref().map(AsRef::as_ref)));
                return format!("{style}{known} {mark}{style:#} {dim}{line:>width$}{dim:#}  {code}");
            }
            Owned::Nobody => {
                let nobody = parts.plain(["-", "", "", "", ""]);
                return format!("{dim}{nobody}{dim:#}   {dim}{line:>width$}{dim:#}  {code}");
            }
        };
        let (entry, context) = (&written.claim.stored.entry, &written.claim.stored.entry.context);
        let (style, mark) = match written.certainty {
            Certainty::Contradicted => (BAD, 'x'),
            _ if claims::is_unvouched(written.claim.stored) => (BAD, '!'),
            certainty => mark(certainty),
        };
        let style = self.style(style);
        let known = [
            context.intent.as_str(),
            class_of(written.claim.stored),
            &requirements(&context.requirements),
            &context.actor.session,
            &reading::day(entry.timestamp),
        ];
        let known = parts.row(known, [heading, Style::new(), Style::new(), dim, dim]);
        format!("{known} {style}{mark}{style:#} {dim}{line:>width$}{dim:#}  {code}")
    }

    /// The style, where there are colours.
    fn style(&self, style: Style) -> Style {
        if self.has_colours { style } else { Style::new() }
    }
}

/// The parts before the code, as wide as the terminal has room for: intent, class, requirement, session and day.
struct Parts([usize; 5]);

impl Parts {
    /// From a hundred columns on all of them fit beside code that can be read.
    fn within(columns: Option<usize>) -> Self {
        Self(match columns {
            Some(..60) => [INTENT, 0, 0, 0, 0],
            Some(60..100) => [INTENT, CLASS, 0, SESSION, 0],
            _ => [INTENT, CLASS, REQUIREMENT, SESSION, DAY],
        })
    }

    /// Their columns, and the blanks between them.
    fn width(&self) -> usize {
        let shown = self.0.iter().filter(|width| **width > 0).count();
        self.0.iter().sum::<usize>() + shown.saturating_sub(1)
    }

    fn plain(&self, texts: [&str; 5]) -> String {
        self.row(texts, [Style::new(); 5])
    }

    /// The texts side by side, each in its width and its style.
    fn row(&self, texts: [&str; 5], styles: [Style; 5]) -> String {
        let parts = self.0.into_iter().zip(texts).zip(styles).filter(|((width, _), _)| *width > 0);
        let mut row = String::with_capacity(self.width());
        for ((width, text), style) in parts {
            let blank = if row.is_empty() { "" } else { " " };
            // Nothing can be in the way of writing to memory.
            let _ = write!(row, "{blank}{style}{:<width$}{style:#}", fit(text, width));
        }
        row
    }
}

fn mark(certainty: Certainty) -> (Style, char) {
    match certainty {
        certainty if certainty.is_proof() => (GOOD, ' '),
        Certainty::Ambiguous => (WARN, '?'),
        _ => (WARN, '~'),
    }
}

/// The first requirement, and how many more there are.
fn requirements(all: &[String]) -> Cow<'_, str> {
    match all {
        [] => Cow::Borrowed(""),
        [one] => Cow::Borrowed(one),
        [first, rest @ ..] => Cow::Owned(format!("{first}+{}", rest.len())),
    }
}

/// At most so many characters of a text, inert.
fn fit(text: &str, width: usize) -> Cow<'_, str> {
    match inert::shown(text) {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(..width).unwrap_or(text)),
        Cow::Owned(mut text) => {
            if let Some((end, _)) = text.char_indices().nth(width) {
                text.truncate(end);
            }
            Cow::Owned(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ContentHash, Landmarks, Mutation, MutationMethod, Origin, block_hash};

    use super::*;
    use crate::evidence::Claim;

    fn stored(is_refactor: bool) -> StoredEntry {
        let mut entry = sample::trace_entry("3f9c2b7a", &sample::intent("INT-001", &["src/**"]));
        entry.context.actor.session = "d2f8c1e0-77aa".to_owned();
        entry.context.requirements = vec!["REQ-AUTH-1".to_owned(), "REQ-2".to_owned()];
        entry.context.mutation = Some(match is_refactor {
            true => Mutation::refactor(MutationMethod::Renamed, Vec::new()),
            false => Mutation::evolution(MutationMethod::Unexplained, Vec::new()),
        });
        entry.files.iter_mut().for_each(|file| {
            file.ranges = vec![bailiwick_domain::ChangedRange {
                start_line: 1,
                end_line: 1,
                content_hash: block_hash(b"x"),
                landmarks: Landmarks::default(),
                symbol: None,
            }];
        });
        let checksum = ContentHash::of(b"");
        StoredEntry {
            origin: Origin::Live,
            seq: 0,
            checksum,
            entry,
            record: String::new(),
            is_from_here: true,
            trust: None,
        }
    }

    /// The rows with their colours made visible.
    fn rows(columns: Option<usize>) -> String {
        let code =
            "let expiry = session.expiry().unwrap_or_else(|| clock.now() + DEFAULT_TIMEOUT_IN_SECONDS);";
        let entries = [stored(false), stored(true)];
        let claim = |at: usize| Claim::all(&entries[at..]).next().unwrap();
        let written = |at, certainty| Written { claim: claim(at), certainty };
        let owners = [
            Owned::Written(written(0, Certainty::InPlace)),
            Owned::Written(written(1, Certainty::Part)),
            Owned::Written(written(1, Certainty::Ambiguous)),
            Owned::Nobody,
        ];
        let page = Page { number: 2, columns, has_colours: true };
        let rows = owners.iter().zip(9..).map(|(owner, line)| page.row(line, owner, code));
        rows.map(|row| row.replace('\u{1b}', "␛") + "\n").collect()
    }

    fn plain(rows: &str) -> String {
        anstream::adapter::strip_str(&rows.replace('␛', "\u{1b}")).to_string()
    }

    #[test]
    fn a_row_fits_a_hundred_columns_at_a_terminal() {
        let plain = plain(&rows(Some(100)));
        assert!(plain.lines().all(|row| row.chars().count() == 100), "{plain}");
        insta::assert_snapshot!(plain);
    }

    #[test]
    fn a_narrow_terminal_has_room_for_code() {
        for (columns, code) in [(80, 47), (60, 28), (40, 21)] {
            let plain = plain(&rows(Some(columns)));
            for row in plain.lines() {
                assert_eq!(row.chars().count(), columns, "{plain}");
                let start = row.find("let expiry").unwrap();
                assert!(columns - start >= code, "{columns}: {} of {code}: {plain}", columns - start);
            }
        }
    }

    #[test]
    fn a_row_in_a_pipe_is_whole() {
        let plain = plain(&rows(None));
        assert!(plain.lines().all(|row| row.ends_with("DEFAULT_TIMEOUT_IN_SECONDS);")), "{plain}");
        let starts: std::collections::BTreeSet<_> = plain.lines().map(|row| row.find("let expiry")).collect();
        assert_eq!(starts.len(), 1, "the code stands below one another: {plain}");
    }

    #[test]
    fn a_row_has_colours_that_mean_something() {
        insta::assert_snapshot!(rows(Some(100)));
    }
}
