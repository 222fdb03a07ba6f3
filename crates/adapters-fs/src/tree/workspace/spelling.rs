//! What a spelled path must look like before anything is looked up.

use std::path::{Component, Path, PathBuf};

use bailiwick_domain::URI_MARK;

/// The longest path and the longest name that the system takes: a longer one reaches no file, whoever tries.
#[cfg(windows)]
const LONGEST_PATH: usize = 32_000;
#[cfg(target_os = "macos")]
const LONGEST_PATH: usize = 1_023;
#[cfg(not(any(windows, target_os = "macos")))]
const LONGEST_PATH: usize = 4_095;
const LONGEST_NAME: usize = 255;

/// The absolute form of what an agent spelled, still with its `..` segments.
pub(super) fn absolute(requested: &str, base: &Path) -> Result<PathBuf, String> {
    screen(requested)?;
    if requested.starts_with(is_dropped) || requested.ends_with(is_dropped) {
        return Err("the path starts or ends with white space, which some programs drop".into());
    }
    let full = base.join(requested);
    measure(&full)?;
    Ok(full)
}

/// A directory that calls run in.
pub(super) fn directory(cwd: &str) -> Result<PathBuf, String> {
    screen(cwd)?;
    let path = PathBuf::from(cwd);
    if path.is_absolute() { Ok(path) } else { Err(format!("the working directory `{cwd}` is not absolute")) }
}

/// Whether a path, as it is spelled, is longer than the system takes.
pub fn is_too_long(path: &Path) -> bool {
    path.as_os_str().len() > LONGEST_PATH
}

/// Refuses a spelling that no system takes, before it is taken apart. With `..` in it a path may be longer than the file's.
pub(super) fn is_short(requested: &str) -> Result<(), String> {
    const LONGEST: usize = 32 << 10;
    match requested.len() {
        ..=LONGEST => Ok(()),
        length => Err(format!("it is {length} bytes long, and {LONGEST} is the most that is looked at")),
    }
}

/// Refuses what is too long to be a file.
pub(super) fn measure(path: &Path) -> Result<(), String> {
    let length = path.as_os_str().len();
    if is_too_long(path) {
        return Err(format!(
            "it is {length} bytes long, and {LONGEST_PATH} is the most that the system allows"
        ));
    }
    let too_long = |name: &str| units(name) > LONGEST_NAME;
    match path.components().any(|part| part.as_os_str().to_str().is_some_and(too_long)) {
        true => Err(format!("a name in it is longer than {LONGEST_NAME} bytes, the most for a file's name")),
        false => Ok(()),
    }
}

/// The length of a name as the system counts it.
fn units(name: &str) -> usize {
    if cfg!(any(windows, target_os = "macos")) { name.encode_utf16().count() } else { name.len() }
}

/// What JavaScript's `trim` takes off, and with it a client that trims the paths of a call.
fn is_dropped(sign: char) -> bool {
    sign.is_whitespace() || sign == '\u{feff}'
}

fn screen(text: &str) -> Result<(), String> {
    let why = if text.trim().is_empty() {
        "the path is empty"
    } else if text.contains('\0') {
        "the path holds a NUL character"
    } else if text.chars().any(char::is_control) {
        "the path holds a control character"
    } else if text.starts_with('~') {
        "`~` is not expanded here; spell the path from the root"
    } else if text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        "a `file:` address is not a path"
    } else if text.starts_with(URI_MARK) {
        "the client takes it for a URI, because of its `:`; spell the path from the root, as in `/home/you/shop/src/a.rs`"
    } else if has_drive(text) && !cfg!(windows) {
        "the path names a drive"
    } else if cfg!(windows) && has_windows_trick(text) {
        "the path has a segment that Windows reads as another name"
    } else {
        return Ok(());
    };
    Err(why.into())
}

fn has_drive(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && chars.next() == Some(':')
}

/// Device names, streams, verbatim prefixes, and ends that Windows drops.
fn has_windows_trick(text: &str) -> bool {
    let text = text.replace('\\', "/");
    let (drive, rest) = if has_drive(&text) { text.split_at(2) } else { ("", text.as_str()) };
    let drive_relative = !drive.is_empty() && !rest.starts_with('/');
    let tricky = |segment: &str| {
        let stem = segment.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
        let numbered = ["COM", "LPT"].iter().any(|name| {
            stem.strip_prefix(name).is_some_and(|rest| rest.chars().count() == 1 && !rest.starts_with('0'))
        });
        let ends_badly = !matches!(segment, "." | "..") && segment.ends_with(['.', ' ']);
        segment.contains(':')
            || ends_badly
            || numbered
            || matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
    };
    drive_relative || rest.starts_with("//") || rest.split('/').any(tricky)
}

/// The path with `.` and `..` taken out by text alone, as programs do that never ask the file system.
pub fn normalise(full: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in full.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_NAME, LONGEST_PATH, has_windows_trick, measure};
    use std::path::Path;

    #[test]
    fn a_name_may_be_as_long_as_the_system_takes_and_no_longer() {
        let name = "n".repeat(LONGEST_NAME);
        measure(Path::new(&format!("a/{name}/b"))).unwrap();
        let why = measure(Path::new(&format!("a/{name}n/b"))).unwrap_err();
        assert!(why.starts_with("a name in it is longer than 255 bytes"), "{why}");
    }

    #[test]
    fn a_path_may_be_as_long_as_the_system_takes_and_no_longer() {
        let mut path = "/d".repeat(LONGEST_PATH / 2) + "/";
        path.truncate(LONGEST_PATH);
        measure(Path::new(&path)).unwrap();
        let why = measure(Path::new(&(path + "x"))).unwrap_err();
        assert!(why.starts_with(&format!("it is {} bytes long", LONGEST_PATH + 1)), "{why}");
    }

    // What Windows reads as another name, by its own list of them
    #[test]
    fn names_that_windows_takes_for_others_are_known() {
        for text in [
            "CON",
            "src/nul.txt",
            "prn .log",
            "a/AUX/b",
            "com1",
            "LPT\u{b2}.c",
            "a.rs:stream",
            "c:x",
            r"\\server\share",
            "//server/share",
            "src./a",
            "a ",
        ] {
            assert!(has_windows_trick(text), "{text}");
        }
        for text in ["c:/x", r"c:\x", ".", "../a", "src/a.rs", "COM0", "com10", "console", "lpt", "/a", "c"] {
            assert!(!has_windows_trick(text), "{text}");
        }
    }
}
