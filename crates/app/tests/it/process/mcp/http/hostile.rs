//! Requests over HTTP that are refused: each is an honest one but for one thing, and beside each stands the honest one,
//! which is answered.

use bailiwick_domain::json;

use super::client::{Served, said};
use crate::process::asking::{Answer, Ask, connect, sent};
use crate::process::machine::Machine;

/// One thing that is wrong with a request, and the status that it gets.
type Wrong = (&'static str, u16, fn(&Served, Ask) -> Ask);

fn host(served: &Served, ask: Ask, text: &str) -> Ask {
    ask.with("Host", &text.replace("PORT", &served.port.to_string()))
}

fn origin(served: &Served, ask: Ask, text: &str) -> Ask {
    ask.with("Origin", &text.replace("PORT", &served.port.to_string()))
}

/// Who asks.
const STRANGERS: &[Wrong] = &[
    ("no token", 401, |_, ask| ask.without("Authorization")),
    ("an empty token", 401, |_, ask| ask.with("Authorization", "Bearer ")),
    ("a wrong token", 401, |_, ask| ask.with("Authorization", &format!("Bearer {}", "A".repeat(43)))),
    ("a token that is cut", 401, |served, ask| {
        ask.with("Authorization", &format!("Bearer {}", served.token.split_at(42).0))
    }),
    ("a token that is longer", 401, |served, ask| {
        ask.with("Authorization", &format!("Bearer {}A", served.token))
    }),
    ("the token twice", 401, |served, ask| ask.and("Authorization", &format!("Bearer {}", served.token))),
    ("the token alone", 401, |served, ask| ask.with("Authorization", &served.token)),
    ("another scheme", 401, |served, ask| ask.with("Authorization", &format!("Basic {}", served.token))),
    ("the token in the address", 401, |served, ask| {
        ask.without("Authorization").to(&format!("/mcp?access_token={}", served.token))
    }),
    ("the token as a cookie", 401, |served, ask| {
        ask.without("Authorization").and("Cookie", &format!("token={}", served.token))
    }),
];

/// By which name it was reached, and from where.
const PLACES: &[Wrong] = &[
    ("another name", 421, |served, ask| host(served, ask, "evil.example:PORT")),
    ("no port", 421, |served, ask| host(served, ask, "127.0.0.1")),
    ("another port", 421, |served, ask| host(served, ask, "127.0.0.1:1")),
    ("a short form", 421, |served, ask| host(served, ask, "127.1:PORT")),
    ("two names", 421, |_, ask| ask.and("Host", "evil.example")),
    ("no name", 421, |_, ask| ask.without("Host")),
    ("through a proxy", 400, |served, ask| ask.to(&format!("http://127.0.0.1:{}/mcp", served.port))),
    ("another origin", 403, |served, ask| origin(served, ask, "http://evil.example")),
    ("an origin that is hidden", 403, |served, ask| origin(served, ask, "null")),
    ("another port's origin", 403, |served, ask| origin(served, ask, "http://127.0.0.1:1")),
    ("another scheme's origin", 403, |served, ask| origin(served, ask, "https://127.0.0.1:PORT")),
    ("an origin that begins like ours", 403, |served, ask| {
        origin(served, ask, "http://127.0.0.1:PORT.evil.example")
    }),
    ("another path", 404, |_, ask| ask.to("/")),
    ("a path below", 404, |_, ask| ask.to("/mcp/more")),
    ("another protocol", 400, |_, ask| ask.and("Upgrade", "websocket")),
];

/// What is asked, and in which form.
const FORMS: &[Wrong] = &[
    ("PUT", 405, |_, ask| ask.by("PUT")),
    ("OPTIONS", 405, |_, ask| ask.by("OPTIONS")),
    ("an unknown method", 405, |_, ask| ask.by("WRITE")),
    ("no session", 400, |_, ask| ask.without("Mcp-Session-Id")),
    ("an unknown session", 404, |_, ask| ask.with("Mcp-Session-Id", "00000000-0000-4000-8000-000000000000")),
    ("GET that takes no events", 406, |_, ask| ask.by("GET").saying("").with("Accept", "application/json")),
    ("a request that takes no events", 406, |_, ask| ask.with("Accept", "application/json")),
    ("a form", 415, |_, ask| ask.with("Content-Type", "application/x-www-form-urlencoded")),
    ("no JSON", 400, |_, ask| ask.saying("{")),
    ("nothing", 415, |_, ask| ask.saying("")),
    ("a batch", 400, |_, ask| {
        let batch = format!("[{}]", ask.body);
        ask.saying(&batch)
    }),
    ("no message", 400, |_, ask| ask.saying("{\"jsonrpc\": \"2.0\", \"id\": 7}")),
    ("a version without sessions", 400, |_, ask| ask.with("MCP-Protocol-Version", "2026-07-28")),
    ("an unknown version", 400, |_, ask| ask.with("MCP-Protocol-Version", "1999-01-01")),
    ("a body over the limit", 413, |_, ask| ask.with("Content-Length", &(5 << 20).to_string())),
];

#[track_caller]
fn assert_refused(wrongs: &[Wrong]) {
    let machine = Machine::new();
    let served = Served::new(&machine);
    let session = served.session();
    let honest = || served.call(&session, "read_file", &json!({"path": "src/auth/login.rs"}));
    for (name, status, change) in wrongs {
        let refused = served.send(&change(&served, honest()));
        assert_eq!(refused.status, *status, "{name}: {refused:?}");
        assert!(!refused.body.contains("pub fn login"), "{name}: {refused:?}");
        assert_eq!(said(&served.send(&honest()))["text"], "pub fn login() {}\n", "{name}: the honest one");
    }
    served.interrupt();
}

// D-39, K-42: only who has the token
#[test]
fn strangers_are_not_answered() {
    assert_refused(STRANGERS);
}

// D-39: no name that is bound to this address, and no website
#[test]
fn other_names_and_origins_are_not_answered() {
    assert_refused(PLACES);
}

// D-39, K-42: limits before work
#[test]
fn other_forms_are_not_answered() {
    assert_refused(FORMS);
}

// D-39: a session is over when it has ended, and each server has its own
#[test]
fn sessions_that_ended_or_are_elsewhere_are_not_answered() {
    let (machine, elsewhere) = (Machine::new(), Machine::new());
    let (served, other) = (Served::new(&machine), Served::new(&elsewhere));
    assert_ne!(served.token, other.token);
    let (session, others) = (served.session(), other.session());
    let reads = |session: &str| {
        served.send(&served.call(session, "read_file", &json!({"path": "src/auth/login.rs"})))
    };
    assert_eq!(reads(&others).status, 404);
    let with_others = served.listen(&session).with("Authorization", &format!("Bearer {}", other.token));
    assert_eq!(served.send(&with_others).status, 401);
    assert_eq!(said(&reads(&session))["text"], "pub fn login() {}\n");
    assert_eq!(served.send(&served.end(&session)).status, 202);
    assert_eq!(reads(&session).status, 404);
    assert_eq!(served.send(&served.listen(&session)).status, 404);
    assert_eq!(said(&reads(&served.session()))["text"], "pub fn login() {}\n");
    served.interrupt();
    other.interrupt();
}

// D-39: a client that never ends its sessions shuts out nobody, and sessions that are used stay
#[test]
fn a_further_session_ends_the_one_that_is_idle_for_the_longest() {
    let machine = Machine::new();
    let served = Served::new(&machine);
    let reads = |session: &str| served.call(session, "read_file", &json!({"path": "src/auth/login.rs"}));
    let is_open = |session: &str| served.send(&reads(session)).status == 200;
    let sessions: Vec<String> = (0..32).map(|_| served.session()).collect();
    assert!(is_open(&sessions[0]) && is_open(&sessions[31]));
    let further = served.session();
    assert_eq!(served.send(&reads(&sessions[1])).status, 404);
    assert!([&sessions[0], &sessions[2], &sessions[31], &further].iter().all(|session| is_open(session)));
    served.interrupt();
}

// D-39: what follows a refused request in its connection is not taken for one
#[test]
fn nothing_is_smuggled_behind_a_refused_request() {
    let machine = Machine::new();
    let served = Served::new(&machine);
    let honest = Ask { version: "HTTP/1.1", ..served.begin() };
    let answers = |first: Ask| -> (Answer, usize) {
        let bytes = [first.bytes(), honest.bytes()].concat();
        let answer = sent(connect(served.port), &bytes);
        let count = answer.body.matches("HTTP/1.1 ").count();
        (answer, count)
    };
    let stranger =
        Ask { version: "HTTP/1.1", ..served.begin().without("Authorization").without("Connection") };
    let (answer, further) = answers(stranger);
    assert_eq!((answer.status, further), (401, 0), "{answer:?}");
    let kept = Ask { version: "HTTP/1.1", ..served.begin().without("Connection") };
    let (answer, further) = answers(kept);
    assert_eq!((answer.status, further), (200, 1), "two honest requests have two answers: {answer:?}");
    served.interrupt();
}
