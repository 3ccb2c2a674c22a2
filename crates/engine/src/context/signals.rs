//! What speaks for a file or a part, one number for each reason.

/// A reason to choose something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
#[non_exhaustive]
pub enum Signal {
    /// The words of the question, by BM25F.
    Words,
    /// For a file: its three best parts.
    Parts,
    /// For a file: its name is in the question.
    Name,
    /// It means what the question means, by vectors.
    Semantic,
    /// For a file: what it is about means what the question means.
    Summary,
    /// A path in the question.
    Path,
    /// A frame of a stack trace.
    Frame,
    /// A name that it defines.
    Definition,
    /// A quoted message or string.
    Phrase,
    /// It calls, or is called by, what the question names.
    Call,
    /// It changed for similar reasons.
    History,
    /// It changed together with files that stand out.
    Together,
    /// Others use it much.
    Central,
    /// It changed lately.
    Recent,
    /// Tests that fit the question use it.
    Tested,
    /// It was chosen for an earlier question.
    Previous,
    /// It is open or being edited.
    Hot,
    /// For a part: it stands around what fits, as the head of a type does.
    Near,
}

/// How many signals there are.
pub const SIGNALS: usize = 18;

impl Signal {
    /// All of them.
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

    /// Returns true if the caller gives it, and not the question.
    pub fn is_given(self) -> bool {
        matches!(self, Self::Previous | Self::Hot)
    }

    /// Its name for programs.
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

    /// What it says, in words.
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

/// The numbers of all files and parts.
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
