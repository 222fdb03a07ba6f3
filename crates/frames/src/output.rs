//! Where the lines for one side go: whole ones, from several tasks.

use core::fmt;
use std::sync::Arc;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;

type Pipe = Box<dyn AsyncWrite + Send + Unpin>;

/// The way to one side. Clones lead to the same.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Option<Pipe>>>);

impl Output {
    /// One that writes there.
    pub fn new(pipe: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::new(pipe)))))
    }

    /// Sends one line, without its end. A side that is gone is noticed by who reads from it.
    pub async fn send(&self, line: &[u8]) {
        let mut held = self.0.lock().await;
        if let Some(pipe) = held.as_mut() {
            let _ = pipe.write_all(line).await;
            let _ = pipe.write_all(b"\n").await;
            let _ = pipe.flush().await;
        }
    }

    /// Closes it: what comes later goes nowhere.
    pub async fn close(&self) {
        drop(self.0.lock().await.take());
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Output").finish_non_exhaustive()
    }
}
