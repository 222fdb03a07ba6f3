//! What somebody who tampers with the ledger's files makes of their lines.

use bailiwick_domain::{ContentHash, Value};

/// The lines of a file, each with its LF.
pub(crate) type Lines = Vec<Vec<u8>>;

pub(crate) fn lines_of(path: &std::path::Path) -> Lines {
    std::fs::read(path).unwrap().split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

pub(crate) fn edited(line: &[u8]) -> Vec<u8> {
    String::from_utf8(line.to_vec()).unwrap().replacen("INT-001", "INT-002", 1).into_bytes()
}

/// The line with other content, at that place behind that line, its checksum right.
pub(crate) fn forged(line: &[u8], seq: usize, prev: Option<&str>) -> Vec<u8> {
    let mut record: Value = serde_json::from_slice(line).unwrap();
    record["agent"]["contributor"]["model_identifier"] = "forged".into();
    record["metadata"]["dev.bailiwick"]["seq"] = seq.into();
    record["prev"] = prev.map_or(Value::Null, Value::from);
    record.as_object_mut().unwrap().remove("checksum");
    let checksum = ContentHash::of(&serde_json_canonicalizer::to_vec(&record).unwrap());
    record["checksum"] = checksum.as_str().into();
    [serde_json_canonicalizer::to_vec(&record).unwrap(), b"\n".to_vec()].concat()
}

pub(crate) fn checksum(line: &[u8]) -> String {
    let record: Value = serde_json::from_slice(line).unwrap();
    record["checksum"].as_str().unwrap().to_owned()
}

/// The chain written anew from that line on.
pub(crate) fn rechained(lines: &[Vec<u8>], from: usize) -> Lines {
    rechained_piece(lines, from, 0)
}

/// The same for a piece of a chain that begins at that place.
pub(crate) fn rechained_piece(lines: &[Vec<u8>], from: usize, first: usize) -> Lines {
    let mut anew = lines[..from].to_vec();
    for (index, line) in lines.iter().enumerate().skip(from) {
        let prev = anew.last().map(|line| checksum(line)).or_else(|| named_before(line));
        anew.push(forged(line, first + index, prev.as_deref()));
    }
    anew
}

/// The checksum that a line names as the one before it.
pub(crate) fn named_before(line: &[u8]) -> Option<String> {
    let record: Value = serde_json::from_slice(line).unwrap();
    record["prev"].as_str().map(str::to_owned)
}

/// The header of a segment with other members, its checksum right.
pub(crate) fn other_header(line: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut record: Value = serde_json::from_slice(line).unwrap();
    change(&mut record["metadata"]["dev.bailiwick"]["segment"]);
    record.as_object_mut().unwrap().remove("checksum");
    let checksum = ContentHash::of(&serde_json_canonicalizer::to_vec(&record).unwrap());
    record["checksum"] = checksum.as_str().into();
    [serde_json_canonicalizer::to_vec(&record).unwrap(), b"\n".to_vec()].concat()
}
