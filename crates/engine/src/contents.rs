//! Content-based classification of a file: text that people wrote, a pointer, or generated output.

use loom_wire::REPORT_GENERATOR;

use crate::render;

/// Class of a file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Ordinary text.
    Text,
    /// A pointer to contents that git LFS stores elsewhere.
    LfsPointer,
    /// An earlier output of Infiniloom: a pack or a report.
    EarlierPack,
}

/// Classifies a file by its start.
pub fn inspect(text: &str) -> Contents {
    const LFS: &str = "version https://git-lfs.github.com/spec/v1\n";
    if text.len() < 1024 && text.starts_with(LFS) && text.contains("\noid ") {
        Contents::LfsPointer
    } else if render::is_pack(text) || is_report(text) {
        Contents::EarlierPack
    } else {
        Contents::Text
    }
}

/// Returns true if a text is a report as Infiniloom writes it, with newlines and indentation.
fn is_report(text: &str) -> bool {
    let rest = text.strip_prefix("{\n  \"generator\": \"");
    let rest = rest.and_then(|rest| rest.strip_prefix(REPORT_GENERATOR));
    rest.is_some_and(|rest| rest.starts_with("\",\n"))
}

/// Returns true if scripts or styles consist of a few very long lines. People write lines of a few
/// dozen bytes; bundlers write lines of thousands.
pub fn is_minified(language: Option<&str>, text: &str, lines: usize) -> bool {
    // Ten times the line of a person, and far below that of a bundler. A shorter text may be a
    // single long literal.
    const MEAN_LINE: usize = 500;
    const SMALLEST: usize = 5_000;
    matches!(language, Some("javascript" | "css"))
        && text.len() >= SMALLEST
        && text.len() / lines.max(1) >= MEAN_LINE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_classified_by_text() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 1\n";
        assert_eq!(inspect(pointer), Contents::LfsPointer);
        assert_eq!(inspect("version 1\n"), Contents::Text);
    }

    #[test]
    fn only_our_own_reports_are_known() {
        let report = "{\n  \"generator\": \"infiniloom report\",\n  \"format_version\": 1,\n";
        assert_eq!(inspect(report), Contents::EarlierPack);
        for other in [
            "{\n  \"format_version\": \"1.2\",\n",
            "{\n  \"generator\": \"infiniloom reports\",\n",
            "{\n  \"generator\": \"infiniloom report\"}",
        ] {
            assert_eq!(inspect(other), Contents::Text, "{other}");
        }
    }

    #[test]
    fn long_lines_of_scripts_are_minified() {
        let bundle = "var a=1;".repeat(1000);
        assert!(is_minified(Some("javascript"), &bundle, 1));
        assert!(!is_minified(Some("json"), &bundle, 1));
        assert!(!is_minified(Some("javascript"), &bundle, 400));
        assert!(!is_minified(Some("javascript"), "var a=1;", 1));
    }
}
