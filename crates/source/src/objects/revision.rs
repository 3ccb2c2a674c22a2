//! Resolves a revision that a user typed to one commit.

use gix::bstr::BStr;
use gix::objs::Kind;
use gix::revision::Spec;
use gix::revision::spec::parse::{Error, ObjectKindHint, Options, RefsHint};

use super::error::{UNSHALLOW, alternatives, broken};
use super::{Commit, ObjectsError, names};

/// Hint for a revision that resembles no name.
const LIST: &str = "run `git branch --all` and `git tag` to list branches and tags";

pub(super) fn resolve(
    repository: &gix::Repository,
    revision: &str,
) -> Result<Commit, ObjectsError> {
    let options = Options {
        refs_hint: RefsHint::default(),
        object_kind_hint: Some(ObjectKindHint::Committish),
    };
    let spec = Spec::from_bstr(BStr::new(revision), repository, options)
        .map_err(|error| not_found(repository, revision, &error))?;
    let Some(id) = spec.single() else {
        let revision = revision.to_owned();
        return Err(ObjectsError::SeveralCommits { revision });
    };
    let object = super::find(repository, id.detach())?;
    let found = object.kind;
    let commit = object.peel_to_kind(Kind::Commit);
    let commit = commit.map_err(|_| ObjectsError::NotACommit {
        revision: revision.to_owned(),
        found: found.to_string(),
    })?;
    let id = commit.id;
    let commit = commit.into_commit();
    let tree = commit.tree_id().map_err(|error| broken(id, &error))?;
    Ok(Commit {
        id,
        tree: tree.detach(),
    })
}

fn not_found(repository: &gix::Repository, revision: &str, error: &gix::Error) -> ObjectsError {
    let revision = revision.to_owned();
    let ambiguous = error.iter_errors().find_map(candidates);
    if let Some(candidates) = ambiguous {
        return ObjectsError::Ambiguous {
            revision,
            candidates,
        };
    }
    let is_unborn = repository.head().is_ok_and(|head| head.is_unborn());
    if is_unborn && (revision.starts_with("HEAD") || revision.starts_with('@')) {
        return ObjectsError::NoCommits { revision };
    }
    let is_shallow = repository.is_shallow().unwrap_or(false);
    ObjectsError::Unknown {
        hint: match is_shallow {
            true => shallow_hint(repository, &revision),
            false => hint(repository, &revision),
        },
        is_shallow,
        revision,
    }
}

/// Suggests similar names, or some branches.
fn hint(repository: &gix::Repository, revision: &str) -> String {
    if let Some(near) = alternatives(&names::near(repository, revision)) {
        return format!("did you mean {near}?");
    }
    let branches = match is_plain(revision) {
        true => alternatives(&names::branches(repository)),
        false => None,
    };
    branches.map_or(LIST.to_owned(), |branches| {
        format!("expected a branch such as {branches}, a tag or a hash")
    })
}

/// Suggests the command that fetches the revision, and similar names.
fn shallow_hint(repository: &gix::Repository, revision: &str) -> String {
    let fetch = fetch_command(repository, revision);
    let fetch = fetch.map_or(UNSHALLOW.to_owned(), |fetch| {
        format!("run `{fetch}` to fetch it with its history")
    });
    match alternatives(&names::near(repository, revision)) {
        Some(near) => format!("{fetch}; or did you mean {near}?"),
        None => fetch,
    }
}

/// Returns the command that fetches a branch into a shallow clone, which often fetches only one
/// branch; `None` if the revision cannot be the name of a branch.
fn fetch_command(repository: &gix::Repository, revision: &str) -> Option<String> {
    let names = repository.remote_names();
    let remotes: Vec<&str> = names
        .iter()
        .filter_map(|name| std::str::from_utf8(name).ok())
        .filter(|name| is_plain(name))
        .collect();
    let is_hash = revision.len() >= 7 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_plain(revision) || is_hash || revision == "HEAD" {
        return None;
    }
    let of_remote = remotes.iter().find_map(|remote| {
        let branch = revision.strip_prefix(remote)?.strip_prefix('/')?;
        Some((*remote, branch, format!("refs/remotes/{revision}")))
    });
    let (remote, branch, target) = of_remote.or_else(|| {
        let usual = remotes.iter().find(|remote| **remote == "origin");
        let remote = *usual.or_else(|| remotes.first())?;
        Some((remote, revision, revision.to_owned()))
    })?;
    Some(format!("git fetch --unshallow {remote} {branch}:{target}"))
}

/// Returns true if a shell reads the name as one plain word, and git as no option.
fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte);
    !name.is_empty() && !name.starts_with('-') && name.bytes().all(is_plain)
}

/// Returns the candidates of an ambiguous short hash.
fn candidates(error: &(dyn std::error::Error + 'static)) -> Option<Vec<String>> {
    match error.downcast_ref::<Error>()? {
        Error::AmbiguousPrefix { candidates, .. }
        | Error::AmbiguousRefAndObject { candidates, .. } => {
            let shown = candidates.iter().take(8);
            Some(shown.map(|(id, info)| format!("{id} ({info})")).collect())
        }
        _ => None,
    }
}
