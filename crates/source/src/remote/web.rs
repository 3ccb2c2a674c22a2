//! Web pages of GitHub, GitLab, Bitbucket, Gitea and similar hosts: splits a URL into the
//! repository and the location in it.

use super::place::RepoLocation;
use crate::percent::percent_decoded;

/// Splits the path of an http URL into the path of the repository and the location in it.
pub(super) fn split(host: &str, path: &str) -> (String, RepoLocation) {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let whole = |parts: &[&str]| (parts.join("/"), RepoLocation::Whole);
    if parts.last().is_some_and(|last| last.ends_with(".git")) {
        return whole(&parts);
    }
    // GitLab: groups of any depth, and a dash before the first component that is not a group.
    if let Some(dash) = parts.iter().position(|part| *part == "-") {
        let page = place(&parts[dash + 1..]).unwrap_or(RepoLocation::Whole);
        return (parts[..dash].join("/"), page);
    }
    if host.contains("gitlab") || parts.len() < 3 {
        return whole(&parts);
    }
    // On all other hosts, a repository has an owner and a name.
    match place(&parts[2..]) {
        Some(page) => (parts[..2].join("/"), page),
        None if is_flat(host) => whole(&parts[..2]),
        None => whole(&parts),
    }
}

/// Returns true for hosts on which every path starts with an owner and a name.
fn is_flat(host: &str) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    matches!(
        host,
        "github.com" | "bitbucket.org" | "codeberg.org" | "gitea.com"
    )
}

/// Returns the location that the rest of a URL names.
fn place(parts: &[&str]) -> Option<RepoLocation> {
    let decoded = |parts: &[&str]| {
        parts
            .iter()
            .map(|part| percent_decoded(part))
            .collect::<Vec<_>>()
    };
    let commit = |hash: &str, rest: &[&str]| RepoLocation::Commit(hash.to_owned(), decoded(rest));
    match parts {
        ["commit" | "commits", hash, ..] if is_hash(hash) => Some(commit(hash, &[])),
        // Gitea.
        ["src", "commit", hash, rest @ ..] if is_hash(hash) => Some(commit(hash, rest)),
        ["src" | "raw", "branch" | "tag", rest @ ..] if !rest.is_empty() => {
            Some(RepoLocation::Named(decoded(rest)))
        }
        // GitHub and GitLab; Bitbucket uses `src`.
        ["tree" | "blob" | "raw" | "blame" | "src", hash, rest @ ..] if is_hash(hash) => {
            Some(commit(hash, rest))
        }
        [
            "tree" | "blob" | "raw" | "blame" | "src" | "branch" | "commits",
            rest @ ..,
        ] if !rest.is_empty() => Some(RepoLocation::Named(decoded(rest))),
        ["releases", "tag", rest @ ..] | ["tags", rest @ ..] if !rest.is_empty() => {
            Some(RepoLocation::Named(decoded(rest)))
        }
        _ => None,
    }
}

/// Returns true for a full SHA-1 or SHA-256 hash.
pub(super) fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
