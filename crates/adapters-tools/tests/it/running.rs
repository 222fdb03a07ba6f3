//! Commands: how they end, what is kept of their output, and that nothing of them stays.

use std::time::Duration;

use bailiwick_adapters_tools::{End, Order, Ran, run};

fn ran(command: &str, limit: Duration, is_stopped: &dyn Fn() -> bool) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    run(Order { command, folder: folder.path(), limit }, is_stopped).unwrap()
}

const LONG: Duration = Duration::from_secs(600);

#[test]
fn each_end_is_told_apart() {
    for (command, end) in [
        ("true", End::Exited(0)),
        ("exit 7", End::Exited(7)),
        ("kill -9 $$", End::Signal(9)),
        ("no-such-program-at-all 2>/dev/null", End::Exited(127)),
    ] {
        assert_eq!(ran(command, LONG, &|| false).end, end, "{command}");
    }
    assert_eq!(ran("sleep 1000", Duration::ZERO, &|| false).end, End::TimedOut);
    assert_eq!(ran("sleep 1000", LONG, &|| true).end, End::Stopped);
}

#[test]
fn a_command_reads_nothing_and_leads_a_group_of_its_own() {
    let told = ran("cat; ps -o pgid= -p $$ | tr -d ' '; echo $$", LONG, &|| false);
    let ids: Vec<&str> = told.output.lines().collect();
    assert!(matches!(ids.as_slice(), [group, own] if group == own), "{told:?}");
}

// A process that left the group may hold the output open for ever; nobody waits for it.
#[test]
fn output_that_is_held_open_keeps_nobody() {
    let told = ran(
        "setsid sh -c 'echo $$ > pid; sleep 1000' & while [ ! -s pid ]; do :; done; cat pid",
        LONG,
        &|| false,
    );
    assert_eq!(told.end, End::Exited(0));
    // The program `kill` would do it, but some read `-1234` as `-1`: every process of the machine.
    let group = told.output.trim().parse().ok().and_then(rustix::process::Pid::from_raw).unwrap();
    rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn output_keeps_its_two_ends_and_their_order() {
    let told = ran("echo a; echo b >&2; echo c", LONG, &|| false);
    assert_eq!((told.output.as_str(), told.left_out), ("a\nb\nc\n", 0));
    let told = ran("head -c 70000 /dev/zero | tr '\\0' x; echo end", LONG, &|| false);
    assert_eq!(told.left_out, 70_004 - 65_536);
    assert!(told.output.ends_with("xend\n") && told.output.contains("[… 4468 bytes left out …]"));
    let endless = ran("yes", Duration::from_millis(50), &|| false);
    assert!(endless.end == End::TimedOut && endless.output.len() < 70_000);
}
