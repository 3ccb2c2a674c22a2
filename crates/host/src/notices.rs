//! Notices and licences of the bundled data: the embedding table and the vocabularies. Their
//! licences must ship with the program.

use std::fmt::Write;

/// Returns all notices and licences, each under its name.
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

    /// A licence file next to the data ships with the program only if the notices contain it.
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
