//! The transcript of a coding agent: lines of JSON. One file for each agent finds the tool calls of a
//! line; unknown lines are skipped.

mod claude_code;
mod codex;
mod patch;
mod shell;

use serde_json::Value;

/// Longer lines contain pictures or whole prompts, and no tool call that names few files.
const LONGEST_LINE: usize = 4 << 20;

/// The agent that wrote a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

/// The way an agent used a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAccess {
    /// It read the file, or a part of it.
    Read,
    /// It wrote or changed the file.
    Edit,
}

/// One use of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUse {
    /// The path in the agent's words: absolute, or from its working directory.
    pub path: String,
    /// The kind of use.
    pub access: FileAccess,
    /// First and last line, if the call names them.
    pub lines: Option<(usize, usize)>,
    /// The text that the file has since the edit, if the call contains it. The caller can find its
    /// lines.
    pub text: Option<String>,
}

impl FileUse {
    fn new(path: &str, access: FileAccess) -> Self {
        Self {
            path: path.to_owned(),
            access,
            lines: None,
            text: None,
        }
    }

    fn read(path: &str) -> Self {
        Self::new(path, FileAccess::Read)
    }

    fn edit(path: &str) -> Self {
        Self::new(path, FileAccess::Edit)
    }
}

/// The uses of files in a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The agent; `None` if no line identifies it.
    pub agent: Option<Agent>,
    /// Every use, the first one first.
    pub files: Vec<FileUse>,
}

impl Transcript {
    /// Reads lines of JSON. The first and the last line may be incomplete.
    pub fn read(text: &str) -> Self {
        let mut transcript = Self::default();
        for line in text.lines().filter(|line| line.len() <= LONGEST_LINE) {
            // Most lines are no calls, and parsing them is most of the work.
            if !may_call(line) && transcript.agent.is_some() {
                continue;
            }
            let Ok(record) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if let Some(uses) = claude_code::file_uses(&record) {
                transcript.add(Agent::ClaudeCode, uses);
            } else if let Some(uses) = codex::file_uses(&record) {
                transcript.add(Agent::Codex, uses);
            }
        }
        transcript
    }

    fn add(&mut self, agent: Agent, uses: Vec<FileUse>) {
        self.agent.get_or_insert(agent);
        self.files.extend(uses);
    }
}

fn may_call(line: &str) -> bool {
    ["tool_use", "tool_call", "function_call"]
        .iter()
        .any(|kind| line.contains(kind))
}

#[cfg(test)]
mod tests;
