//! The pages of GitHub, GitLab, Bitbucket, Gitea and their kin: which part of the
//! address is the repository, and what the rest shows of it.

use super::place::Place;
use crate::percent::percent_decoded;

/// Splits the path of an http address into the path of the repository and the
/// place in it.
pub(super) fn split(host: &str, path: &str) -> (String, Place) {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let whole = |parts: &[&str]| (parts.join("/"), Place::Whole);
    if parts.last().is_some_and(|last| last.ends_with(".git")) {
        return whole(&parts);
    }
    // GitLab: groups of any depth, and a dash before what is no group.
    if let Some(dash) = parts.iter().position(|part| *part == "-") {
        let page = place(&parts[dash + 1..]).unwrap_or(Place::Whole);
        return (parts[..dash].join("/"), page);
    }
    if host.contains("gitlab") || parts.len() < 3 {
        return whole(&parts);
    }
    // Everywhere else a repository has an owner and a name.
    match place(&parts[2..]) {
        Some(page) => (parts[..2].join("/"), page),
        None if is_flat(host) => whole(&parts[..2]),
        None => whole(&parts),
    }
}

/// Hosts on which every path starts with an owner and a name.
fn is_flat(host: &str) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    matches!(
        host,
        "github.com" | "bitbucket.org" | "codeberg.org" | "gitea.com"
    )
}

/// What the part of an address behind the repository shows.
fn place(parts: &[&str]) -> Option<Place> {
    let decoded = |parts: &[&str]| {
        parts
            .iter()
            .map(|part| percent_decoded(part))
            .collect::<Vec<_>>()
    };
    let commit = |hash: &str, rest: &[&str]| Place::Commit(hash.to_owned(), decoded(rest));
    match parts {
        ["commit" | "commits", hash, ..] if is_hash(hash) => Some(commit(hash, &[])),
        // Gitea.
        ["src", "commit", hash, rest @ ..] if is_hash(hash) => Some(commit(hash, rest)),
        ["src" | "raw", "branch" | "tag", rest @ ..] if !rest.is_empty() => {
            Some(Place::Named(decoded(rest)))
        }
        // GitHub and GitLab; Bitbucket says `src`.
        ["tree" | "blob" | "raw" | "blame" | "src", hash, rest @ ..] if is_hash(hash) => {
            Some(commit(hash, rest))
        }
        [
            "tree" | "blob" | "raw" | "blame" | "src" | "branch" | "commits",
            rest @ ..,
        ] if !rest.is_empty() => Some(Place::Named(decoded(rest))),
        ["releases", "tag", rest @ ..] | ["tags", rest @ ..] if !rest.is_empty() => {
            Some(Place::Named(decoded(rest)))
        }
        _ => None,
    }
}

/// Whether it is a full hash, SHA-1 or SHA-256.
pub(super) fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
