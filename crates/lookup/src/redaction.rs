//! Redacts secrets in the names of symbols and references: a heading, a key or a class name can be
//! a secret.

use loom_secrets::Finding;
use loom_syntax::{Reference, Symbol};

/// Redacts `findings` in the names of symbols.
pub fn hide_names(symbols: &mut [Symbol], text: &str, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    // The qualified names before redaction, for symbols that changed.
    let mut before: Vec<Option<String>> = vec![None; symbols.len()];
    for at in 0..symbols.len() {
        let name = hidden_name(&symbols[at], text, findings);
        let above = symbols[at].parent.filter(|parent| *parent < at);
        let above = above.and_then(|parent| {
            let old = before[parent].as_deref()?;
            Some((old.to_owned(), symbols[parent].qualified.clone()))
        });
        let symbol = &mut symbols[at];
        let old = symbol.qualified.clone();
        if let Some((old, new)) = above
            && let Some(rest) = symbol.qualified.strip_prefix(&old)
        {
            symbol.qualified = format!("{new}{rest}");
        }
        if let Some(name) = name {
            let around = symbol.qualified.strip_suffix(&symbol.name);
            symbol.qualified = format!("{}{name}", around.unwrap_or_default());
            symbol.name = name;
        }
        for finding in findings {
            // A name can be composed of other parts of the text, outside of its span.
            let secret = text.get(finding.span.clone()).unwrap_or_default();
            if !secret.is_empty() && symbol.qualified.contains(secret) {
                let mark = mark(finding);
                symbol.qualified = symbol.qualified.replace(secret, &mark);
                symbol.name = symbol.name.replace(secret, &mark);
            }
        }
        before[at] = (old != symbol.qualified).then_some(old);
    }
}

/// Replaces the names of references that overlap a secret.
pub fn hide_references(references: &mut [Reference], findings: &[Finding]) {
    for one in references {
        let reaches = |it: &&Finding| it.span.start < one.span.end && one.span.start < it.span.end;
        if let Some(finding) = findings.iter().find(reaches) {
            one.name = mark(finding);
        }
    }
}

/// Returns the name without the secrets that overlap its span. Returns `None` if no secret does.
fn hidden_name(symbol: &Symbol, text: &str, findings: &[Finding]) -> Option<String> {
    let place = symbol.name_span;
    let is_as_written = text.get(place.start..place.end) == Some(&symbol.name);
    let reaches = |one: &&Finding| one.span.start < place.end && place.start < one.span.end;
    let mut name = String::new();
    let mut at = 0;
    for finding in findings.iter().filter(reaches) {
        if !is_as_written {
            // The name differs from the text, so the position of the secret in it is unknown.
            return Some(mark(finding));
        }
        let start = finding.span.start.saturating_sub(place.start).max(at);
        name.push_str(symbol.name.get(at..start).unwrap_or_default());
        name.push_str(&mark(finding));
        at = (finding.span.end.min(place.end) - place.start).max(at);
    }
    if name.is_empty() {
        return None;
    }
    name.push_str(symbol.name.get(at..).unwrap_or_default());
    Some(name)
}

fn mark(finding: &Finding) -> String {
    format!("[REDACTED:{}]", finding.kind)
}

#[cfg(test)]
mod tests {
    use loom_secrets::Confidence;
    use loom_syntax::{Language, Limits, extract};

    use super::*;

    #[test]
    fn names_and_what_is_inside_of_them() {
        let text = "class Shop:\n    class sesame42:\n        def sell(self):\n            pass\n";
        let at = text.find("sesame42").unwrap();
        let finding = Finding {
            span: at..at + 8,
            kind: "key",
            confidence: Confidence::High,
            reasons: Vec::new(),
        };
        let language = Language::from_id("python").unwrap();
        let mut symbols = extract(language, text, &Limits::default()).symbols;
        hide_names(&mut symbols, text, &[finding]);
        let names: Vec<&str> = symbols.iter().map(|one| one.qualified.as_str()).collect();
        assert_eq!(
            names,
            ["Shop", "Shop.[REDACTED:key]", "Shop.[REDACTED:key].sell"]
        );
        assert_eq!(symbols[1].name, "[REDACTED:key]");
    }
}
