//! `bailiwick intent accept`: a human accepts a drafted intent, as it is or changed. The gate writes it when the agent
//! makes its call again (D-01).

use std::process::ExitCode;

use bailiwick_adapters_fs::{FsApprovalQueue, SystemClock};
use bailiwick_domain::{
    Answer, Approval, ApprovalError, ApprovalId, ApprovalQueue, Clock, IntentProposal, OwnedScope, json,
};

use super::super::terminal::{GOOD, HEADING};
use super::super::{CommandError, Context, approval, draft};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
pub(in crate::command) struct Accept {
    /// The draft's request, as `approval list` shows it; or an intent that came by git or was written by hand
    id: String,
    /// Another name
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Another reason
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// What it may change instead of what was drafted; repeatable
    #[arg(long, value_name = "PATTERN")]
    scope: Vec<String>,
    /// When it is done instead of what was drafted; repeatable
    #[arg(long, value_name = "TEXT")]
    accept: Vec<String>,
    /// Edit the draft as YAML in $VISUAL, $EDITOR or vi
    #[arg(long)]
    edit: bool,
    /// Allow a scope that owns everything, or a large part of the files
    #[arg(long)]
    allow_broad: bool,
}

pub(super) fn accept(site: &Site, args: &Accept, context: &Context) -> Result<ExitCode, CommandError> {
    if let Some(intent) = super::revision::named(site, &args.id)? {
        return super::revision::accept(site, &intent, context);
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("accepting a draft"));
    }
    let queue = FsApprovalQueue::new(site.layout.clone());
    let id = ApprovalId(args.id.clone());
    let asked = pollster::block_on(queue.get(&id))?.ok_or_else(|| ApprovalError::Unknown(args.id.clone()))?;
    let Some(drafted) = asked.request.draft.clone() else {
        return Err(ApprovalError::NoDraft(args.id.clone()).into());
    };
    let Some(agreed) = changed(&drafted, args)? else {
        context.terminal.say("Left open.");
        return Ok(ExitCode::from(1));
    };
    if agreed.owned_scope != drafted.owned_scope {
        super::refuse_broad(site, &agreed.owned_scope, args.allow_broad)?;
    }
    show(site, &asked, &drafted, &agreed, context)?;
    if !context.terminal.confirm("Accept exactly this?") {
        context.terminal.say("Left open.");
        return Ok(ExitCode::from(1));
    }
    let answer = answer(approval::person(), &drafted, agreed);
    pollster::block_on(queue.answer(&id, &answer, SystemClock.now()))?;
    if context.json {
        context.terminal.json(&json!({ "id": id, "changed": matches!(answer, Answer::Amend { .. }) }));
    } else {
        context
            .terminal
            .styled(GOOD, format_args!("{} accepted; it is written when the agent retries", args.id));
    }
    Ok(ExitCode::SUCCESS)
}

/// A plain yes to what was drafted, else a yes to what it was changed into.
pub(in crate::command) fn answer(by: String, drafted: &IntentProposal, agreed: IntentProposal) -> Answer {
    if agreed == *drafted { Answer::Approve { by } } else { Answer::Amend { by, draft: agreed } }
}

fn changed(drafted: &IntentProposal, args: &Accept) -> Result<Option<IntentProposal>, CommandError> {
    let mut agreed = drafted.clone();
    if let Some(name) = &args.name {
        agreed.name.clone_from(name);
    }
    if let Some(why) = &args.why {
        agreed.why = Some(why.clone());
    }
    if !args.scope.is_empty() {
        agreed.owned_scope = OwnedScope::parse(args.scope.iter().map(String::as_str))
            .map_err(|error| CommandError::Usage(error.to_string()))?;
    }
    if !args.accept.is_empty() {
        agreed.acceptance_criteria.clone_from(&args.accept);
    }
    if args.edit { draft::edited(&agreed, || ()) } else { Ok(Some(agreed)) }
}

fn show(
    site: &Site,
    asked: &Approval,
    drafted: &IntentProposal,
    agreed: &IntentProposal,
    context: &Context,
) -> Result<(), CommandError> {
    approval::show(&context.terminal, asked);
    if agreed != drafted {
        context.terminal.styled(HEADING, "As you accept it:");
        for line in inert::lines(&draft::change(&site.layout, &asked.request, agreed)?) {
            context.terminal.say(approval::coloured(line));
        }
    }
    Ok(())
}
