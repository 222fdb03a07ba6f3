//! The least that a question could cost: each byte read and hashed once, each line parsed once, each file looked at once.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use bailiwick_domain::Value;
use sha2::{Digest as _, Sha256};

use crate::Outcome;

const PIECE: usize = 1 << 17;

/// Hashes each line of a ledger in that folder with SHA-256 and parses it as JSON.
pub(crate) fn parse(folder: &Path) -> Outcome {
    let (mut line, mut count, mut members) = (Vec::new(), 0_usize, 0_usize);
    let mut bits = 0_u8;
    let is_lines = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
    for file in below(folder)?.into_iter().filter(is_lines) {
        let mut reader = BufReader::with_capacity(PIECE, fs::File::open(file)?);
        while reader.read_until(b'\n', &mut line)? > 0 {
            bits ^= Sha256::digest(&line).iter().fold(0, |bits, byte| bits ^ byte);
            let value: Value = serde_json::from_slice(&line)?;
            members += value.as_object().map_or(0, |object| object.len());
            count += 1;
            line.clear();
        }
    }
    Ok(format!("{count} lines, {members} members, {bits}"))
}

/// Hashes every file.
pub(crate) fn hash(path: &Path) -> Outcome {
    let (mut piece, mut bits) = (vec![0; PIECE], 0_u8);
    let files = if path.is_dir() { below(path)? } else { vec![path.to_path_buf()] };
    for path in &files {
        let (mut file, mut digest) = (fs::File::open(path)?, Sha256::new());
        loop {
            let count = file.read(&mut piece)?;
            if count == 0 {
                break;
            }
            digest.update(piece.get(..count).unwrap_or_default());
        }
        bits ^= digest.finalize().iter().fold(0, |bits, byte| bits ^ byte);
    }
    Ok(format!("{} files, {bits}", files.len()))
}

/// Asks for the size and the times of every file.
pub(crate) fn look(path: &Path) -> Outcome {
    let files = below(path)?;
    let mut bytes = 0;
    for path in &files {
        bytes += path.symlink_metadata()?.len();
    }
    Ok(format!("{} files, {bytes} bytes", files.len()))
}

/// The files below a folder; what is git's or ours does not count.
pub(crate) fn below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_file() {
                files.push(entry.path());
            } else if kind.is_dir() && entry.file_name() != ".git" && entry.file_name() != ".orchestration" {
                folders.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
