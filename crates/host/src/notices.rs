//! Whose work ships with the program beside its code: the table of words, and
//! vocabularies. Their licences ask to travel with it.

use std::fmt::Write;

/// All notices and licences, one behind the other, each under its name.
pub fn notices() -> String {
    let table = loom_embed::NOTICES.iter().map(|one| ("embed", one));
    let vocabularies = loom_models::VOCABULARY_NOTICES.iter();
    let vocabularies = vocabularies.map(|one| ("tokens", one));
    let mut out = String::new();
    for (crate_name, (name, text)) in table.chain(vocabularies) {
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{gap}==== {crate_name}: {name} ====\n");
        let _ = writeln!(out, "{}", text.trim_matches('\n'));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A licence that lies beside data and is not told would not travel with it.
    #[test]
    fn all_that_lies_beside_data_is_told() {
        let told = notices();
        for of in ["embed", "tokens"] {
            let data = format!("{}/../{of}/data", env!("CARGO_MANIFEST_DIR"));
            for file in std::fs::read_dir(data).unwrap() {
                let file = file.unwrap();
                let name = file.file_name().into_string().unwrap();
                if name.starts_with("LICENSE") || name.starts_with("NOTICE") {
                    let text = std::fs::read_to_string(file.path()).unwrap();
                    assert!(told.contains(&format!("==== {of}: {name} ====")), "{name}");
                    assert!(told.contains(text.trim_matches('\n')), "{name}");
                }
            }
        }
    }
}
