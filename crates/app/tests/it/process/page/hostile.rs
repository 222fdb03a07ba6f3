//! Requests that answer nothing: each is an approval that would count but for one thing, and beside each stands the
//! same approval as the person sends it, which counts.

use bailiwick_domain::{Value, json};

use super::client::{Answer, Ask, Opened, field};
use crate::process::machine::Machine;

/// One thing that is wrong with an approval.
type Wrong = (&'static str, fn(&Opened, Ask) -> Ask);

fn host(page: &Opened, ask: Ask, text: &str) -> Ask {
    ask.with("Host", &text.replace("PORT", &page.port.to_string()))
}

fn said(ask: Ask, change: impl FnOnce(&mut Value)) -> Ask {
    let mut action: Value = serde_json::from_str(&ask.body).unwrap();
    change(&mut action);
    ask.saying(&action.to_string())
}

/// Who asks.
const STRANGERS: &[Wrong] = &[
    ("no cookie", |_, ask| ask.without("Cookie")),
    ("an empty cookie", |_, ask| ask.with("Cookie", "")),
    ("a wrong cookie", |page, ask| {
        ask.with("Cookie", &format!("bailiwick-{}={}", page.port, "A".repeat(43)))
    }),
    ("a cookie that is cut", |page, ask| ask.with("Cookie", page.cookie.split_at(page.cookie.len() - 1).0)),
    ("the cookie under another name", |page, ask| {
        ask.with("Cookie", &page.cookie.replace("bailiwick-", "x-"))
    }),
    ("the page's secret as the cookie", |page, ask| {
        ask.with("Cookie", &format!("bailiwick-{}={}", page.port, page.secret))
    }),
    ("the cookie alone, as another port's program sees it", |_, ask| ask.without("X-Bailiwick-Page")),
    ("a wrong secret of the page", |_, ask| ask.with("X-Bailiwick-Page", &"A".repeat(43))),
    ("the secret twice", |page, ask| ask.and("X-Bailiwick-Page", &page.secret)),
    ("the link's token as both", |page, ask| {
        ask.with("Cookie", &format!("bailiwick-{}={}", page.port, page.token))
            .with("X-Bailiwick-Page", &page.token)
    }),
    ("the secrets in the address", |page, ask| {
        let target = format!("/api/do?cookie={}&page={}", page.cookie, page.secret);
        ask.without("Cookie").without("X-Bailiwick-Page").to(&target)
    }),
];

/// By which name it was reached.
const HOSTS: &[Wrong] = &[
    ("another name", |page, ask| host(page, ask, "evil.example:PORT")),
    ("localhost", |page, ask| host(page, ask, "localhost:PORT")),
    ("the address without its name", |page, ask| host(page, ask, "127.0.0.1:PORT")),
    ("the name of another run", |page, ask| {
        host(page, ask, "0123456789abcdef0123456789abcdef.localhost:PORT")
    }),
    ("no port", |page, ask| host(page, ask, "127.0.0.1")),
    ("another port", |page, ask| host(page, ask, "127.0.0.1:1")),
    ("IPv6", |page, ask| host(page, ask, "[::1]:PORT")),
    ("IPv4 in IPv6", |page, ask| host(page, ask, "[::ffff:127.0.0.1]:PORT")),
    ("a number", |page, ask| host(page, ask, "2130706433:PORT")),
    ("a short form", |page, ask| host(page, ask, "127.1:PORT")),
    ("a dot behind", |page, ask| host(page, ask, "127.0.0.1.:PORT")),
    ("a name before", |page, ask| host(page, ask, "127.0.0.1:PORT@evil.example")),
    ("a name that begins so", |page, ask| host(page, ask, "127.0.0.1.evil.example:PORT")),
    ("two in one line", |page, ask| host(page, ask, "127.0.0.1:PORT, evil.example")),
    ("no host", |_, ask| ask.without("Host")),
    ("the host twice", |page, ask| ask.and("Host", &page.host)),
    ("another host as well", |_, ask| ask.and("Host", "evil.example")),
    ("a forwarded name", |page, ask| host(page, ask, "evil.example").and("X-Forwarded-Host", &page.host)),
    ("an absolute address", |_, ask| ask.to("http://evil.example/api/do")),
    ("our own absolute address", |page, ask| ask.to(&format!("http://{}/api/do", page.host))),
];

/// From which page.
const ORIGINS: &[Wrong] = &[
    ("another origin", |_, ask| ask.with("Origin", "https://evil.example")),
    ("the null origin", |_, ask| ask.with("Origin", "null")),
    ("no origin", |_, ask| ask.without("Origin")),
    ("no origin but a referrer", |page, ask| {
        ask.without("Origin").and("Referer", &format!("http://{}/", page.host))
    }),
    ("another port of this machine", |_, ask| ask.with("Origin", "http://127.0.0.1:3000")),
    ("another scheme", |page, ask| ask.with("Origin", &format!("https://{}", page.host))),
    ("localhost as the origin", |page, ask| ask.with("Origin", &format!("http://localhost:{}", page.port))),
    ("an origin that begins so", |page, ask| {
        ask.with("Origin", &format!("http://{}.evil.example", page.host))
    }),
    ("two origins", |_, ask| ask.and("Origin", "https://evil.example")),
    ("from another site", |_, ask| ask.with("Sec-Fetch-Site", "cross-site")),
    ("from the same site, another port", |_, ask| ask.with("Sec-Fetch-Site", "same-site")),
    ("typed into the address bar", |_, ask| ask.with("Sec-Fetch-Site", "none")),
];

/// In which form.
const FORMS: &[Wrong] = &[
    ("a form as text", |_, ask| ask.with("Content-Type", "text/plain")),
    ("a form", |_, ask| ask.with("Content-Type", "application/x-www-form-urlencoded")),
    ("a form of parts", |_, ask| ask.with("Content-Type", "multipart/form-data; boundary=x")),
    ("no type", |_, ask| ask.without("Content-Type")),
    ("two types", |_, ask| ask.and("Content-Type", "text/plain")),
    ("get", |_, ask| ask.by("GET")),
    ("get in the address", |_, ask| {
        let target = format!("/api/do?action={}", ask.body.replace('"', "%22").replace(' ', ""));
        let mut ask = ask.by("GET").without("Content-Length").to(&target);
        ask.body.clear();
        ask
    }),
    ("get that claims to be a post", |_, ask| ask.by("GET").and("X-HTTP-Method-Override", "POST")),
    ("put", |_, ask| ask.by("PUT")),
    ("delete", |_, ask| ask.by("DELETE")),
    ("patch", |_, ask| ask.by("PATCH")),
    ("head", |_, ask| ask.by("HEAD")),
    ("options", |_, ask| ask.by("OPTIONS").and("Access-Control-Request-Method", "POST")),
    ("trace", |_, ask| ask.by("TRACE")),
    ("connect", |page, ask| {
        let target = format!("127.0.0.1:{}", page.port);
        ask.by("CONNECT").to(&target)
    }),
    ("a method in lower case", |_, ask| ask.by("post")),
    ("a web socket", |_, ask| {
        ask.with("Connection", "Upgrade")
            .and("Upgrade", "websocket")
            .and("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
    }),
    ("another protocol", |_, ask| {
        ask.with("Connection", "Upgrade, HTTP2-Settings, close").and("Upgrade", "h2c")
    }),
    ("an old protocol without a host", |_, ask| {
        let ask = ask.without("Host");
        Ask { version: "HTTP/1.0", ..ask }
    }),
];

/// With which body.
const BODIES: &[Wrong] = &[
    ("in chunks", |_, ask| {
        let body = format!("{:x}\r\n{}\r\n0\r\n\r\n", ask.body.len(), ask.body);
        let mut ask = ask.without("Content-Length").and("Transfer-Encoding", "chunked");
        ask.body = body;
        ask
    }),
    ("in chunks and with a length", |_, ask| {
        let body = format!("{:x}\r\n{}\r\n0\r\n\r\n", ask.body.len(), ask.body);
        let mut ask = ask.and("Transfer-Encoding", "chunked");
        ask.body = body;
        ask
    }),
    ("two lengths", |_, ask| ask.and("Content-Length", "2")),
    ("a length with a sign", |_, ask| {
        let length = format!("+{}", ask.body.len());
        ask.with("Content-Length", &length)
    }),
    ("no length", |_, ask| ask.without("Content-Length")),
    ("too long", |_, ask| {
        let body = format!("{}{}", ask.body, " ".repeat(300_000));
        ask.saying(&body)
    }),
    ("a length that is too long", |_, ask| ask.with("Content-Length", "99999999999999")),
    ("compressed", |_, ask| ask.and("Content-Encoding", "gzip")),
    ("a header that is too long", |_, ask| ask.and("X-Long", &"a".repeat(40_000))),
    ("too many headers", |_, ask| (0..200).fold(ask, |ask, at| ask.and(&format!("X-{at}"), "a"))),
    ("a header over two lines", |_, ask| ask.and("X-Folded", "a\r\n b")),
    ("no json", |_, ask| ask.saying("do=approve")),
    ("nothing", |_, ask| ask.saying("")),
    ("a list", |_, ask| {
        let body = format!("[{}]", ask.body);
        ask.saying(&body)
    }),
    ("a field too many", |_, ask| said(ask, |action| action["admin"] = json!(true))),
    ("a field twice", |_, ask| {
        let body = ask.body.replacen('{', "{\"id\":\"ap-00000000\",", 1);
        ask.saying(&body)
    }),
    ("deep json", |_, ask| {
        let body = "[".repeat(100_000);
        ask.saying(&body)
    }),
];

/// To which place.
const PLACES: &[Wrong] = &[
    ("above and down again", |_, ask| ask.to("/api/../api/do")),
    ("two slashes", |_, ask| ask.to("//api/do")),
    ("a slash behind", |_, ask| ask.to("/api/do/")),
    ("upper case", |_, ask| ask.to("/API/DO")),
    ("escaped", |_, ask| ask.to("/api/%64o")),
    ("backslashes", |_, ask| ask.to("\\api\\do")),
    ("a nul", |_, ask| ask.to("/api/do%00")),
    ("the page itself", |_, ask| ask.to("/")),
    ("everything", |_, ask| ask.to("*")),
];

/// About what.
const ABOUT: &[Wrong] = &[
    ("another request", |_, ask| said(ask, |action| action["id"] = json!("ap-00000000"))),
    ("a file of the queue", |_, ask| said(ask, |action| action["id"] = json!("../../config"))),
    ("another fingerprint", |_, ask| {
        said(ask, |action| action["fingerprint"] = json!(format!("sha256:{}", "0".repeat(64))))
    }),
    ("no fingerprint", |_, ask| {
        said(ask, |action| drop(action.as_object_mut().unwrap().remove("fingerprint")))
    }),
    ("an empty fingerprint", |_, ask| said(ask, |action| action["fingerprint"] = json!(""))),
    ("an answer that there is not", |_, ask| said(ask, |action| action["do"] = json!("approve_all"))),
    ("something to take back that there is not", |_, ask| {
        said(ask, |action| *action = json!({"do": "take_back", "entry": "ap-1", "shown": "sha256:0"}))
    }),
    ("a grant that was not offered so", |_, ask| {
        said(ask, |action| {
            action["do"] = json!("grant");
            action["bounds"] = json!({"files": 1, "lines": 1, "lines_per_call": 1, "calls": 1, "minutes": 1, "paths": ["src/core/"]});
        })
    }),
    ("a command that it does not have", |_, ask| {
        said(ask, |action| {
            action["do"] = json!("allow");
            action["command"] = json!("rm -rf /");
        })
    }),
    ("a draft that it does not have", |_, ask| {
        said(ask, |action| {
            action["do"] = json!("amend");
            action["text"] = json!("name: other\n");
            action["shown"] = json!("");
        })
    }),
];

/// Sends each wrong approval to a request of its own, and then the right one.
fn each_answers_nothing_and_the_person_can(all: &[Wrong]) {
    let machine = Machine::selected();
    let page = Opened::new(&machine);
    for (number, (name, wrong)) in all.iter().enumerate() {
        let path = format!("src/auth/f{number}.rs");
        machine.pending(&path, &path);
        let request = page.request_for(&path);
        let right = json!({"do": "approve", "id": request["id"], "fingerprint": request["fingerprint"]});
        let ask = Ask::post(&page, "/api/do", &right);
        let answer = page.send(&wrong(&page, ask.clone()));
        assert!(has_refused(&answer), "{name}: {answer:?}");
        let id = field(&request, "id");
        let open = open_requests(&machine);
        assert!(open.iter().any(|open| open["id"] == id), "{name}: answered");
        let answer = page.send(&ask);
        assert_eq!((answer.status, &answer.json()["is"]), (200, &json!("done")), "{name}: {answer:?}");
        assert!(open_requests(&machine).iter().all(|open| open["id"] != id), "{name}");
        // Once more, as somebody would who heard it: the queue takes one answer.
        let again = page.send(&ask);
        assert!(has_refused(&again), "{name}: {again:?}");
    }
}

/// The open requests, asked without being a surface that a hook waits for.
fn open_requests(machine: &Machine) -> Vec<Value> {
    let list = crate::world::json(&machine.world.ok(&["watch", "--once", "--json"]));
    list["approvals"].as_array().unwrap().clone()
}

/// Refused by the server, or by what the request is about.
fn has_refused(answer: &Answer) -> bool {
    answer.status != 200 || answer.json()["is"] == "refused"
}

// K-42, D-16
#[test]
fn strangers_answer_nothing() {
    each_answers_nothing_and_the_person_can(STRANGERS);
}

// K-42: no other name leads here
#[test]
fn another_host_s_name_answers_nothing() {
    each_answers_nothing_and_the_person_can(HOSTS);
}

// K-42
#[test]
fn other_origins_answer_nothing() {
    each_answers_nothing_and_the_person_can(ORIGINS);
}

// K-42
#[test]
fn other_forms_answer_nothing() {
    each_answers_nothing_and_the_person_can(FORMS);
}

// K-42
#[test]
fn odd_bodies_answer_nothing() {
    each_answers_nothing_and_the_person_can(BODIES);
}

// K-42
#[test]
fn other_places_answer_nothing() {
    each_answers_nothing_and_the_person_can(PLACES);
}

// K-42, D-17: an answer is to one request as it was shown
#[test]
fn answers_about_something_else_answer_nothing() {
    each_answers_nothing_and_the_person_can(ABOUT);
}

// K-42: a request behind a refused one is not read
#[test]
fn nothing_is_smuggled_behind_a_refused_request() {
    let machine = Machine::selected();
    let page = Opened::new(&machine);
    machine.pending("w1", "src/auth/new.rs");
    let request = page.request_for("src/auth/new.rs");
    let right = json!({"do": "approve", "id": request["id"], "fingerprint": request["fingerprint"]});
    let ask = Ask::post(&page, "/api/do", &right);
    let inner = String::from_utf8(ask.bytes()).unwrap();
    for outer in [
        Ask::file(&page, "/")
            .without("Connection")
            .and("Content-Length", "0")
            .and("Transfer-Encoding", "chunked"),
        Ask::post(&page, "/api/do", &right).without("Connection").with("Content-Type", "text/plain"),
        Ask::file(&page, "/nothing").without("Connection"),
    ] {
        let mut bytes = outer.bytes();
        bytes.extend(inner.as_bytes());
        let answer = page.send_bytes(&bytes);
        assert_ne!(answer.status, 200, "{answer:?}");
        assert!(!answer.body.contains("HTTP/1.1"), "two answers: {answer:?}");
    }
    assert_eq!(open_requests(&machine).len(), 1);
    assert_eq!(page.act(&right)["is"], "done");
}

// K-42: half a request answers nothing
#[test]
fn half_a_body_answers_nothing() {
    use std::io::Write as _;
    let machine = Machine::selected();
    let page = Opened::new(&machine);
    machine.pending("w1", "src/auth/new.rs");
    let request = page.request_for("src/auth/new.rs");
    let right = json!({"do": "approve", "id": request["id"], "fingerprint": request["fingerprint"]});
    let bytes = Ask::post(&page, "/api/do", &right).bytes();
    let mut stream = page.connect();
    stream.write_all(&bytes[..bytes.len() - 1]).unwrap();
    drop(stream);
    assert_eq!(open_requests(&machine).len(), 1);
    assert_eq!(page.act(&right)["is"], "done");
}

// K-42: a link opens the page once; the one before a new one opens nothing
#[test]
fn used_and_replaced_links_open_nothing() {
    let machine = Machine::selected();
    let mut page = Opened::new(&machine);
    assert_eq!(page.send(&Ask::open(&page)).status, 401, "used");
    let used = page.token.clone();
    page.press("\n");
    page.next_link();
    let replaced = page.token.clone();
    page.press("\n");
    page.next_link();
    for token in [used.as_str(), &replaced, "", "A"] {
        let ask = Ask::open(&page).with("X-Bailiwick-Link", token);
        assert_eq!(page.send(&ask).status, 401, "{token}");
    }
    for wrong in [
        Ask::open(&page).with("Origin", "https://evil.example"),
        Ask::open(&page).with("Host", "evil.example"),
        Ask::open(&page).by("GET"),
        Ask::file(&page, &format!("/?token={}", page.token)).by("POST"),
    ] {
        assert_ne!(page.send(&wrong).status, 200, "{wrong:?}");
    }
    assert_eq!(page.send(&Ask::open(&page)).status, 200, "the person can");
}
