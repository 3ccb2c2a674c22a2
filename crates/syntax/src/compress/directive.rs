//! Comments that speak to a tool: they stay when other comments go.

/// What a comment that speaks to a tool starts with.
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

/// Whether a line of a comment speaks to a tool.
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

/// `coding: utf-8`, `encoding=utf-8`, but no words about encodings.
fn is_encoding(content: &str) -> bool {
    let rest = content.strip_prefix("en").unwrap_or(content);
    let rest = rest.strip_prefix("coding");
    rest.is_some_and(|rest| rest.starts_with([':', '=']))
}

/// What means something in one language and is a plain comment in others. `close` is
/// what follows the mark directly.
fn is_of_language(id: &str, line: &str, close: &str, content: &str) -> bool {
    let is_word = |rest: &str| rest.starts_with(|next: char| next.is_ascii_lowercase());
    match id {
        // `//export Name`, `// +build linux`, `// +kubebuilder:object:root=true`
        "go" => close.starts_with("export ") || content.strip_prefix('+').is_some_and(is_word),
        // Hints, and what only one database runs.
        "sql" => close.starts_with(['+', '!']),
        // What a minifier is to keep.
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
    fn tools_are_spoken_to() {
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
