//! What can be wrong with what somebody wrote. Each problem says where, what was
//! expected and what was found; advice is separate, in [`Problem::hint`].

use crate::Origin;

/// One thing that is wrong in a file, the environment or the flags.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not TOML.
    #[error("{origin}: not valid TOML: {message}")]
    Syntax {
        /// Where reading stopped.
        origin: Origin,
        /// What the parser says.
        message: String,
    },
    /// No setting has this key.
    #[error("{origin}: unknown setting `{key}`")]
    UnknownKey {
        /// Where it is written.
        origin: Origin,
        /// The key, with control characters escaped.
        key: String,
        /// The key that was probably meant.
        nearest: Option<String>,
    },
    /// No table has this name.
    #[error("{origin}: unknown table `{table}`")]
    UnknownTable {
        /// Where it is written.
        origin: Origin,
        /// The name, with control characters escaped.
        table: String,
        /// The table that was probably meant.
        nearest: Option<String>,
    },
    /// A variable with our prefix that no setting has.
    #[error("unknown environment variable {name}")]
    UnknownVariable {
        /// Its name, with control characters escaped.
        name: String,
        /// The variable that was probably meant.
        nearest: Option<String>,
    },
    /// The value is not one that the setting takes.
    #[error("{origin}: `{key}`: expected {expected}, found {found}")]
    WrongValue {
        /// Where it is written.
        origin: Origin,
        /// The setting or table.
        key: &'static str,
        /// What it takes.
        expected: String,
        /// What is there, shortened, with control characters escaped.
        found: String,
        /// The value that was probably meant.
        nearest: Option<String>,
    },
    /// A repository's file sets what only the user may set.
    #[error("{origin}: `{key}` may not be set by a repository's file")]
    UserOnly {
        /// Where it is written.
        origin: Origin,
        /// The setting.
        key: &'static str,
        /// How the user can set it for one run.
        elsewhere: String,
    },
    /// A repository's file names a path that does not stay inside it.
    #[error("{origin}: `{key}`: expected a path inside the repository, found {found}")]
    OutsideRepository {
        /// Where it is written.
        origin: Origin,
        /// The setting.
        key: &'static str,
        /// What is there, shortened, with control characters escaped.
        found: String,
        /// How the user can set it for one run.
        elsewhere: String,
    },
    /// A repository's file sets more than the default.
    #[error("{origin}: `{key}`: expected at most {limit} in a repository's file, found {found}")]
    AboveDefault {
        /// Where it is written.
        origin: Origin,
        /// The setting.
        key: &'static str,
        /// The default.
        limit: String,
        /// What is there.
        found: String,
        /// How the user can set it for one run.
        elsewhere: String,
    },
}

impl Problem {
    /// What to do about it, as one sentence without a full stop.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Syntax { .. } => None,
            Self::UnknownKey { nearest, .. }
            | Self::UnknownTable { nearest, .. }
            | Self::WrongValue { nearest, .. } => nearest.as_deref().map(did_you_mean),
            Self::UnknownVariable { nearest, .. } => {
                Some(nearest.as_deref().map_or_else(by_key, did_you_mean))
            }
            Self::UserOnly { elsewhere, .. }
            | Self::OutsideRepository { elsewhere, .. }
            | Self::AboveDefault { elsewhere, .. } => Some(format!(
                "set it in your own infiniloom.toml or with {elsewhere}"
            )),
        }
    }
}

/// How to find the variable of a setting if no name is near.
fn by_key() -> String {
    "`infiniloom config list` names the settings; INFINILOOM_PACK_TOP sets pack.top".to_owned()
}

fn did_you_mean(nearest: &str) -> String {
    format!("did you mean `{nearest}`?")
}
