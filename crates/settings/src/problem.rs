//! Problems in settings. Each names its origin, the expected and the found value; advice is
//! separate, in [`Problem::hint`].

use crate::Origin;

/// Problem in a file, the environment or the flags.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not TOML.
    #[error("{origin}: not valid TOML: {message}")]
    Syntax {
        /// Position at which parsing stopped.
        origin: Origin,
        /// Message of the parser.
        message: String,
    },
    /// No setting has this key.
    #[error("{origin}: unknown setting `{key}`")]
    UnknownKey {
        /// Position of the key.
        origin: Origin,
        /// Key, with control characters escaped.
        key: String,
        /// Key that was probably meant.
        nearest: Option<String>,
    },
    /// No table has this name.
    #[error("{origin}: unknown table `{table}`")]
    UnknownTable {
        /// Position of the table.
        origin: Origin,
        /// Name, with control characters escaped.
        table: String,
        /// Table that was probably meant.
        nearest: Option<String>,
    },
    /// No setting has this variable with our prefix.
    #[error("unknown environment variable {name}")]
    UnknownVariable {
        /// Name, with control characters escaped.
        name: String,
        /// Variable that was probably meant.
        nearest: Option<String>,
    },
    /// The setting does not accept the value.
    #[error("{origin}: `{key}`: expected {expected}, found {found}")]
    WrongValue {
        /// Origin of the value.
        origin: Origin,
        /// Key of the setting or table.
        key: &'static str,
        /// Accepted values.
        expected: String,
        /// Found value, shortened, with control characters escaped.
        found: String,
        /// Value that was probably meant.
        nearest: Option<String>,
    },
    /// A repository's file sets a key that only the user may set.
    #[error("{origin}: `{key}` may not be set by a repository's file")]
    UserOnly {
        /// Origin of the value.
        origin: Origin,
        /// Key of the setting.
        key: &'static str,
        /// Flag or variable with which the user can set it for one run.
        elsewhere: String,
    },
    /// A repository's file names a path outside of the repository.
    #[error("{origin}: `{key}`: expected a path inside the repository, found {found}")]
    OutsideRepository {
        /// Origin of the value.
        origin: Origin,
        /// Key of the setting.
        key: &'static str,
        /// Found path, shortened, with control characters escaped.
        found: String,
        /// Flag or variable with which the user can set it for one run.
        elsewhere: String,
    },
    /// A repository's file sets more than the default.
    #[error("{origin}: `{key}`: expected at most {limit} in a repository's file, found {found}")]
    AboveDefault {
        /// Origin of the value.
        origin: Origin,
        /// Key of the setting.
        key: &'static str,
        /// Default.
        limit: String,
        /// Found value.
        found: String,
        /// Flag or variable with which the user can set it for one run.
        elsewhere: String,
    },
}

impl Problem {
    /// Returns advice, as one sentence without a full stop.
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

/// Returns the advice for a variable without a near name.
fn by_key() -> String {
    "`infiniloom config list` names the settings; INFINILOOM_PACK_TOP sets pack.top".to_owned()
}

fn did_you_mean(nearest: &str) -> String {
    format!("did you mean `{nearest}`?")
}
