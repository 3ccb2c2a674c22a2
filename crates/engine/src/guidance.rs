//! Texts of the user for the reader of a pack: a header and instructions. Every format writes them
//! before the files, separate from contents.

/// Header and instructions of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guidance {
    header: Option<String>,
    instructions: Option<String>,
}

impl Guidance {
    /// Neither header nor instructions.
    pub const NONE: Self = Self {
        header: None,
        instructions: None,
    };

    /// Sets `text` as the header, without white space at the end. An empty text removes the header.
    #[must_use]
    pub fn with_header(self, text: &str) -> Self {
        Self {
            header: trimmed(text),
            ..self
        }
    }

    /// Sets `text` as the instructions, in the same way.
    #[must_use]
    pub fn with_instructions(self, text: &str) -> Self {
        Self {
            instructions: trimmed(text),
            ..self
        }
    }

    /// Returns the user's description of the pack.
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// Returns the user's instructions for the pack.
    pub fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    /// Returns the texts with their names. They do not end with a newline.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let header = self.header().map(|text| ("header", text));
        let instructions = self.instructions().map(|text| ("instructions", text));
        header.into_iter().chain(instructions)
    }
}

fn trimmed(text: &str) -> Option<String> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}
