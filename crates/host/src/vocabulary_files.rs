//! Where users have vocabulary files already: in a folder that they name, and in the
//! cache of Hugging Face, which is looked at and never written to. Nothing found there
//! is used unless the user names it.

use std::fs;
use std::path::{Path, PathBuf};

use loom_models::FileKind;

use crate::environment::variable;

/// The usual names, in the order in which they are looked for.
const NAMES: &[&str] = &["tokenizer.json", "tokenizer.model", "tiktoken.model"];

/// More entries of a folder than any cache has.
const MOST_ENTRIES: usize = 10_000;

/// The file of a usual name in a folder, if there is one; what is no folder is the
/// file itself.
pub(crate) fn in_folder(kind: FileKind, path: &Path) -> Option<PathBuf> {
    match path.is_dir() {
        true => named(kind, path).into_iter().next(),
        false => Some(path.to_owned()),
    }
}

/// The files for such a model in the cache of Hugging Face.
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

/// How names of the folders of such models begin, in lower case.
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

/// The names that such a file may have.
pub(crate) fn usual_names(kind: FileKind) -> impl Iterator<Item = &'static str> {
    // The file of Kimi is no `tokenizer.json`.
    let names = NAMES.iter().copied();
    names.filter(move |&name| kind != FileKind::Kimi || name == "tiktoken.model")
}

/// The folders in `folder` with their names in lower case, in order.
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
