//! Options of a pack that is delivered in chunks.

use std::num::NonZero;

/// Size of chunks, and thresholds at which the reading waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOptions {
    chunk_tokens: Option<NonZero<usize>>,
    most: usize,
    pause: usize,
    resume: usize,
}

impl Default for StreamOptions {
    /// Returns options for whole files. The reading pauses at 8 waiting chunks and resumes at 4.
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
    /// No chunk could ever wait.
    #[error("the chunks that may wait and the mark for the pause must be at least 1")]
    Zero,
    /// The reading would pause only above the maximum.
    #[error("the reading cannot pause at {pause} chunks when only {most} may wait")]
    PauseAboveMost {
        /// Number of waiting chunks at which the reading pauses.
        pause: usize,
        /// Maximum number of waiting chunks.
        most: usize,
    },
    /// The reading would resume before it paused.
    #[error("the reading cannot go on at {resume} chunks when it pauses at {pause}")]
    ResumeNotBelowPause {
        /// Number of waiting chunks at which the reading resumes.
        resume: usize,
        /// Number of waiting chunks at which it pauses.
        pause: usize,
    },
}

impl StreamOptions {
    /// Splits files above `tokens` tokens into several chunks, between lines.
    #[must_use]
    pub fn chunk_tokens(mut self, tokens: NonZero<usize>) -> Self {
        self.chunk_tokens = Some(tokens);
        self
    }

    /// Allows at most `most` waiting chunks. The reading pauses at `pause` waiting chunks and
    /// resumes at `resume` or fewer.
    ///
    /// # Errors
    /// If the numbers contradict each other.
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

    /// Returns the number of tokens above which a file is split into several chunks.
    pub fn most_tokens(self) -> Option<NonZero<usize>> {
        self.chunk_tokens
    }

    /// Returns the maximum number of waiting chunks.
    pub fn most_waiting(self) -> usize {
        self.most
    }

    /// Returns the number of waiting chunks at which the reading pauses.
    pub fn pause(self) -> usize {
        self.pause
    }

    /// Returns the number of waiting chunks at which the reading resumes.
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
