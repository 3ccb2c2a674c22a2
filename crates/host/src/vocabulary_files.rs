//! Finds vocabulary files that the user already has: in a directory that the user names, and in the
//! Hugging Face cache, which Infiniloom only reads. A file from that cache is used only if the user
//! names it.

use std::fs;
use std::path::{Path, PathBuf};

use loom_models::FileKind;

use crate::environment::variable;

/// Usual file names, in search order.
const NAMES: &[&str] = &["tokenizer.json", "tokenizer.model", "tiktoken.model"];

/// Maximum number of entries that are read from a directory, more than any cache contains.
const MOST_ENTRIES: usize = 10_000;

/// Returns the file with a usual name if `path` is a directory, otherwise `path` itself.
pub(crate) fn in_folder(kind: FileKind, path: &Path) -> Option<PathBuf> {
    match path.is_dir() {
        true => named(kind, path).into_iter().next(),
        false => Some(path.to_owned()),
    }
}

/// Returns the vocabulary files of this kind in the Hugging Face cache.
pub fn vocabulary_files(kind: FileKind) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Some(hub) = hub() else { return found };
    for (name, repository) in folders(&hub) {
        if starts(kind).iter().any(|start| name.starts_with(start)) {
            for (_, snapshot) in folders(&repository.join("snapshots")) {
                found.extend(named(kind, &snapshot).into_iter().take(1));
            }
        }
    }
    found
}

/// Returns the prefixes of the directory names of such models, in lower case.
fn starts(kind: FileKind) -> &'static [&'static str] {
    match kind {
        FileKind::Llama2 => &[
            "models--meta-llama--llama-2-",
            "models--codellama--codellama-",
        ],
        FileKind::Llama3 => &[
            "models--meta-llama--llama-3",
            "models--meta-llama--meta-llama-3",
        ],
        FileKind::Llama4 => &["models--meta-llama--llama-4"],
        FileKind::Gemma3 => &["models--google--gemma-2", "models--google--gemma-3"],
        FileKind::Kimi => &["models--moonshotai--kimi-k2"],
        FileKind::CommandR => &[
            "models--cohereforai--c4ai-command-r",
            "models--coherelabs--c4ai-command-r",
        ],
        _ => &[],
    }
}

fn named(kind: FileKind, folder: &Path) -> Vec<PathBuf> {
    let files = usual_names(kind).map(|name| folder.join(name));
    files.filter(|file| file.is_file()).collect()
}

/// Returns the file names of this kind of vocabulary.
pub(crate) fn usual_names(kind: FileKind) -> impl Iterator<Item = &'static str> {
    // Kimi has only a `tiktoken.model`.
    let names = NAMES.iter().copied();
    names.filter(move |&name| kind != FileKind::Kimi || name == "tiktoken.model")
}

/// Returns the entries of a directory in order, with their names in lower case.
fn folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let entries = entries.take(MOST_ENTRIES).flatten();
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let name = entry.file_name().to_str()?.to_lowercase();
            Some((name, entry.path()))
        })
        .collect();
    found.sort();
    found
}

fn hub() -> Option<PathBuf> {
    let home = || {
        let cache = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let cache = cache.or_else(|| variable("HOME").map(|home| home.join(".cache")));
        cache.map(|cache| cache.join("huggingface"))
    };
    let named = variable("HF_HUB_CACHE");
    named.or_else(|| Some(variable("HF_HOME").or_else(home)?.join("hub")))
}
