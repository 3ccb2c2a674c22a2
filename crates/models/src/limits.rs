//! How much a model takes and gives, and what of it a prompt may use.

/// Limits in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What the context window holds, the answer included.
    pub window: usize,
    /// What a prompt may have, where that is less than the window.
    pub input: Option<usize>,
    /// What an answer may have.
    pub output: usize,
}

impl Limits {
    /// Those of a model that nobody knows: the smallest that were usual.
    pub const UNKNOWN: Self = Self {
        window: 8_192,
        input: None,
        output: 4_096,
    };

    /// What a prompt may have at most.
    pub fn prompt(&self) -> usize {
        self.input.unwrap_or(self.window).min(self.window)
    }

    /// What is kept free for the answer: all that it may have. Where it may fill
    /// the whole window, nothing would be left for the prompt; a quarter is kept.
    pub fn reserved(&self) -> usize {
        if self.output < self.window {
            self.output
        } else {
            self.window / 4
        }
    }

    /// What a prompt may use: the window less the answer, at most the input limit,
    /// less 5 % for what is added around it.
    ///
    /// ```
    /// let claude_sonnet_4 = loom_models::Limits { window: 200_000, input: None, output: 64_000 };
    /// assert_eq!(claude_sonnet_4.effective_budget(), 129_200);
    /// ```
    pub fn effective_budget(&self) -> usize {
        self.budget_beside(self.reserved())
    }

    /// As [`effective_budget`](Self::effective_budget), for an answer of at most
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
    fn budgets() {
        check(200_000, None, 64_000, 129_200);
        check(8_192, None, 4_096, 3_892);
        check(400_000, Some(272_000), 128_000, 258_400);
        check(1_050_000, Some(922_000), 128_000, 875_900);
        // The answer may fill the window.
        check(131_072, None, 131_072, 93_389);
        check(0, None, 0, 0);
    }

    #[test]
    fn a_shorter_answer_leaves_more() {
        assert_eq!(Limits::UNKNOWN.budget_beside(192), 7_600);
        assert_eq!(Limits::UNKNOWN.budget_beside(usize::MAX), 0);
    }
}
