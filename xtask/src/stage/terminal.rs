//! A person's terminal that a test drives: a detached tmux session on a private socket.
//!
//! It types and looks; what to type is the scenario's business.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::workspace;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// One terminal; dropping it ends its session and all that runs there.
#[derive(Debug)]
pub(crate) struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// Opens a terminal with nothing but this environment and runs a shell command in it.
    pub(crate) fn open(folder: &Path, environment: &[(String, String)], command: &str) -> Result<Self> {
        Self::of_size((180, 60), folder, environment, command)
    }

    /// The same with that many columns and rows.
    pub(crate) fn of_size(
        (columns, rows): (u16, u16),
        folder: &Path,
        environment: &[(String, String)],
        command: &str,
    ) -> Result<Self> {
        let number = COUNT.fetch_add(1, Ordering::SeqCst);
        let terminal = Self {
            socket: std::env::temp_dir().join(format!("bailiwick-{}-{number}.tmux", std::process::id())),
        };
        let mut tmux = terminal.tmux();
        tmux.args([
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &columns.to_string(),
            "-y",
            &rows.to_string(),
            "-c",
        ])
        .arg(folder);
        tmux.args(["env", "-i", "TERM=xterm-256color"]);
        tmux.args(environment.iter().map(|(name, value)| format!("{name}={value}")));
        tmux.args(["/bin/sh", "-c"]).arg(format!("{command}; echo \"[ended $?]\"; exec sleep 600"));
        workspace::stdout(&mut tmux)?;
        Ok(terminal)
    }

    /// What the screen shows.
    pub(crate) fn screen(&self) -> Result<String> {
        workspace::stdout(self.tmux().args(["capture-pane", "-p", "-J"]))
    }

    /// The same with the sequences of its colours.
    pub(crate) fn screen_in_colour(&self) -> Result<String> {
        workspace::stdout(self.tmux().args(["capture-pane", "-p", "-e"]))
    }

    /// Presses keys, by tmux's names (`a`, `Enter`, `Down`).
    pub(crate) fn press(&self, keys: &[&str]) -> Result<()> {
        workspace::stdout(self.tmux().arg("send-keys").args(keys)).map(drop)
    }

    /// Types a text as it is.
    pub(crate) fn type_text(&self, text: &str) -> Result<()> {
        workspace::stdout(self.tmux().args(["send-keys", "-l", text])).map(drop)
    }

    /// Waits until the screen holds one of these texts and is drawn to the end, and gives the screen.
    ///
    /// A look may fall into the middle of a drawing: only a screen that shows the same twice in a row is believed.
    pub(crate) fn wait_for(&self, texts: &[&str], limit: Duration) -> Result<String> {
        let started = Instant::now();
        let mut before = None;
        loop {
            let screen = self.screen()?;
            if texts.iter().any(|text| screen.contains(text)) && before.as_ref() == Some(&screen) {
                return Ok(screen);
            }
            if started.elapsed() > limit {
                bail!("the terminal never showed {texts:?}; it shows:\n{}", screen.trim_end());
            }
            before = Some(screen);
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Presses a key until the screen holds one of these texts: a dialog may ignore keys while it is being drawn.
    pub(crate) fn press_until(&self, key: &str, texts: &[&str], limit: Duration) -> Result<String> {
        let started = Instant::now();
        loop {
            self.press(&[key])?;
            match self.wait_for(texts, Duration::from_millis(1500)) {
                Err(error) if started.elapsed() > limit => return Err(error),
                Err(_) => {}
                Ok(screen) => return Ok(screen),
            }
        }
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket);
        command
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(self.tmux().arg("kill-server").output());
        drop(std::fs::remove_file(&self.socket));
    }
}
