//! Specs that other tools wrote, read as intents: spec-kit, OpenSpec and Kiro.
//!
//! Pure functions of text. `find` says which files matter, `outline` turns Markdown into blocks with their lines, one
//! module for each kind of specs makes units of them, `records` makes intents of units, and `merge` says what another
//! import changes. What is deliberately absent: files, the form of the intents file, and any decision about what an agent
//! may do. A scope that is read here is a proposal.
#![warn(missing_docs)]

mod find;
mod ids;
mod kiro;
mod merge;
mod openspec;
mod outline;
mod paths;
mod records;
mod slug;
mod speckit;
mod unit;
mod wording;

pub use find::{
    MOST_BYTES, MOST_DOCUMENTS, MOST_PER_DOCUMENT, PLACES, Tool, found, is_archived, is_rule, is_wanted,
};
pub use merge::{Change, Merged, merged};
pub use records::{Place, records};
pub use unit::{Left, Specs};

/// One file of specs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its path, relative to the folder of the project, with `/` between.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// Reads the specs of one kind. What cannot be understood is left out, and named.
pub fn read(tool: Tool, documents: &[Document]) -> Specs {
    let mut specs = match tool {
        Tool::SpecKit => speckit::read(documents),
        Tool::OpenSpec => openspec::read(documents),
        Tool::Kiro => kiro::read(documents),
    };
    specs.tool = Some(tool);
    let units = specs.rules.iter_mut().chain(&mut specs.units);
    units.for_each(|unit| unit.close(&mut specs.left));
    specs.left.extend(documents.iter().filter(|document| outline::is_cut(&document.text)).map(|document| {
        Left {
            path: document.path.clone(),
            line: 0,
            why: format!("what comes after the first {} blocks was not looked at", outline::MOST_BLOCKS),
        }
    }));
    specs
}
