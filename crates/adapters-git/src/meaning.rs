//! What a setting of git means: whether git starts a program for it, and when.

use crate::config::Setting;

/// When git runs what a setting names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Never: it is a name, an address or a file of data.
    Never,
    /// When somebody changes something, edits, or asks for it by name.
    Working,
    /// When somebody only looks, as far as is known; what git adds in years to come is here too.
    Reading,
    /// It is a folder of hooks.
    Hooks,
    /// It checks signatures, which runs another program.
    Signatures,
}

/// Whether a setting is one of those by which git starts a program, and is no plain switch.
pub(crate) fn names_program(setting: &Setting) -> bool {
    #[rustfmt::skip]
    const PROGRAMS: &[&str] = &[
        "core.fsmonitor", "core.pager", "core.sshcommand", "core.gitproxy", "core.askpass", "core.hookspath",
        "core.alternaterefscommand", "core.editor", "diff.external", "diff.command", "diff.textconv",
        "filter.clean", "filter.smudge", "filter.process", "gpg.program", "gpg.defaultkeycommand", "credential.helper",
        "remote.uploadpack", "remote.receivepack", "remote.vcs", "uploadpack.packobjectshook", "hook.command",
        "include.path", "includeif.path", "interactive.difffilter", "merge.driver", "sequence.editor", "tar.command",
    ];
    let section = setting.key.split('.').next().unwrap_or_default();
    let is_one = PROGRAMS.contains(&setting.key.as_str()) || matches!(section, "pager" | "alias");
    // A folder may have the name of a switch.
    let is_switch = setting.is_plain() && (setting.key != "core.hookspath" || setting.value.is_empty());
    (is_one && !is_switch) || when(setting) == When::Signatures
}

/// Whether the value is a command that git hands to a shell when somebody only looks at what is here.
pub(crate) fn runs_for_readers(setting: &Setting) -> bool {
    let key = setting.key.as_str();
    let is_one = matches!(
        key,
        "core.fsmonitor"
            | "core.pager"
            | "core.alternaterefscommand"
            | "diff.external"
            | "diff.command"
            | "diff.textconv"
            | "filter.clean"
            | "filter.smudge"
            | "filter.process"
    );
    (is_one || key.starts_with("pager.")) && !setting.is_plain()
}

/// Whether a setting lets git start a helper for a server: by its address (`ext::sh -c …`), or for any address of that
/// kind. What git has itself, and files, are anybody's.
pub(crate) fn starts_helper(setting: &Setting) -> bool {
    let kind = setting.subsection.as_deref().unwrap_or_default();
    let is_helped = |address: &str| {
        let kind = address.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "+-.".contains(c));
        kind.len() < address.len() && kind.starts_with("::")
    };
    match setting.key.split('.').next() {
        Some("remote" | "url" | "extensions") => is_helped(kind) || is_helped(&setting.value),
        Some("protocol") => {
            setting.key == "protocol.allow"
                && setting.value != "never"
                && !matches!(kind, "file" | "git" | "ssh" | "http" | "https")
        }
        _ => false,
    }
}

/// Whether the value is a file or folder that git reads for a command that only reads, and may show something of.
pub(crate) fn names_data(setting: &Setting) -> bool {
    matches!(
        setting.key.as_str(),
        "core.worktree"
            | "core.attributesfile"
            | "core.excludesfile"
            | "blame.ignorerevsfile"
            | "diff.orderfile"
            | "fsck.skiplist"
            | "mailmap.file"
            | "http.cookiefile"
    )
}

/// When git runs what a setting names. What is not known here may be run by reading, if it names a file of the tree.
pub(crate) fn when(setting: &Setting) -> When {
    let Some((section, name)) = setting.key.split_once('.') else { return When::Never };
    match (section, name) {
        ("core", "hookspath") => When::Hooks,
        ("log", "showsignature") if setting.is_on() => When::Signatures,
        ("format", "pretty") | ("pretty", _)
            if setting.value.contains('%') && setting.value.contains('G') =>
        {
            When::Signatures
        }
        ("tag" | "branch", "sort") if setting.value.contains("signature") => When::Signatures,
        ("core", "excludesfile" | "attributesfile" | "worktree" | "commentchar" | "commentstring")
        | ("diff", "orderfile" | "tool" | "algorithm" | "wordregex" | "xfuncname" | "funcname")
        | ("blame", "ignorerevsfile")
        | ("commit", "template")
        | ("mailmap", "file" | "blob")
        | ("gpg", "allowedsignersfile" | "revocationfile" | "format")
        | ("remote", "url" | "pushurl" | "fetch" | "push" | "promisor")
        | ("submodule", "path" | "url" | "branch" | "active")
        | ("init", "defaultbranch")
        | (
            "user" | "author" | "committer" | "branch" | "url" | "color" | "column" | "advice" | "status"
            | "push" | "pull" | "fetch" | "gc" | "safe" | "notes" | "stash" | "help" | "http" | "pretty"
            | "format" | "log",
            _,
        ) => When::Never,
        ("core", "editor")
        | (
            "alias" | "sequence" | "merge" | "mergetool" | "difftool" | "browser" | "man" | "web"
            | "instaweb",
            _,
        )
        | ("sendemail" | "imap" | "trailer" | "receive" | "interactive" | "init" | "rebase" | "commit", _)
        | ("submodule", "update") => When::Working,
        _ => When::Reading,
    }
}
