//! Limits of known clients for answers that reach the model, as measured with Claude Code 2.1.325
//! and Codex 0.166.0.

use std::time::Duration;

/// Limits of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientLimits {
    /// Maximum characters of an answer.
    pub(crate) characters: Option<usize>,
    /// Maximum bytes of an answer.
    pub(crate) bytes: Option<usize>,
    /// Time after which the client gives a call up.
    pub(crate) call: Option<Duration>,
}

/// The name in `clientInfo`, and the limits.
const CLIENTS: &[(&str, ClientLimits)] = &[
    // With `anthropic/maxResultSizeChars`. A longer answer is replaced by the name of a file.
    (
        "claude-code",
        ClientLimits {
            characters: Some(500_000),
            bytes: None,
            call: None,
        },
    ),
    // Codex removes the middle of a longer answer.
    (
        "codex-mcp-client",
        ClientLimits {
            characters: None,
            bytes: Some(39_900),
            call: Some(Duration::from_secs(300)),
        },
    ),
];

/// Minimum time between an answer and the client's call timeout.
const MARGIN: Duration = Duration::from_secs(5);

impl ClientLimits {
    /// Returns the limits of the client with this name; an unknown client has none.
    pub(crate) fn for_client(name: Option<&str>) -> Self {
        let known = CLIENTS.iter().find(|(known, _)| Some(*known) == name);
        known.map_or_else(Self::default, |(_, limits)| *limits)
    }

    /// Returns true if the client passes on this text as a whole.
    pub(crate) fn pass(&self, text: &str) -> bool {
        self.bytes.is_none_or(|most| text.len() <= most)
            && self.characters.is_none_or(|most| {
                // A character has one byte at least.
                text.len() <= most || text.chars().count() <= most
            })
    }

    /// Describes the limit of the size.
    pub(crate) fn size(&self) -> Option<String> {
        let bytes = self.bytes.map(|bytes| (bytes, "bytes"));
        let most = bytes.or(self.characters.map(|most| (most, "characters")));
        most.map(|(most, unit)| format!("{} {unit}", crate::one_line::grouped(most)))
    }

    /// Bounds the time that a call may wait.
    pub(crate) fn patience(&self, usual: Duration) -> Duration {
        let most = self.call.map(|call| call.saturating_sub(MARGIN));
        most.map_or(usual, |most| usual.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_clients_have_limits_and_others_none() {
        let claude = ClientLimits::for_client(Some("claude-code"));
        // Characters count there, and not bytes.
        assert!(claude.pass(&"字".repeat(500_000)));
        assert!(!claude.pass(&"字".repeat(500_001)));
        let codex = ClientLimits::for_client(Some("codex-mcp-client"));
        assert!(codex.pass(&"字".repeat(13_300)) && !codex.pass(&"字".repeat(13_301)));
        assert_eq!(codex.size().unwrap(), "39,900 bytes");
        assert_eq!(claude.size().unwrap(), "500,000 characters");
        for name in [None, Some("claude-code-2"), Some("")] {
            assert_eq!(ClientLimits::for_client(name), ClientLimits::default());
        }
        assert!(ClientLimits::default().pass(&"x".repeat(1_000_000)));
    }

    #[test]
    fn call_ends_before_the_client_gives_up() {
        let seconds = Duration::from_secs;
        let codex = ClientLimits::for_client(Some("codex-mcp-client"));
        assert_eq!(codex.patience(seconds(20)), seconds(20));
        assert_eq!(codex.patience(seconds(600)), seconds(295));
        assert_eq!(ClientLimits::default().patience(seconds(600)), seconds(600));
    }
}
