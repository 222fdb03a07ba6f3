//! When the server ends: the system tells its process to.

/// Waits until the system tells the process to end.
#[cfg(unix)]
pub async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut ended), Ok(mut hung_up), Ok(mut interrupted)) =
        (signal(SignalKind::terminate()), signal(SignalKind::hangup()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = ended.recv() => {}
        _ = hung_up.recv() => {}
        _ = interrupted.recv() => {}
    }
}

/// Waits until the system tells the process to end.
#[cfg(not(unix))]
pub async fn told_to_end() {
    let _ = tokio::signal::ctrl_c().await;
}
