//! A client of the server: the SDK's, over the pipes of the real program. The server is the child of a process of its own,
//! which stands for the client's: it starts the server, and runs what is told to the client's own shell.

use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use bailiwick_domain::{Value, json};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, GetPromptRequestParams, ReadResourceRequestParams,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceExt};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::runtime::Runtime;

use crate::process::machine::{Machine, assert_tool_error, installed};
use crate::world::{read, write};

/// The client's process. Its first argument is the beginning of the names of its files, the others are the server's words.
const PROCESS: &str = "\
own=$1
shift
exec 3<&0
\"$@\" <&3 &
server=$!
echo $server > \"$own.server\"
while read -r line; do
    /bin/sh -c \"$line\" > \"$own.said\" 2>&1
    echo $? > \"$own.status\"
done < \"$own.orders\"
wait $server
exit $?
";

/// A call that is not answered yet.
pub(crate) type Begun = RequestHandle<RoleClient>;

/// One client with the server that it has started.
pub(crate) struct Client {
    runtime: Runtime,
    service: Option<RunningService<RoleClient, ()>>,
    process: Child,
    /// Its files: `.server` with the server's process, and what its own shell runs and says.
    own: PathBuf,
    orders: Option<File>,
}

impl Client {
    pub(crate) fn of(machine: &Machine) -> Self {
        Self::at(machine, &machine.root())
    }

    /// One in another repository of that machine.
    pub(crate) fn at(machine: &Machine, root: &Path) -> Self {
        let root_name = root.display().to_string();
        Self::through(machine, root, &[env!("CARGO_BIN_EXE_bailiwick"), "--root", &root_name, "mcp"])
    }

    /// One that starts its server with these words.
    pub(crate) fn through(machine: &Machine, root: &Path, words: &[&str]) -> Self {
        let own = own_files(machine);
        let script = own.with_extension("sh");
        write(&script, PROCESS);
        let orders = own.with_extension("orders");
        assert!(Command::new(installed("mkfifo")).arg(&orders).status().unwrap().success());
        let mut command = Command::new("/bin/sh");
        command.arg(&script).arg(&own).args(words).current_dir(root).env_clear();
        command.env("HOME", machine.world.path("home")).env("PATH", machine.world.path("bin"));
        // As a person's shell starts it: what shares its group is the client's.
        command.process_group(0);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let orders = Some(File::options().write(true).open(orders).unwrap());
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let service = runtime.block_on(async {
            let write = Sender::from_owned_fd(OwnedFd::from(input)).unwrap();
            let read = Receiver::from_owned_fd(OwnedFd::from(output)).unwrap();
            ().serve((read, write)).await.unwrap()
        });
        Self { runtime, service: Some(service), process, own, orders }
    }

    /// One whose session works under INT-001.
    pub(crate) fn selected(machine: &Machine) -> Self {
        let client = Self::of(machine);
        client.ok("select_active_intent", &json!({"intent_id": "INT-001"}));
        client
    }

    fn service(&self) -> &RunningService<RoleClient, ()> {
        self.service.as_ref().unwrap()
    }

    fn told(&self, name: &str, arguments: &Value) -> (bool, String) {
        let arguments = arguments.as_object().cloned().unwrap();
        let request = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        let result = self.runtime.block_on(self.service().call_tool(request)).unwrap();
        let text = serde_json::to_value(&result.content).unwrap()[0]["text"].as_str().unwrap().to_owned();
        (result.is_error == Some(true), text)
    }

    /// The text of a call that must work.
    #[track_caller]
    pub(crate) fn ok(&self, name: &str, arguments: &Value) -> String {
        let (is_error, text) = self.told(name, arguments);
        assert!(!is_error, "{name} {arguments}: {text}");
        text
    }

    /// The error of a call that must be refused, in its published form.
    #[track_caller]
    pub(crate) fn refused(&self, name: &str, arguments: &Value) -> Value {
        let (is_error, text) = self.told(name, arguments);
        assert!(is_error, "{name} {arguments} was let through: {text}");
        let error: Value = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
        assert_tool_error(&error);
        error
    }

    #[track_caller]
    pub(crate) fn code(&self, name: &str, arguments: &Value) -> String {
        self.refused(name, arguments)["code"].as_str().unwrap().to_owned()
    }

    /// The id of the request of a call that must wait for a person.
    #[track_caller]
    pub(crate) fn pending(&self, name: &str, arguments: &Value) -> String {
        let error = self.refused(name, arguments);
        assert_eq!(error["code"], "APPROVAL_PENDING", "{error}");
        error["details"]["approval_id"].as_str().unwrap().to_owned()
    }

