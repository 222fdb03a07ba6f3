//! What every writer of governed files must do.

use alloc::vec;
use alloc::vec::Vec;

use super::{done, sample};
use crate::evidence::{PutBack, PutBackError};
use crate::ports::{Workspace, WorkspaceWriter};
use crate::values::{ContentHash, FileState};

fn content(text: &str) -> FileState {
    FileState::Content(ContentHash::of(text.as_bytes()))
}

fn asked(path: &str, expected: FileState, text: Option<&str>) -> PutBack {
    let content = text.map(|text| Vec::from(text.as_bytes()));
    PutBack { path: sample::path(path), expected, content, executable: false, origin: None }
}

/// All files become what is asked, or none does; `workspace` looks at the same, empty tree.
pub async fn workspace_writer(writer: &dyn WorkspaceWriter, workspace: &dyn Workspace) {
    done(writer.put_back(&[]).await, "put nothing back");
    let created = [
        asked("src/a.rs", FileState::Absent, Some("a\n")),
        asked("src/deep/er/b.rs", FileState::Absent, Some("b\n")),
    ];
    done(writer.put_back(&created).await, "create two files, one of them in new folders");
    check(workspace, &[("src/a.rs", Some("a\n")), ("src/deep/er/b.rs", Some("b\n"))]).await;

    let moved = [
        asked("src/a.rs", content("a\n"), Some("A\n")),
        asked("src/deep/er/b.rs", content("b\n"), None),
        asked("c.rs", FileState::Absent, Some("b\n")),
        asked("none.rs", FileState::Absent, None),
    ];
    done(writer.put_back(&moved).await, "change one, remove one, create one, and leave one absent");
    let now = [("src/a.rs", Some("A\n")), ("src/deep/er/b.rs", None), ("c.rs", Some("b\n"))];
    check(workspace, &now).await;
    later_changes_stay(writer, workspace).await;
}

/// One file that is not what is expected keeps all files as they are.
async fn later_changes_stay(writer: &dyn WorkspaceWriter, workspace: &dyn Workspace) {
    let now = [("src/a.rs", Some("A\n")), ("src/deep/er/b.rs", None), ("c.rs", Some("b\n"))];
    for (path, expected, text) in [
        ("c.rs", content("a\n"), Some("x\n")),
        ("c.rs", content("a\n"), None),
        ("c.rs", FileState::Absent, Some("x\n")),
        ("gone.rs", content("a\n"), Some("x\n")),
        ("gone.rs", content("a\n"), None),
    ] {
        let wrong = asked(path, expected, text);
        let fine = asked("src/a.rs", content("A\n"), Some("a\n"));
        for both in [vec![fine.clone(), wrong.clone()], vec![wrong.clone(), fine]] {
            let refused = writer.put_back(&both).await;
            assert_eq!(refused, Err(PutBackError::Changed(wrong.path.clone())), "{path}");
            check(workspace, &now).await;
        }
    }
}

async fn check(workspace: &dyn Workspace, files: &[(&str, Option<&str>)]) {
    for (path, text) in files {
        let found = done(workspace.read(&sample::path(path), 1000).await, "read");
        assert_eq!(found.as_deref(), text.map(str::as_bytes), "{path}");
    }
}
