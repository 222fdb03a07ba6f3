//! The form of a state file: one JSON object that ends with a sum over the rest of it, then blanks up to a round length.
//!
//! The length is round so that the next state fits into the same bytes and can be written over them, which costs a tenth
//! of putting a new file in the place of the old one. The sum tells a mixture of two states, which a machine that crashes
//! can leave behind, from either of them. Any program that reads JSON reads the file; earlier versions write it without
//! sum and blanks, and that counts too. Deliberately absent: opening files, and what a state means.

use std::fmt;

use bailiwick_domain::{Actor, ActorState, ContentHash, Map, Value};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Writers of this program write this; a higher number in a file is kept as it is.
const FORMAT: u64 = 1;

const FORMAT_KEY: &str = "format";
const ACTOR_KEY: &str = "actor";
const SUM_KEY: &str = "sum";
const BEFORE_SUM: &[u8] = b",\"sum\":\"";
const AFTER_SUM: &[u8] = b"\"}";
const SUM_DIGITS: usize = 16;

/// Lengths are multiples of this, so that a state can grow for some calls before its file must.
const STEP: usize = 1024;

/// The longest file that is written over: what lies within one page is there or not when the writer is killed.
const MAX_IN_PLACE: usize = 4096;

/// Why bytes are not a state.
#[derive(Debug, thiserror::Error)]
pub(super) enum StateFileError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Its sum does not fit: read while it was written, or left behind by a crash of the machine.
    #[error("its checksum does not fit its content")]
    NotWhole,
}

/// What a state file says.
#[derive(Debug)]
pub(super) struct StateFile {
    pub(super) actor: Actor,
    pub(super) state: ActorState,
    /// Whether this program knows every member of it.
    pub(super) is_known: bool,
}

/// Reads a state file of any version.
pub(super) fn parse(bytes: &[u8]) -> Result<StateFile, StateFileError> {
    if !is_whole(bytes) {
        return Err(StateFileError::NotWhole);
    }
    Ok(serde_json::from_slice(bytes.trim_ascii_end())?)
}

/// The file of a state. What `before` says and this program does not know stays in it.
pub(super) fn render(
    before: Option<&Before>,
    actor: &Actor,
    state: &ActorState,
) -> Result<Vec<u8>, serde_json::Error> {
    let new = content(actor, state)?;
    let Some(before) = before else { return Ok(framed(new, 0)) };
    let content = if before.is_known { new } else { merged(&before.bytes, &new)? };
    let room = if before.can_be_written_over() { before.bytes.len() } else { 0 };
    Ok(framed(content, room))
}

/// A state file as it is on disk.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) bytes: Vec<u8>,
    pub(super) is_known: bool,
}

impl Before {
    /// Whether a file of the same length can be written over it: it has this form, and lies within one page.
    fn can_be_written_over(&self) -> bool {
        self.bytes.len() <= MAX_IN_PLACE && self.bytes.ends_with(b"\n")
    }

    /// Whether these bytes may be written over it.
    pub(super) fn has_room_for(&self, bytes: &[u8]) -> bool {
        self.can_be_written_over() && self.bytes.len() == bytes.len()
    }
}

/// The object without its sum.
fn content(actor: &Actor, state: &ActorState) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Head<'a> {
        format: u64,
        actor: &'a Actor,
    }
    let mut bytes = serde_json::to_vec(&Head { format: FORMAT, actor })?;
    let head = bytes.len();
    serde_json::to_writer(&mut bytes, state)?;
    // One object out of two: `…}{…` becomes `…,…`.
    bytes.splice(head.saturating_sub(1)..=head, [b',']);
    Ok(bytes)
}

/// The object of `new` with the members of `before` that it does not have.
fn merged(before: &[u8], new: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let mut members: Map<String, Value> = serde_json::from_slice(before)?;
    let mut known: Map<String, Value> = serde_json::from_slice(new)?;
    members.remove(SUM_KEY);
    if members.get(FORMAT_KEY).and_then(Value::as_u64).is_some_and(|format| format > FORMAT) {
        known.remove(FORMAT_KEY);
    }
    members.extend(known);
    serde_json::to_vec(&members)
}

/// An object with its sum and blanks, at least that long.
fn framed(mut object: Vec<u8>, least: usize) -> Vec<u8> {
    object.pop();
    let sum = ContentHash::of(&object);
    object.extend_from_slice(BEFORE_SUM);
    object.extend_from_slice(sum.digits().get(..SUM_DIGITS).unwrap_or_default().as_bytes());
    object.extend_from_slice(AFTER_SUM);
    let length = (object.len() + 1).next_multiple_of(STEP).max(least);
    object.resize(length - 1, b' ');
    object.push(b'\n');
    object
}

/// Whether the sum fits. What does not end as this program ends its files was written in one piece by another.
fn is_whole(bytes: &[u8]) -> bool {
    if !bytes.ends_with(b"\n") {
        return true;
    }
    let summed = bytes
        .trim_ascii_end()
        .strip_suffix(AFTER_SUM)
        .and_then(|rest| rest.split_last_chunk::<SUM_DIGITS>())
        .and_then(|(rest, sum)| Some((rest.strip_suffix(BEFORE_SUM)?, sum)));
    summed.is_none_or(|(object, sum)| ContentHash::of(object).digits().as_bytes().starts_with(sum))
}

impl<'de> Deserialize<'de> for StateFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

struct FileVisitor;

impl<'de> Visitor<'de> for FileVisitor {
    type Value = StateFile;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the state of an actor")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StateFile, A::Error> {
        let mut head = Head::default();
        let state = ActorState::deserialize(StateMembers { map, head: &mut head })?;
        head.format.ok_or_else(|| A::Error::missing_field(FORMAT_KEY))?;
        let actor = head.actor.ok_or_else(|| A::Error::missing_field(ACTOR_KEY))?;
        Ok(StateFile { actor, state, is_known: !head.unknown })
    }
}

/// What a file says beside the state.
#[derive(Default)]
struct Head {
    format: Option<u64>,
    actor: Option<Actor>,
    unknown: bool,
}

/// The members of the state alone: those of the head are taken out on the way, and unknown ones noticed.
struct StateMembers<'a, A> {
    map: A,
    head: &'a mut Head,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for StateMembers<'_, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        MapAccessDeserializer::new(self.map).deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(Sorted { map: self.map, head: self.head, fields })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Sorted<'a, A> {
    map: A,
    head: &'a mut Head,
    fields: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Sorted<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<String>()? {
            match key.as_str() {
                FORMAT_KEY => once(&mut self.head.format, self.map.next_value()?, FORMAT_KEY)?,
                ACTOR_KEY => once(&mut self.head.actor, self.map.next_value()?, ACTOR_KEY)?,
                SUM_KEY => drop(self.map.next_value::<IgnoredAny>()?),
                name => {
                    self.head.unknown |= !self.fields.contains(&name);
                    return seed.deserialize(name.into_deserializer()).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

fn once<T, E: serde::de::Error>(place: &mut Option<T>, value: T, key: &'static str) -> Result<(), E> {
    if place.replace(value).is_some() { Err(E::duplicate_field(key)) } else { Ok(()) }
}
