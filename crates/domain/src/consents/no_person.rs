//! A no that nobody gave: what stands where a person's name would.

/// What ended a question where no person did. Its name is no login: those have no blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPerson {
    /// The editor in which it was open went away, or gave no answer that means anything.
    Editor,
    /// The settings let nobody be asked.
    Settings,
}

impl NoPerson {
    const ALL: [Self; 2] = [Self::Editor, Self::Settings];

    /// Its name, as `by` of a rejection.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "the editor",
            Self::Settings => "the settings",
        }
    }

    /// What a rejection was given by, where that was no person.
    pub fn of(by: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == by)
    }
}
