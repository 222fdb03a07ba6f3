//! What is run in a scene, and which of it a host must not take for a yes without evidence.

/// What is run, and what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// The hook before a call that nobody has approved.
    Ask,
    /// The hook before a call that a person has approved.
    Admit,
    /// The hook before the one call that is left of a grant.
    Spend,
    /// The hook after a call that has changed a file.
    Record,
    /// The hook at the end of a turn, with a call whose end nobody has told.
    Settle,
    /// The wire, before a call that a person has approved.
    AdmitOnWire,
    /// The wire, after a call that has changed a file.
    RecordOnWire,
    /// `trace repair`, with such a call.
    Repair,
    /// `trace seal`.
    Seal,
}

/// In which order scenes have them; the append of a record is the point of it all.
const ACTS: &[Act] = &[
    Act::Record,
    Act::Admit,
    Act::Spend,
    Act::Settle,
    Act::Ask,
    Act::AdmitOnWire,
    Act::Record,
    Act::Repair,
    Act::RecordOnWire,
    Act::Seal,
];

impl Act {
    /// That of the scene with that number.
    pub(super) fn of(seed: u64) -> Self {
        usize::try_from(seed)
            .ok()
            .and_then(|seed| ACTS.get(seed % ACTS.len()).copied())
            .unwrap_or(Self::Record)
    }

    /// Whether it is asked about a call before the call runs.
    pub(super) fn is_before(self) -> bool {
        matches!(self, Self::Ask | Self::Admit | Self::Spend | Self::AdmitOnWire)
    }

    /// Whether the call that it is about may run: a person has said so.
    pub(super) fn may_pass(self) -> bool {
        self.is_before() && self != Self::Ask
    }

    /// Whether it comes after a call that has changed a file, so that this change is recorded in the end.
    pub(super) fn is_after(self) -> bool {
        matches!(self, Self::Record | Self::RecordOnWire | Self::Settle | Self::Repair)
    }

    /// Whether the session of the main call speaks over the wire.
    pub(super) fn is_on_wire(self) -> bool {
        matches!(self, Self::AdmitOnWire | Self::RecordOnWire)
    }
}
