//! The cost of one unit of each class: low, likely, high, in thousandths of a token. The unit is a
//! token of `o200k_base` for Latin text, otherwise a character.
//!
//! Claude 3 to 4.6: least squares over 120 published results of the provider's `count_tokens` (see
//! `tests/it/claude.rs`, which also measures the ranges). Claude 4.7 and later: the same, times
//! published ratios of the new tokenizer to the old (code 1.13 to 1.36, prose 1.45, Chinese and
//! Cyrillic 1.0); we did not measure it. Gemini without a published vocabulary: the likely value of
//! Gemma 3, with a range over all known vocabularies. The others: least squares over 600 files of
//! four repositories and the same 120 texts, counted with the vocabulary; their ranges contain 95 %
//! of them.

use super::Estimator;
use super::class::Class;

pub(super) type Factors = [[u64; 3]; Class::COUNT];

/// Returns the factors of a class.
pub(super) const fn of_class(estimator: Estimator, class: Class) -> [u64; 3] {
    all(estimator)[class as usize]
}

/// Returns the factors of all classes.
pub(super) const fn all(estimator: Estimator) -> &'static Factors {
    match estimator {
        Estimator::Claude3 => &CLAUDE_3,
        Estimator::Claude47 => &CLAUDE_47,
        Estimator::Llama2 => &LLAMA_2,
        Estimator::Llama3 => &LLAMA_3,
        Estimator::Llama4 => &LLAMA_4,
        Estimator::Gemma3 => &GEMMA_3,
        Estimator::Kimi => &KIMI,
        Estimator::CommandR => &COMMAND_R,
        Estimator::Gemini => &GEMINI,
        Estimator::Other => &OTHER,
    }
}

const CLAUDE_3: Factors = [
    [1010, 1170, 1400], // prose
    [1080, 1220, 1360], // braces
    [1080, 1200, 1340], // indented
    [1040, 1160, 1320], // data
    [990, 1060, 1190],  // figures
    [850, 1050, 1300],  // Han
    [600, 800, 1150],   // kana
    [1100, 1350, 1650], // Hangul
    [660, 800, 1130],   // script
    [2000, 2850, 4000], // emoji
    [1800, 2700, 4200], // symbol
];

const CLAUDE_47: Factors = [
    [1330, 1650, 1850],
    [1280, 1450, 1680],
    [1280, 1460, 1700],
    [1200, 1450, 1700],
    [1000, 1300, 1600],
    [850, 1050, 1400],
    [600, 800, 1250],
    [1100, 1350, 1750],
    [660, 800, 1300],
    [2000, 2850, 4500],
    [1800, 2700, 4500],
];

const LLAMA_2: Factors = with_range(
    [
        1073, 1419, 1419, 1347, 1584, 950, 950, 1370, 910, 2560, 1680,
    ],
    [840, 1190],
);
const LLAMA_3: Factors = with_range(
    [1008, 988, 988, 989, 1001, 705, 490, 640, 720, 2410, 1400],
    [890, 1070],
);
const LLAMA_4: Factors = with_range(
    [985, 1001, 1001, 999, 993, 490, 340, 550, 380, 1770, 760],
    [940, 1070],
);
const GEMMA_3: Factors = with_range(
    [983, 1297, 1297, 1218, 1547, 480, 320, 580, 340, 1050, 500],
    [830, 1180],
);
const KIMI: Factors = with_range(
    [1019, 981, 981, 986, 994, 570, 630, 870, 650, 1780, 1920],
    [900, 1080],
);
const COMMAND_R: Factors = with_range(
    [945, 1281, 1281, 1143, 1548, 650, 510, 610, 620, 1230, 1440],
    [780, 1220],
);

/// From the most economical to the most wasteful of the vocabularies above.
const OTHER: Factors = [
    [900, 1020, 1200],
    [950, 1100, 1450],
    [950, 1100, 1450],
    [950, 1080, 1400],
    [950, 1200, 1600],
    [450, 700, 1100],
    [300, 600, 1000],
    [500, 800, 1400],
    [330, 650, 1000],
    [1000, 1900, 3000],
    [500, 1500, 3000],
];

const GEMINI: Factors = widened(GEMMA_3, OTHER);

/// Combines the likely values of one estimator with the outermost ends of both.
const fn widened(likely: Factors, other: Factors) -> Factors {
    let mut factors = likely;
    let mut class = 0;
    while class < Class::COUNT {
        let [[low, _, high], [other_low, _, other_high]] = [likely[class], other[class]];
        factors[class][0] = if low < other_low { low } else { other_low };
        factors[class][2] = if high > other_high { high } else { other_high };
        class += 1;
    }
    factors
}

/// Builds factors with the same range for all classes: `edges` are thousandths of the likely value.
const fn with_range(likely: [u64; Class::COUNT], edges: [u64; 2]) -> Factors {
    let mut factors = [[0; 3]; Class::COUNT];
    let mut class = 0;
    while class < Class::COUNT {
        let middle = likely[class];
        factors[class] = [middle * edges[0] / 1000, middle, middle * edges[1] / 1000];
        class += 1;
    }
    factors
}
