//! Questions that a program answers about itself: its version, its usage.
//!
//! A program is here when it answers before it obeys any file of the folder that it runs in. Version managers in front of
//! a program read a file there (`rust-toolchain.toml`, `.tool-versions`, `global.json`), which is one of those that are asked about when
//! they change; the gate looks whether it names a program by its path. Left out are those that run a program of the repository
//! (`yarn` by its `yarnPath`, `mvn` by its extensions), that load its code (`pytest`, `flake8`) or obey its files (`bundle`), that fetch
//! what a file names (`go`, `pnpm`), that ask a server (`kubectl version`, `terraform version`, `gh`), that choose one of
//! several programs by a person's settings (`psql`, `swift`), and those that leave a file as they answer (`java`).

/// Each program with the only arguments that it may have, one question at a time.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("cargo", &["--version", "-V", "--list", "--help", "-h"]),
    ("rustc", &["--version", "-V", "-vV", "--version --verbose", "--help", "-h"]),
    ("rustdoc", &["--version", "-V"]),
    ("rustfmt", &["--version", "-V"]),
    ("rustup", &["--version", "-V"]),
    ("node", &["--version", "-v", "--help", "-h"]),
    ("npm", &["--version", "-v"]),
    ("pip", &["--version", "-V"]),
    ("pip3", &["--version", "-V"]),
    ("git", &["--version", "version", "-v", "--help", "-h"]),
    ("python", &["--version", "-V", "--help", "-h"]),
    ("python3", &["--version", "-V", "--help", "-h"]),
    ("ruby", &["--version", "-v"]),
    ("uv", &["--version", "-V"]),
    ("deno", &["--version", "-V"]),
    ("perl", &["--version", "-v"]),
    ("php", &["--version", "-v"]),
    ("gcc", &["--version"]),
    ("g++", &["--version"]),
    ("cc", &["--version"]),
    ("clang", &["--version"]),
    ("cmake", &["--version"]),
    ("make", &["--version", "-v"]),
    ("docker", &["--version", "-v"]),
    ("bun", &["--version", "-v"]),
    ("bash", &["--version"]),
    ("zsh", &["--version"]),
    ("jq", &["--version", "-V", "--help", "-h"]),
    ("rg", &["--version", "-V", "--help", "-h"]),
    ("grep", &["--version", "-V", "--help"]),
    ("sed", &["--version", "--help"]),
    ("curl", &["--version", "-V"]),
    ("ssh", &["-V"]),
    ("sqlite3", &["--version", "-version"]),
    ("tar", &["--version"]),
    ("npx", &["--version", "-v"]),
    ("dotnet", &["--version", "--info", "--list-sdks", "--list-runtimes"]),
    ("ruff", &["--version", "-V", "version"]),
    ("black", &["--version"]),
    ("mypy", &["--version", "-V"]),
    ("isort", &["--version"]),
    ("pre-commit", &["--version", "-V"]),
    ("golangci-lint", &["--version", "version"]),
    ("staticcheck", &["--version", "-version"]),
    ("shellcheck", &["--version", "-V"]),
    ("shfmt", &["--version", "-version"]),
    ("hadolint", &["--version", "-v"]),
    ("clang-format", &["--version"]),
    ("clang-tidy", &["--version"]),
    ("ninja", &["--version"]),
    ("protoc", &["--version"]),
    ("pandoc", &["--version"]),
    ("ffmpeg", &["-version"]),
    ("openssl", &["version"]),
    ("rsync", &["--version"]),
    ("wget", &["--version"]),
    ("tmux", &["-V"]),
    ("vim", &["--version"]),
    ("tree", &["--version"]),
    ("yq", &["--version"]),
    ("fd", &["--version"]),
    ("bat", &["--version"]),
    ("zig", &["version"]),
    ("lua", &["-v"]),
    ("julia", &["--version"]),
    ("podman", &["--version"]),
    ("aws", &["--version"]),
    ("xcodebuild", &["-version"]),
];

/// Whether a command only asks a program about itself.
pub(crate) fn asks(name: &str, arguments: &[&str]) -> bool {
    let is_asked = |question: &&str| question.split(' ').eq(arguments.iter().copied());
    QUESTIONS.iter().any(|(program, questions)| *program == name && questions.iter().any(is_asked))
}

/// Each program with each of its questions.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    QUESTIONS.iter().flat_map(|(program, questions)| questions.iter().map(|question| (*program, *question)))
}
