//! Patches of the tool `apply_patch`: sections that each name a file.

use super::FileUse;

/// The heads of sections whose file exists after the patch.
const HEADS: &[&str] = &["*** Update File: ", "*** Add File: ", "*** Move to: "];

/// Returns the files that a patch writes.
pub(super) fn file_uses(patch: &str) -> Vec<FileUse> {
    let mut uses: Vec<FileUse> = Vec::new();
    let mut added = String::new();
    for line in patch.lines() {
        if let Some(path) = HEADS.iter().find_map(|head| line.strip_prefix(head)) {
            close(&mut uses, &mut added);
            uses.push(FileUse::edit(path.trim()));
        } else if line.starts_with("@@") || line.starts_with("*** ") {
            close(&mut uses, &mut added);
        } else if let Some(text) = line.strip_prefix('+') {
            added.push_str(text);
            added.push('\n');
        } else if !added.is_empty() {
            // Lines that follow each other are one text.
            close(&mut uses, &mut added);
        }
    }
    close(&mut uses, &mut added);
    uses
}

/// Gives the latest file its first added text.
fn close(uses: &mut [FileUse], added: &mut String) {
    let text = std::mem::take(added);
    if let Some(last) = uses.last_mut()
        && last.text.is_none()
        && !text.is_empty()
    {
        last.text = Some(text);
    }
}
