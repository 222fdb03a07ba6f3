//! How moments, ids and places are told to a person, and read back: local and relative times, short ids, paths from the
//! current directory. Programs read `--json`, which has all of them exact.

use std::path::Path;

use bailiwick_adapters_fs::normalise;
use bailiwick_domain::{Actor, Timestamp};
use jiff::tz::TimeZone;

use crate::command::{CommandError, Context};
use crate::site::Site;

/// How many characters of a long id are shown, and how many are enough to name one.
pub(crate) const SHORT: usize = 8;
pub(crate) const FEWEST: usize = 4;

/// A date and time that needs no today to be understood.
const DATED: &str = "%b %-d, %Y, %H:%M";

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// How long ago something was; from a day on, the local date and time.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> String {
    match now.unix_ms().saturating_sub(then.unix_ms()).div_euclid(1000) {
        0..MINUTE => "just now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{} min ago", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{} h ago", seconds / HOUR),
        _ => local(then, now),
    }
}

/// The local time, with the date where it is not today's, and the year where it is not this one.
pub(crate) fn local(then: Timestamp, now: Timestamp) -> String {
    in_zone(then, now, TimeZone::system())
}

/// The local date and time, for what is read on another day.
pub(crate) fn dated(then: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(then.unix_ms());
    moment.map_or_else(
        |_| then.to_string(),
        |moment| moment.to_zoned(TimeZone::system()).strftime(DATED).to_string(),
    )
}

/// The local day, as `2026-11-22`.
pub(crate) fn day(then: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(then.unix_ms());
    moment.map_or_else(|_| then.to_string(), |moment| moment.to_zoned(TimeZone::system()).date().to_string())
}

/// The local date and time of this moment.
pub(crate) fn now_dated() -> String {
    jiff::Zoned::now().strftime(DATED).to_string()
}

fn in_zone(then: Timestamp, now: Timestamp, zone: TimeZone) -> String {
    let at = |moment: Timestamp| {
        Some(jiff::Timestamp::from_millisecond(moment.unix_ms()).ok()?.to_zoned(zone.clone()))
    };
    let (Some(then_here), Some(now_here)) = (at(then), at(now)) else { return then.to_string() };
    let form = match () {
        () if then_here.date() == now_here.date() => "%H:%M",
        () if then_here.year() == now_here.year() => "%b %-d, %H:%M",
        () => "%b %-d, %Y, %H:%M",
    };
    then_here.strftime(form).to_string()
}

/// The local time and how long ago it was, where both fit.
pub(crate) fn when(then: Timestamp, now: Timestamp) -> String {
    let (local, ago) = (local(then, now), ago(then, now));
    if local == ago { local } else { format!("{local} ({ago})") }
}

/// An actor with the beginning of its session's id.
pub(crate) fn actor(actor: &Actor) -> String {
    let agent = actor.agent.as_ref().map(|agent| format!("/{agent}")).unwrap_or_default();
    // A person without a name has the same word twice.
    if actor.host == actor.session {
        return format!("{}{agent}", actor.host);
    }
    format!("{} {}{agent}", actor.host, session(actor))
}

/// The beginning of a session's id, which names it wherever a session is asked for.
pub(crate) fn session(actor: &Actor) -> String {
    actor.session.chars().take(SHORT).collect()
}

/// `3-7`, and `9` for a single line.
pub(crate) fn lines(start: usize, end: usize) -> String {
    if start == end { end.to_string() } else { format!("{start}-{end}") }
}

/// A note of the decision log with local times and short ids in place of exact ones.
pub(crate) fn note(note: &str, now: Timestamp) -> String {
    let word = |word: &str| {
        let bare = word.trim_end_matches([',', ';', ':', '.']);
        let tail = word.get(bare.len()..).unwrap_or_default();
        match Timestamp::parse(bare) {
            Ok(moment) => format!("{}{tail}", local(moment, now)),
            Err(_) if is_uuid(bare) => format!("{}{tail}", id(bare)),
            Err(_) => word.to_owned(),
        }
    };
    note.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_hex = |part: &&str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]) && parts.iter().all(is_hex)
}

/// How many of something a person wants to see.
pub(crate) fn limit(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a number such as 50".to_owned())
}

/// The beginning of an id.
pub(crate) fn id(id: &str) -> &str {
    id.char_indices().nth(SHORT).map_or(id, |(end, _)| id.get(..end).unwrap_or(id))
}

/// Whether a person means this actor: by the id of its session, enough of its beginning, or as `HOST/SESSION`.
pub(crate) fn is_session(actor: &Actor, said: &str) -> bool {
    let begins = |id: &str| said.len() >= FEWEST && id.starts_with(said);
    begins(&actor.session) || actor.session == said || actor.to_string() == said || begins(&actor.to_string())
}

