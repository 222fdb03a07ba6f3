//! Lessons as text: what of an output becomes a message, and where lessons stand in a file that agents read.
//!
//! What programs print is text of others. Of an output at most one line is kept, with the signs that mean something to a
//! reader of Markdown taken out, and it stands as a quotation in a code span. Pure; deliberately absent: which file it is,
//! and when a lesson is written.

mod command;
mod message;
mod relevant;
mod section;

pub use command::command_of;
pub use message::{files_in, message_of, plain};
pub use relevant::relevant;
pub use section::{
    LONGEST_TEXT, Listed, MOST_LESSONS, SectionError, lesson_line, lesson_text, listed, put, take_out,
};
