//! One frame: a head that says how many bytes come, and these bytes. Looked at before anything is allocated for it.

use std::io::{self, BufRead, Read};

/// The largest frame that an editor may send, in bytes.
pub const MAX_FRAME: u64 = 8 << 20;

/// The longest head, in bytes.
const MAX_HEAD: u64 = 4096;

/// Why there is no next frame; where the one after it begins is not known then.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The head is none.
    #[error("a message begins with `Content-Length: N` and an empty line")]
    Head,
    /// The message is too large.
    #[error("a message has {0} bytes; at most {MAX_FRAME} are read")]
    TooLarge(u64),
    /// It ended in the middle.
    #[error("the input ended inside a message")]
    Cut,
    /// The input failed.
    #[error("the input cannot be read: {0}")]
    Input(#[from] io::Error),
}

/// The next message; `None` at the end of the input.
///
/// # Errors
/// It is no frame, or too large.
pub fn read_frame(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, FrameError> {
    let Some(length) = read_head(input)? else { return Ok(None) };
    if length > MAX_FRAME {
        return Err(FrameError::TooLarge(length));
    }
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if body.len() as u64 == length { Ok(Some(body)) } else { Err(FrameError::Cut) }
}

fn read_head(input: &mut impl BufRead) -> Result<Option<u64>, FrameError> {
    let mut left = input.take(MAX_HEAD);
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = left.read_until(b'\n', &mut line)?;
        let is_first = length.is_none() && left.limit() + read as u64 == MAX_HEAD;
        match line.strip_suffix(b"\r\n") {
            None if line.is_empty() && is_first => return Ok(None),
            None => return Err(FrameError::Head),
            Some([]) => return length.map(Some).ok_or(FrameError::Head),
            Some(header) => {
                let header = str::from_utf8(header).map_err(|_| FrameError::Head)?;
                let (name, value) = header.split_once(':').ok_or(FrameError::Head)?;
                if name.eq_ignore_ascii_case("content-length") {
                    let given = number(value.trim()).ok_or(FrameError::Head)?;
                    if length.replace(given).is_some() {
                        return Err(FrameError::Head);
                    }
                }
            }
        }
    }
}

/// Digits and nothing else; a number that has no end is as large as they come.
fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Vec<u8>>, FrameError> {
        read_frame(&mut text.as_bytes())
    }

    // K-12
    #[test]
    fn req_124_a_frame_is_read_and_the_next_one_after_it() {
        let mut input = &b"Content-Length: 2\r\n\r\n{}content-length:3\r\nX: y\r\n\r\nabc"[..];
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), b"{}");
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), b"abc");
        assert!(read_frame(&mut input).unwrap().is_none());
    }

    // threat: hostile frames cost nothing
    #[test]
    fn req_124_a_hostile_frame_is_refused_before_its_bytes_are_kept() {
        for (text, why) in [
            ("Content-Length: 99999999999\r\n\r\n", "bytes"),
            ("Content-Length: 99999999999999999999999999\r\n\r\n", "bytes"),
            ("Content-Length: -1\r\n\r\n", "begins"),
            ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "begins"),
            ("Content-Length: 5\r\n\r\n{}", "ended"),
            ("\r\n{}", "begins"),
            ("{\"jsonrpc\":\"2.0\"}\n", "begins"),
            ("Content-Length: 2\n\n{}", "begins"),
            ("Content-Length: 2\r\n", "begins"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text:?}: {error}");
        }
        assert!(read(&format!("X: {}\r\n\r\n", "y".repeat(1 << 20))).is_err());
    }
}
