//! How a part of the gate is made: it names its ports, the lower parts that it uses, and what it keeps between events, and
//! gets nothing else.
//!
//! Deliberately absent: which parts there are. Each is declared at the top of its folder, with fields that are private to
//! that folder.

use std::collections::BTreeMap;
use std::sync::Mutex;

use bailiwick_domain::{ApprovalId, ToolCall};
use bailiwick_policy::Described;

use crate::{Extension, HostTraits, Ports};

/// Calls whose approval is resolved on this same connection.
pub(crate) type Waiting = Mutex<BTreeMap<ApprovalId, ToolCall>>;

/// All that parts are made from. Only [`part!`] takes something out of it, and no part keeps it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct House<'g> {
    pub(crate) ports: &'g Ports,
    pub(crate) host: HostTraits,
    /// The working copy that paths are relative to, where it is known.
    pub(crate) worktree: Option<&'g str>,
    /// What is known of a tool of another server.
    pub(crate) described: Option<&'g Described>,
    pub(crate) extensions: &'g [Extension],
    pub(crate) waiting: &'g Waiting,
}

/// Declares a part: the ports that it borrows `from` each group, the lower parts that it works `with`, and what it `keeps`.
macro_rules! part {
    ($(#[$doc:meta])* $vis:vis struct $part:ident {
        $(from $group:ident: $($port:ident),+;)*
        $(with $($lower:ident: $type:ident),+;)?
        $(keeps $($state:ident: $kept:ty),+;)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $part<'g> {
            $($($port: &'g $crate::ports::held::$port,)+)*
            $($($lower: $type<'g>,)+)?
            $($($state: $kept,)+)?
        }

        impl<'g> $part<'g> {
            pub(crate) fn of(house: &$crate::parts::House<'g>) -> Self {
                Self {
                    $($($port: &*house.ports.$group.$port,)+)*
                    $($($lower: $type::of(house),)+)?
                    $($($state: house.$state,)+)?
                }
            }
        }
    };
}
