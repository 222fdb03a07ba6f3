//! Checkpoints and proofs as files that a person names.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::command::CommandError;
use crate::inert;

/// More than the largest proof has.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// The text of a file, or of standard input where the name is `-`.
pub(crate) fn read(path: &Path) -> Result<String, CommandError> {
    let failed = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::NotFound => CommandError::Usage(format!(
            "{}: there is no such file; `bailiwick trace prove ENTRY` and `bailiwick trace checkpoint` print one",
            inert::line(&path.display().to_string())
        )),
        _ => CommandError::io(path.display().to_string(), source),
    };
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().take(MAX_BYTES).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text))
    };
    read.map(|_| text).map_err(failed)
}
