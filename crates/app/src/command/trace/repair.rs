//! `bailiwick trace repair`: repairs what can be repaired without losing evidence, and settles calls whose outcome was
//! never reported. Only a person ends a ledger that is not what was written.

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsDecisionLog, FsLedger, FsPendingStore, RepairError, Repaired, SystemClock};
use bailiwick_domain::{
    Clock, DecisionLog as _, DecisionRecord, Finding, FindingKind, LedgerVerifier as _, Timestamp,
    Verification, json,
};

use super::{mend, verify};
use crate::approvers::SameConnection;
use crate::command::output::terminal::{GOOD, HEADING, WARN};
use crate::command::{CommandError, Context};
use crate::compose::{Door, HostPlaces, Stores, gate_over};
use crate::counted::counted;
use crate::gate::{HostTraits, PostReport, pause_record};
use crate::site::Site;

/// A call that changed nothing may still run; after that long it does not.
const ABANDONED_AFTER_MS: i64 = 24 * 60 * 60 * 1000;

/// What is asked of it.
#[derive(Debug, clap::Args)]
pub(in crate::command) struct Args {
    /// End a ledger that is not what was written, keep it aside, and begin a new one
    #[arg(long)]
    new_chain: bool,
    /// Do not ask before that
    #[arg(long, requires = "new_chain")]
    yes: bool,
    /// Keep entries that nobody accounts for, or an older copy that was put back, after you looked at them
    #[arg(long, conflicts_with = "new_chain")]
    adopt: bool,
}

pub(super) fn run(args: &Args, site: &Site, context: &Context) -> Result<ExitCode, CommandError> {
    // They need no ledger, and keep nothing else from being mended.
    let aside = FsPendingStore::new(site.layout.clone()).set_aside_unread()?;
    let stores = Stores::open(site);
    let ledger = FsLedger::new(site.layout.clone(), stores.settings.sync);
    let mut ended = None;
    let repaired = match ledger.repair() {
        Err(RepairError::Tampered(_) | RepairError::Unaccounted(_)) if args.new_chain => {
            if !args.yes && !confirmed(context)? {
                context.terminal.say("nothing was done");
                return Ok(ExitCode::from(1));
            }
            ended = Some(ledger.end_chain()?);
            ledger.repair()
        }
        Err(RepairError::Unaccounted(verification)) if args.adopt => {
            verify::say(&verification, context);
            if !adopted(context)? {
                context.terminal.say("nothing was done");
                return Ok(ExitCode::from(1));
            }
            let repaired = ledger.adopt(&crate::command::who::person(), SystemClock.now());
            log_adoption(&verification, site)?;
            repaired
        }
        other => other,
    };
    let repaired = match repaired {
        Ok(repaired) => repaired,
        Err(RepairError::Port(error)) => return Err(error.into()),
        Err(RepairError::Tampered(verification)) => {
            let hint = "`bailiwick trace repair --new-chain` sets it aside and starts a new ledger";
            return Ok(refused(&verification, hint, context));
        }
        Err(RepairError::Unaccounted(verification)) => {
            let hint = "look at it with `bailiwick trace log`; `bailiwick trace repair --adopt` keeps it, \
                        `--new-chain` starts a new ledger";
            return Ok(refused(&verification, hint, context));
        }
    };
    let settled = settle(stores, site)?;
    // Repairing looks at the ledger of this clone; segments are damaged as well.
    let left = verify::verifier(site, context).verify()?;
    report(&repaired, &left, ended, &settled, aside, context);
    if !left.has_alarm() {
        return Ok(ExitCode::SUCCESS);
    }
    if !context.json {
        verify::say(&left, context);
        mend::say(&left, site, context);
    }
    Ok(ExitCode::from(1))
}

