//! The base URL of an endpoint: a scheme, a host, and optionally a path prefix.

/// The URL up to the path of the endpoint.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Base {
    /// The URL without a trailing slash.
    address: String,
    /// The URL without a user name and password.
    place: String,
    host: String,
}

impl Base {
    /// Returns `None` if `address` is not a plain web URL.
    pub(crate) fn parse(address: &str) -> Option<Self> {
        let address = address.trim().trim_end_matches('/');
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#');
        let rest = address.strip_prefix("https://");
        let rest = rest.or_else(|| address.strip_prefix("http://"))?;
        let authority = rest.split('/').next()?;
        // The part before an @ may be a password and is never printed.
        let host = authority.rsplit('@').next()?;
        (!host.is_empty() && !address.contains(is_odd)).then(|| Self {
            address: address.to_owned(),
            place: {
                let scheme = address.len() - rest.len();
                let path = &rest[authority.len()..];
                format!("{}{host}{path}", &address[..scheme])
            },
            host: host.to_owned(),
        })
    }

    /// Returns the host, with its port if the URL names one.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the URL without credentials, for messages.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    #[cfg(feature = "http")]
    pub(crate) fn is_encrypted(&self) -> bool {
        self.address.starts_with("https://")
    }

    pub(crate) fn join(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

impl std::fmt::Debug for Base {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (address, host) in [
            ("https://api.anthropic.com", Some("api.anthropic.com")),
            ("http://127.0.0.1:80/v/", Some("127.0.0.1:80")),
            ("https://me:word@gate.example/x", Some("gate.example")),
            ("ftp://x", None),
            ("https://", None),
            ("https://a b", None),
            ("https://a/?x=", None),
            ("api.anthropic.com", None),
        ] {
            let base = Base::parse(address);
            assert_eq!(base.as_ref().map(Base::host), host, "{address}");
        }
        let base = Base::parse("http://127.0.0.1:80/v/").unwrap();
        assert_eq!(base.join("/x"), "http://127.0.0.1:80/v/x");
        let base = Base::parse("https://me:word@gate.example/x/").unwrap();
        assert_eq!(base.place(), "https://gate.example/x");
    }
}
