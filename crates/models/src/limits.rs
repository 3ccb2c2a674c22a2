//! The limits of a model, and the share of them that a prompt may use.

/// Limits in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the context window, including the answer.
    pub window: usize,
    /// Maximum size of a prompt, if that is less than the window.
    pub input: Option<usize>,
    /// Maximum size of an answer.
    pub output: usize,
}

impl Limits {
    /// Limits of an unknown model: the smallest that were common.
    pub const UNKNOWN: Self = Self {
        window: 8_192,
        input: None,
        output: 4_096,
    };

    /// Returns the maximum size of a prompt.
    pub fn prompt(&self) -> usize {
        self.input.unwrap_or(self.window).min(self.window)
    }

    /// Returns the number of tokens that are reserved for the answer: its maximum size. If an
    /// answer may fill the whole window, this is a quarter of the window, because nothing would
    /// remain for the prompt.
    pub fn reserved(&self) -> usize {
        if self.output < self.window {
            self.output
        } else {
            self.window / 4
        }
    }

    /// Returns the budget of a prompt: the window without the answer, at most the input limit,
    /// minus 5 % for text that callers add around it.
    ///
    /// ```
    /// let claude_sonnet_4 = loom_models::Limits { window: 200_000, input: None, output: 64_000 };
    /// assert_eq!(claude_sonnet_4.effective_budget(), 129_200);
    /// ```
    pub fn effective_budget(&self) -> usize {
        self.budget_beside(self.reserved())
    }

    /// Returns the same as [`effective_budget`](Self::effective_budget) for an answer of at most
    /// `output` tokens.
    pub fn budget_beside(&self, output: usize) -> usize {
        let available = self.window.saturating_sub(output);
        let available = available.min(self.input.unwrap_or(available));
        available - available / 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(window: usize, input: Option<usize>, output: usize, budget: usize) {
        let limits = Limits {
            window,
            input,
            output,
        };
        assert_eq!(limits.effective_budget(), budget, "{limits:?}");
    }

    #[test]
    fn budget_is_the_window_without_answer_and_reserve() {
        check(200_000, None, 64_000, 129_200);
        check(8_192, None, 4_096, 3_892);
        check(400_000, Some(272_000), 128_000, 258_400);
        check(1_050_000, Some(922_000), 128_000, 875_900);
        // The answer may fill the window.
        check(131_072, None, 131_072, 93_389);
        check(0, None, 0, 0);
    }

    #[test]
    fn shorter_answer_leaves_a_larger_budget() {
        assert_eq!(Limits::UNKNOWN.budget_beside(192), 7_600);
        assert_eq!(Limits::UNKNOWN.budget_beside(usize::MAX), 0);
    }
}
