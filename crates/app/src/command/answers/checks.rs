//! What a yes to an intent lets `bailiwick verify` run: a criterion's text says nothing of the command that is its check.

use bailiwick_adapters_fs::{FsIntentRepo, Layout};
use bailiwick_domain::{ApprovalRequest, Check, NamedCheck, WrittenIntent};

use super::draft;
use crate::inert;

/// A check with what verifies it.
pub(in crate::command) fn said(check: &NamedCheck) -> String {
    let by = match &check.check {
        Check::Run(command) => format!("runs `{command}`"),
        Check::File(path) => format!("file `{path}`"),
        Check::Human => "a person says so".to_owned(),
    };
    match check.id.as_ref().or(check.text.as_ref()) {
        Some(name) => format!("{name}: {by}"),
        None => by,
    }
}

/// The commands that verifying this intent runs, each in a line.
pub(in crate::command) fn commands(written: &WrittenIntent) -> Vec<String> {
    let runs = NamedCheck::of(written).into_iter().filter(|check| matches!(check.check, Check::Run(_)));
    let id = &written.id.value;
    runs.map(|check| format!("`bailiwick verify {id}`: {}", inert::line(&said(&check)))).collect()
}

/// The same of the intents that a yes to this request accepts; nothing where they cannot be read.
pub(in crate::command) fn accepted_with(layout: &Layout, request: &ApprovalRequest) -> Vec<String> {
    if request.accepts.is_empty() {
        return Vec::new();
    }
    let Ok(report) = FsIntentRepo::new(draft::in_worktree(layout, request)).load_report() else {
        return Vec::new();
    };
    let is_accepted = |written: &&WrittenIntent| {
        let intent = report.set.get(&written.id.value);
        intent.is_some_and(|intent| request.accepts.contains(intent.revision()))
    };
    report.written.iter().filter(is_accepted).flat_map(commands).collect()
}

#[cfg(test)]
mod tests {
    use bailiwick_domain::{Check, CheckOf, NamedCheck};

    use super::said;

    #[test]
    fn a_check_says_what_it_runs() {
        let check = |id: Option<&str>, check| NamedCheck {
            of: CheckOf::Criterion,
            id: id.map(str::to_owned),
            text: None,
            check,
        };
        let run = || Check::Run("make test".to_owned());
        assert_eq!(said(&check(Some("AC-2"), run())), "AC-2: runs `make test`");
        assert_eq!(said(&check(None, run())), "runs `make test`");
        assert_eq!(said(&check(Some("AC-1"), Check::Human)), "AC-1: a person says so");
    }
}
