//! Rounds scores, so that equal input gives equal digits on every machine.

/// Rounds to four decimals, as contexts show scores.
pub(super) fn to_four_decimals(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Rounds to six decimals, as searches show scores.
pub(super) fn to_six_decimals(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
