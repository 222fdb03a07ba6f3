//! How long is waited for either side, how much waits for it, and what each is told.

use bailiwick_domain::{Params, ToolError};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex};

use super::*;
use crate::proxy::Wanted;

/// Lets everything through.
#[derive(Debug)]
struct Easy;

impl Judge for Easy {
    fn server(&self) -> &str {
        "scripted"
    }

    fn judge(&self, _wanted: &Wanted, _stop: &Stop) -> Result<Ticket, ToolError> {
        Ok(Ticket(1))
    }

    fn own(&self, _name: &str, _params: Params, _stop: &Stop) -> Result<String, ToolError> {
        Ok(String::new())
    }

    fn ran(&self, _ticket: Ticket, _ok: bool) -> Result<(), ToolError> {
        Ok(())
    }

    fn not_run(&self, _ticket: Ticket) {}

    fn tell(&self, _text: &str) {}
}

/// A relay, and what the client and the server read.
fn relay() -> (Relay, DuplexStream, DuplexStream) {
    let (client, to_client) = duplex(1024);
    let (server, to_server) = duplex(1024);
    (Relay::new(Arc::new(Easy), to_client, to_server), client, server)
}

/// The answer to a call that was let through.
fn answer(relay: &Relay, id: i64, length: usize) -> Vec<u8> {
    relay.state().open.insert(Id::Number(id), Open::Called(Ticket(1)));
    let text = "x".repeat(length);
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"text\":\"{text}\"}}}}\n").into_bytes()
}

#[tokio::test(start_paused = true)]
async fn the_last_answers_reach_a_client_that_reads_slowly() {
    let (relay, client, _server) = relay();
    let said: Vec<u8> = (1..=20).flat_map(|id| answer(&relay, id, 50_000)).collect();
    let reads = tokio::spawn(async move {
        let (mut lines, mut read) = (BufReader::new(client).lines(), 0);
        while let Some(line) = lines.next_line().await.unwrap() {
            assert!(line.ends_with("\"}}"), "it is cut");
            tokio::time::sleep(Duration::from_secs(1)).await;
            read += 1;
        }
        read
    });
    relay.follow_server(&said[..], std::future::pending()).await;
    relay.over(&CancellationToken::new()).await;
    assert_eq!(reads.await.unwrap(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_has_left_keeps_nobody_waiting() {
    let (relay, _client, _server) = relay();
    let said: Vec<u8> = (1..=20).flat_map(|id| answer(&relay, id, 50_000)).collect();
    relay.follow_server(&said[..], std::future::pending()).await;
    let (begin, left) = (tokio::time::Instant::now(), CancellationToken::new());
    left.cancel();
    relay.over(&left).await;
    assert!(begin.elapsed() < Duration::from_secs(2));
}

#[tokio::test(start_paused = true)]
async fn a_server_is_over_also_where_its_output_is_held_open() {
    let (relay, client, _server) = relay();
    let mut lines = BufReader::new(client).lines();
    let (_held, output) = duplex(64);
    relay.open(&Id::Number(7), Open::Passed).unwrap();
    relay.follow_server(output, std::future::ready(())).await;
    relay.over(&CancellationToken::new()).await;
    let told = lines.next_line().await.unwrap().unwrap();
    assert!(told.contains("\"id\":7") && told.contains(SERVER_ENDED), "{told}");
    assert_eq!(relay.open(&Id::Number(8), Open::Passed), Err(SERVER_ENDED));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_has_closed_its_input_is_noticed() {
    let (relay, _client, server) = relay();
    drop(server);
    relay.to_server(b"{}");
    relay.server_is_deaf().await;
}

// limits
#[tokio::test(start_paused = true)]
async fn a_server_is_read_no_faster_than_the_client_reads() {
    let (relay, _client, _server) = relay();
    let (mut says, output) = duplex(1 << 16);
    let feeds = async {
        for id in 1..=24 {
            let line = answer(&relay, id, 4_000_000);
            says.write_all(&line).await.unwrap();
        }
    };
    tokio::select! {
        () = feeds => panic!("all of it waits for the client"),
        () = relay.follow_server(output, std::future::pending()) => panic!("the server is there"),
        () = tokio::time::sleep(Duration::from_secs(600)) => {}
    }
}

#[test]
fn a_server_is_told_why_it_may_not_ask() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _inside = runtime.enter();
    let (relay, _client, _server) = relay();
    let asks = |id: i64, method: &str| {
        let refusal = relay.ask_back(&Id::Number(id), method);
        refusal.map_err(|line| String::from_utf8(line).unwrap())
    };
    assert_eq!(asks(1, "roots/list"), Ok(()));
    let twice = asks(1, "roots/list").unwrap_err();
    assert!(twice.contains("\"id\":null") && twice.contains(IS_OPEN), "{twice}");
    assert!(asks(2, "tools/call").unwrap_err().contains("not passed on"));
    for id in 2..=256 {
        assert_eq!(asks(id, "roots/list"), Ok(()));
    }
    let full = asks(257, "roots/list").unwrap_err();
    assert!(full.contains("\"id\":257") && full.contains(TOO_MANY), "{full}");
}
