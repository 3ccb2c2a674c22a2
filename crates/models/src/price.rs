//! What tokens cost. Prices are whole numbers, so that sums are exact.

use std::fmt;

/// The price of tokens, in millionths of a dollar for a million of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price(u64);

impl Price {
    /// The price that `text` names in dollars for a million tokens: `3`, `0.075`.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || part.len() > 6 || !is_number(whole) || !is_number(part) {
            return None;
        }
        let millionths = format!("{part:0<6}").parse::<u64>().ok()?;
        let whole = whole.parse::<u64>().ok()?.checked_mul(1_000_000)?;
        whole.checked_add(millionths).map(Self)
    }

    /// Dollars for a million tokens.
    pub fn dollars_per_million(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// What `tokens` cost.
    pub fn of(self, tokens: usize) -> Cost {
        let cost = u128::from(self.0) * tokens as u128 / 1_000_000;
        Cost(u64::try_from(cost).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// An amount of money, in millionths of a dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
    /// In dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

/// What a model asks for the parts of a request. A price that is not there is not
/// known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// For the prompt.
    pub input: Option<Price>,
    /// For the answer.
    pub output: Option<Price>,
    /// For a part of the prompt that the provider kept.
    pub cache_read: Option<Price>,
    /// For having a part kept.
    pub cache_write: Option<Price>,
    /// For having it kept for an hour.
    pub cache_write_hour: Option<Price>,
}

/// The rates of prompts above a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The rates hold for prompts of more tokens than this.
    pub above: usize,
    /// The rates.
    pub rates: Rates,
}

/// The rates of a model, by the length of the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(Vec<Tier>);

impl Prices {
    /// The rates of `tiers`.
    pub fn new(mut tiers: Vec<Tier>) -> Self {
        tiers.sort_by_key(|tier| tier.above);
        Self(tiers)
    }

    /// The tiers, shortest prompts first.
    pub fn tiers(&self) -> &[Tier] {
        &self.0
    }

    /// The rates of a prompt of `tokens`. A price that a higher tier does not name
    /// is that of the tier below.
    pub fn rates(&self, tokens: usize) -> Rates {
        let tiers = self.0.iter();
        let tiers = tiers.filter(|tier| tier.above == 0 || tier.above < tokens);
        tiers.fold(Rates::default(), |lower, tier| tier.rates.over(lower))
    }

    /// What a prompt of `tokens` costs, if known.
    pub fn input_cost(&self, tokens: usize) -> Option<Cost> {
        Some(self.rates(tokens).input?.of(tokens))
    }
}

impl Rates {
    fn over(self, lower: Self) -> Self {
        Self {
            input: self.input.or(lower.input),
            output: self.output.or(lower.output),
            cache_read: self.cache_read.or(lower.cache_read),
            cache_write: self.cache_write.or(lower.cache_write),
            cache_write_hour: self.cache_write_hour.or(lower.cache_write_hour),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_and_shown() {
        for text in ["3", "0.075", "22.5", "0.000001"] {
            assert_eq!(Price::parse(text).unwrap().to_string(), text);
        }
        for text in ["", ".5", "-1", "1.0000001", "x", "1e3"] {
            assert_eq!(Price::parse(text), None, "{text}");
        }
    }

    #[test]
    fn longer_prompts_cost_more() {
        let rates = |input, output| Rates {
            input: Price::parse(input),
            output: Price::parse(output),
            ..Rates::default()
        };
        let (base, long) = (rates("3", "15"), rates("6", "-"));
        let prices = Prices::new(vec![
            Tier {
                above: 200_000,
                rates: long,
            },
            Tier {
                above: 0,
                rates: base,
            },
        ]);
        assert_eq!(prices.input_cost(200_000), Some(Cost(600_000)));
        assert_eq!(prices.input_cost(200_001), Some(Cost(1_200_006)));
        assert_eq!(prices.rates(300_000).output, Price::parse("15"));
        assert_eq!(Prices::default().input_cost(1), None);
    }
}
