//! The two sides of a request for a diff editor: from the preview that the person's yes is bound to.

use bailiwick_adapters_vscode::protocol::DiffFile;
use bailiwick_domain::ApprovalRequest;

/// The files of the request's preview.
pub(super) fn of(_request: &ApprovalRequest) -> Vec<DiffFile> {
    Vec::new()
}
