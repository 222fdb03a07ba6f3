//! `bailiwick intent accept`: a person accepts a drafted intent, or more scope for one, as it is or changed. The gate
//! writes it when the agent makes its call again.

use std::process::ExitCode;

use bailiwick_adapters_fs::FsApprovalQueue;
use bailiwick_domain::{
    Amended, Answer, Approval, ApprovalError, ApprovalId, ApprovalQueue, IntentProposal, OwnedScope, json,
};

use super::super::{CommandError, Context};
use crate::command::answers::breadth::Twice;
use crate::command::answers::void::{self, refuse_void};
use crate::command::answers::{approval, draft};
use crate::command::likely;
use crate::command::output::terminal::{GOOD, HEADING};
use crate::inert;
use crate::site::Site;

#[derive(Debug, clap::Args)]
pub(in crate::command) struct Accept {
    /// The request for an intent or for more scope, as `approval list` shows it; or an intent that came by git or was
    /// written by hand
    id: String,
    /// Another name
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Another reason
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// What it may change instead of what was drafted, or what is added instead of what was asked for; repeatable
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
        let proposed = super::proposed::of(site, intent.id())?;
        return match proposed.is_empty() {
            true => super::revision::accept(site, &intent, context),
            false => super::proposed::accept(site, &intent, &proposed, &args.scope, context),
        };
    }
    if !context.terminal.has_person() {
        return Err(CommandError::NoTerminal("accepting a draft"));
    }
    let queue = FsApprovalQueue::new(site.layout.clone());
    let id = ApprovalId(args.id.clone());
    let asked = pollster::block_on(queue.get(&id))?.ok_or_else(|| ApprovalError::Unknown(args.id.clone()))?;
    let drafted = asked.request.drafted().ok_or_else(|| ApprovalError::NoDraft(args.id.clone()))?;
    let Some(agreed) = changed(site, &asked, &drafted, args)? else {
        context.terminal.say("Left open.");
        return Ok(ExitCode::from(1));
    };
    if scope_of(&agreed) != scope_of(&drafted) {
        super::refuse_broad(site, scope_of(&agreed), args.allow_broad)?;
    }
    let answer = answer(crate::command::who::person(), &drafted, agreed.clone());
    refuse_void(&site.layout, &asked)?;
    show(site, &asked, &drafted, &agreed, context)?;
    let wide = asked
        .request
        .broad
        .map(Twice::Broad)
        .filter(|_| scope_of(&agreed) == scope_of(&drafted) && !args.allow_broad);
    if !context.terminal.confirm("Accept exactly this?") || !approval::confirmed_twice(wide.as_ref(), context)
    {
        context.terminal.say("Left open.");
        return Ok(ExitCode::from(1));
    }
    refuse_void(&site.layout, &asked)?;
    void::answer(&queue, &site.layout, &asked, &answer)?;
    if context.json {
        context.terminal.json(&json!({ "id": id, "changed": matches!(answer, Answer::Amend { .. }) }));
    } else {
        context.terminal.styled(GOOD, format_args!("{} accepted; {WRITTEN}", args.id));
    }
    Ok(ExitCode::SUCCESS)
}

/// When the gate writes what was accepted.
const WRITTEN: &str = "it is written at once where the agent waits for you, else when it asks again";

/// A plain yes to what was drafted, else a yes to what it was changed into.
pub(in crate::command) fn answer(by: String, drafted: &Amended, agreed: Amended) -> Answer {
    if agreed == *drafted { Answer::Approve { by } } else { Answer::Amend { by, draft: agreed } }
}

/// What a draft would own, or what an expansion would add.
pub(in crate::command) fn scope_of(draft: &Amended) -> &OwnedScope {
    match draft {
        Amended::Intent(proposal) => &proposal.owned_scope,
        Amended::Scope { added_scope } => added_scope,
    }
}

fn changed(
    site: &Site,
    asked: &Approval,
    drafted: &Amended,
    args: &Accept,
) -> Result<Option<Amended>, CommandError> {
    let mut agreed = drafted.clone();
    match &mut agreed {
        Amended::Intent(proposal) => {
            if let Some(name) = &args.name {
                proposal.name.clone_from(name);
            }
            if let Some(why) = &args.why {
                proposal.why = Some(why.clone());
            }
            if !args.accept.is_empty() {
                proposal.acceptance_criteria.clone_from(&args.accept);
            }
        }
        Amended::Scope { .. } if args.name.is_some() || args.why.is_some() || !args.accept.is_empty() => {
            let what = "a request for more scope changes the scope alone: `--scope`, or `--edit`";
            return Err(CommandError::Usage(what.to_owned()));
        }
        Amended::Scope { .. } => {}
    }
    if !args.scope.is_empty() {
        let scope = OwnedScope::parse(args.scope.iter().map(String::as_str))
            .map_err(|error| CommandError::Usage(error.to_string()))?;
        let (Amended::Intent(IntentProposal { owned_scope: place, .. })
        | Amended::Scope { added_scope: place }) = &mut agreed;
        *place = scope;
    }
    if args.edit { draft::edited(&site.layout, &asked.request, &agreed, || ()) } else { Ok(Some(agreed)) }
}

fn show(
    site: &Site,
    asked: &Approval,
    drafted: &Amended,
    agreed: &Amended,
    context: &Context,
) -> Result<(), CommandError> {
    approval::show(&context.terminal, asked);
    if agreed != drafted {
        context.terminal.styled(HEADING, "As you accept it:");
        for line in inert::lines(&draft::change(&site.layout, &asked.request, agreed)?) {
            context.terminal.say(approval::coloured(line));
        }
    }
    likely::tell_forgotten(site, agreed, context);
    Ok(())
}
