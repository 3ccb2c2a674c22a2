//! Writes the field `notices` of results that are written piece by piece.

use std::io::{Result, Write};

use loom_wire::NoticeInfo;

/// Writes the notices of a result as its last field, if it has any.
pub(super) fn write(out: &mut impl Write, notices: &[NoticeInfo]) -> Result<()> {
    if notices.is_empty() {
        return Ok(());
    }
    out.write_all(b",\"notices\":")?;
    Ok(serde_json::to_writer(out, notices)?)
}
