//! From what a user writes to the address of a repository: the forms that git
//! takes, and the pages of the usual hosts. Nothing is asked of the network here.

use std::fmt;
use std::path::{Path, PathBuf};

use super::place::Place;
use super::web;
use crate::url_credentials::{credentials, without_credentials, words_without_credentials};

/// The address of a repository, and the place in it that a web page shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// What git is given; it may hold a password.
    url: String,
    /// The same for people.
    shown: String,
    /// What the repository is called: its host and path.
    label: PathBuf,
    /// Whether it was written as a path could be.
    is_short: bool,
    pub(super) place: Place,
}

/// Something that looks like an address and cannot be one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The transport is none of those that we let git use.
    #[error(
        "{address}: the transport {transport} is not used, expected https, ssh, git, http or file"
    )]
    Transport {
        /// Without credentials.
        address: String,
        /// Its name.
        transport: String,
    },
    /// It could be taken for an option, or holds what no address holds.
    #[error("{address}: not an address of a repository: {message}")]
    Malformed {
        /// Without credentials.
        address: String,
        /// What is wrong.
        message: &'static str,
    },
}

const TRANSPORTS: [&str; 5] = ["https", "http", "ssh", "git", "file"];

/// Shorter words are not taken out of messages: they may stand there by chance.
const SHORTEST_SECRET: usize = 6;

/// Hosts that people write without a transport before them.
const KNOWN_HOSTS: [&str; 5] = [
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "git.sr.ht",
];

impl Address {
    /// The address that `text` is, or `None` when it is a path: something of that
    /// name exists, or it has no form of an address.
    ///
    /// `owner/repo` stands for a repository on GitHub when neither it nor a folder
    /// `owner` exists here.
    ///
    /// # Errors
    /// When it is an address that must not be used.
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

    /// Whether it was written as a path could be, such as `owner/repo`.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// Whether `text` is an address whatever exists here: it names its transport, or
    /// a user and a host.
    pub fn is_plain(text: &str) -> bool {
        text.contains("://") || scp(text).is_some()
    }

    /// What git is given. It may hold a password: not for people.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// What the repository is called: its host and path.
    pub(super) fn label(&self) -> &Path {
        &self.label
    }

    /// The transport that git will use, unless the user's settings say otherwise.
    pub(super) fn is_ssh(&self) -> bool {
        !self.url.contains("://") || self.url.starts_with("ssh:")
    }

    /// The words of git about this address, without its credentials.
    pub(super) fn without_credentials_in(&self, message: &str) -> String {
        let mut message = message.replace(&self.url, &self.shown);
        if let Some(user) = credentials(&self.url) {
            message = message.replace(&format!("{user}@"), "");
            // A token alone stands in the place of a user; no user's name is as long.
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
        return Ok(address(format!("file://{rest}"), rest, Place::Whole));
    }
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (path, place) = match transport {
        "http" | "https" => web::split(host_name(host), path),
        _ => (path.to_owned(), Place::Whole),
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
    Ok(address(text.to_owned(), &label, Place::Whole))
}

fn address(url: String, label: &str, place: Place) -> Address {
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

/// The host and path of `user@host:path`, `host.domain:path` or `host:path.git`.
fn scp(text: &str) -> Option<(&str, &str)> {
    let (host, path) = text.split_once(':')?;
    let is_host = !host.contains(['/', '\\']) && host.len() > 1;
    let is_named = host.contains(['@', '.']) || path.ends_with(".git");
    (is_host && is_named && !path.is_empty()).then_some((host, path))
}

/// The address that `owner/repo` or `github.com/owner/repo` is short for.
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

/// The host without user and port.
fn host_name(host: &str) -> &str {
    let host = host.rsplit('@').next().unwrap_or(host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests;
