//! Estimates for models whose tokenizer is not public, or may not be shipped. A text is split by
//! kinds of content. Each kind is measured in tokens of `o200k_base` or in characters, and
//! multiplied by a factor that was measured for the model. The result is marked as an estimate and
//! has a range.

mod class;
mod factors;

use class::Class;

use crate::Vocabulary;
use crate::counted::Estimate;

/// Method of estimation for a family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Estimator {
    /// Claude 3 to 4.6.
    Claude3,
    /// Claude Opus 4.7 and later, and all of Claude 5.
    Claude47,
    /// Llama 2 and Code Llama, without a vocabulary file.
    Llama2,
    /// Llama 3, without a vocabulary file.
    Llama3,
    /// Llama 4, without a vocabulary file.
    Llama4,
    /// Gemma 3 and Gemini up to 3, without a vocabulary file.
    Gemma3,
    /// Kimi K2, without a vocabulary file.
    Kimi,
    /// Command R.
    CommandR,
    /// Gemini versions whose vocabulary is not known to be one of Gemma's.
    Gemini,
    /// Unknown tokenizer: the range covers all known ones.
    Other,
}

impl Estimator {
    /// All estimators, in the order of lists.
    pub const ALL: &[Self] = &[
        Self::Claude3,
        Self::Claude47,
        Self::Llama2,
        Self::Llama3,
        Self::Llama4,
        Self::Gemma3,
        Self::Kimi,
        Self::CommandR,
        Self::Gemini,
        Self::Other,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude3 => "claude-3",
            Self::Claude47 => "claude-4.7",
            Self::Llama2 => "llama2",
            Self::Llama3 => "llama3",
            Self::Llama4 => "llama4",
            Self::Gemma3 => "gemma3",
            Self::Kimi => "kimi",
            Self::CommandR => "command-r",
            Self::Gemini => "gemini",
            Self::Other => "other",
        }
    }

    /// Returns the estimator with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|estimator| estimator.name() == name)
    }

    /// Estimates the tokens of `text`.
    pub fn estimate(self, text: &str) -> Estimate {
        let mut estimate = Estimate::default();
        class::stretches(text, |class, stretch| {
            estimate += Estimate::scaled(amount(class, stretch), factors::of_class(self, class));
        });
        estimate
    }
}

/// Measures each class in `text`, in the order and the units of the factors; for programs that fit
/// or check the factors.
#[doc(hidden)]
pub fn amounts(text: &str) -> [usize; 11] {
    let mut amounts = [0; Class::COUNT];
    class::stretches(text, |class, stretch| {
        amounts[class as usize] += amount(class, stretch);
    });
    amounts
}

/// Returns the factors of all classes: low, likely, high, in thousandths.
#[doc(hidden)]
pub const fn factors_of(estimator: Estimator) -> [[u64; 3]; 11] {
    *factors::all(estimator)
}

fn amount(class: Class, stretch: &str) -> usize {
    if class.is_latin() {
        Vocabulary::O200kBase.count(stretch)
    } else {
        stretch.chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for &estimator in Estimator::ALL {
            assert_eq!(Estimator::from_name(estimator.name()), Some(estimator));
        }
        assert_eq!(Estimator::from_name("o200k_base"), None);
    }

    #[test]
    fn ranges_are_ordered_and_lines_add_up() {
        let lines = [
            "fn main() {\n",
            "The words of a sentence here.\n",
            "語 😀 → 12\n",
        ];
        for &estimator in Estimator::ALL {
            let whole = estimator.estimate(&lines.concat());
            assert!(whole.low() <= whole.likely() && whole.likely() < whole.high());
            let sum = lines.iter().map(|line| estimator.estimate(line));
            assert_eq!(sum.fold(Estimate::default(), |a, b| a + b), whole);
        }
    }
}
