//! Programs behind a proxy that do not read what they are sent.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::machine::{Machine, installed};

/// Far longer than any end takes.
const LONG: Duration = Duration::from_secs(60);

/// What more than fills the pipe of a program that does not read, and still goes into the one of who stands before it.
fn flood() -> String {
    let text = "z".repeat(20_000);
    let told =
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"message":"{text}"}}}}"#);
    format!("{told}\n").repeat(6)
}

/// How long it took to end.
#[track_caller]
fn ended(child: &mut Child) -> Duration {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > LONG {
            let _ = child.kill();
            panic!("it still runs after {LONG:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    begin.elapsed()
}

/// Starts a program that does not read behind these words, says all that to it, and goes; what came back.
#[track_caller]
fn left_alone(words: &[&str], says: &str) -> String {
    let machine = Machine::new();
    let sleep = installed("sleep").display().to_string();
    let root = machine.root().display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bailiwick"));
    command.args(["--root", &root]).args(words).args(["--", &sleep, "120"]).current_dir(&root).env_clear();
    command.env("HOME", machine.world.path("home")).env("PATH", machine.world.path("bin"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(says.as_bytes()).unwrap();
    drop(input);
    ended(&mut child);
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    said
}

const PROXY: [&str; 4] = ["mcp", "proxy", "--name", "deaf"];

#[test]
fn a_proxy_ends_with_its_client_also_before_a_server_that_does_not_read() {
    let says = flood() + "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/evil\"}\n";
    let said = left_alone(&PROXY, &says);
    assert!(said.contains("-32601"), "what the client asks is still heard: {said}");
}

#[test]
fn the_program_between_ends_with_its_editor_also_before_an_agent_that_does_not_read() {
    let said = left_alone(&["acp"], &(flood() + "no message\n"));
    assert!(said.contains("-32700"), "what the editor says is still heard: {said}");
}

#[test]
fn what_a_server_that_does_not_read_is_asked_too_much_is_refused() {
    let text = "z".repeat(4_000_000);
    let asks = |id: u32| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{"text":"{text}"}}}}"#) + "\n"
    };
    let said = left_alone(&PROXY, &(1..=18).map(asks).collect::<String>());
    let refused: Vec<&str> = said.lines().collect();
    assert!(!refused.is_empty(), "the last ones have no room");
    for line in refused {
        assert!(line.contains("does not read") && line.contains("-32"), "{line}");
    }
}
