//! Signals: one number per reason and file or part.

/// A reason to select a file or part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
#[non_exhaustive]
pub enum Signal {
    /// Words of the query, by BM25F.
    Words,
    /// For a file: its three best parts.
    Parts,
    /// For a file: its name is in the query.
    Name,
    /// Its embedding is similar to the query.
    Semantic,
    /// For a file: the embedding of its summary is similar to the query.
    Summary,
    /// A path in the query.
    Path,
    /// A frame of a stack trace.
    Frame,
    /// A name in the query that it defines.
    Definition,
    /// A quoted message or string.
    Phrase,
    /// A caller or callee of a definition in the query.
    Call,
    /// It changed for similar reasons.
    History,
    /// It changed together with the best files.
    Together,
    /// Others use it often.
    Central,
    /// It changed recently.
    Recent,
    /// Tests that match the query use it.
    Tested,
    /// It was selected for an earlier query.
    Previous,
    /// It is open or being edited.
    Hot,
    /// For a part: it surrounds a match, like the header of a type.
    Near,
}

/// Number of signals.
pub const SIGNALS: usize = 18;

impl Signal {
    /// All signals.
    pub const ALL: [Self; SIGNALS] = [
        Self::Words,
        Self::Parts,
        Self::Name,
        Self::Semantic,
        Self::Summary,
        Self::Path,
        Self::Frame,
        Self::Definition,
        Self::Phrase,
        Self::Call,
        Self::History,
        Self::Together,
        Self::Central,
        Self::Recent,
        Self::Tested,
        Self::Previous,
        Self::Hot,
        Self::Near,
    ];

    /// Returns true if the signal comes from the caller, not from the query.
    pub fn is_given(self) -> bool {
        matches!(self, Self::Previous | Self::Hot)
    }

    /// Returns its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Parts => "parts",
            Self::Name => "name",
            Self::Semantic => "semantic",
            Self::Summary => "summary",
            Self::Path => "path",
            Self::Frame => "frame",
            Self::Definition => "definition",
            Self::Phrase => "phrase",
            Self::Call => "call",
            Self::History => "history",
            Self::Together => "together",
            Self::Central => "central",
            Self::Recent => "recent",
            Self::Tested => "tested",
            Self::Previous => "previous",
            Self::Hot => "hot",
            Self::Near => "near",
        }
    }

    /// Returns its explanation in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Words => "has the words of the question",
            Self::Parts => "its best parts have the words of the question",
            Self::Name => "is called what the question is about",
            Self::Semantic => "is close in meaning",
            Self::Summary => "is about what the question is about",
            Self::Path => "is named by its path",
            Self::Frame => "stands in the stack trace",
            Self::Definition => "defines a name that is mentioned",
            Self::Phrase => "holds a quoted text",
            Self::Call => "is called by, or calls, what is mentioned",
            Self::History => "changed for similar reasons",
            Self::Together => "changes together with files that fit",
            Self::Central => "is used by much of the repository",
            Self::Recent => "changed lately",
            Self::Tested => "is tested by tests that fit",
            Self::Previous => "was chosen before",
            Self::Hot => "is being worked on",
            Self::Near => "stands around what fits",
        }
    }
}

/// Signals of all files and parts.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    pub(super) files: Vec<[f32; SIGNALS]>,
    pub(super) parts: Vec<[f32; SIGNALS]>,
}

impl Signals {
    pub(super) fn new(files: usize, parts: usize) -> Self {
        Self {
            files: vec![[0.0; SIGNALS]; files],
            parts: vec![[0.0; SIGNALS]; parts],
        }
    }

    pub(super) fn add_file(&mut self, file: u32, signal: Signal, value: f64) {
        self.files[file as usize][signal as usize] += value as f32;
    }

    pub(super) fn add_part(&mut self, part: u32, signal: Signal, value: f64) {
        self.parts[part as usize][signal as usize] += value as f32;
    }

    pub(super) fn file(&self, file: u32, signal: Signal) -> f64 {
        f64::from(self.files[file as usize][signal as usize])
    }

    pub(super) fn part(&self, part: u32, signal: Signal) -> f64 {
        f64::from(self.parts[part as usize][signal as usize])
    }
}