/// What to do where nothing was found by so short a beginning of a session's id.
pub(crate) fn too_short(said: &str) -> Option<String> {
    let is_short = said.len() < FEWEST;
    is_short.then(|| format!("no session is called `{said}`; write at least {FEWEST} characters of its id"))
}

/// The one session that a person means; `None` where none of that name has acted here.
///
/// # Errors
/// Several begin so.
pub(crate) fn find_session(known: &[Actor], said: &str) -> Result<Option<Actor>, CommandError> {
    let mut found: Vec<Actor> =
        known.iter().map(Actor::parent).filter(|actor| is_session(actor, said)).collect();
    found.sort_by_key(ToString::to_string);
    found.dedup();
    let exact = found.iter().find(|actor| actor.session == said || actor.to_string() == said);
    match (exact, found.as_slice()) {
        (Some(one), _) | (None, [one]) => Ok(Some(one.clone())),
        (None, []) => Ok(None),
        (None, several) => {
            let many = several.len();
            Err(CommandError::Usage(format!("{many} sessions begin with `{said}`; write more of the id")))
        }
    }
}

/// A path as a person wrote it, from the current directory, as the path from the root that is meant. With `--root`, and
/// outside the root, it is taken as it is written.
pub(crate) fn from_root(said: &str, site: &Site, context: &Context) -> String {
    let root = site.layout.root();
    let below = |path: &Path| Some(path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"));
    let Ok(here) = std::env::current_dir() else { return said.to_owned() };
    let here = here.canonicalize().unwrap_or(here);
    if context.root.is_some() || !here.starts_with(root) {
        return below(Path::new(said)).unwrap_or_else(|| said.to_owned());
    }
    let path = normalise(&here.join(said));
    match below(&path) {
        Some(path) if path.is_empty() => ".".to_owned(),
        Some(path) => path,
        None => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_note_has_local_times_and_short_ids() {
        let now = moment("2026-11-22T12:00:00.000Z");
        let at = moment("2026-11-22T11:59:30.250Z");
        let said = note(
            "put back what was before a493393f-aba8-4c57-8d1a-0123456789ab, at 2026-11-22T11:59:30.250Z: x",
            now,
        );
        assert_eq!(said, format!("put back what was before a493393f, at {}: x", local(at, now)));
        assert_eq!(note("ap-1 approved by dana", now), "ap-1 approved by dana");
    }

    // C: times are local and relative
    #[test]
    fn a_moment_is_told_as_a_person_tells_it() {
        let now = moment("2026-11-22T12:00:00.000Z");
        for (then, said) in [
            ("2026-11-22T11:59:30.250Z", "just now"),
            ("2026-11-22T11:58:00.000Z", "2 min ago"),
            ("2026-11-22T09:00:00.000Z", "3 h ago"),
        ] {
            assert_eq!(ago(moment(then), now), said);
        }
        let zone = || TimeZone::fixed(jiff::tz::offset(2));
        for (then, said) in [
            ("2026-11-22T09:05:00.000Z", "11:05"),
            ("2026-11-21T22:05:00.000Z", "00:05"),
            ("2026-11-20T09:05:00.000Z", "Nov 20, 11:05"),
            ("2025-03-02T23:05:00.000Z", "Mar 3, 2025, 01:05"),
        ] {
            assert_eq!(in_zone(moment(then), now, zone()), said);
        }
    }

    // C: ids are short where a person reads them, and what is short is accepted
    #[test]
    fn the_beginning_of_a_session_names_it() {
        let actors =
            ["6f0c2d1e-90aa-4c57", "6f0c9999-90aa", "night"].map(|name| Actor::root("claude-code", name));
        assert_eq!(session(&actors[0]), "6f0c2d1e");
        let named = |said: &str| find_session(&actors, said).unwrap_or_default().map(|actor| actor.session);
        assert!(find_session(&actors, "6f0c").is_err());
        assert_eq!(named("6f0c2d1e").as_deref(), Some("6f0c2d1e-90aa-4c57"));
        assert_eq!(named("claude-code/6f0c2").as_deref(), Some("6f0c2d1e-90aa-4c57"));
        assert_eq!(named("night").as_deref(), Some("night"));
        for said in ["6f0c", "6f", "day", ""] {
            assert_eq!(named(said), None, "{said}");
        }
        assert_eq!((id("0193aabbccdd"), id("ap-1"), id("äöüäöüäöü")), ("0193aabb", "ap-1", "äöüäöüäö"));
    }
}
