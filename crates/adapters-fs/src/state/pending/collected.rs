//! The moment before which pre-images may be gone, as a note beside them.

use std::path::{Path, PathBuf};

use bailiwick_domain::{PortError, Timestamp};

use crate::files::atomic::{Durability, read_optional, replace};

/// Before which moment pre-images may have been collected; `None` when none ever was.
pub(crate) fn collected_before(images: &Path) -> Result<Option<Timestamp>, PortError> {
    let noted = read_optional(&note(images))?.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(noted.and_then(|text| Timestamp::parse(&text).ok()))
}

/// Notes, before the first one goes, that pre-images from before that moment may be gone.
pub(crate) fn note_collected(images: &Path, before: Timestamp) -> Result<(), PortError> {
    if collected_before(images)?.is_some_and(|noted| noted >= before) {
        return Ok(());
    }
    replace(&note(images), before.to_string().as_bytes(), Durability::Os)
}

fn note(images: &Path) -> PathBuf {
    images.join("collected")
}
