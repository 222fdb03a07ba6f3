//! Which errands of sub-agents are open in a session, on hosts that tell what they give a sub-agent to do as if the person
//! had said it. A prompt that comes meanwhile is no person's.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use bailiwick_adapters_fs::Layout;
use bailiwick_adapters_hooks::Host;
use bailiwick_domain::Actor;

/// A byte for each beginning and each end: hooks that run beside each other only add.
const BEGUN: u8 = b'+';
const ENDED: u8 = b'-';

fn file(actor: &Actor, layout: &Layout) -> PathBuf {
    layout.private().join("errands").join(actor.parent().key().digits())
}

/// A sub-agent of the session begins.
pub(super) fn begin(host: &Host, actor: &Actor, layout: &Layout) {
    add(host, actor, layout, BEGUN);
}

/// A sub-agent of the session has ended.
pub(super) fn end(host: &Host, actor: &Actor, layout: &Layout) {
    add(host, actor, layout, ENDED);
}

/// The session waits for the person again: whatever was open is over.
pub(super) fn forget(host: &Host, actor: &Actor, layout: &Layout) {
    if host.profile.prompts_sub_agents {
        let _ = std::fs::remove_file(file(actor, layout));
    }
}

/// Whether a sub-agent of the session works.
pub(super) fn are_open(host: &Host, actor: &Actor, layout: &Layout) -> bool {
    if !host.profile.prompts_sub_agents {
        return false;
    }
    let told = std::fs::read(file(actor, layout)).unwrap_or_default();
    let count = |sign: u8| told.iter().filter(|byte| **byte == sign).count();
    count(BEGUN) > count(ENDED)
}

/// Where it cannot be noted, the next prompt counts as the person's, which ends what was selected.
fn add(host: &Host, actor: &Actor, layout: &Layout, sign: u8) {
    if !host.profile.prompts_sub_agents {
        return;
    }
    let file = file(actor, layout);
    let _ = file.parent().map(std::fs::create_dir_all);
    let opened = OpenOptions::new().append(true).create(true).open(file);
    let _ = opened.and_then(|mut file| file.write_all(&[sign]));
}
