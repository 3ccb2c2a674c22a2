//! One request over HTTP, and a second one if the provider asks to retry. The caller builds the
//! request and interprets the response.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, http};

use crate::base::Base;

/// Timeout of one request.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Longest delay before the second request that a provider may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Delay if the provider states none.
const USUAL_WAIT: Duration = Duration::from_secs(1);
/// Far more than a response has.
const ANSWER_LIMIT: u64 = 1 << 20;

/// Response of a provider.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
    /// Delay that the provider asks for.
    wait: Duration,
}

impl Answer {
    fn asks_to_come_again(&self) -> bool {
        let is_passing = self.status == 429 || self.status >= 500;
        is_passing && self.wait <= LONGEST_WAIT
    }
}

/// Sends requests.
pub(crate) struct Client {
    agent: Agent,
    /// Maximum bytes of a response.
    limit: u64,
}

impl Client {
    /// Creates a client for URLs below `base`. Returns an error message for people.
    pub(crate) fn new(base: &Base) -> Result<Self, String> {
        Self::with_limit(base, ANSWER_LIMIT)
    }

    /// Creates a client for responses of at most `limit` bytes.
    pub(crate) fn with_limit(base: &Base, limit: u64) -> Result<Self, String> {
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect must not carry the key to a host that the user did not name.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(TIMEOUT))
            .user_agent(concat!("infiniloom/", env!("CARGO_PKG_VERSION")));
        if base.is_encrypted() {
            config = config.tls_config(tls()?);
        }
        Ok(Self {
            agent: config.build().into(),
            limit,
        })
    }

    /// Sends `body`, at most twice.
    pub(crate) fn post(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Answer, String> {
        let answer = self.post_once(url, headers, body)?;
        if !answer.asks_to_come_again() {
            return Ok(answer);
        }
        thread::sleep(answer.wait);
        self.post_once(url, headers, body)
    }

    fn post_once(&self, url: &str, headers: &[(&str, &str)], body: &str) -> Result<Answer, String> {
        let mut request = self
            .agent
            .post(url)
            .header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = request.send(body).map_err(|error| words(&error))?;
        let wait = wait(&response);
        let body = response.body_mut().with_config().limit(self.limit);
        Ok(Answer {
            body: body
                .lossy_utf8(true)
                .read_to_string()
                .map_err(|error| words(&error))?,
            status: response.status().as_u16(),
            wait,
        })
    }
}

/// Returns the delay that a response asks for. Ignores dates.
fn wait(response: &http::Response<Body>) -> Duration {
    let header = response.headers().get("retry-after");
    let seconds = header.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    seconds.map_or(USUAL_WAIT, Duration::from_secs)
}

/// Loads the certificates that this machine trusts, so that a company's own certificates work.
fn tls() -> Result<TlsConfig, String> {
    let found = rustls_native_certs::load_native_certs();
    let certificates = found.certs.iter();
    let certificates = certificates.map(|der| Certificate::from_der(der).to_owned());
    let certificates: Vec<_> = certificates.collect();
    if certificates.is_empty() {
        return Err(
            "this machine trusts no certificates; SSL_CERT_FILE names a file with some".to_owned(),
        );
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::from(certificates))
        .unversioned_rustls_crypto_provider(provider)
        .build())
}

/// Formats an error without the URL, which may contain a password.
fn words(error: &Error) -> String {
    match error {
        Error::Timeout(_) => format!("no answer within {} s", TIMEOUT.as_secs()),
        Error::HostNotFound => "there is no such host".to_owned(),
        Error::Io(error) => error.to_string(),
        Error::BadUri(_) | Error::Http(_) => "the address makes no sense".to_owned(),
        other => other.to_string(),
    }
}
