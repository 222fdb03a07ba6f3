//! What happens in the demo, act by act.

use std::path::Path;
use std::process::ExitCode;

use bailiwick_adapters_fs::Scaffold;
use bailiwick_domain::{Answer, Approval, ErrorCode, Value, json};

use super::agent::{Agent, Came};
use super::review;
use crate::approvers::SameConnection;
use crate::command::answers::approval;
use crate::command::output::columns::{below, cut, of_terminal};
use crate::command::output::terminal::{BAD, DIM, GOOD, HEADING, WARN};
use crate::command::{CommandError, Context};
use crate::compose::{Door, HostPlaces, gate};
use crate::gate::HostTraits;
use crate::inert;
use crate::site::Site;

const CART: &str = "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n";
const LIB: &str = "src/cart/lib.rs";
const BILLING: &str = "src/billing.rs";
const SUM: &str = "prices.iter().sum()";
const NINE_TENTHS: &str = "prices.iter().sum::<u32>() * 9 / 10";
const BILL: &str = "pub fn bill() -> u32 {\n    1\n}\n";

/// What an act must come to; the demo fails when the gate says something else.
enum Expect {
    Runs,
    Refused(ErrorCode),
}

struct Act {
    says: &'static str,
    does: Does,
    human: Human,
}

enum Does {
    /// The agent makes this call, and it must come to that.
    Calls(&'static str, Value, Expect),
    /// The agent's turn is over, and the human looks at what was granted.
    Stops,
}

enum Human {
    /// Must not be asked.
    Unasked,
    Approves,
    /// Says yes, and yes in advance to small edits like it.
    Grants,
    Rejects(&'static str),
}

/// Plays the whole story in this folder.
pub(super) fn tell(root: &Path, context: &Context, interactive: bool) -> Result<ExitCode, CommandError> {
    let site = stage(root)?;
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate(&site, door);
    let terminal = &context.terminal;
    terminal.styled(HEADING, "Bailiwick: an agent under the gate");
    terminal.say(format_args!("{DIM}A fresh repository; nobody has written an intent yet.{DIM:#}"));
    terminal.say(format_args!("{DIM}The human asks: \"Give regular customers ten percent off.\"{DIM:#}\n"));
    let mut agent = Agent::new(&gate, site.layout.root());
    agent.prompted()?;
    let mut failed = 0;
    for (number, act) in (1..).zip(acts()) {
        if act.says.contains("editor") {
            behind_the_agents_back(site.layout.root())?;
        }
        terminal.say(format_args!("{HEADING}{number}. {}{HEADING:#}", act.says));
        let Does::Calls(tool, params, expect) = &act.does else {
            agent.stopped()?;
            review::tell(&site, &gate, context, interactive)?;
            continue;
        };
        let said = shortened(&inert::line(&params.to_string()), ANSWER + tool.len() + 1);
        terminal.say(format_args!("   {DIM}agent →{DIM:#} {tool} {said}"));
        let mut human = |approval: &Approval| answer(context, approval, &act.human, interactive);
        let came = agent.call(tool, params, &mut human)?;
        failed += usize::from(!tell_outcome(context, &came, expect, interactive));
    }
    close(&site, context)?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn acts() -> Vec<Act> {
    let mut acts = an_intent_is_born();
    acts.extend(the_work());
    acts.extend(small_edits());
    acts.extend(the_scope_grows());
    acts
}

fn act(says: &'static str, tool: &'static str, params: Value, human: Human, expect: Expect) -> Act {
    Act { says, does: Does::Calls(tool, params, expect), human }
}

/// An act that nobody is asked about.
fn unasked(says: &'static str, tool: &'static str, params: Value, expect: Expect) -> Act {
    act(says, tool, params, Human::Unasked, expect)
}

fn an_intent_is_born() -> Vec<Act> {
    let draft = json!({
        "name": "Give the cart a discount",
        "why": "Regular customers were promised ten percent.",
        "owned_scope": ["src/cart/"],
        "acceptance_criteria": ["two items of 50 cost 90"],
    });
    vec![
        unasked("It explores: reading is free", "list_files", json!({"path": "src"}), Expect::Runs),
        unasked("It reads the file", "read_file", json!({"path": LIB}), Expect::Runs),
        unasked(
            "It writes without an intent",
            "write_to_file",
            json!({"path": LIB, "content": discounted()}),
            Expect::Refused(ErrorCode::StateViolation),
        ),
        act(
            "It drafts one: you see what it would own, and accept",
            "propose_intent",
            draft,
            Human::Approves,
            Expect::Runs,
        ),
        unasked(
            "It selects the intent",
            "select_active_intent",
            json!({"intent_id": "INT-001"}),
            Expect::Runs,
        ),
    ]
}

fn the_work() -> Vec<Act> {
    let test = "#[test]\nfn ten_percent_off() {\n    assert_eq!(super::total(&[50, 50]), 90);\n}\n";
    vec![
        unasked(
            "Your editor saves the file meanwhile; it writes what it remembers",
            "write_to_file",
            json!({"path": LIB, "content": discounted()}),
            Expect::Refused(ErrorCode::StaleFile),
        ),
        unasked("It reads the file again", "read_file", json!({"path": LIB}), Expect::Runs),
        act(
            "It writes: now you are asked",
            "edit_file",
            json!({"path": LIB, "old_string": SUM, "new_string": NINE_TENTHS}),
            Human::Approves,
            Expect::Runs,
        ),
        act(
            "It wants to clean up: you say no",
            "execute_command",
            json!({"command": "rm -rf src/billing"}),
            Human::Rejects("billing stays; add a test for the discount"),
            Expect::Refused(ErrorCode::DestructiveActionRejected),
        ),
        act(
            "It recovers and does what you said",
            "write_to_file",
            json!({"path": "src/cart/tests.rs", "content": test}),
            Human::Approves,
            Expect::Runs,
        ),
    ]
}

fn small_edits() -> Vec<Act> {
    let place = |old: &str, new: &str| json!({"path": LIB, "old_string": old, "new_string": new});
    vec![
        act(
            "Two small edits are left: you grant them, counted and for this turn",
            "edit_file",
            place("The sum of all prices.", "The sum of all prices, ten percent off."),
            Human::Grants,
            Expect::Runs,
        ),
        unasked("The grant covers the next one", "edit_file", place(" * 9 / 10", " / 10 * 9"), Expect::Runs),
        Act {
            says: "It stops: you look at what the grant let through, as one change",
            does: Does::Stops,
            human: Human::Unasked,
        },
    ]
}

fn the_scope_grows() -> Vec<Act> {
    let billed = json!({"path": BILLING, "old_string": "    1\n", "new_string": "    9\n"});
    vec![
        unasked("The bill shows the discount too", "read_file", json!({"path": BILLING}), Expect::Runs),
        unasked(
            "It reaches outside the scope",
            "edit_file",
            billed.clone(),
            Expect::Refused(ErrorCode::ScopeViolation),
        ),
        act(
            "It asks for that file, and you widen the intent",
            "request_scope_expansion",
            json!({"paths": [BILLING], "reason": "The bill shows the discount."}),
            Human::Approves,
            Expect::Runs,
        ),
        act("It writes there, with your yes", "edit_file", billed, Human::Approves, Expect::Runs),
    ]
}

/// The columns before what a person is shown, and before what somebody says.
const MARGIN: usize = 5;
const ANSWER: usize = 11;

/// What the agent wants the cart to be.
fn discounted() -> String {
    CART.replace(SUM, NINE_TENTHS)
}

/// A scratch repository that git and the gate know.
fn stage(root: &Path) -> Result<Site, CommandError> {
    let done = std::process::Command::new("git").args(["init", "--quiet"]).arg(root).status();
    if !done.is_ok_and(|status| status.success()) {
        return Err(CommandError::Other("the demo needs git".to_owned()));
    }
    let site = Site::at(root, Some(root.join(".git").join("demo-user-state")))
        .map_err(|error| CommandError::io(root.display(), error))?;
    Scaffold::new(site.layout.clone()).apply()?;
    let files = [(LIB, CART), (BILLING, BILL)];
    for (name, text) in files {
        let path = root.join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, text))
            .map_err(|source| CommandError::io(path.display(), source))?;
    }
    Ok(site)
}

fn behind_the_agents_back(root: &Path) -> Result<(), CommandError> {
    let path = root.join(LIB);
    std::fs::write(&path, format!("/// The sum of all prices.\n{CART}"))
        .map_err(|source| CommandError::io(path.display(), source))
}

fn answer(context: &Context, approval: &Approval, human: &Human, interactive: bool) -> Answer {
    let shown = approval::described(approval);
    let end = shown.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    for line in shown.iter().take(end).flat_map(|line| fitted(line, MARGIN)) {
        context.terminal.say(format_args!("   {WARN}│{WARN:#} {line}"));
    }
    let by = crate::command::who::person();
    if interactive {
        return match context.terminal.confirm("   Approve?") {
            true => Answer::Approve { by },
            false => Answer::Reject { by, feedback: None },
        };
    }
    match human {
        Human::Approves => {
            context.terminal.say(format_args!("   you   → {GOOD}approve{GOOD:#}"));
            Answer::Approve { by }
        }
        Human::Grants => {
            let bounds = approval.request.offer.clone().unwrap_or_default();
            context.terminal.say(format_args!("   you   → {GOOD}approve, and grant{GOOD:#} edits like it:"));
            for line in fitted(&bounds.to_string(), ANSWER) {
                context.terminal.say(format_args!("           {DIM}{line}{DIM:#}"));
            }
            Answer::Grant { by, bounds }
        }
        Human::Unasked => Answer::Reject { by, feedback: None },
        Human::Rejects(feedback) => {
            context.terminal.say(format_args!("   you   → {BAD}reject{BAD:#}: {feedback}"));
            Answer::Reject { by, feedback: Some((*feedback).to_owned()) }
        }
    }
}

/// Says what came of an act; whether it is what the story expects (a person who plays may decide otherwise).
fn tell_outcome(context: &Context, came: &Came, expect: &Expect, interactive: bool) -> bool {
    let terminal = &context.terminal;
    match came {
        Came::Ran(output) => {
            let first = output.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            terminal.say(format_args!(
                "   gate  → {GOOD}allow{GOOD:#}  {DIM}{}{DIM:#}\n",
                shortened(&inert::line(first), ANSWER + "allow  ".len())
            ));
        }
        Came::Refused(error) => {
            terminal.say(format_args!("   gate  → {BAD}{}{BAD:#}", error.code().as_str()));
            for line in fitted(&inert::line(error.message()), ANSWER) {
                terminal.say(format_args!("           {line}"));
            }
            for line in fitted(&format!("next: {}", inert::line(error.suggestion())), ANSWER) {
                terminal.say(format_args!("           {DIM}{line}{DIM:#}"));
            }
            terminal.say("");
        }
    }
    let fits = match (came, expect) {
        (Came::Ran(_), Expect::Runs) => true,
        (Came::Refused(error), Expect::Refused(code)) => error.code() == *code,
        _ => interactive,
    };
    if !fits {
        terminal.problem("this is not what the gate should have said here");
    }
    fits
}

fn close(site: &Site, context: &Context) -> Result<(), CommandError> {
    let view = site.layout.ledger_view();
    let text = std::fs::read_to_string(&view).unwrap_or_default();
    context.terminal.styled(
        HEADING,
        format_args!(
            "The ledger has {} entries: what changed, under which intent, approved by whom:",
            text.lines().count()
        ),
    );
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).unwrap_or_default();
        let said = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).unwrap_or("?").to_owned();
        let by = said("/metadata/dev.bailiwick/approved_by");
        let whose = match entry.pointer("/metadata/dev.bailiwick/restores") {
            Some(_) => format!("put back by {by}"),
            None => format!("approved by {by} ({})", said("/metadata/dev.bailiwick/approval")),
        };
        context.terminal.say(format_args!(
            "  {:<18} {}  {whose}",
            said("/files/0/path"),
            said("/metadata/dev.bailiwick/intent"),
        ));
    }
    Ok(())
}

/// The columns that are left behind so many, on the terminal or in a picture.
fn room(before: usize) -> usize {
    const WIDTH: usize = 93;
    const LEAST: usize = 20;
    of_terminal().map_or(WIDTH, |width| width.min(WIDTH)).saturating_sub(before).max(LEAST)
}

/// A line in lines that fit behind so many columns: what goes on stands below the value of a label. Lines of a diff stay
/// as they are.
fn fitted(line: &str, before: usize) -> Vec<String> {
    /// The longest label of a request, and the blanks behind it.
    const LABEL: usize = 8;
    let plain = anstream::adapter::strip_str(line).to_string();
    if plain.chars().count() <= room(before) || plain.starts_with([' ', '+', '-', '@']) {
        return vec![line.to_owned()];
    }
    let is_labelled = ["intent  ", "agent   ", "reason  ", "change  ", "path    "]
        .iter()
        .any(|label| plain.starts_with(label));
    let indent = if is_labelled { LABEL } else { 0 };
    below(line, indent, room(before)).lines().map(str::to_owned).collect()
}

/// The beginning of a text, as much as fits behind so many columns.
fn shortened(text: &str, before: usize) -> String {
    cut(text, room(before))
}
