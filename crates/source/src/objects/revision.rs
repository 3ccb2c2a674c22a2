//! Resolves a revision that a user typed to one commit.

use gix::bstr::BStr;
use gix::objs::Kind;
use gix::revision::Spec;
use gix::revision::spec::parse::{Error, ObjectKindHint, Options, RefsHint};

use super::error::broken;
use super::{Commit, ObjectsError, names};

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
    ObjectsError::Unknown {
        near: names::near(repository, &revision),
        is_shallow: repository.is_shallow().unwrap_or(false),
        revision,
    }
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
