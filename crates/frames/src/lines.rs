//! Lines of a stream, none longer than a frame may be.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The longest line that is a frame, in bytes.
pub const LONGEST: usize = 4 * 1024 * 1024;

/// So much of the beginning and of the end of a longer line is kept, to find the id of the request.
const KEPT: usize = 1024;

/// The lines of a stream.
#[derive(Debug)]
pub struct Lines<R> {
    input: BufReader<R>,
    /// The longest line that is whole, in bytes.
    longest: usize,
    /// What came of a line; of one that is too long its beginning.
    line: Vec<u8>,
    /// The end of a line that is too long.
    end: Option<Vec<u8>>,
}

/// One line, without its end.
#[derive(Debug)]
pub enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// Its beginning and its end.
    TooLong(Vec<u8>, Vec<u8>),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most [`LONGEST`] bytes.
    pub fn new(input: R) -> Self {
        Self::within(LONGEST, input)
    }

    /// Lines of at most so many bytes.
    pub fn within(longest: usize, input: R) -> Self {
        Self { input: BufReader::new(input), longest, line: Vec::new(), end: None }
    }

    /// The next line; `None` at the end. Nothing of it is lost where this is dropped half-way. The last line needs no end.
    pub async fn next(&mut self) -> Option<Line> {
        loop {
            let available = self.input.fill_buf().await.ok().filter(|available| !available.is_empty());
            let Some(available) = available else {
                return if self.line.is_empty() { None } else { Some(self.taken()) };
            };
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            let taken = piece.len().saturating_add(usize::from(end.is_some()));
            keep(self.longest, &mut self.line, &mut self.end, piece);
            self.input.consume(taken);
            if end.is_some() {
                return Some(self.taken());
            }
        }
    }

    fn taken(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        match self.end.take() {
            Some(end) => Line::TooLong(line, end),
            None => Line::Whole(line),
        }
    }
}

/// Keeps a piece of a line, as much of it as is of use.
fn keep(longest: usize, line: &mut Vec<u8>, end: &mut Option<Vec<u8>>, piece: &[u8]) {
    match end {
        None if line.len().saturating_add(piece.len()) <= longest => line.extend_from_slice(piece),
        None => {
            line.extend_from_slice(piece.get(..KEPT).unwrap_or(piece));
            line.truncate(KEPT);
            line.shrink_to_fit();
            *end = Some(last(piece));
        }
        Some(end) => {
            end.extend_from_slice(&last(piece));
            *end = last(end);
        }
    }
}

fn last(bytes: &[u8]) -> Vec<u8> {
    bytes.get(bytes.len().saturating_sub(KEPT)..).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_line_needs_no_end() {
        let mut lines = Lines::within(4, &b"one\ntwo"[..]);
        for expected in ["one", "two"] {
            assert!(matches!(lines.next().await, Some(Line::Whole(line)) if line == expected.as_bytes()));
        }
        assert!(lines.next().await.is_none());
        let mut lines = Lines::within(2, &b"three"[..]);
        assert!(matches!(lines.next().await, Some(Line::TooLong(..))));
        assert!(lines.next().await.is_none());
    }
}
