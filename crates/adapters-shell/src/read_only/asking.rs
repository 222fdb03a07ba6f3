//! `test`, `[`, `[[` and `command`: questions about a file or about where a program is, and nothing else that they can do.

use crate::read_only::options::Proof;

/// What `test` may ask of one file. Comparisons are left out: some shells compute what stands in them.
const ABOUT_A_FILE: &[&str] = &["-d", "-e", "-f", "-h", "-L", "-r", "-s", "-w", "-x"];

/// Proves a call of `test`. It shows nothing of the file, so no path counts as read.
pub(crate) fn test(words: &[&str]) -> Result<Proof, String> {
    match words {
        [asked, _] | ["!", asked, _] if ABOUT_A_FILE.contains(asked) => Ok(Proof::default()),
        _ => Err("`test` asks more than one thing of one file".to_owned()),
    }
}

/// Proves a call of `[`, which is `test` up to its `]`.
pub(crate) fn bracket(words: &[&str]) -> Result<Proof, String> {
    match words {
        [asked @ .., "]"] => test(asked),
        _ => Err("`[` has no `]` at its end".to_owned()),
    }
}

/// Proves a `[[`, which is `test` up to its `]]`. What shells compute or take for a pattern in it is no question about a file.
pub(crate) fn brackets(words: &[&str]) -> Result<Proof, String> {
    match words {
        [asked @ .., "]]"] => test(asked),
        _ => Err("`[[` has no `]]` at its end".to_owned()),
    }
}

/// Proves a call of `command`, which without `-v` runs a program.
pub(crate) fn command(words: &[&str]) -> Result<Proof, String> {
    match words {
        ["-v", names @ ..] if !names.is_empty() && !names.iter().any(|name| name.starts_with('-')) => {
            Ok(Proof::default())
        }
        _ => Err("`command` runs a program".to_owned()),
    }
}
