//! A tree of source files of the size of a large project, in which about half of the lines stand more than once.

use std::fmt::Write as _;
use std::path::Path;

use bailiwick_adapters_fs::FsLedger;
use bailiwick_domain::Ledger as _;
use pollster::block_on;

use crate::Outcome;
use crate::floors::below;
use crate::history::one;
use crate::random::Random;

const FOLDER: &str = "lib";
/// How many lines the entry wrote whose code went elsewhere.
const BLOCK: usize = 12;

/// Writes the files, and one entry for a block of one of them that the ledger knows under another name.
pub(crate) fn grow(ledger: &FsLedger, root: &Path, files: usize, bytes: usize) -> Outcome {
    let mut random = Random::new(11);
    let usual = bytes / files;
    for number in 0..files {
        let folder = root.join(FOLDER).join(format!("d{:03}", number / 24));
        std::fs::create_dir_all(&folder)?;
        let size = usual / 4 + random.below(usual + usual / 2);
        std::fs::write(folder.join(format!("f{number:05}.c")), text(&mut random, number, size))?;
    }
    let target = below(&root.join(FOLDER))?.into_iter().nth(files / 2).ok_or("no file")?;
    let text = std::fs::read_to_string(target)?;
    let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let entry = one("src/auth/gone.ts", &lines, lines.len() / 2, BLOCK);
    block_on(ledger.append(&entry))?;
    Ok(entry.id)
}

/// Adds a line to one file of the tree.
pub(crate) fn change(root: &Path, number: usize) -> Outcome {
    let files = below(&root.join(FOLDER))?;
    let file = files.get(number % files.len()).ok_or("no file")?;
    let mut text = std::fs::read_to_string(file)?;
    writeln!(text, "int added_{number};")?;
    std::fs::write(file, text)?;
    Ok(file.display().to_string())
}

fn text(random: &mut Random, file: usize, size: usize) -> String {
    let mut text = String::with_capacity(size + 64);
    while text.len() < size {
        let name = random.below(4_000);
        let _ = match random.below(8) {
            0 => writeln!(text, "}}"),
            1 => writeln!(text),
            2 => writeln!(text, "\tif (!entry_{})", name % 300),
            3 => writeln!(text, "\t\treturn error(\"no {}\");", name % 500),
            4 => writeln!(text, "static int load_{file}_{name}(struct part *part)"),
            5 => writeln!(text, "\tput_part(part, {name});"),
            _ => writeln!(text, "\tpart->value_{name} = read_{}(part, {file});", name % 50),
        };
    }
    text
}
