//! The text that is counted: files of each language up to a cap, taken in an
//! order that depends on their paths alone and mixes directories.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

pub struct Corpus {
    /// The texts of each language.
    pub languages: BTreeMap<&'static str, Vec<String>>,
}

impl Corpus {
    pub fn texts(&self) -> impl Iterator<Item = &String> + Clone {
        self.languages.values().flatten()
    }

    pub fn bytes(&self) -> usize {
        self.texts().map(String::len).sum()
    }

    pub fn figures(&self) -> Value {
        let languages = self.languages.iter().map(|(name, texts)| {
            let bytes: usize = texts.iter().map(String::len).sum();
            let row = json!({ "bytes": bytes, "files": texts.len() });
            ((*name).to_owned(), row)
        });
        json!({
            "bytes": self.bytes(),
            "files": self.texts().count(),
            "languages": languages.collect::<Map<_, _>>(),
        })
    }

    pub fn print(&self) {
        println!(
            "corpus: {} bytes, {} files",
            self.bytes(),
            self.texts().count()
        );
        for (language, texts) in &self.languages {
            let bytes: usize = texts.iter().map(String::len).sum();
            let ascii: usize = texts
                .iter()
                .flat_map(|t| t.bytes())
                .filter(u8::is_ascii)
                .count();
            println!(
                "  {language:<12} {:>6.1} MB {:>6} files {:>6.1} % not ASCII",
                bytes as f64 / 1e6,
                texts.len(),
                100.0 * (bytes - ascii) as f64 / bytes as f64
            );
        }
    }
}

pub fn load(directories: &[PathBuf], per_language: usize) -> Corpus {
    let mut paths = Vec::new();
    for directory in directories {
        walk(directory, &mut paths);
    }
    paths.sort_by_key(|path| scatter(path));
    let mut corpus = Corpus {
        languages: BTreeMap::new(),
    };
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let Some(language) = language(&path) else {
            continue;
        };
        let size = sizes.entry(language).or_default();
        if *size >= per_language {
            continue;
        }
        let text = fs::read(&path)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text.filter(|text| !text.is_empty() && !text.contains('\0')) {
            *size += text.len();
            corpus.languages.entry(language).or_default().push(text);
        }
    }
    corpus
}

fn walk(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() && entry.file_name() != ".git" {
            walk(&entry.path(), paths);
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
}

/// A number that has nothing to do with where the file lies.
fn scatter(path: &Path) -> u64 {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn language(path: &Path) -> Option<&'static str> {
    if path
        .components()
        .any(|part| part.as_os_str() == "translations")
    {
        return Some("translated");
    }
    Some(match path.extension()?.to_str()? {
        "rs" => "rust",
        "py" => "python",
        "go" => "go",
        "c" | "h" => "c",
        "js" | "ts" | "tsx" => "javascript",
        "md" | "rst" | "txt" => "prose",
        "json" => "json",
        "yaml" | "yml" | "toml" | "dts" | "dtsi" => "settings",
        "html" | "css" | "svg" => "web",
        "sh" | "pl" | "S" | "awk" => "scripts",
        "po" => "translated",
        _ => return None,
    })
}
