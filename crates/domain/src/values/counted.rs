//! How many of something, in words: the one place that knows that one is not more.
//!
//! Deliberately absent: sizes, times, and what the sentence around it says.

use alloc::format;
use alloc::string::String;
use core::fmt::Display;

/// So many of them, such as `1 file` and `2 files`.
pub fn counted<T: Display + PartialEq + From<u8>>(count: T, one: &str, more: &str) -> String {
    let word = if count == T::from(1) { one } else { more };
    format!("{count} {word}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_not_more_and_none_is() {
        for (count, words) in [(0, "0 files"), (1, "1 file"), (2, "2 files")] {
            assert_eq!(counted(count, "file", "files"), words);
        }
        assert_eq!(counted(1_u64, "entry", "entries"), "1 entry");
    }
}
