//! Finds the setting that a wrong key probably means.

use crate::Setting;
use crate::nearest::nearest;
use crate::setting::all;

/// Returns the key of the setting that `wrong` probably means. It also finds a key in a wrong table
/// or without one, and a flag's spelling (`max-file-size`).
pub fn nearest_key(wrong: &str) -> Option<&'static str> {
    let wrong = wrong.trim_start_matches('-');
    let name = wrong.rsplit('.').next().unwrap_or(wrong);
    match all().iter().find(|setting| is_called(setting, name)) {
        Some(setting) => Some(setting.key),
        None => nearest(&wrong.replace('-', "_"), all().iter().map(|s| s.key)),
    }
}

/// Returns whether the setting has this name or flag, with any separator between words.
fn is_called(setting: &Setting, name: &str) -> bool {
    let name = name.replace('_', "-");
    setting.name().replace('_', "-") == name || setting.flag.is_some_and(|flag| flag.long == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_keys_find_their_setting() {
        let check = |wrong, right| assert_eq!(nearest_key(wrong), right, "{wrong}");
        check("scan.max_filesize", Some("scan.max_file_size"));
        check("max_file_size", Some("scan.max_file_size"));
        check("scan.max-file-size", Some("scan.max_file_size"));
        check("--no-default-ignore", Some("scan.default_ignore"));
        check("pack.fromat", Some("pack.format"));
        check("Model.Name", Some("model.name"));
        check("elephant", None);
        check("", None);
        check(&"scan.".repeat(100), None);
    }
}
