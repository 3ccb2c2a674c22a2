//! What the user says to the reader of a pack, beside the files: a header and
//! instructions. Every format shows them in its head, set apart from contents.

/// The user's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guidance {
    header: Option<String>,
    instructions: Option<String>,
}

impl Guidance {
    /// No words.
    pub const NONE: Self = Self {
        header: None,
        instructions: None,
    };

    /// With `text` as the header. White space at its end is dropped, and a text of
    /// nothing else is none.
    #[must_use]
    pub fn with_header(self, text: &str) -> Self {
        Self {
            header: trimmed(text),
            ..self
        }
    }

    /// With `text` as the instructions, in the same way.
    #[must_use]
    pub fn with_instructions(self, text: &str) -> Self {
        Self {
            instructions: trimmed(text),
            ..self
        }
    }

    /// What the user says about the pack.
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// What the user wants to be done with it.
    pub fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    /// Each text that there is, with its name. No text ends with a line feed.
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
