//! Understood intents on disk, so that one of thousands is found without parsing YAML and without reading the others.
//! Named after the content that they came from; a file that does not check is treated as missing.
//!
//! Layout: a head line with the count, one index line of fixed width for each id in sorted order, then one record line
//! for each intent in file order: a checksum and the draft as JSON.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use bailiwick_domain::{ContentHash, Intent, IntentDraft, IntentId, IntentSet};

use crate::files::atomic::whole;

const MAGIC: &str = "bailiwick-intents-3 ";
const HEAD: usize = MAGIC.len() + 10 + 1;
const KEY: usize = 32;
const INDEX_LINE: usize = KEY + 1 + 10 + 1 + 10 + 1;
const CHECK: usize = 16;
const READ_AT_ONCE: u64 = 64 * 1024;

/// The whole file for a set of intents.
pub(crate) fn render(drafts: &[IntentDraft]) -> Option<Vec<u8>> {
    let mut records = String::new();
    let mut index = Vec::with_capacity(drafts.len());
    let base = HEAD + drafts.len() * INDEX_LINE;
    for draft in drafts {
        let start = base + records.len();
        let json = serde_json::to_string(draft).ok()?;
        records.push_str(check(&json).get(..CHECK)?);
        records.push(' ');
        records.push_str(&json);
        index.push(format!("{} {start:010} {:010}\n", key(&draft.id), base + records.len() - start));
        records.push('\n');
    }
    index.sort_unstable();
    let head = format!("{MAGIC}{:010}\n", drafts.len());
    Some([head.as_bytes(), index.concat().as_bytes(), records.as_bytes()].concat())
}

/// The intent of that id; outside `None` when the file cannot be believed, inside `None` when it has no such intent.
pub(crate) fn find(path: &Path, id: &IntentId) -> Option<Option<Intent>> {
    let mut file = File::open(path).ok()?;
    if file.metadata().ok()?.len() > READ_AT_ONCE {
        return find_in(&mut file, id);
    }
    let bytes = whole(file).ok()?;
    find_in(&mut Cursor::new(bytes), id)
}

/// All intents in file order; `None` when the file cannot be believed.
pub(crate) fn all(path: &Path) -> Option<IntentSet> {
    let bytes = std::fs::read(path).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let count = count(text.get(..HEAD)?)?;
    let records = text.get(HEAD + count.checked_mul(INDEX_LINE)?..)?;
    let intents: Vec<Intent> = records.lines().map(intent).collect::<Option<_>>()?;
    (intents.len() == count).then(|| IntentSet::new(intents))
}

fn find_in(file: &mut (impl Read + Seek), id: &IntentId) -> Option<Option<Intent>> {
    let wanted = key(id);
    let (mut low, mut high) = (0, count(&text_at(file, 0, HEAD)?)?);
    while low < high {
        let middle = low + (high - low) / 2;
        let line = text_at(file, HEAD + middle * INDEX_LINE, INDEX_LINE)?;
        let found = line.get(..KEY)?;
        match found.cmp(wanted.as_str()) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                let mut numbers = line.get(KEY..)?.split_ascii_whitespace().map(str::parse::<usize>);
                let (start, length) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
                let found = intent(&text_at(file, start, length)?)?;
                return (found.id() == id).then_some(Some(found));
            }
        }
    }
    Some(None)
}

fn text_at(file: &mut (impl Read + Seek), start: usize, length: usize) -> Option<String> {
    if length as u64 > crate::files::yaml::MAX_BYTES {
        return None;
    }
    let mut bytes = vec![0; length];
    file.seek(SeekFrom::Start(start as u64)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

fn count(head: &str) -> Option<usize> {
    head.strip_prefix(MAGIC)?.trim_end().parse().ok()
}

fn intent(record: &str) -> Option<Intent> {
    let (sum, json) = record.split_once(' ')?;
    (check(json).get(..CHECK)? == sum).then_some(())?;
    Intent::new(serde_json::from_str(json).ok()?).ok()
}

fn key(id: &IntentId) -> String {
    ContentHash::of(id.as_str().as_bytes()).digits().chars().take(KEY).collect()
}

fn check(json: &str) -> String {
    ContentHash::of(json.as_bytes()).digits().to_owned()
}
