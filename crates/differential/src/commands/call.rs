//! One system call as the tracer prints it.

/// A call that succeeded: its name and its arguments as they are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Call {
    /// The texts among the arguments, in their order.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        let mut rest = self.arguments.chars();
        while let Some(c) = rest.next() {
            if c != '"' {
                continue;
            }
            let mut text = String::new();
            while let Some(c) = rest.next() {
                match c {
                    '"' => break,
                    '\\' => text.extend(rest.next()),
                    c => text.push(c),
                }
            }
            texts.push(text);
        }
        texts
    }

    /// Whether it opens something in order to change it.
    pub(crate) fn opens_to_write(&self) -> bool {
        self.name == "creat"
            || (self.name.starts_with("open")
                && ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_TMPFILE"]
                    .iter()
                    .any(|flag| self.arguments.contains(flag)))
    }
}
