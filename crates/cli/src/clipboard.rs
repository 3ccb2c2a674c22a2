//! Copies a pack and reports the outcome.

use std::path::PathBuf;

use super::clip::{Clip, ClipboardError, Copied, SAFE_TEXT};
use super::error::CliError;
use super::numbers::number;
use super::ui::Ui;

pub(super) fn copy(clip: &mut Clip, roots: &[PathBuf], ui: Ui) -> Result<(), CliError> {
    match clip.copy(roots)? {
        Copied::Program(name) => ui.say(&format!("copied to the clipboard with {name}")),
        Copied::Terminal { is_long } => {
            ui.say("sent to the clipboard through the terminal");
            if is_long {
                ui.warn(&format!(
                    "some terminals drop more than {} bytes (OSC 52): see whether it arrived, or use -o FILE",
                    number(SAFE_TEXT)
                ));
            }
        }
    }
    Ok(())
}

impl From<ClipboardError> for CliError {
    fn from(error: ClipboardError) -> Self {
        Self::internal(&error).hint(error.hint())
    }
}
