//! A page that a person opened, and requests as bytes: honest ones, which a test may change before they are sent.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Mutex;

use bailiwick_domain::{Value, json};

pub(super) use crate::process::asking::{Answer, Ask};
use crate::process::asking::{PATIENCE, sent};
use crate::process::machine::Machine;

/// The page of a machine, with the secrets that its link was exchanged for.
pub(super) struct Opened {
    terminal: Child,
    typed: Mutex<Option<ChildStdin>>,
    printed: Mutex<BufReader<ChildStdout>>,
    /// The name and port of this run.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) token: String,
    pub(super) cookie: String,
    pub(super) secret: String,
}

impl Opened {
    /// Starts the page at a person's terminal and opens its link.
    pub(super) fn new(machine: &Machine) -> Self {
        let mut command = machine.terminal(&["watch", "--web", "--color", "never"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut terminal = command.spawn().unwrap();
        let mut page = Self {
            typed: Mutex::new(terminal.stdin.take()),
            printed: Mutex::new(BufReader::new(terminal.stdout.take().unwrap())),
            terminal,
            host: String::new(),
            port: 0,
            token: String::new(),
            cookie: String::new(),
            secret: String::new(),
        };
        page.open_link();
        page
    }

    /// Asks the terminal for another link, and opens it.
    pub(super) fn open_again(&mut self) {
        self.press("\n");
        self.open_link();
    }

    pub(super) fn press(&self, keys: &str) {
        self.typed.lock().unwrap().as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// Takes the next link from the terminal, without opening it.
    pub(super) fn next_link(&mut self) {
        let line = self.says("http://");
        let link = line.trim().strip_prefix("http://").unwrap().to_owned();
        let (host, token) = link.split_once("/#").unwrap();
        let (name, port) = host.split_once(".localhost:").unwrap();
        assert!(name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit()), "{host}");
        (self.port, self.host, self.token) = (port.parse().unwrap(), host.to_owned(), token.to_owned());
    }

    fn open_link(&mut self) {
        self.next_link();
        let answer = self.send(&Ask::open(self));
        assert_eq!(answer.status, 200, "{answer:?}");
        let cookie = answer.header("set-cookie").to_owned();
        for part in ["HttpOnly", "SameSite=Strict", "Path=/api"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        self.cookie = cookie.split(';').next().unwrap().to_owned();
        self.secret = answer.json()["page"].as_str().unwrap().to_owned();
    }

    pub(super) fn seat(&self) -> (String, String) {
        (self.cookie.clone(), self.secret.clone())
    }

    pub(super) fn sit(&mut self, seat: (String, String)) {
        (self.cookie, self.secret) = seat;
    }

    /// The next line of the terminal that holds this text.
    pub(super) fn says(&self, text: &str) -> String {
        let mut printed = self.printed.lock().unwrap();
        loop {
            let mut line = String::new();
            assert!(printed.read_line(&mut line).unwrap() > 0, "the terminal never said `{text}`");
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Sends a request and reads the whole answer.
    pub(super) fn send(&self, ask: &Ask) -> Answer {
        self.send_bytes(&ask.bytes())
    }

    /// Sends these bytes and reads until the server hangs up.
    pub(super) fn send_bytes(&self, bytes: &[u8]) -> Answer {
        sent(self.connect(), bytes)
    }

    pub(super) fn connect(&self) -> TcpStream {
        crate::process::asking::connect(self.port)
    }

    /// What the page is told when it shows this board.
    pub(super) fn look(&self, seen: u64, is_shown: bool) -> Answer {
        self.send(&Ask::post(self, "/api/look", &json!({"seen": seen, "shown": is_shown})))
    }

    /// A question for news of a page that is shown, held open until it is dropped.
    pub(super) fn hold(&self) -> TcpStream {
        let mut stream = self.connect();
        // No board has this number, so the first one answers at once: the second question waits.
        let number = self.look(0, true).json()["number"].as_u64().unwrap();
        let ask = Ask::post(self, "/api/look", &json!({"seen": number, "shown": true}));
        stream.write_all(&ask.bytes()).unwrap();
        stream
    }

    /// Waits until a request for this path is on the board, and gives it.
    pub(super) fn request_for(&self, path: &str) -> Value {
        let mut seen = 0;
        let started = std::time::Instant::now();
        loop {
            let told = self.look(seen, false).json();
            seen = told["number"].as_u64().unwrap();
            let requests = told["board"]["requests"].as_array().cloned().unwrap_or_default();
            let found = requests
                .into_iter()
                .find(|request| request["paths"][0].as_str().is_some_and(|at| at.contains(path)));
            if let Some(found) = found {
                return found;
            }
            assert!(started.elapsed() < PATIENCE, "{path} is not on the board: {told}");
        }
    }

    /// Does something as the page would, and gives what came of it.
    pub(super) fn act(&self, action: &Value) -> Value {
        let answer = self.send(&Ask::post(self, "/api/do", action));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    /// Ends the command as a person does.
    pub(super) fn quit(mut self) {
        self.press("q\n");
        let status = self.terminal.wait().unwrap();
        assert_eq!(status.code(), Some(0));
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // A terminal that is closed ends what runs there.
        drop(self.typed.lock().map(|mut typed| typed.take()));
        let _ = self.terminal.kill();
        let _ = self.terminal.wait();
    }
}

impl Ask {
    /// A request of the page itself.
    pub(super) fn post(page: &Opened, path: &str, body: &Value) -> Self {
        let mut ask = Self { method: "POST".to_owned(), body: body.to_string(), ..Self::file(page, path) };
        let length = ask.body.len().to_string();
        for (name, value) in [
            ("Origin", format!("http://{}", page.host)),
            ("Sec-Fetch-Site", "same-origin".to_owned()),
            ("Content-Type", "application/json".to_owned()),
            ("Content-Length", length),
            ("Cookie", page.cookie.clone()),
            ("X-Bailiwick-Page", page.secret.clone()),
        ] {
            ask.headers.push((name.to_owned(), value));
        }
        ask
    }

    /// The exchange of the last link.
    pub(super) fn open(page: &Opened) -> Self {
        Self::post(page, "/api/open", &json!({}))
            .with("X-Bailiwick-Link", &page.token)
            .without("Cookie")
            .without("X-Bailiwick-Page")
    }

    /// A file of the page.
    pub(super) fn file(page: &Opened, path: &str) -> Self {
        let headers = [("Host", page.host.clone()), ("Connection", "close".to_owned())];
        Self {
            method: "GET".to_owned(),
            target: path.to_owned(),
            version: "HTTP/1.1",
            headers: headers.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            body: String::new(),
        }
    }
}

/// A field of a request as text.
#[track_caller]
pub(super) fn field<'v>(request: &'v Value, name: &str) -> &'v str {
    request[name].as_str().unwrap()
}
