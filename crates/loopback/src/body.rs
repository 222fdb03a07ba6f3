//! The body of a request, read within its limits.

use std::time::Duration;

use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body, Bytes};
use tokio::time::timeout;

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It did not come in time.
    Slow,
    /// It is longer than the limit, whatever its head said.
    TooLong,
    /// The connection broke, or what came is no body.
    Broken,
}

/// All of a body.
///
/// # Errors
/// It is longer than the limit, slower, or broken.
pub async fn whole<B>(body: B, limit: usize, within: Duration) -> Result<Bytes, Unread>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let read = timeout(within, Limited::new(body, limit).collect()).await.map_err(|_| Unread::Slow)?;
    read.map(http_body_util::Collected::to_bytes)
        .map_err(|error| if error.is::<LengthLimitError>() { Unread::TooLong } else { Unread::Broken })
}

#[cfg(test)]
mod tests {
    use http_body_util::{Full, channel::Channel};

    use super::*;

    // K-42: limits before work
    #[tokio::test(start_paused = true)]
    async fn a_body_that_never_comes_is_given_up() {
        let (_open, body) = Channel::<Bytes>::new(1);
        assert_eq!(whole(body, 16, Duration::from_secs(10)).await, Err(Unread::Slow));
    }

    // K-42: limits before work
    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_longer_than_it_said_is_not_read() {
        let body = |length: usize| Full::new(Bytes::from(vec![b' '; length]));
        assert_eq!(whole(body(17), 16, Duration::from_secs(10)).await, Err(Unread::TooLong));
        assert_eq!(whole(body(16), 16, Duration::from_secs(10)).await.map(|bytes| bytes.len()), Ok(16));
    }
}
