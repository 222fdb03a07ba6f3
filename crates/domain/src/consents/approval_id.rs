//! The id of a request that a person answers. What is asked lies in `approval`; much else names only the id.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// The id of an approval request, such as `ap-3f9c2b7a`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ApprovalId(pub String);