    /// A call that a person approves; its retry must work.
    #[track_caller]
    pub(crate) fn approved(&self, machine: &Machine, name: &str, arguments: &Value) -> String {
        machine.approve(&self.pending(name, arguments));
        self.ok(name, arguments)
    }

    pub(crate) fn tools(&self) -> Value {
        serde_json::to_value(self.runtime.block_on(self.service().list_all_tools()).unwrap()).unwrap()
    }

    /// The text of a resource, or the error instead of it.
    pub(crate) fn page(&self, uri: &str) -> String {
        let request = ReadResourceRequestParams::new(uri);
        match self.runtime.block_on(self.service().read_resource(request)) {
            Ok(read) => {
                serde_json::to_value(read).unwrap()["contents"][0]["text"].as_str().unwrap().to_owned()
            }
            Err(error) => format!("{error:?}"),
        }
    }

    pub(crate) fn prompt(&self, name: &str, arguments: &Value) -> String {
        let arguments = arguments.as_object().cloned().unwrap();
        let request = GetPromptRequestParams::new(name).with_arguments(arguments);
        let told = self.runtime.block_on(self.service().get_prompt(request)).unwrap();
        serde_json::to_value(told).unwrap()["messages"][0]["content"]["text"].as_str().unwrap().to_owned()
    }

    /// Begins a call and takes no answer.
    pub(crate) fn begin(&self, name: &str, arguments: &Value) {
        let arguments = arguments.as_object().cloned().unwrap();
        let request = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        let peer = self.service().peer().clone();
        self.runtime.spawn(async move { peer.call_tool(request).await });
    }

    /// Begins a call that a person has to be asked about, with a screen in view; its question, and what calls it off.
    #[track_caller]
    pub(crate) fn asked(&self, machine: &Machine, name: &str, arguments: &Value) -> (String, Begun) {
        let open = || machine.open_requests().iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
        let before = open();
        let arguments = arguments.as_object().cloned().unwrap();
        let call = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(call));
        let sent = self.service().send_cancellable_request(request, PeerRequestOptions::no_options());
        let begun = self.runtime.block_on(sent).unwrap();
        loop {
            if let Some(id) = open().iter().find(|id| !before.contains(id)) {
                return (id.as_str().unwrap().to_owned(), begun);
            }
        }
    }

    /// Calls a call off; the server has heard of it.
    pub(crate) fn call_off(&self, begun: Begun) {
        self.runtime.block_on(begun.cancel(None)).unwrap();
        self.ok("list_intents", &json!({}));
    }

    /// Runs a line in the client's own shell, which is no tool of the server; its status, and what it said.
    #[track_caller]
    pub(crate) fn own_shell(&mut self, line: &str) -> (String, String) {
        let status = self.own.with_extension("status");
        let _ = std::fs::remove_file(&status);
        writeln!(self.orders.as_mut().unwrap(), "{line}").unwrap();
        let status = written(&status);
        (status, read(&self.own.with_extension("said")))
    }

    /// Closes the connection; the server must end by itself, and well.
    #[track_caller]
    pub(crate) fn end(mut self) {
        let service = self.service.take().unwrap();
        let _ = self.runtime.block_on(service.cancel());
        self.has_ended();
    }

    #[track_caller]
    fn has_ended(&mut self) {
        drop(self.orders.take());
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
    }

    /// Tells the server's process to end, as a client that shuts down does.
    pub(crate) fn terminate(mut self) {
        let pid = written(&self.own.with_extension("server"));
        assert!(Command::new(installed("kill")).arg(pid).status().unwrap().success());
        self.has_ended();
        let _ = self.runtime.block_on(self.service.take().unwrap().cancel());
    }
}

/// The beginning of the names of a client's files, which no other one has.
fn own_files(machine: &Machine) -> PathBuf {
    let number = (1..).find(|number| !machine.world.path(&format!("client-{number}.sh")).exists());
    machine.world.path(&format!("client-{}", number.unwrap()))
}

/// Waits until a process has written its line into that file.
pub(crate) fn written(file: &Path) -> String {
    loop {
        match std::fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => std::thread::yield_now(),
        }
    }
}

/// The requests that there ever were, as their files say: looking at the queue would count as a person who is there.
pub(crate) fn requests(machine: &Machine) -> Vec<Value> {
    let files = std::fs::read_dir(machine.private().join("approvals"));
    let files = files.into_iter().flatten().map(|file| file.unwrap().path());
    let requests = files.filter(|file| file.extension().is_some_and(|ending| ending == "json"));
    requests.map(|file| crate::world::json(&crate::world::read(&file))).collect()
}
