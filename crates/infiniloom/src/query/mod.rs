//! Queries as values: each has only the values that its caller set, and runs on any snapshot.

mod calibrate;
mod call;
mod chunk;
mod compress;
mod context;
mod diagram;
mod index;
mod map;
mod named_files;
mod navigate;
mod pack;
mod pack_files;
mod ranked;
mod read;
mod scan;
mod search;
mod symbols;
mod tokens;
mod why;
mod working_set;

use loom_host::SecretsMode;
use loom_wire::NoticeInfo;

pub use calibrate::Calibrate;
pub use call::Query;
pub use chunk::Chunk;
pub use compress::Compress;
pub use context::Context;
pub use index::Index;
pub use map::Map;
pub use navigate::Navigate;
pub use pack::{
    Pack, PackEvent, PackOutputs, PackPart, PackPlan, WrittenPack, existing_parts, part_path,
};
pub use ranked::RankedSearch;
pub use read::Read;
pub use scan::Scan;
pub use search::{FileMatches, FoundLine, Search};
pub use symbols::Symbols;
pub use tokens::Tokens;
pub use why::Why;
pub use working_set::WorkingSet;

/// Adds `run` and `run_with` to a query with the method `answer`.
macro_rules! runs {
    ($query:ident => $output:ty) => {
        impl $query {
            /// Runs the query on a snapshot.
            ///
            /// # Errors
            /// If a value of the query is invalid (all invalid values at once), or the files
            /// do not allow a result.
            pub fn run(&self, snapshot: &$crate::Snapshot) -> $crate::Result<$output> {
                self.run_with(snapshot, &$crate::Control::new())
            }

            /// Runs the query under the control of the caller.
            ///
            /// # Errors
            /// As for `run`, and if the run is cancelled.
            pub fn run_with(
                &self,
                snapshot: &$crate::Snapshot,
                control: &$crate::Control,
            ) -> $crate::Result<$output> {
                control.run(|| self.answer(snapshot, control))
            }
        }
    };
}

/// Adds the setters that narrow the files of a query with the field `choices`.
macro_rules! narrows {
    ($query:ident) => {
        impl $query {
            /// Includes only files that match `glob`, even if an ignore file excludes them. Among
            /// includes and excludes, the last one that matches a file decides.
            #[must_use]
            pub fn include(mut self, glob: impl AsRef<str>) -> Self {
                self.choices.values.set("scan.include", glob.as_ref());
                self
            }

            /// Skips files that match `glob`.
            #[must_use]
            pub fn exclude(mut self, glob: impl AsRef<str>) -> Self {
                self.choices.values.set("scan.exclude", glob.as_ref());
                self
            }

            /// Includes only files that changed since the merge base of `HEAD` and `revision`;
            /// with `HEAD`, files with uncommitted changes.
            #[must_use]
            pub fn changed(mut self, revision: impl AsRef<str>) -> Self {
                self.choices.values.set("scan.changed", revision.as_ref());
                self
            }
        }
    };
}

/// Adds the setter of the model that a query with the field `choices` counts for.
macro_rules! counts {
    ($query:ident) => {
        impl $query {
            /// Counts tokens for `model`.
            #[must_use]
            pub fn model(mut self, model: &$crate::Model) -> Self {
                self.choices.model = Some(model.clone());
                self
            }
        }
    };
}

pub(crate) use {counts, narrows, runs};

/// Returns the notice about secrets in lines of a result.
pub(crate) fn secrets_notice(mode: SecretsMode, places: usize) -> Option<NoticeInfo> {
    let what = match places {
        0 => return None,
        1 => "1 place of the answer holds a secret".to_owned(),
        places => format!("{places} places of the answer hold secrets"),
    };
    let message = match mode {
        SecretsMode::Fail => format!("{what}; they are hidden"),
        SecretsMode::Warn => format!("{what}, and they are shown"),
        _ => return None,
    };
    Some(NoticeInfo::new("secrets", message))
}

/// Resolves names of languages. Returns the unknown ones as problems.
pub(crate) fn languages(
    names: &[String],
    problems: &mut Vec<crate::ErrorProblem>,
) -> Vec<loom_host::Language> {
    let mut found = Vec::new();
    for name in names {
        match loom_host::Language::from_id(&name.to_lowercase()) {
            Some(language) => found.push(language),
            None => problems.push(crate::ErrorProblem {
                message: format!("no language {name}"),
                hint: Some(
                    "names are lower case, such as rust, python, typescript, csharp, cpp"
                        .to_owned(),
                ),
            }),
        }
    }
    found
}

/// Returns an error if there are problems.
pub(crate) fn check(problems: Vec<crate::ErrorProblem>) -> crate::Result<()> {
    match problems.is_empty() {
        true => Ok(()),
        false => Err(crate::Error::with_problems(problems)),
    }
}

/// Returns the problem of a value that this query cannot use.
pub(crate) fn unusable(message: impl Into<String>) -> crate::ErrorProblem {
    crate::ErrorProblem {
        message: message.into(),
        hint: None,
    }
}

/// Returns the notice about a result that its time limit made incomplete.
pub(crate) fn time_notice(missing: &str) -> NoticeInfo {
    let message = format!("the time limit ended the query: {missing} are missing");
    NoticeInfo::new("time_limit", message)
}

pub(crate) fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
