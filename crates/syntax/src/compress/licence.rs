//! Recognises licence texts, which name owners and permissions. A text that only mentions licences
//! does not count.

/// Phrases of licences, in lower case, with one space between words. A single phrase is enough, a
/// single word of it is not.
const PHRASES: &[&str] = &[
    "all rights reserved",
    "apache license",
    "bsd license",
    "bsd-style",
    "@license",
    "dual licensed",
    "dual-licensed",
    "free software",
    "gnu general public",
    "gnu lesser general public",
    "in the public domain",
    "is licensed under",
    "licensed to the",
    "licensed under",
    "license as published by",
    "licenced under",
    "gpl2 licensed",
    "mit licence",
    "mit license",
    "mozilla public license",
    "permission is granted",
    "permission is hereby granted",
    "permission to use, copy",
    "redistribution and use",
    "released under",
    "see license",
    "see the license",
    "spdx-license-identifier",
    "under the terms of",
    "use of this source code is governed",
];

/// Returns whether a comment is a licence.
pub(super) fn is_licence(comment: &str) -> bool {
    let lines: Vec<&str> = comment.lines().map(words).collect();
    let text = lines.join(" ").to_lowercase();
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    PHRASES.iter().any(|phrase| text.contains(phrase)) || lines.into_iter().any(is_claim)
}

/// Returns the words of a comment line.
fn words(line: &str) -> &str {
    line.trim_matches(|letter: char| "/*#-;%<!>{}|=".contains(letter) || letter.is_whitespace())
}

/// Returns whether a line starts with an ownership statement: `Copyright 2020 A`, `Copyright (c)
/// A`, `(c) A`, `License: B`.
fn is_claim(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let opening = ["spdx-filecopyrighttext", "@copyright", "copyright"];
    let opening = opening.into_iter().find(|word| lower.starts_with(word));
    let Some(opening) = opening else {
        let starts = ["\u{a9}", "(c) ", "license:", "licence:"];
        return starts.iter().any(|start| lower.starts_with(start));
    };
    let rest = line[opening.len()..].trim_start();
    let is_name = |next: char| next.is_uppercase() || next.is_ascii_digit();
    rest.starts_with("by ") || rest.starts_with(|next| is_name(next) || "(:\u{a9},".contains(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_differ_from_text_about_licences() {
        for licence in [
            "// Copyright 2020 A. Person\n// Licensed under MIT\n// See LICENSE",
            "/*\n * Copyright (c) 2009, A\n * more\n */",
            "# Copyright: A\n# B\n# C",
            "/* This file is part of X.\n * It is free software: you may\n * do things. */",
            "// Use of this source code is\n// governed by a BSD-style license\n// that is there.",
            "# SPDX-License-Identifier: MIT\n#\n# x",
            "<!--\n \u{a9} 2020 A\n x\n-->",
        ] {
            assert!(is_licence(licence), "{licence}");
        }
        for other in [
            "# Handles license keys.\n# A key has 20 digits.\n# They are checked here.",
            "// Copyright notices of files are found here,\n// and the licence of each\n// is told.",
            "/* The copyright holder is asked first.\n * Then the license server.\n */",
        ] {
            assert!(!is_licence(other), "{other}");
        }
    }
}
