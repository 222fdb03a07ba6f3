//! The hook starts fastest as a static, non-relocated program (ADR 0005): checks that the release binary is one.
//!
//! On systems without ELF there is nothing to check.

use anyhow::{Result, bail};
use object::elf::{ET_EXEC, FileHeader64, PT_DYNAMIC, PT_INTERP, R_AARCH64_IRELATIVE, R_X86_64_IRELATIVE};
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _};
use object::{Endianness, elf};

use crate::stage::product;

/// Checks the release binary.
pub(crate) fn run() -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("relocs: not an ELF system, nothing to check");
        return Ok(());
    }
    let program = product::binary()?;
    let findings = check(&std::fs::read(&program)?)?;
    for finding in &findings {
        println!("{}: {finding}", program.display());
    }
    if !findings.is_empty() {
        bail!("the release binary needs work before it runs");
    }
    println!("relocs: static, not relocated");
    Ok(())
}

/// What a loader would have to do for this program.
fn check(data: &[u8]) -> Result<Vec<String>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let mut findings = Vec::new();
    if header.e_type(endian) != ET_EXEC {
        findings.push("not ET_EXEC: it is loaded at an address that changes".to_owned());
    }
    for segment in header.program_headers(endian, data)? {
        match segment.p_type(endian) {
            PT_INTERP => findings.push("PT_INTERP: it needs a dynamic loader".to_owned()),
            PT_DYNAMIC => findings.push("PT_DYNAMIC: it is linked dynamically".to_owned()),
            _ => {}
        }
    }
    let other = other_relocations(header, endian, data)?;
    if other > 0 {
        findings.push(format!("{other} relocations that are not IRELATIVE"));
    }
    Ok(findings)
}

fn other_relocations(header: &FileHeader64<Endianness>, endian: Endianness, data: &[u8]) -> Result<usize> {
    let resolver = match header.e_machine(endian) {
        elf::EM_AARCH64 => R_AARCH64_IRELATIVE,
        _ => R_X86_64_IRELATIVE,
    };
    let mut other = 0;
    for section in header.section_headers(endian, data)? {
        if let Some((entries, _)) = section.rela(endian, data)? {
            other += entries.iter().filter(|entry| entry.r_type(endian, false) != resolver).count();
        }
    }
    Ok(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A 64-bit little-endian header with one program header and no sections.
    fn program(kind: u16, segment: u32) -> Vec<u8> {
        let mut data = vec![0_u8; 64 + 56];
        data[..7].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1, 1]);
        let mut put = |at: usize, bytes: &[u8]| data[at..at + bytes.len()].copy_from_slice(bytes);
        put(16, &kind.to_le_bytes());
        put(18, &62_u16.to_le_bytes());
        put(20, &1_u32.to_le_bytes());
        put(32, &64_u64.to_le_bytes());
        put(52, &64_u16.to_le_bytes());
        put(54, &56_u16.to_le_bytes());
        put(56, &1_u16.to_le_bytes());
        put(64, &segment.to_le_bytes());
        data
    }

    #[test]
    fn a_static_program_passes() {
        assert_eq!(check(&program(2, 1)).unwrap(), [""; 0]);
    }

    #[test]
    fn a_dynamic_program_is_named() {
        let findings = check(&program(3, 3)).unwrap();
        assert_eq!(
            findings,
            ["not ET_EXEC: it is loaded at an address that changes", "PT_INTERP: it needs a dynamic loader"]
        );
    }

    #[test]
    fn something_else_is_an_error() {
        assert!(check(b"#!/bin/sh\n").is_err());
    }
}
