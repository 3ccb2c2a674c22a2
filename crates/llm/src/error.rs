//! Why a provider did not count. No message holds a key, or an address beyond its
//! host.

/// What may be sent at once, in bytes; Anthropic takes no more.
const LIMIT: usize = 32_000_000;

/// A count that could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// There is nothing to ask.
    #[error("{model} is counted exactly here; no provider is asked")]
    CountedHere {
        /// The model.
        model: String,
    },
    /// The vendor has no such endpoint that we know.
    #[error("no counting endpoint is known for {model}; expected a model of {}", known.join(" or "))]
    NoEndpoint {
        /// The model.
        model: String,
        /// The vendors with one.
        known: Vec<&'static str>,
        /// The vocabulary files that do as well, in words.
        vocabulary: Option<&'static str>,
    },
    /// The environment has no key.
    #[error("no key to count for {model}: expected one in {}", variables.join(" or "))]
    NoKey {
        /// The model.
        model: String,
        /// The variables that are looked at.
        variables: &'static [&'static str],
    },
    /// The key cannot be sent.
    #[error("{variable}: expected a key of plain characters without spaces")]
    Key {
        /// The variable.
        variable: &'static str,
    },
    /// The address cannot be used.
    #[error("{variable}: expected an address such as https://gateway.example")]
    Base {
        /// The variable.
        variable: &'static str,
    },
    /// The name cannot stand in an address.
    #[error("{model:?} is no name that a provider knows a model by")]
    Name {
        /// The model.
        model: String,
    },
    /// There is too much text.
    #[error("{bytes} bytes are too much for one request; expected at most {limit}")]
    Large {
        /// The bytes of the request.
        bytes: usize,
        /// What one request may have.
        limit: usize,
    },
    /// There was no answer.
    #[error("cannot reach {host}: {message}")]
    Unreachable {
        /// The host.
        host: String,
        /// Why.
        message: String,
    },
    /// The answer was no.
    #[error("{host} answered {status}: {message}")]
    Refused {
        /// The host.
        host: String,
        /// The status of HTTP.
        status: u16,
        /// What it said.
        message: String,
        /// The variables that the key may be in.
        keys: &'static [&'static str],
    },
    /// The answer was something else.
    #[error("{host} answered without a count; expected a number in {field}")]
    Answer {
        /// The host.
        host: String,
        /// The field that is missing.
        field: &'static str,
    },
    /// The answer cannot be right.
    #[error("{host} answered 0 tokens for a text of {bytes} bytes")]
    Nothing {
        /// The host.
        host: String,
        /// The bytes of the text.
        bytes: usize,
    },
}

impl ProviderError {
    /// Whether so many bytes can be sent at once.
    ///
    /// # Errors
    /// When they are too many.
    pub fn check_size(bytes: usize) -> Result<(), Self> {
        let limit = LIMIT;
        match bytes <= limit {
            true => Ok(()),
            false => Err(Self::Large { bytes, limit }),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoKey { variables, .. } => {
                let first = variables.first()?;
                Some(format!("export {first}=…; a key is read from nowhere else"))
            }
            Self::NoEndpoint {
                vocabulary: Some(files),
                ..
            } => Some(format!(
                "it is counted exactly with --vocabulary FILE: {files}"
            )),
            Self::Large { .. } => Some("count fewer files".to_owned()),
            Self::Refused { status, keys, .. } => refusal_hint(*status, keys),
            _ => None,
        }
    }
}

fn refusal_hint(status: u16, keys: &[&str]) -> Option<String> {
    Some(match status {
        401 | 403 => format!("look at the key in {}", keys.join(" or ")),
        404 => "name the model as the provider does, with its date or version".to_owned(),
        413 => "it is too much for one request: count fewer files".to_owned(),
        429 => "the limit of the key is reached: try again later".to_owned(),
        300..=399 => "a key is not sent on to another address".to_owned(),
        _ => return None,
    })
}
