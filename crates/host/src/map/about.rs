//! Finds the description of a source, in a README or a manifest in the top directory.

use loom_base::RepoPath;
use loom_engine::map::{about_manifest, about_readme};
use loom_source::{FoundFile, Reason, Scan, decode};

use crate::{Packer, Run};

/// Maximum size in bytes of a README or manifest that is read.
const LARGEST: u64 = 1_000_000;

const MANIFESTS: &[&[u8]] = &[
    b"package.json",
    b"Cargo.toml",
    b"pyproject.toml",
    b"composer.json",
    b"setup.cfg",
];

/// Usual names in lower case, in order of preference. A translation ranks after them.
const READMES: &[&[u8]] = &[
    b"readme.md",
    b"readme.rst",
    b"readme",
    b"readme.txt",
    b"readme.markdown",
    b"readme.adoc",
];

/// Returns the first paragraph of the README, or else the description in a manifest, redacted.
pub(super) fn about(packer: &Packer, run: &Run, scan: &Scan) -> Option<String> {
    let is_top = |file: &&FoundFile| is_top(&file.path);
    let top: Vec<&FoundFile> = scan.files.iter().filter(is_top).collect();
    let mut readmes: Vec<(usize, &FoundFile)> = top
        .iter()
        .filter_map(|file| Some((readme_rank(&file.path)?, *file)))
        .chain(linked_readmes(scan))
        .collect();
    readmes.sort_by_key(|(rank, _)| *rank);
    let mut readmes = readmes.into_iter();
    let readme = readmes.find_map(|(_, file)| about_readme(&text_of(packer, run, file)?));
    readme.or_else(|| {
        MANIFESTS.iter().find_map(|name| {
            let file = top.iter().find(|file| file.path.file_name() == *name)?;
            about_manifest(
                std::str::from_utf8(name).ok()?,
                &text_of(packer, run, file)?,
            )
        })
    })
}

fn text_of(packer: &Packer, run: &Run, file: &FoundFile) -> Option<String> {
    let reading = packer.source.read(file, LARGEST).ok()?;
    let text = decode(reading.bytes).ok()?.text;
    Some(run.secrets.clean(&packer.options.secrets, &file.path, text))
}

fn is_top(path: &RepoPath) -> bool {
    !path.as_bytes().contains(&b'/')
}

/// Returns the rank of a README; `None` for other files.
fn readme_rank(path: &RepoPath) -> Option<usize> {
    let name = path.file_name().to_ascii_lowercase();
    let usual = READMES.iter().position(|usual| *usual == name);
    usual.or_else(|| name.starts_with(b"readme").then_some(READMES.len()))
}

/// Returns READMEs at the top that are links to packed files.
fn linked_readmes(scan: &Scan) -> impl Iterator<Item = (usize, &FoundFile)> {
    scan.left_out.iter().filter_map(|left| {
        let rank = readme_rank(&left.path).filter(|_| is_top(&left.path))?;
        let Reason::Symlink { target } = &left.reason else {
            return None;
        };
        let target = RepoPath::new(target.trim_start_matches("./")).ok()?;
        let at = scan.files.binary_search_by(|file| file.path.cmp(&target));
        Some((rank, &scan.files[at.ok()?]))
    })
}
