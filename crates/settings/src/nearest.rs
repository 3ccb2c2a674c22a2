//! The right name nearest to a wrong one, or none where nothing is near.

use crate::Setting;
use crate::setting::all;

/// The key of the setting that `wrong` probably means. A key in a wrong table
/// or none, and a flag's spelling (`max-file-size`) are found too.
pub fn nearest_key(wrong: &str) -> Option<&'static str> {
    let wrong = wrong.trim_start_matches('-');
    let name = wrong.rsplit('.').next().unwrap_or(wrong);
    match all().iter().find(|setting| is_called(setting, name)) {
        Some(setting) => Some(setting.key),
        None => nearest(&wrong.replace('-', "_"), all().iter().map(|s| s.key)),
    }
}

/// Whether the setting has this name or flag, whatever joins the words.
fn is_called(setting: &Setting, name: &str) -> bool {
    let name = name.replace('_', "-");
    setting.name().replace('_', "-") == name || setting.flag.is_some_and(|flag| flag.long == name)
}

/// The candidate nearest to `wrong`, the first among equals.
pub(crate) fn nearest<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Measuring a long text against every candidate is work a hostile file
    // could ask for, and no name of ours is that long.
    if wrong.len() > 100 {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&wrong, &candidate.to_lowercase());
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|&(distance, candidate)| distance <= tolerance(candidate))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// A third of the letters may be wrong, as in rustc's suggestions; a word of one
/// to three letters may have one wrong.
fn tolerance(candidate: &str) -> usize {
    (candidate.chars().count() / 3).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
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
