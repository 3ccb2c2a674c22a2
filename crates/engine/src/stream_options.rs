//! What a consumer can choose about a pack that comes in chunks.

use std::num::NonZero;

/// How a pack comes in chunks, and when the reading waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOptions {
    chunk_tokens: Option<NonZero<usize>>,
    most: usize,
    pause: usize,
    resume: usize,
}

impl Default for StreamOptions {
    /// Whole files; the reading pauses when 8 chunks wait and goes on when 4 do.
    fn default() -> Self {
        Self {
            chunk_tokens: None,
            most: 10,
            pause: 8,
            resume: 4,
        }
    }
}

/// Thresholds that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamOptionsError {
    /// Nothing could ever wait.
    #[error("the chunks that may wait and the mark for the pause must be at least 1")]
    Zero,
    /// The pause would come after the end of the room.
    #[error("the reading cannot pause at {pause} chunks when only {most} may wait")]
    PauseAboveMost {
        /// The threshold.
        pause: usize,
        /// The most that may wait.
        most: usize,
    },
    /// It would go on before it paused.
    #[error("the reading cannot go on at {resume} chunks when it pauses at {pause}")]
    ResumeNotBelowPause {
        /// Where it goes on.
        resume: usize,
        /// Where it pauses.
        pause: usize,
    },
}

impl StreamOptions {
    /// Lets a file with more than `tokens` tokens come in several chunks, cut at lines.
    #[must_use]
    pub fn chunk_tokens(mut self, tokens: NonZero<usize>) -> Self {
        self.chunk_tokens = Some(tokens);
        self
    }

    /// Lets at most `most` chunks wait; the reading pauses when `pause` wait and goes on
    /// when no more than `resume` do.
    ///
    /// # Errors
    /// When the numbers contradict each other.
    pub fn buffered(
        mut self,
        most: usize,
        pause: usize,
        resume: usize,
    ) -> Result<Self, StreamOptionsError> {
        if most == 0 || pause == 0 {
            return Err(StreamOptionsError::Zero);
        }
        if pause > most {
            return Err(StreamOptionsError::PauseAboveMost { pause, most });
        }
        if resume >= pause {
            return Err(StreamOptionsError::ResumeNotBelowPause { resume, pause });
        }
        (self.most, self.pause, self.resume) = (most, pause, resume);
        Ok(self)
    }

    /// Returns the tokens above which a file comes in several chunks.
    pub fn most_tokens(self) -> Option<NonZero<usize>> {
        self.chunk_tokens
    }

    /// Returns how many chunks may wait.
    pub fn most_waiting(self) -> usize {
        self.most
    }

    /// Returns the waiting chunks at which the reading pauses.
    pub fn pause(self) -> usize {
        self.pause
    }

    /// Returns the waiting chunks at which it goes on.
    pub fn resume(self) -> usize {
        self.resume
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_checked() {
        let of = |most, pause, resume| StreamOptions::default().buffered(most, pause, resume);
        assert!(of(10, 8, 4).is_ok());
        assert!(of(1, 1, 0).is_ok());
        for (most, pause, resume) in [(0, 0, 0), (4, 5, 1), (8, 4, 4), (8, 0, 0)] {
            assert!(of(most, pause, resume).is_err());
        }
    }
}
