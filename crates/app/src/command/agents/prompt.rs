//! `bailiwick prompt`: the handshake prompt, for hosts where a person pastes it in.

use std::process::ExitCode;

use bailiwick_adapters_fs::FsIntentRepo;
use bailiwick_adapters_hooks::{SERVED_TOOLS, handshake_text};
use bailiwick_domain::{IntentRepo, json};

use crate::command::{CommandError, Context};

pub(crate) fn run(context: &Context) -> Result<ExitCode, CommandError> {
    let any = match context.site() {
        Ok(site) => pollster::block_on(FsIntentRepo::new(site.layout).load())
            .is_ok_and(|set| set.selectable().next().is_some()),
        Err(_) => true,
    };
    let text = handshake_text(any, SERVED_TOOLS);
    if context.json {
        context.terminal.json(&json!({ "prompt": text }));
    } else {
        context.terminal.say(text);
    }
    Ok(ExitCode::SUCCESS)
}
