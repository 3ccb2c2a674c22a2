//! Comments for tools, which stay when other comments are elided.

/// Starts of comments for tools.
const DIRECTIVES: &[&str] = &[
    "eslint",
    "prettier",
    "@ts-",
    "tslint",
    "noqa",
    "type:",
    "pylint",
    "pragma",
    "mypy",
    "flake8",
    "ruff",
    "isort",
    "fmt:",
    "yapf",
    "go:",
    "+build",
    "nolint",
    "lint:",
    "clang-",
    "NOLINT",
    "noinspection",
    "@formatter",
    "checkstyle",
    "CHECKSTYLE",
    "rubocop",
    "frozen_string_literal",
    "-*-",
    "vim:",
    "istanbul",
    "c8 ",
    "webpack",
    "@__",
    "#__",
    "@jsx",
    "@flow",
    "jshint",
    "sourceMappingURL",
    "shellcheck",
    "phpcs",
    "@phpstan",
    "swiftlint",
    "swift-tools-version",
    "ktlint",
    "scalastyle",
    "scalafmt",
    "SPDX",
    "language=",
    "[if",
    "language:",
    "syntax=",
    "yaml-language-server",
    "renovate",
    "dprint",
    "biome",
    "cspell",
];

/// Returns whether a line of a comment is for a tool.
pub(super) fn is_directive(id: &str, line: &str) -> bool {
    let line = line.trim();
    let marks = ["//", "/*", "#", "--", "<!--"].iter();
    let content = marks.filter_map(|mark| line.strip_prefix(mark)).next();
    let close = content.unwrap_or(line);
    let content = close.trim_start();
    DIRECTIVES.iter().any(|word| content.starts_with(word))
        || is_encoding(content)
        || is_of_language(id, line, close, content)
}

/// Returns whether a comment is `coding: utf-8` or `encoding=utf-8`; other text about encodings
/// does not count.
fn is_encoding(content: &str) -> bool {
    let rest = content.strip_prefix("en").unwrap_or(content);
    let rest = rest.strip_prefix("coding");
    rest.is_some_and(|rest| rest.starts_with([':', '=']))
}

/// Returns whether a comment has a meaning in this language only. `close` is the text directly
/// after the comment mark.
fn is_of_language(id: &str, line: &str, close: &str, content: &str) -> bool {
    let is_word = |rest: &str| rest.starts_with(|next: char| next.is_ascii_lowercase());
    match id {
        // Matches `//export Name`, `// +build linux`, `// +kubebuilder:object:root=true`.
        "go" => close.starts_with("export ") || content.strip_prefix('+').is_some_and(is_word),
        // Hints, and code for a single kind of database.
        "sql" => close.starts_with(['+', '!']),
        // Comments that minifiers must keep.
        "javascript" | "jsx" | "typescript" | "tsx" | "css" | "scss" | "less" => {
            line.starts_with("/*!")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_for_tools_are_recognised() {
        for (id, kept) in [
            ("go", "//go:build linux"),
            ("go", "//export Name"),
            ("go", "// +kubebuilder:object:root=true"),
            ("python", "# noqa: E501"),
            ("python", "# -*- coding: utf-8 -*-"),
            ("ruby", "# encoding: utf-8"),
            ("javascript", "// eslint-disable"),
            ("javascript", "/*! kept by minifiers */"),
            ("typescript", "/* @ts-ignore */"),
            ("sql", "/*+ INDEX(a b) */"),
        ] {
            assert!(is_directive(id, kept), "{kept}");
        }
        for (id, other) in [
            ("go", "// gopher"),
            ("go", "// export is not a word of Go"),
            ("rust", "//! The documentation of a file."),
            ("rust", "/*! The same. */"),
            ("python", "# encoding errors are left out"),
            ("python", "# coding is fun"),
            ("c", "// + one more"),
        ] {
            assert!(!is_directive(id, other), "{other}");
        }
    }
}
