//! CSS: rewrites ranges in the conditions of media queries, which the grammar does not support.

use std::borrow::Cow;

/// Rewrites `(width >= 900px)` to `(width :  900px)`.
pub(super) fn prepared(text: &str) -> Cow<'_, str> {
    let mut prepared = Cow::Borrowed(text);
    for word in ["@media", "@container"] {
        for (at, _) in text.match_indices(word) {
            let end = text[at..].find('{').map_or(at, |length| at + length);
            for sign in [">=", "<=", ">", "<"] {
                for (inside, _) in text[at..end].match_indices(sign) {
                    let place = at + inside;
                    let colon = format!("{:width$}", ":", width = sign.len());
                    prepared
                        .to_mut()
                        .replace_range(place..place + sign.len(), &colon);
                }
            }
        }
    }
    prepared
}

#[cfg(test)]
mod tests {
    use super::prepared;

    #[test]
    fn ranges_are_conditions() {
        let check = |text: &str, expected: &str| assert_eq!(prepared(text), expected);
        check(
            "@media (width >= 9px) { a > b {} }",
            "@media (width :  9px) { a > b {} }",
        );
        check("a > b {}", "a > b {}");
    }
}
