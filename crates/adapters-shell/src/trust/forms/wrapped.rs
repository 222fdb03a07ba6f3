//! Commands that stand in one word, as in `nix-shell --run "pytest -q"` and `bash -c "cargo test"`.

/// Words before a text that a shell runs, and the words that its commands have before them here. A shell alone adds nothing.
/// Sources: the pages of bash, zsh and nix-shell.
const WRAPPERS: &[(&[&str], &[&str])] = &[
    (&["bash", "-c"], &[]),
    (&["bash", "-lc"], &[]),
    (&["sh", "-c"], &[]),
    (&["zsh", "-c"], &[]),
    (&["zsh", "-lc"], &[]),
    (&["nix-shell", "--run"], &[NIX]),
];

/// No line can spell a program of this name without quotes.
pub(in crate::trust) const NIX: &str = "nix-shell --run";

/// The text that is run, and what stands before each of its commands.
pub(in crate::trust) fn text_of(words: &[String]) -> Option<(&str, &'static [&'static str])> {
    let (text, before) = words.split_last()?;
    let (_, starts) = WRAPPERS.iter().find(|(wrapper, _)| before == *wrapper)?;
    Some((text, starts))
}
