//! The work of a call that was let through, and telling the gate what came of it.

use bailiwick_adapters_fs::FsWorkspaceWriter;
use bailiwick_adapters_tools::{End, Order, Ran, run};
use bailiwick_domain::{Location, Showed, ToolError, ToolResult};

use super::files;
use super::let_through::{Work, malformed, text};
use crate::gate::PostReport;
use crate::refusals::{Outside, ServedFault};

impl Work<'_> {
    /// Does it; the text for the agent.
    pub(super) async fn done(&self) -> Result<String, ToolError> {
        match self.call.tool.as_str() {
            "read_file" => self.read().await,
            "list_files" => files::list(self).await,
            "search_files" => files::search(self).await,
            "execute_command" => self.command().await,
            _ => self.change().await,
        }
    }

    async fn read(&self) -> Result<String, ToolError> {
        let (text, showed) = files::read(self).await?;
        self.gate.post(self.call, &ToolResult { ok: true, showed: Some(showed) }).await?;
        Ok(text)
    }

    async fn change(&self) -> Result<String, ToolError> {
        if self.stop.is_set() {
            self.gate.recording().not_run(self.call).await?;
            return Err(ServedFault::Unawaited.into());
        }
        let writer = FsWorkspaceWriter::new(&self.site.layout);
        Ok(recorded(&self.gate.carry_out(self.call, &writer).await?))
    }

    async fn command(&self) -> Result<String, ToolError> {
        let ran = match self.run().await {
            Ok(ran) => ran,
            Err(error) => {
                // What cannot be written down now is settled when the client ends.
                drop(self.gate.recording().not_run(self.call).await);
                return Err(error);
            }
        };
        let result =
            ToolResult { ok: ran.end == End::Exited(0), showed: Some(Showed::Printed(ran.output.clone())) };
        let report = self.gate.post(self.call, &result).await;
        // It ran: that its outcome could not be recorded is told beside what it printed.
        let note = report.err().map(|error| format!("\n[not recorded: {}]", error.message()));
        Ok(format!("{}{}", told(&ran), note.unwrap_or_default()))
    }

    async fn run(&self) -> Result<Ran, ToolError> {
        let command = text(&self.call.params, "command").unwrap_or_default();
        let folder = match self.gate.ports().tree.workspace.locate(self.folder(), None).await {
            Location::Root => self.site.layout.root().to_path_buf(),
            Location::Inside(found) => self.site.layout.root().join(found.path.as_str()),
            _ => {
                return Err(ServedFault::Outside(Outside::Folder(self.folder())).into());
            }
        };
        if self.stop.is_set() {
            return Err(ServedFault::Unawaited.into());
        }
        run(Order { command, folder: &folder, limit: self.limit }, &|| self.stop.is_set())
            .map_err(|error| malformed(format!("the command could not be started: {error}")))
    }

    fn folder(&self) -> &str {
        text(&self.call.params, "cwd").filter(|folder| !folder.is_empty()).unwrap_or(".")
    }
}

fn recorded(report: &PostReport) -> String {
    let files: Vec<&str> = report.observations.keys().map(String::as_str).collect();
    match report.trace_ids.as_slice() {
        [] => "Nothing changed: the files are as the call wants them already.".to_owned(),
        ids => format!("Done: {}. Recorded as {}.", files.join(", "), ids.join(", ")),
    }
}

fn told(ran: &Ran) -> String {
    let end = match ran.end {
        End::Exited(status) => format!("[exit status {status}]"),
        End::Signal(signal) => format!("[ended by signal {signal}]"),
        End::TimedOut => "[ended: its time was over]".to_owned(),
        End::Stopped => "[ended: nobody waits for it any more]".to_owned(),
    };
    let gap = if ran.output.is_empty() || ran.output.ends_with('\n') { "" } else { "\n" };
    format!("{}{gap}{end}", ran.output)
}
