//! Answers each request by its own deadline: a request that overruns is answered without waiting for it any longer, and
//! what comes of it later is dropped.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A request or an answer with its number.
type Numbered<T> = (u64, T);

/// Reads requests with `next`, and writes for each the answer of `answer`, or of `late` where that takes too long.
/// Requests are worked on one after the other; whether all were answered in time.
///
/// # Errors
/// Reading or writing failed.
pub(super) fn serve<I: BufRead, E>(
    mut input: I,
    mut out: impl Write,
    limit: Duration,
    next: impl Fn(&mut I, &mut Vec<u8>) -> Result<bool, E>,
    mut answer: impl FnMut(&[u8]) -> String + Send,
    late: impl Fn(&[u8]) -> String,
    written: impl Fn(std::io::Error) -> E,
) -> Result<(), E> {
    std::thread::scope(|scope| {
        let (ask, asked) = channel::<Numbered<Vec<u8>>>();
        let (say, said) = channel::<Numbered<String>>();
        scope.spawn(move || {
            for (number, line) in asked {
                if say.send((number, answer(&line))).is_err() {
                    return;
                }
            }
        });
        let mut line = Vec::new();
        let mut number = 0;
        while next(&mut input, &mut line)? {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            number += 1;
            let sent = ask.send((number, line.clone())).is_ok();
            let answer = sent.then(|| wait(&said, number, Instant::now() + limit)).flatten();
            let mut text = answer.unwrap_or_else(|| late(&line));
            text.push('\n');
            out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(&written)?;
        }
        Ok(())
    })
}

/// The answer of that number; `None` where it does not come in time.
fn wait(said: &Receiver<Numbered<String>>, number: u64, until: Instant) -> Option<String> {
    loop {
        match said.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok((of, text)) if of == number => return Some(text),
            // The late answer of a request before.
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::serve;

    // Time: a request that overruns is refused, and its late answer is nobody else's
    #[test]
    fn a_request_that_overruns_is_refused_and_the_next_one_gets_its_own_answer() {
        let (go_on, held) = channel::<()>();
        let (held, go_on) = (Mutex::new(held), Mutex::new(Some(go_on)));
        let mut out = Vec::new();
        let next = |input: &mut &[u8], line: &mut Vec<u8>| -> Result<bool, std::io::Error> {
            line.clear();
            Ok(std::io::BufRead::read_until(input, b'\n', line)? > 0)
        };
        let answer = |line: &[u8]| {
            if line.starts_with(b"slow") {
                let _ = held.lock().unwrap().recv();
            }
            format!("answer to {}", String::from_utf8_lossy(line).trim())
        };
        // The refusal lets the slow request go on, so that its answer comes late.
        let late = |line: &[u8]| {
            drop(go_on.lock().unwrap().take());
            format!("refused {}", String::from_utf8_lossy(line).trim())
        };
        let lines: &[u8] = b"one\nslow\ntwo\n\nthree\n";
        serve(lines, &mut out, Duration::from_secs(3), next, answer, late, |error| error).unwrap();
        let said = String::from_utf8(out).unwrap();
        assert_eq!(said, "answer to one\nrefused slow\nanswer to two\nanswer to three\n");
    }
}
