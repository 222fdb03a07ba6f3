//! Who types the commands. Whether a person may answer at all is decided elsewhere, before.

/// Who answers at this terminal.
pub(super) fn person() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    named.filter(|name| !name.is_empty()).unwrap_or_else(|| "human".to_owned())
}
