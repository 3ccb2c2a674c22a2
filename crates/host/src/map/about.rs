//! What a source says about itself, in its README or a manifest at its top.

use loom_engine::map::{about_manifest, about_readme};
use loom_source::{FoundFile, Scan, decode};

use crate::Packer;

/// A README that is larger says nothing in its first paragraph.
const LARGEST: u64 = 1_000_000;

const MANIFESTS: &[&[u8]] = &[
    b"package.json",
    b"Cargo.toml",
    b"pyproject.toml",
    b"composer.json",
    b"setup.cfg",
];

impl Packer {
    /// The first paragraph of the README, else the description of a manifest, without
    /// secrets.
    pub(super) fn about(&self, scan: &Scan) -> Option<String> {
        let is_top = |file: &&FoundFile| !file.path.as_bytes().contains(&b'/');
        let top: Vec<&FoundFile> = scan.files.iter().filter(is_top).collect();
        let is_readme = |file: &&&FoundFile| {
            let name = file.path.file_name().to_ascii_lowercase();
            name.starts_with(b"readme")
        };
        let readme = top.iter().filter(is_readme).find_map(|file| {
            let text = self.about_text(file)?;
            about_readme(&text)
        });
        readme.or_else(|| {
            let is_manifest = |file: &&&FoundFile| MANIFESTS.contains(&file.path.file_name());
            let mut manifests = top.iter().filter(is_manifest);
            manifests.find_map(|file| about_manifest(&self.about_text(file)?))
        })
    }

    fn about_text(&self, file: &FoundFile) -> Option<String> {
        let reading = self.source.read(file, LARGEST).ok()?;
        let text = decode(reading.bytes).ok()?.text;
        Some(self.secrets.clean(&self.options.secrets, &file.path, text))
    }
}
