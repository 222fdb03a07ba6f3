//! Names by which a command, a script or a target publishes something.

/// Words that publish, wherever a program takes a subcommand or the name of a script.
const PUBLISHES: &[&str] = &["push", "unpublish", "yank", "login", "logout", "adduser", "owner", "deprecate"];

/// Beginnings of such words.
const PUBLISH_STEMS: &[&str] = &["publish", "deploy", "release", "upload"];

/// Beginnings of words for what writes to the system, as a target of a runner.
const INSTALL_STEMS: &[&str] = &["install", "uninstall"];

/// Whether a name says that something is published.
pub(super) fn is_publishing(name: &str) -> bool {
    parts_of(name).iter().any(|part| {
        PUBLISHES.contains(&part.as_str()) || PUBLISH_STEMS.iter().any(|stem| part.starts_with(stem))
    })
}

/// Whether what a runner would run by this name publishes something, or writes to the system.
pub(super) fn reaches_out(name: &str) -> bool {
    is_publishing(name)
        || parts_of(name).iter().any(|part| INSTALL_STEMS.iter().any(|stem| part.starts_with(stem)))
}

fn parts_of(name: &str) -> Vec<String> {
    let lower = name.to_ascii_lowercase();
    lower.split(|sign: char| !sign.is_ascii_alphanumeric()).map(str::to_owned).collect()
}
