//! File names of user interface texts.

use super::Purpose;
use crate::words::WordList;

/// Codes of the languages that programs are most often translated into.
const CODES: WordList = WordList::new(
    "en de fr es it pt ru zh ja ko nl pl sv da fi nb cs sk hu ro bg el tr uk he ar hi th vi \
     ca hr sr sl lt lv et fa",
);

/// Returns the purpose of a file with user interface texts; both names in lower case.
pub(super) fn purpose(path: &str, name: &str) -> Option<Purpose> {
    const FOLDERS: WordList = WordList::new("locale locales i18n translations lang l10n");
    let mut folders = path.split('/').rev().skip(1);
    let stem = name.split('.').next().unwrap_or(name);
    let is_translation = folders.any(|folder| FOLDERS.has(folder.as_bytes()))
        || matches!(name, "i18n.json" | "messages.json" | "translations.json")
        || is_language(stem, name);
    if is_translation {
        return Some(Purpose::Translation);
    }
    is_strings(path, name, stem).then_some(Purpose::Strings)
}

fn is_code(part: &str) -> bool {
    CODES.has(part.as_bytes())
}

/// `de.json`, `en-us.yml`, `messages_fr.properties`.
fn is_language(stem: &str, name: &str) -> bool {
    let code = stem.rsplit(['_', '-']).next().unwrap_or(stem);
    let is_message = stem.starts_with("messages_") || stem.starts_with("strings_");
    let first = stem.split(['_', '-']).next().unwrap_or(stem);
    let is_named =
        is_message && is_code(code) || is_code(first) && (stem.len() == 2 || stem.len() == 5);
    let ends = [".json", ".yml", ".yaml", ".properties"];
    is_named && ends.iter().any(|end| name.ends_with(end))
}

/// `res/values-fr/strings.xml`, `Labels_pt_BR.properties`, `fr/translation.json`.
fn is_strings(path: &str, name: &str, stem: &str) -> bool {
    const NAMES: WordList = WordList::new(
        "messages.properties strings.properties labels.properties translation.json strings.json \
         locale.json strings.yml strings.yaml strings.xml",
    );
    const ENDS: WordList =
        WordList::new("arb ftl po pot strings stringsdict xcstrings xlf xliff resx resw");
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    let end = name.rsplit('.').next().unwrap_or(name);
    let is_android = end == "xml" && (folder == "values" || folder.starts_with("values-"));
    // Java's bundles have `_` before the language, settings profiles `-`.
    let mut parts = stem.split('_').skip(1);
    let is_bundle = end == "properties" && parts.any(is_code);
    let is_of_folder = matches!(end, "json" | "properties") && is_code(folder);
    is_android
        || is_bundle
        || is_of_folder
        || NAMES.has(name.as_bytes())
        || ENDS.has(end.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_of_files_with_texts() {
        for (path, expected) in [
            ("locales/de.yml", Some(Purpose::Translation)),
            ("messages_fr.properties", Some(Purpose::Translation)),
            ("app/res/values-fr/strings.xml", Some(Purpose::Strings)),
            ("app/res/values/keys.xml", Some(Purpose::Strings)),
            ("labels_pt_br.properties", Some(Purpose::Strings)),
            ("public/fr/common.json", Some(Purpose::Strings)),
            ("application-de.properties", None),
            ("values/prod.yaml", None),
            ("strings.rs", None),
        ] {
            let name = path.rsplit('/').next().unwrap();
            assert_eq!(purpose(path, name), expected, "{path}");
        }
    }
}
