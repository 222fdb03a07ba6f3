//! What lies where consents, open calls and the list of sealed segments do and does not count: damaged, put back, or
//! written by somebody else.

use std::path::Path;

use bailiwick_adapters_fs::{
    FsAllowanceStore, FsApprovalQueue, FsGrantStore, FsLedger, FsPendingStore, FsTrustedTools, Layout,
};
use bailiwick_domain::{PortError, Sync};

use crate::counted::counted;

/// All that is to say of it.
pub(crate) fn all(layout: &Layout) -> Vec<String> {
    [requests(layout), calls(layout), sealed(layout)].into_iter().flatten().chain(consents(layout)).collect()
}

/// What is said of a damaged list of sealed segments: nothing is sealed.
fn sealed(layout: &Layout) -> Option<String> {
    let damaged = FsLedger::new(layout.clone(), Sync::default()).damaged_list_of_sealed();
    match damaged {
        Ok(None) => None,
        Ok(Some(_)) => {
            Some("the list of sealed segments is damaged: run `bailiwick trace repair`".to_owned())
        }
        Err(error) => Some(format!("the list of sealed segments cannot be read: {error}")),
    }
}

/// What is said of requests that are in the queue and cannot be read: nobody is asked about them.
pub(crate) fn requests(layout: &Layout) -> Option<String> {
    let unread = FsApprovalQueue::new(layout.clone()).unread().unwrap_or_default();
    let names: Vec<String> = unread.into_iter().map(|id| id.0).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} cannot be read ({}), so nobody is asked: remove its file in {}, and the agent asks again",
            counted(names.len(), "request", "requests"),
            names.join(", "),
            layout.private().join("approvals").display()
        )
    })
}

/// What is said of records of open calls that cannot be read, or lie where an older version kept them: nothing is recorded for
/// them.
pub(crate) fn calls(layout: &Layout) -> Option<String> {
    let store = FsPendingStore::new(layout.clone());
    match store.unread().and_then(|unread| Ok((unread.len(), store.left_behind()?))) {
        Ok((0, (0, _))) => None,
        Ok((0, (left, folder))) => Some(format!(
            "{} in {}, where anybody can write, so nothing is recorded for them: remove that folder",
            counted(left, "record of an older version lies", "records of an older version lie"),
            folder.display()
        )),
        Ok((damaged, _)) => {
            let records = counted(damaged, "record of an open call is", "records of open calls are");
            Some(format!("{records} damaged: run `bailiwick trace repair`"))
        }
        Err(error) => Some(format!("the open calls cannot be read: {error}")),
    }
}

/// What is said of consents that a person gave and that do not count, because their file is not what was written last.
pub(crate) fn consents(layout: &Layout) -> Vec<String> {
    let allowances = FsAllowanceStore::new(layout);
    let tools = FsTrustedTools::new(layout);
    let again = [
        (allowances.unread(), "the commands that you allowed", "`bailiwick allow`"),
        (tools.unread(), "the tools that you trusted", "`bailiwick mcp trust`"),
    ];
    let told = |(unread, what, again): (Result<Option<&Path>, PortError>, &str, &str)| match unread {
        Ok(unread) => unread.map(|file| {
            format!("{what} do not count: {} is not what was written last; use {again} again", file.display())
        }),
        Err(error) => Some(format!("{what} cannot be read: {error}")),
    };
    again.into_iter().filter_map(told).chain(grants(layout)).collect()
}

/// The same of grants: the calls that one covered are asked about again.
fn grants(layout: &Layout) -> Option<String> {
    match FsGrantStore::new(layout).unread() {
        Ok(unread) if unread.is_empty() => None,
        Ok(unread) => {
            let numbers: Vec<String> = unread.iter().map(|id| format!("#{}", id.number())).collect();
            Some(format!(
                "{} not count ({}), because its file in {} is not what was written last: remove that file, and the \
                 agent asks again",
                counted(numbers.len(), "grant does", "grants do"),
                numbers.join(", "),
                layout.private().join("grants").display()
            ))
        }
        Err(error) => Some(format!("the grants cannot be read: {error}")),
    }
}
