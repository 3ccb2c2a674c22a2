//! What a client hears beside answers, as loud as it wants it.
#![expect(
    deprecated,
    reason = "the newest revision takes logging away; clients of the others have it"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use serde_json::Value;

/// Tells a client what happens.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    least: Arc<AtomicU8>,
}

impl Default for Log {
    /// Until a client says something else, it hears what is wrong.
    fn default() -> Self {
        let least = AtomicU8::new(LoggingLevel::Warning as u8);
        Self {
            least: Arc::new(least),
        }
    }
}

impl Log {
    /// From now on nothing below this is told.
    pub(crate) fn set(&self, least: LoggingLevel) {
        self.least.store(least as u8, Ordering::Relaxed);
    }

    /// Something went wrong, and the rest goes on.
    pub(crate) async fn warn(&self, peer: &rmcp::Peer<RoleServer>, told: impl Into<Value>) {
        self.tell(peer, LoggingLevel::Warning, told.into()).await;
    }

    /// A mistake of the server.
    pub(crate) async fn fail(&self, peer: &rmcp::Peer<RoleServer>, told: impl Into<Value>) {
        self.tell(peer, LoggingLevel::Error, told.into()).await;
    }

    /// What was done.
    pub(crate) async fn debug(&self, peer: &rmcp::Peer<RoleServer>, told: impl Into<Value>) {
        self.tell(peer, LoggingLevel::Debug, told.into()).await;
    }

    async fn tell(&self, peer: &rmcp::Peer<RoleServer>, level: LoggingLevel, told: Value) {
        if (level as u8) < self.least.load(Ordering::Relaxed) {
            return;
        }
        let message = LoggingMessageNotificationParam::new(level, told).with_logger("infiniloom");
        // A client that is gone hears nothing.
        let _ = peer.notify_logging_message(message).await;
    }
}
