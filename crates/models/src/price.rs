//! Prices of tokens. They are integers, so that sums are exact.

use std::fmt;

/// Price of a million tokens, in millionths of a dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price(u64);

impl Price {
    /// Parses a price in dollars for a million tokens: `3`, `0.075`.
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

    /// Returns the price in dollars for a million tokens.
    pub fn dollars_per_million(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// Returns the cost of `tokens`.
    pub fn cost(self, tokens: usize) -> Cost {
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

/// Amount of money, in millionths of a dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
    /// Returns the amount in dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

/// Prices for the parts of a request. `None` means that a price is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Price of the prompt.
    pub input: Option<Price>,
    /// Price of the answer.
    pub output: Option<Price>,
    /// Price of reading from the provider's cache.
    pub cache_read: Option<Price>,
    /// Price of writing to the provider's cache.
    pub cache_write: Option<Price>,
    /// Price of writing to the provider's cache for one hour.
    pub cache_write_hour: Option<Price>,
}

/// Rates for prompts above a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The rates apply to prompts with more tokens than this.
    pub above: usize,
    /// Rates of the tier.
    pub rates: Rates,
}

/// Rates of a model, by the length of the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices(Vec<Tier>);

impl Prices {
    /// Creates prices from `tiers`.
    pub fn new(mut tiers: Vec<Tier>) -> Self {
        tiers.sort_by_key(|tier| tier.above);
        Self(tiers)
    }

    /// Returns the tiers, shortest prompts first.
    pub fn tiers(&self) -> &[Tier] {
        &self.0
    }

    /// Returns the rates for a prompt of `tokens`. A price that is missing in a higher tier comes
    /// from the tier below.
    pub fn rates(&self, tokens: usize) -> Rates {
        let tiers = self.0.iter();
        let tiers = tiers.filter(|tier| tier.above == 0 || tier.above < tokens);
        tiers.fold(Rates::default(), |lower, tier| tier.rates.over(lower))
    }

    /// Returns the cost of a prompt of `tokens`, if known.
    pub fn input_cost(&self, tokens: usize) -> Option<Cost> {
        Some(self.rates(tokens).input?.cost(tokens))
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
    fn prices_parse_and_display() {
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
