//! Parses repository URLs: the forms that git accepts, and web pages of the usual hosts. Does not
//! use the network.

use std::fmt;
use std::path::{Path, PathBuf};

use super::place::RepoLocation;
use super::web;
use crate::url_credentials::{credentials, without_credentials, words_without_credentials};

/// The URL of a repository, and the location in it that a web page shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// URL for git; it may contain a password.
    url: String,
    /// URL for people, without credentials.
    shown: String,
    /// Name of the repository: its host and path.
    label: PathBuf,
    /// True if the text could also be a path.
    is_short: bool,
    pub(super) place: RepoLocation,
}

/// Reasons why a text that looks like a URL cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// Infiniloom does not let git use this transport.
    #[error("{address}: unsupported transport {transport}: expected https, ssh, git, http or file")]
    Transport {
        /// The URL without credentials.
        address: String,
        /// The name of the transport.
        transport: String,
    },
    /// The text could be mistaken for an option, or contains characters that no URL has.
    #[error("{address}: not a repository URL: {message}")]
    Malformed {
        /// The URL without credentials.
        address: String,
        /// The problem.
        message: &'static str,
    },
}

const TRANSPORTS: [&str; 5] = ["https", "http", "ssh", "git", "file"];

/// Shorter secrets are not removed from messages, because they may occur by chance.
const SHORTEST_SECRET: usize = 6;

/// Hosts that people write without a transport.
const KNOWN_HOSTS: [&str; 5] = [
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "git.sr.ht",
];

impl Address {
    /// Parses `text` as a URL. Returns `None` if it is a path: a file of that name exists, or the
    /// text does not have the form of a URL.
    ///
    /// `owner/repo` is a repository on GitHub if neither it nor a directory `owner` exists here.
    ///
    /// # Errors
    /// If it is a URL that must not be used.
    pub fn parse(text: &str) -> Result<Option<Self>, AddressError> {
        if let Some((transport, _)) = text.split_once("::")
            && is_word(transport)
            && !Path::new(text).exists()
        {
            return Err(AddressError::Transport {
                address: without_credentials(text),
                transport: format!("{transport}::"),
            });
        }
        if let Some((transport, rest)) = text.split_once("://") {
            return with_transport(text, transport, rest).map(Some);
        }
        if Path::new(text).symlink_metadata().is_ok() {
            return Ok(None);
        }
        if let Some((host, path)) = scp(text) {
            return scp_address(text, host, path).map(Some);
        }
        let Some(url) = short(text) else {
            return Ok(None);
        };
        let full = Self::parse(&url)?;
        Ok(full.map(|full| Self {
            is_short: true,
            ..full
        }))
    }

    /// Returns true if the text could also be a path, such as `owner/repo`.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// Returns true if `text` is a URL regardless of existing files: it names its transport, or a
    /// user and a host.
    pub fn is_plain(text: &str) -> bool {
        text.contains("://") || scp(text).is_some()
    }

    /// Returns the URL for git. It may contain a password: never print it.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the name of the repository: its host and path.
    pub(super) fn label(&self) -> &Path {
        &self.label
    }

    /// Returns true if git will use ssh, unless the user's settings rewrite the URL.
    pub(super) fn is_ssh(&self) -> bool {
        !self.url.contains("://") || self.url.starts_with("ssh:")
    }

    /// Removes the credentials of this URL from a message of git.
    pub(super) fn without_credentials_in(&self, message: &str) -> String {
        let mut message = message.replace(&self.url, &self.shown);
        if let Some(user) = credentials(&self.url) {
            message = message.replace(&format!("{user}@"), "");
            // A token may replace the user name; no user name is as long.
            let secret = user.split_once(':').map_or(user, |(_, password)| password);
            if secret.len() >= SHORTEST_SECRET {
                message = message.replace(secret, "***");
            }
        }
        words_without_credentials(&message)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({}, {:?})", self.shown, self.place)
    }
}

fn with_transport(text: &str, transport: &str, rest: &str) -> Result<Address, AddressError> {
    let transport = transport.to_ascii_lowercase();
    let transport = transport.strip_prefix("git+").unwrap_or(&transport);
    if !TRANSPORTS.contains(&transport) {
        return Err(AddressError::Transport {
            address: without_credentials(text),
            transport: transport.to_owned(),
        });
    }
    check(text, rest)?;
    if transport == "file" {
        return Ok(address(format!("file://{rest}"), rest, RepoLocation::Whole));
    }
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (path, place) = match transport {
        "http" | "https" => web::split(host_name(host), path),
        _ => (path.to_owned(), RepoLocation::Whole),
    };
    if host_name(host).is_empty() || path.trim_matches('/').is_empty() {
        return Err(malformed(text, "it names no repository"));
    }
    let label = format!("{}/{path}", host_name(host));
    Ok(address(
        format!("{transport}://{host}/{path}"),
        &label,
        place,
    ))
}

fn scp_address(text: &str, host: &str, path: &str) -> Result<Address, AddressError> {
    check(text, host)?;
    check(text, path)?;
    let host = host.rsplit('@').next().unwrap_or(host);
    check(text, host)?;
    let label = format!("{host}/{path}");
    Ok(address(text.to_owned(), &label, RepoLocation::Whole))
}

fn address(url: String, label: &str, place: RepoLocation) -> Address {
    let label = label.trim_end_matches('/');
    let label = label.strip_suffix(".git").unwrap_or(label);
    let label = label.strip_suffix("/").unwrap_or(label);
    Address {
        shown: without_credentials(&url),
        label: PathBuf::from(label.trim_start_matches(['/', '~'])),
        url,
        is_short: false,
        place,
    }
}

/// Splits `user@host:path`, `host.domain:path` or `host:path.git` into host and path.
fn scp(text: &str) -> Option<(&str, &str)> {
    let (host, path) = text.split_once(':')?;
    let is_host = !host.contains(['/', '\\']) && host.len() > 1;
    let is_named = host.contains(['@', '.']) || path.ends_with(".git");
    (is_host && is_named && !path.is_empty()).then_some((host, path))
}

/// Expands `owner/repo` or `github.com/owner/repo` to a URL.
fn short(text: &str) -> Option<String> {
    let (first, rest) = text.split_once('/')?;
    if Path::new(first).exists() || rest.is_empty() {
        return None;
    }
    if KNOWN_HOSTS.contains(&first) {
        return Some(format!("https://{text}"));
    }
    let is_name = |name: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        name.chars().all(is_plain) && name.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    let is_owner = is_name(first) && !first.contains('.');
    (is_owner && is_name(rest)).then(|| format!("https://github.com/{text}"))
}

fn check(text: &str, part: &str) -> Result<(), AddressError> {
    let user_and_host = part.split('/').next().unwrap_or(part);
    let names = user_and_host.split('@').chain([part]);
    if text.starts_with('-') || names.clone().any(|name| name.starts_with('-')) {
        return Err(malformed(text, "a part of it begins with a dash"));
    }
    if text.chars().any(char::is_control) {
        return Err(malformed(text, "it holds a control character"));
    }
    Ok(())
}

fn malformed(text: &str, message: &'static str) -> AddressError {
    AddressError::Malformed {
        address: without_credentials(text),
        message,
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_+".contains(c))
}

/// Returns the host without user and port.
fn host_name(host: &str) -> &str {
    let host = host.rsplit('@').next().unwrap_or(host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests;
