//! A governed place in a temporary folder, and child processes that are this same test binary.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use bailiwick_adapters_fs::Layout;
use tempfile::TempDir;

/// Names the folder that a child process works in.
const CHILD_DIR: &str = "BAILIWICK_TEST_CHILD_DIR";

#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) dir: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().unwrap();
        std::fs::create_dir_all(dir.path().join("repo/.orchestration")).unwrap();
        Self { dir }
    }

    pub(crate) fn layout(&self) -> Layout {
        layout_in(self.dir.path().to_owned())
    }

    pub(crate) fn private(&self, name: &str) -> PathBuf {
        self.layout().private().join(name)
    }

    /// Puts a signing key into the user's state folder.
    pub(crate) fn keeps_key(&self, key: &[u8; 32]) {
        let folder = self.dir.path().join("user");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("trace.key");
        std::fs::write(&file, key).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
    }

    /// Runs one test of this binary in so many other processes, and this in between; all of them must succeed.
    #[track_caller]
    pub(crate) fn beside_children(&self, count: usize, test: &str, meanwhile: impl FnOnce()) {
        let children: Vec<Child> = (0..count).map(|_| self.child(test)).collect();
        meanwhile();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
    }

    /// Starts this test binary again, to run one test of it as another process.
    pub(crate) fn child(&self, test: &str) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(CHILD_DIR, self.dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }
}

/// The layout of the parent's place, when this process is a child of a test.
pub(crate) fn childs_layout() -> Option<Layout> {
    std::env::var_os(CHILD_DIR).map(|dir| layout_in(PathBuf::from(dir)))
}

fn layout_in(dir: PathBuf) -> Layout {
    Layout::new(dir.join("repo"), dir.join("private"), Some(dir.join("user")))
}
