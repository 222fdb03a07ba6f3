//! A no that nobody gave: what stands where a person's name would.

/// What ended a question where no person did. Its name is no login: those have no blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPerson {
    /// The editor in which it was open went away, or gave no answer that means anything.
    Editor,
    /// The settings let nobody be asked.
    Settings,
    /// The intent that it was asked under was closed.
    Closing,
}

impl NoPerson {
    const ALL: [Self; 3] = [Self::Editor, Self::Settings, Self::Closing];

    /// Its name, as `by` of a rejection.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "the editor",
            Self::Settings => "the settings",
            Self::Closing => "the end of its intent",
        }
    }

    /// What a rejection was given by, where that was no person.
    pub fn of(by: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == by)
    }
}
