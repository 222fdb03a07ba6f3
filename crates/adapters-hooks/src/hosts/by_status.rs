//! Hosts whose hooks answer by exit status: 2 with a text on standard error refuses, and nothing else does. Their events get
//! the names that [`generic`](super::generic) knows, and its answers are theirs.

pub mod kiro;
pub mod windsurf;

use super::generic;
use crate::host::{Host, HostProfile, Spoken};
use crate::reply::Output;
use crate::settings::HookSettings;
use crate::version::Version;

/// The host's row, with its own settings, reading of events and probe.
pub(super) const fn host(profile: HostProfile, settings: &'static HookSettings, spoken: Reads) -> Host {
    let host = Host::speaking(
        profile,
        Spoken {
            parse: spoken.parse,
            render: generic::render,
            render_failure: generic::render_failure,
            version: |printed| printed.split_whitespace().find_map(Version::read),
            probe: spoken.probe,
            refusal,
        },
    );
    Host { settings: Some(settings), ..host }
}

/// What such a host says for itself.
pub(super) struct Reads {
    /// As in [`Host::parse`].
    pub(super) parse: fn(&[u8]) -> Result<crate::event::HostEvent, crate::event::ParseError>,
    /// As in [`Host::probe`].
    pub(super) probe: fn(&crate::host::Probe<'_>) -> Vec<u8>,
}

fn refusal(ended: &Output) -> Option<String> {
    (ended.exit_code == 2).then(|| ended.stderr.clone())
}
