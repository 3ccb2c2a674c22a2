//! Reasons why a provider did not count. Messages contain neither keys nor URLs, only hosts.

/// Maximum bytes of a request; Anthropic accepts no more.
const LIMIT: usize = 32_000_000;

/// A failed count.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// Infiniloom counts this model exactly, so no request is necessary.
    #[error("{model} is counted exactly here; no provider is asked")]
    CountedHere {
        /// The model.
        model: String,
    },
    /// Infiniloom knows no counting endpoint of the vendor.
    #[error("no counting endpoint is known for {model}; expected a model of {}", known.join(" or "))]
    NoEndpoint {
        /// The model.
        model: String,
        /// The vendors with an endpoint.
        known: Vec<&'static str>,
        /// Vocabulary files that work instead, for the message.
        vocabulary: Option<&'static str>,
    },
    /// The build cannot open connections.
    #[error("this build cannot open connections")]
    NoHttp,
    /// The environment has no key.
    #[error("no key to count for {model}: expected one in {}", variables.join(" or "))]
    NoKey {
        /// The model.
        model: String,
        /// The variables that may contain it.
        variables: &'static [&'static str],
    },
    /// A header cannot carry the key.
    #[error("{variable}: expected a key of plain characters without spaces")]
    Key {
        /// The variable.
        variable: &'static str,
    },
    /// The URL in the variable is invalid.
    #[error("{variable}: expected a URL such as https://gateway.example")]
    Base {
        /// The variable.
        variable: &'static str,
    },
    /// A URL cannot contain the model's name.
    #[error("invalid model name {model:?}")]
    Name {
        /// The model.
        model: String,
    },
    /// The text exceeds the limit of one request.
    #[error("the request needs {bytes} bytes; the limit is {limit}")]
    Large {
        /// The bytes of the request.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The host did not answer.
    #[error("cannot reach {host}: {message}")]
    Unreachable {
        /// The host.
        host: String,
        /// The cause.
        message: String,
    },
    /// The host answered with an error.
    #[error("{host} answered {status}: {message}")]
    Refused {
        /// The host.
        host: String,
        /// The HTTP status.
        status: u16,
        /// The host's message.
        message: String,
        /// The variables that may contain the key.
        keys: &'static [&'static str],
    },
    /// The response has another format.
    #[error("{host} answered without a count; expected a number in {field}")]
    Answer {
        /// The host.
        host: String,
        /// The missing field.
        field: &'static str,
    },
    /// The count is impossible.
    #[error("{host} answered 0 tokens for a text of {bytes} bytes")]
    Nothing {
        /// The host.
        host: String,
        /// The bytes of the text.
        bytes: usize,
    },
}

impl ProviderError {
    /// Checks that one request can carry `bytes`.
    ///
    /// # Errors
    /// If they exceed the limit.
    pub fn check_size(bytes: usize) -> Result<(), Self> {
        let limit = LIMIT;
        match bytes <= limit {
            true => Ok(()),
            false => Err(Self::Large { bytes, limit }),
        }
    }

    /// Returns advice for the user.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoKey { variables, .. } => {
                let first = variables.first()?;
                Some(format!(
                    "set `{first}`: keys are read only from the environment"
                ))
            }
            Self::NoEndpoint {
                vocabulary: Some(files),
                ..
            } => Some(format!(
                "pass `--vocabulary FILE` to count exactly: {files}"
            )),
            Self::NoHttp => Some("build with the feature `http`".to_owned()),
            Self::Large { .. } => Some("count fewer files".to_owned()),
            Self::Refused { status, keys, .. } => refusal_hint(*status, keys),
            _ => None,
        }
    }
}

fn refusal_hint(status: u16, keys: &[&str]) -> Option<String> {
    Some(match status {
        401 | 403 => format!("check the key in {}", keys.join(" or ")),
        404 => "name the model as the provider does, with its date or version".to_owned(),
        413 => "the request is too large: count fewer files".to_owned(),
        429 => "the limit of the key is reached: try again later".to_owned(),
        300..=399 => "the endpoint redirects, and a key is never sent to another host".to_owned(),
        _ => return None,
    })
}
