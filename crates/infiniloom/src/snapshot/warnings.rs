//! Warnings about a snapshot: reached limits and unreadable files.

use loom_host::VISIBLE_COPIES;
use loom_wire::NoticeInfo;

use super::Snapshot;
use crate::layers::Remarks;
use crate::session::{Choices, Session};
use crate::{Control, Result};

impl Snapshot {
    /// Returns warnings that concern every query on the files: reached limits and unreadable files.
    /// Warnings about visible secrets come first. The list is empty until a query built the layer
    /// [`Layer::Search`](crate::Layer); the layers [`Layer::Context`](crate::Layer) and
    /// [`Layer::Map`](crate::Layer) add theirs.
    ///
    /// # Errors
    /// If the run is cancelled, or the settings are invalid.
    pub fn warnings(&self, control: &Control) -> Result<Vec<String>> {
        control.run(|| {
            let Some(search) = self.search_layer() else {
                return Ok(Vec::new());
            };
            let session = self.session(&Choices::default(), control)?;
            let layers = &self.state.layers;
            let mut remarks = Remarks::of_search(&search);
            if let Some(context) = layers.context.peek(search.version) {
                remarks = remarks.with(&context.remarks);
            }
            if let Some(map) = layers.map.peek(search.version) {
                remarks = remarks.with(&map.remarks);
            }
            let about_secrets = |warning: &String| warning.starts_with(VISIBLE_COPIES);
            remarks
                .warnings
                .sort_by_key(|warning| !about_secrets(warning));
            let notices = self.notices(&session, remarks);
            Ok(notices.into_iter().map(|notice| notice.message).collect())
        })
    }

    /// Describes remarks about the snapshot, without secrets.
    pub(crate) fn notices(&self, session: &Session, remarks: Remarks) -> Vec<NoticeInfo> {
        let Remarks { unread, warnings } = remarks;
        match self.search_layer().filter(|_| session.is_shared) {
            Some(search) => {
                session.redacted_notices(&unread, warnings, || Ok(search.message_redactor()))
            }
            None => session.notices(&unread, warnings),
        }
    }
}