/// Says why nothing was mended, and what a person can do.
fn refused(verification: &Verification, hint: &str, context: &Context) -> ExitCode {
    if context.json {
        context.terminal.json(&json!({ "ok": false, "findings": verification.findings }));
    } else {
        verify::say(verification, context);
        context.terminal.hint(hint);
    }
    ExitCode::from(1)
}

fn confirmed(context: &Context) -> Result<bool, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("`trace repair --new-chain` without `--yes`"));
    }
    Ok(context.terminal.confirm("End this ledger, set it aside, and start a new one?"))
}

fn adopted(context: &Context) -> Result<bool, CommandError> {
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("`trace repair --adopt`"));
    }
    Ok(context.terminal.confirm("Have you checked the ledger, and do you accept it as it is?"))
}

/// That a person took entries as written is remembered in the decision log.
fn log_adoption(verification: &Verification, site: &Site) -> Result<(), CommandError> {
    let is_strange = |one: &&Finding| {
        matches!(one.kind, FindingKind::Unaccounted | FindingKind::Cut | FindingKind::Rechained)
    };
    let strange = verification.findings.iter().filter(is_strange);
    let message = strange.map(|one| one.message.clone()).collect::<Vec<_>>().join("; ");
    let record = DecisionRecord {
        tool: "trace repair".to_owned(),
        ..pause_record(&crate::command::who::person(), SystemClock.now(), &format!("adopted: {message}"))
    };
    let log = FsDecisionLog::new(site.layout.clone());
    Ok(pollster::block_on(log.append(&record)).map(drop)?)
}

/// What became of calls that were let through and never reported.
fn settle(stores: Stores, site: &Site) -> Result<Vec<PostReport>, CommandError> {
    let door = Door { approver: SameConnection, host: HostTraits::default(), places: HostPlaces::default() };
    let gate = gate_over(stores, site, door);
    let abandoned = Timestamp::from_unix_ms(SystemClock.now().unix_ms() - ABANDONED_AFTER_MS);
    Ok(pollster::block_on(gate.recording().settle_abandoned(abandoned))?)
}

fn report(
    repaired: &Repaired,
    left: &Verification,
    ended: Option<u32>,
    settled: &[PostReport],
    aside: usize,
    context: &Context,
) {
    let late: Vec<&str> = settled.iter().flat_map(|report| &report.trace_ids).map(String::as_str).collect();
    if context.json {
        return context.terminal.json(&json!({
            "ok": !left.has_alarm(),
            "findings": left.findings,
            "ended": ended,
            "torn_tail": repaired.torn_tail,
            "view": repaired.view,
            "witness": repaired.witness,
            "list_of_sealed": repaired.list_of_sealed,
            "settled": settled.len(),
            "recorded": late,
            "set_aside": aside,
        }));
    }
    let mut done = Vec::new();
    if let Some(number) = ended {
        done.push(format!("the ledger was ended as number {number} and a new one started"));
    }
    for (is_done, what) in [
        (repaired.torn_tail, "the unfinished last line was repaired"),
        (repaired.view, "the view was created again"),
        (repaired.witness, "the witness now knows every entry"),
        (repaired.list_of_sealed, "the list of sealed segments was made again of those that are here"),
    ] {
        done.extend(is_done.then(|| what.to_owned()));
    }
    if !settled.is_empty() {
        let settled = counted(settled.len(), "open call was settled", "open calls were settled");
        let late = counted(late.len(), "entry", "entries");
        done.push(format!("{settled}, {late} recorded late"));
    }
    if aside > 0 {
        let records =
            counted(aside, "damaged record of an open call was", "damaged records of open calls were");
        done.push(format!("{records} set aside"));
    }
    if done.is_empty() && left.has_alarm() {
        return context.terminal.styled(WARN, "nothing that this can repair");
    }
    if done.is_empty() {
        return context.terminal.styled(GOOD, "nothing to repair");
    }
    context.terminal.styled(HEADING, "repaired");
    for what in done {
        context.terminal.say(format_args!("  {what}"));
    }
}
