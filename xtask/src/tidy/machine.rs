//! No tracked file knows the machine it was written on, nor where that machine gets its packages from.

use crate::workspace::TextFile;

/// Absolute folders of one machine; spelled in halves so that this file passes its own rule.
const FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// The registries that lock files may name.
const REGISTRIES: &[&str] =
    &["https://registry.npmjs.org/", "registry+https://github.com/rust-lang/crates.io-index"];

/// Files that speak of such a folder as an example: path prefix, reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// Checks one tracked file.
pub(crate) fn check(file: &TextFile) -> Vec<String> {
    if EXCEPTIONS.iter().any(|(prefix, _)| file.path.starts_with(prefix)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if let Some(folder) = FOLDERS.iter().find(|folder| names_folder(line, folder)) {
            findings.push(format!("{}:{}: machine: names the folder `{folder}`", file.path, index + 1));
        }
        if let Some(source) = package_source(&file.path, line)
            && !REGISTRIES.iter().any(|registry| source.starts_with(registry))
        {
            findings.push(format!("{}:{}: machine: packages come from `{source}`", file.path, index + 1));
        }
    }
    findings
}

/// Whether a line holds the folder as the start of an absolute path.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        !before.is_some_and(|char| char.is_alphanumeric() || "._-}*".contains(char))
    })
}

/// Where a lock file or a cargo setting fetches from.
fn package_source<'a>(path: &str, line: &'a str) -> Option<&'a str> {
    let line = line.trim();
    let (key, value) = match path.rsplit('/').next()? {
        "Cargo.lock" => line.split_once(" = ")?,
        "package-lock.json" => line.split_once(": ")?,
        "config.toml" | ".npmrc" => line.split_once('=')?,
        _ => return None,
    };
    let keys = ["source", "\"resolved\"", "registry", "index", "replace-with"];
    let value = value.trim().trim_end_matches(',').trim_matches('"');
    keys.contains(&key.trim()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(path: &str, text: &str) -> Vec<String> {
        check(&TextFile::sample(path, text))
    }

    #[test]
    fn relative_paths_and_public_registries_pass() {
        let folder = FOLDERS[0];
        assert_eq!(check_text("docs/a.md", &format!("src{folder}x ${{home}}{folder}x /repo/x")), [""; 0]);
        assert_eq!(
            check_text("Cargo.lock", "source = \"registry+https://github.com/rust-lang/crates.io-index\""),
            [""; 0]
        );
        assert_eq!(
            check_text("a/package-lock.json", "\"resolved\": \"https://registry.npmjs.org/x/-/x-1.tgz\","),
            [""; 0]
        );
    }

    #[test]
    fn a_folder_of_one_machine_is_named() {
        for folder in FOLDERS {
            let findings = check_text("docs/a.md", &format!("\nsee `{folder}main`\n"));
            assert_eq!(findings, [format!("docs/a.md:2: machine: names the folder `{folder}`")]);
        }
    }

    #[test]
    fn a_private_registry_is_named() {
        assert_eq!(
            check_text("Cargo.lock", "source = \"registry+https://mirror.example/index\""),
            ["Cargo.lock:1: machine: packages come from `registry+https://mirror.example/index`"]
        );
        assert_eq!(
            check_text("x/package-lock.json", "  \"resolved\": \"http://mirror.example/x.tgz\","),
            ["x/package-lock.json:1: machine: packages come from `http://mirror.example/x.tgz`"]
        );
        assert_eq!(
            check_text(".cargo/config.toml", "replace-with = \"mirror\""),
            [".cargo/config.toml:1: machine: packages come from `mirror`"]
        );
    }
}
