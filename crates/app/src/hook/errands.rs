//! Which errands of sub-agents are open in a session, on hosts that tell what they give a sub-agent to do as if the person
//! had said it. A prompt that comes meanwhile is no person's.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
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

/// Whether a sub-agent of the session works. Where that cannot be told, one does: what a model said is never taken for the
/// person's words.
pub(super) fn are_open(host: &Host, actor: &Actor, layout: &Layout) -> bool {
    if !host.profile.prompts_sub_agents {
        return false;
    }
    let count = |told: &[u8], sign: u8| told.iter().filter(|byte| **byte == sign).count();
    match std::fs::read(file(actor, layout)) {
        // Only a beginning that could not be written leaves an empty file.
        Ok(told) => told.is_empty() || count(&told, BEGUN) > count(&told, ENDED),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

fn add(host: &Host, actor: &Actor, layout: &Layout, sign: u8) {
    if !host.profile.prompts_sub_agents {
        return;
    }
    let file = file(actor, layout);
    let _ = file.parent().map(std::fs::create_dir_all);
    let opened = OpenOptions::new().append(true).create(true).open(file);
    let _ = opened.and_then(|mut file| file.write_all(&[sign]));
}

#[cfg(test)]
mod tests {
    use bailiwick_adapters_hooks::host;

    use super::*;

    fn person() -> Actor {
        Actor::root("vscode", "s-1")
    }

    fn child(agent: &str) -> Actor {
        Actor { agent: Some(agent.to_owned()), ..person() }
    }

    /// Whether one is open after these steps in a fresh repository.
    fn after(steps: impl FnOnce(&'static Host, &Layout)) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path(), folder.path().join("private"), None);
        let vscode = host("vscode").unwrap();
        steps(vscode, &layout);
        are_open(vscode, &person(), &layout)
    }

    #[test]
    fn an_errand_is_open_from_its_beginning_to_its_end() {
        assert!(!after(|_, _| {}));
        assert!(after(|host, layout| begin(host, &child("a"), layout)));
        assert!(!after(|host, layout| {
            begin(host, &child("a"), layout);
            end(host, &child("a"), layout);
        }));
        assert!(after(|host, layout| {
            begin(host, &child("a"), layout);
            begin(host, &child("b"), layout);
            end(host, &child("a"), layout);
        }));
        assert!(!after(|host, layout| {
            begin(host, &child("a"), layout);
            forget(host, &person(), layout);
        }));
    }

    #[test]
    fn an_errand_that_could_not_be_noted_counts_as_open() {
        let no_folder = |_: &'static Host, layout: &Layout| {
            std::fs::create_dir_all(layout.private()).unwrap();
            std::fs::write(layout.private().join("errands"), "").unwrap();
        };
        if cfg!(unix) {
            assert!(after(no_folder), "a file is in the place of the folder");
        }
        let no_room = |_: &'static Host, layout: &Layout| {
            std::fs::create_dir_all(layout.private().join("errands")).unwrap();
            std::fs::write(file(&person(), layout), "").unwrap();
        };
        assert!(after(no_room), "a full disk leaves the file without its byte");
    }
}
