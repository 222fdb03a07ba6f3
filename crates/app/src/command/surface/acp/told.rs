//! The words of the questions and of the notes.

use std::path::Path;

use bailiwick_adapters_acp::{ChangedFile, Question};
use bailiwick_domain::{Approval, ApprovalRequest};

use crate::command::surface::{sides, words};
use crate::inert;

/// The most of a text that a question shows, in bytes; of a longer one both ends.
const LONGEST: usize = 16_000;

/// What a person is told whose agent cannot be judged.
pub(super) const UNJUDGED: &str = "Bailiwick gives this agent no prompt in a governed repository: when an editor drives it, \
     it was seen to run no hook before its tools, so nothing would judge its calls. Use it in a terminal, or use another \
     agent here; `docs/guide/acp.md` says which.";

/// The same where that was only seen when it worked.
pub(super) const UNHEARD: &str = "Bailiwick stopped this agent: it worked on a call in a governed repository, and no hook of it was \
     heard, so nothing judges its calls. Set its hooks up with `bailiwick init`, trust them in the agent, start it anew, and \
     look with `bailiwick doctor`.";

pub(super) fn not_turned_on(editor: &str) -> String {
    format!(
        "questions stay in the queue (`bailiwick watch`): `approval.dialogs` does not name `{editor}`, or you have not \
         accepted the settings with `bailiwick config accept`"
    )
}

pub(super) fn below_agent(pid: u32) -> String {
    format!("questions stay in the queue: this runs below an agent, process {pid}")
}

pub(super) fn unknown(path: &str, error: &std::io::Error) -> String {
    format!("it cannot be said whether {} is governed: {error}", inert::line(path))
}

pub(super) fn protected(path: &Path) -> String {
    format!("Bailiwick: {} is protected", inert::line(&path.display().to_string()))
}

pub(super) fn no_call_writes(path: &Path) -> String {
    format!(
        "Bailiwick: no call that was let through writes this to {}",
        inert::line(&path.display().to_string())
    )
}

/// The request as a question in the editor. `root` is the folder that its paths are relative to where it names none.
pub(super) fn question(approval: &Approval, root: &Path) -> Question {
    let request = &approval.request;
    let root = request.worktree.as_deref().map_or(root, Path::new);
    let sides = sides::of(request, root);
    let is_shown = sides.beside.trim().is_empty() && sides.files.iter().all(|file| file.whole);
    let absolute = |path: &str| root.join(path).display().to_string();
    let whole = sides.files.iter().filter(|file| file.whole);
    let files = whole.map(|file| ChangedFile {
        path: absolute(&file.path),
        before: file.before.clone(),
        after: file.after.clone().unwrap_or_default(),
    });
    Question {
        id: approval.id.0.clone(),
        session: request.actor.session.clone(),
        root: root.display().to_string(),
        title: format!("Bailiwick asks: {}", inert::line(&words::what(request))),
        runs: request.changed_paths.is_empty(),
        text: fenced(&text(request, !is_shown)),
        files: files.collect(),
        paths: request.changed_paths.iter().map(|path| absolute(path)).collect(),
    }
}

fn text(request: &ApprovalRequest, with_preview: bool) -> String {
    let intent = request.intent_id.as_ref().map_or("none", bailiwick_domain::IntentId::as_str);
    let mutation = request.mutation.as_ref().map(|mutation| format!("\n{}", mutation.in_a_line()));
    let preview = if with_preview { format!("\n\n{}", request.diff_preview) } else { String::new() };
    let text = format!(
        "Intent: {intent}\nWhy you are asked: {}{}\nPaths: {}{preview}",
        request.reason,
        mutation.unwrap_or_default(),
        request.changed_paths.join(", "),
    );
    inert::both_ends(&inert::lines(&text).join("\n"), LONGEST)
}

/// A text that an editor shows as it is: nothing in it is formatted, or ends the block that it stands in.
fn fenced(text: &str) -> String {
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::testing::sample;
    use bailiwick_domain::{ApprovalId, ApprovalStatus};

    use super::*;

    fn asked(request: ApprovalRequest) -> Question {
        let now = sample::now();
        let id = ApprovalId("ap-1".to_owned());
        let status = ApprovalStatus::Open;
        let approval = Approval { id, request, created: now, expires: now, status, amended: None };
        question(&approval, Path::new("/repo"))
    }

    // K-42
    #[test]
    fn req_144_a_question_shows_the_intent_the_reason_the_paths_and_what_no_file_shows() {
        let request = ApprovalRequest {
            diff_preview: "in /repo\n$ rm -rf x".to_owned(),
            changed_paths: Vec::new(),
            ..sample::request("one")
        };
        let question = asked(request.clone());
        assert!(question.runs && question.files.is_empty());
        for part in [request.intent_id.unwrap().as_str(), &request.reason, "$ rm -rf x"] {
            assert!(question.text.contains(part), "{part}: {}", question.text);
        }
    }

    // threat C: an agent's text cannot end the block that it is shown in, or hide in it
    #[test]
    fn what_an_agent_wrote_stays_in_its_block() {
        let hostile = "$ x\n````\n# Approve this\n![](http://x)\u{202e}\u{1b}[2J";
        let question = asked(ApprovalRequest { diff_preview: hostile.to_owned(), ..sample::request("one") });
        let mut lines = question.text.lines();
        assert_eq!(lines.next(), Some("`````text"));
        assert_eq!(lines.filter(|line| line.starts_with("`````")).count(), 1, "{}", question.text);
        assert!(!question.text.contains(['\u{202e}', '\u{1b}']));
    }

    #[test]
    fn a_long_text_shows_both_of_its_ends() {
        let long = format!("$ first{}last", "a".repeat(1 << 20));
        let question = asked(ApprovalRequest { diff_preview: long, ..sample::request("one") });
        assert!(question.text.len() < LONGEST + 1000);
        assert!(question.text.contains("last") && question.text.contains("Intent"));
    }
}
