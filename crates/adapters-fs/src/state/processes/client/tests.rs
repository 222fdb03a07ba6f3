//! Which of the processes above a server are its client's.

use super::{Process, client_among};

/// The group of the server.
const OWN: u32 = 700;

/// One process of a chain.
#[derive(Clone)]
struct One(Process, &'static str);

impl One {
    /// One in the group of the server; its command line begins with the program's name.
    fn new(pid: u32, line: &'static str) -> Self {
        let name = line.split(' ').next().unwrap().to_owned();
        let process = Process { pid, started: 1, name, has_terminal: true, group: OWN, leads_session: false };
        Self(process, line)
    }

    fn group(mut self, group: u32) -> Self {
        self.0.group = group;
        self
    }

    /// It leads a session that has no terminal.
    fn detached(mut self) -> Self {
        (self.0.leads_session, self.0.has_terminal) = (true, false);
        self
    }
}

/// Of these processes, nearest first, exactly those are the client's.
#[track_caller]
fn assert_client(chain: &[One], expected: &[u32]) {
    let line = |process: &Process| {
        let one = chain.iter().find(|one| one.0.pid == process.pid).unwrap();
        one.1.split(' ').map(str::to_owned).collect()
    };
    let words = ["--root".to_owned(), "/shop".to_owned(), "mcp".to_owned()];
    let found = client_among(chain.iter().map(|one| one.0.clone()), Some(OWN), &words, &line);
    let found: Vec<u32> = found.iter().map(|process| process.pid).collect();
    assert_eq!(found, expected);
}

/// A person's shell, as it stands above each of its jobs.
fn shell() -> One {
    One::new(40, "bash").group(40)
}

// D-16, threat D7: whoever is between the two, the client is found
#[test]
fn the_client_is_found_above_launchers_that_nobody_knows() {
    let (script, python) = (One::new(702, "bash wrap.sh"), One::new(701, "python3 -m wrap"));
    let client = One::new(OWN, "client");
    assert_client(&[client.clone(), shell()], &[OWN]);
    assert_client(&[script.clone(), client.clone(), shell()], &[702, OWN]);
    assert_client(&[script.clone(), python.clone(), client.clone(), shell()], &[702, 701, OWN]);
    assert_client(&[One::new(703, "sh -c bailiwick mcp"), script, python, client], &[703, 702, 701, OWN]);
}

// D-16: the Python SDK starts its servers so
#[test]
fn the_client_is_found_above_a_launcher_in_a_session_of_its_own() {
    let launcher = One::new(OWN, "uv run bailiwick mcp").detached();
    let client = One::new(60, "client").group(60);
    assert_client(&[launcher.clone(), client, shell()], &[OWN, 60]);
    assert_client(&[launcher.clone(), One::new(60, "gnome-shell").group(60).detached()], &[OWN]);
    assert_client(&[launcher.clone(), One::new(60, "sshd").group(60).detached()], &[OWN]);
    assert_client(&[launcher, shell()], &[OWN]);
}

// D-16: `SID=$(curl …)` in a person's terminal runs in the group of the shell itself
#[test]
fn a_shell_that_leads_its_terminal_is_the_persons_even_in_the_same_group() {
    let mut shell = One::new(OWN, "bash");
    shell.0.leads_session = true;
    assert_client(&[One::new(701, "curl"), shell.clone(), One::new(50, "gnome-terminal").group(50)], &[701]);
    assert_client(&[shell.clone()], &[]);
    let mut script = One::new(OWN, "bash wrap.sh");
    script.0.leads_session = true;
    assert_client(&[One::new(701, "curl"), script], &[701, OWN]);
}

#[test]
fn what_a_persons_own_processes_are_below_is_no_client() {
    let client = One::new(701, "client");
    let (host, window) = (One::new(701, "code --type=extensionHost"), One::new(OWN, "code"));
    assert_client(&[client.clone(), One::new(OWN, "gnome-shell").detached()], &[701]);
    assert_client(&[client.clone(), One::new(900, "systemd").group(900)], &[701]);
    assert_client(&[client.clone(), One::new(1, "s6-svscan").group(1)], &[701]);
    assert_client(&[One::new(1, "s6-svscan").group(1)], &[]);
    assert_client(&[host, window], &[]);
}

// In a container nothing else may be above what the client starts.
#[test]
fn a_client_that_is_the_first_process_is_the_client() {
    let first = One::new(1, "client");
    let words = ["mcp".to_owned()];
    let line = |_: &Process| vec!["client".to_owned()];
    let chain = [Process { group: 1, ..first.0 }];
    let found = client_among(chain.clone().into_iter(), Some(1), &words, &line);
    assert_eq!(found, chain);
}

// A person may try the server in a shell, and goes on to answer there.
#[test]
fn a_persons_own_shell_is_no_client() {
    assert_client(&[shell()], &[]);
    assert_client(&[One::new(703, "sh -c bailiwick mcp"), shell()], &[703]);
    // One that runs what it is told, and gives it no group of its own, is nobody's who types.
    assert_client(&[One::new(OWN, "sh"), shell()], &[OWN]);
    assert_client(&[One::new(40, "sh -c ./client").group(40)], &[40]);
}
