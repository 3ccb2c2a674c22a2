//! Number formats: seconds, bytes, shares and ratios, each with its unit.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Writes a value in a format:
///
/// | format | value | written |
/// |---|---|---|
/// | none | a text or a number | unchanged |
/// | `,` | a number | `31,297` |
/// | `.2` | a number | that number of decimals |
/// | `s`, `ms` | seconds | `0.288 s`, `288 ms` |
/// | `ms-ms` | milliseconds | `288 ms` |
/// | `MB` | bytes | `21 MB`, `1.3 GB` |
/// | `x` | a ratio | `1.7`, `16` |
/// | `%` | a share of 1 | `36 %` |
/// | `%%` | per cent | `36.5 %` |
pub(crate) fn value(value: &Value, format: &str) -> Result<String> {
    if format.is_empty() {
        return Ok(match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
    }
    let number = value.as_f64().context("is no number")?;
    self::number(number, format)
}

/// Writes a number in one of the formats.
pub(crate) fn number(number: f64, format: &str) -> Result<String> {
    Ok(match format {
        "" => number.to_string(),
        "," => grouped(number, 0),
        "s" => format!("{} s", seconds(number)),
        "ms" => format!("{} ms", milliseconds(number * 1000.0)),
        "ms-ms" => format!("{} ms", milliseconds(number)),
        "MB" if number >= 1e9 => format!("{} GB", grouped(number / 1e9, 1)),
        "MB" => format!("{} MB", short(number / 1e6)),
        "x" => short(number),
        "%" => format!("{} %", grouped(number * 100.0, 0)),
        "%%" => format!("{} %", grouped(number, 1)),
        other => match other.strip_prefix('.').map(str::parse) {
            Some(Ok(decimals)) => grouped(number, decimals),
            _ => bail!("no format `{other}`"),
        },
    })
}

fn seconds(number: f64) -> String {
    match number {
        below if below < 1.0 => grouped(number, 3),
        below if below < 10.0 => grouped(number, 2),
        below if below < 100.0 => grouped(number, 1),
        _ => grouped(number, 0),
    }
}

fn milliseconds(number: f64) -> String {
    grouped(number, usize::from(number < 10.0))
}

fn short(number: f64) -> String {
    grouped(number, usize::from(number < 10.0))
}

/// Formats a number with commas between thousands.
fn grouped(number: f64, decimals: usize) -> String {
    let plain = format!("{number:.decimals$}");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let digits = whole.trim_start_matches('-');
    let mut out = whole[..whole.len() - digits.len()].to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_format_has_its_unit() {
        let check = |found: Value, format: &str, expected: &str| {
            assert_eq!(value(&found, format).unwrap(), expected, "{found} {format}");
        };
        check(json!("django"), "", "django");
        check(json!(31297), ",", "31,297");
        check(json!(0.2881), "s", "0.288 s");
        check(json!(10.94), "s", "10.9 s");
        check(json!(0.0072), "ms", "7.2 ms");
        check(json!(302.8), "ms-ms", "303 ms");
        check(json!(21_400_000), "MB", "21 MB");
        check(json!(1_299_578_311), "MB", "1.3 GB");
        check(json!(15.6), "x", "16");
        check(json!(1.04), "x", "1.0");
        check(json!(0.364), "%", "36 %");
        check(json!(36.46), "%%", "36.5 %");
        check(json!(-2.345), ".2", "-2.35");
        assert!(value(&json!("a"), "s").is_err() && value(&json!(1), "q").is_err());
    }
}
