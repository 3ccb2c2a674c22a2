//! The context layer of a root, stored in one file in the directory of the search index. While no
//! file changes, the layer is mapped instead of built again. It contains names and summaries, which
//! quote the repository and therefore are encrypted with a key derived from some of its files. Long
//! lists of numbers are mapped, so that a large repository needs little memory; paths and other
//! records are decoded.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use loom_base::codec::{Reader, Writer};
use loom_base::{Column, SharedBytes};
use loom_embed::{CodeTable, Vectors};
use loom_engine::context::{Corpus, CorpusColumns, Past};
use loom_secrets::Copies;
use loom_source::FoundFile;
use loom_store::{Seal, Version};
use memmap2::Mmap;
use twox_hash::XxHash3_64;

use super::gathered::Gathered;
use crate::Packer;
use crate::cache::CacheSession;
use crate::search::{IndexVerified, Location, verify_index_files};

/// Columns have the byte order of the machine that wrote them.
const MAGIC: &[u8; 8] = match cfg!(target_endian = "little") {
    true => b"LOOMCTX3",
    false => b"LOOMCTXB",
};
/// Alignment of sections in bytes, so that their numbers can be read in place.
const ALIGNMENT: usize = 8;
/// Number of files whose contents form the key, and their maximum size in bytes. More files
/// would make the key harder to guess, but each start reads all of them.
const SEALING: usize = 16;
const LARGEST: u64 = 64 << 10;

/// Location and key of a stored layer. The key depends on files, options and history.
pub(super) struct StoredLayer<'a> {
    packer: &'a Packer,
    location: Location,
    /// Hash of paths, contents and all options that affect the layer.
    tree: [u8; 32],
    /// Hash of the heads of all histories.
    heads: [u8; 32],
    seal: Seal,
}

/// Indices of the sections, in the order of the file.
const SECTIONS: usize = 11;
const RECORDS: usize = 0;
const TEXTS: usize = 1;
const PARTS: usize = 2;
const KEYS: usize = 3;
const COUNTS: usize = 4;
const USES: usize = 5;
const VECTORS: usize = 6;
const LENGTHS: usize = 7;
const ABOUT: usize = 8;
const ABOUT_LENGTHS: usize = 9;
const PAST: usize = 10;

/// Byte range of each section without its header.
type Sections = [Range<usize>; SECTIONS];

impl<'a> StoredLayer<'a> {
    /// Computes the key for the current files. Returns `None` if the files could change without
    /// another key, or the layer has no directory.
    pub(super) fn of(
        packer: &'a Packer,
        files: &[FoundFile],
        elsewhere: &Copies,
        recall: &CacheSession,
        heads: [u8; 32],
    ) -> Option<Self> {
        let location = Location::of(packer)?;
        let secrets = &packer.options.secrets;
        if secrets.has_baseline() {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        let options = &packer.options;
        let memory = options.parse_limits().memory;
        let choices = (secrets.mode, secrets.least(), options.max_file_size, memory);
        hasher.update(format!("{choices:?}").as_bytes());
        // Names and summaries depend on the secrets of files outside of this list.
        hasher.update(&elsewhere.digest());
        let mut sealing: Vec<(&[u8; 32], usize)> = Vec::new();
        for (at, file) in files.iter().enumerate() {
            let path = file.path.as_bytes();
            let is_left_out = packer.options.shorten.excludes(&file.path).is_err();
            let flags = u8::from(is_left_out) | u8::from(secrets.looks_into(&file.path)) << 1;
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path).update(&[flags]);
            match recall.version(at) {
                Some((_, Version::Binary)) => hasher.update(b"binary"),
                Some((size, Version::Content(_, hash))) => {
                    if (1..=LARGEST).contains(&size) {
                        sealing.push((hash.as_bytes(), at));
                    }
                    hasher.update(b"text").update(hash.as_bytes())
                }
                // An oversized file stays oversized while its stamp is the same. An unreadable file
                // may be readable for another user, or later.
                None => {
                    let stamp = recall.settled_stamp(at)?;
                    if stamp.size <= packer.options.max_file_size {
                        return None;
                    }
                    hasher.update(format!("{stamp:?}").as_bytes())
                }
            };
        }
        sealing.sort_unstable();
        sealing.truncate(SEALING);
        let mut contents = Vec::new();
        for (_, at) in &sealing {
            contents.extend(packer.source.read(&files[*at], LARGEST).ok()?.bytes);
        }
        (!contents.is_empty()).then(|| Self {
            packer,
            location,
            tree: *hasher.finalize().as_bytes(),
            heads,
            seal: Seal::of(&contents),
        })
    }

    /// Returns the layer, and whether its history is up to date.
    pub(super) fn read(&self) -> Option<(Gathered, bool)> {
        let bytes: Arc<Mmap> = Arc::new(self.location.context()?);
        let rest = bytes.strip_prefix(MAGIC)?;
        let (tree, rest) = rest.split_first_chunk::<32>()?;
        let (heads, rest) = rest.split_first_chunk::<32>()?;
        let (tag, _) = rest.split_first_chunk::<8>()?;
        if *tree != self.tree || *tag != self.seal.tag(&self.tree) {
            return None;
        }
        let sections = sections(&bytes)?;
        let past = &bytes[sections[PAST].clone()];
        let past = (*heads == self.heads)
            .then(|| Past::read(&mut Reader::new(past)))
            .flatten();
        let mut gathered = self.gathered(&bytes, &sections)?;
        let is_whole = gathered.vectors.len() == gathered.corpus.parts.len()
            && gathered.about.len() == gathered.corpus.files.len()
            && gathered.summaries.len() == gathered.corpus.files.len()
            && gathered.numbers.len() == gathered.corpus.files.len();
        let is_today = past.is_some();
        gathered.past = past.unwrap_or_default();
        is_whole.then_some((gathered, is_today))
    }

    /// Decodes the layer without the history.
    fn gathered(&self, bytes: &Arc<Mmap>, sections: &Sections) -> Option<Gathered> {
        let shared = || -> SharedBytes { bytes.clone() };
        let range = |section: usize| sections[section].clone();
        let vectors = |numbers: usize, lengths: usize| {
            Vectors::from_columns(
                CodeTable::DIMENSIONS,
                Column::from_bytes(shared(), range(numbers))?,
                Column::from_bytes(shared(), range(lengths))?,
            )
        };
        let columns = CorpusColumns {
            parts: Column::from_bytes(shared(), range(PARTS))?,
            keys: Column::from_bytes(shared(), range(KEYS))?,
            counts: Column::from_bytes(shared(), range(COUNTS))?,
            uses: Column::from_bytes(shared(), range(USES))?,
        };
        let mut texts = bytes[range(TEXTS)].to_vec();
        self.seal.apply(&self.tree, &mut texts);
        let mut texts = Reader::new(&texts);
        let mut from = Reader::new(&bytes[range(RECORDS)]);
        let numbers = from.numbers()?;
        let with_secrets = from.numbers()?;
        let corpus = Corpus::read(&mut from, &mut texts, columns)?;
        let warnings = (0..from.size()?).map(|_| Some(texts.text()?.to_owned()));
        let warnings = warnings.collect::<Option<Vec<String>>>()?;
        let mut summaries = Vec::with_capacity(corpus.files.len());
        while !texts.is_at_end() {
            summaries.push(texts.text()?.to_owned());
        }
        let places = |numbers: Vec<u32>| numbers.into_iter().map(|at| at as usize).collect();
        let (vectors, about) = (vectors(VECTORS, LENGTHS)?, vectors(ABOUT, ABOUT_LENGTHS)?);
        from.is_at_end().then(|| Gathered {
            about,
            numbers: places(numbers),
            versions: Vec::new(),
            with_secrets: places(with_secrets),
            corpus,
            vectors,
            summaries,
            past: Past::default(),
            warnings,
        })
    }

    /// Stores the layer. If it cannot be written, the next run builds it again.
    pub(super) fn write(&self, gathered: &Gathered) {
        let (mut records, mut texts, mut past) = (Writer::new(), Writer::new(), Writer::new());
        let numbers = |places: &[usize]| places.iter().map(|at| *at as u32).collect::<Vec<u32>>();
        records.numbers(&numbers(&gathered.numbers));
        records.numbers(&numbers(&gathered.with_secrets));
        gathered.corpus.write(&mut records, &mut texts);
        records.size(gathered.warnings.len());
        for warning in &gathered.warnings {
            texts.text(warning);
        }
        for summary in &gathered.summaries {
            texts.text(summary);
        }
        gathered.past.write(&mut past);
        let (records, mut texts, past) = (records.finish(), texts.finish(), past.finish());
        self.seal.apply(&self.tree, &mut texts);
        let columns = gathered.corpus.columns();
        let (vectors, lengths) = gathered.vectors.columns();
        let (about, about_lengths) = gathered.about.columns();
        let sections: [&[u8]; SECTIONS] = [
            &records,
            &texts,
            columns.parts.as_bytes(),
            columns.keys.as_bytes(),
            columns.counts.as_bytes(),
            columns.uses.as_bytes(),
            vectors.as_bytes(),
            lengths.as_bytes(),
            about.as_bytes(),
            about_lengths.as_bytes(),
            &past,
        ];
        let written = self.location.keep_context(|out| {
            out.write_all(MAGIC)?;
            out.write_all(&self.tree)?;
            out.write_all(&self.heads)?;
            out.write_all(&self.seal.tag(&self.tree))?;
            sections
                .iter()
                .try_for_each(|section| write_section(out, section))
        });
        if let Err(error) = written {
            self.packer.cache_failed(&error);
        }
    }
}

/// Writes the size of a section, its checksum, and its bytes up to the next multiple of
/// [`ALIGNMENT`].
fn write_section(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(&XxHash3_64::oneshot(bytes).to_le_bytes())?;
    out.write_all(bytes)?;
    let padding = bytes.len().next_multiple_of(ALIGNMENT) - bytes.len();
    out.write_all(&[0; ALIGNMENT][..padding])
}

/// Returns the ranges of the sections, if all checksums are right.
fn sections(bytes: &[u8]) -> Option<Sections> {
    let mut sections: Sections = std::array::from_fn(|_| 0..0);
    let mut sums = [0; SECTIONS];
    let mut at = MAGIC.len() + 32 + 32 + 8;
    for (section, sum) in sections.iter_mut().zip(&mut sums) {
        let (size, rest) = bytes.get(at..)?.split_first_chunk::<8>()?;
        *sum = u64::from_le_bytes(*rest.first_chunk::<8>()?);
        let start = at + 16;
        let end = start.checked_add(usize::try_from(u64::from_le_bytes(*size)).ok()?)?;
        at = end.checked_next_multiple_of(ALIGNMENT)?;
        let padding = bytes.get(end..at)?;
        padding.iter().all(|byte| *byte == 0).then_some(())?;
        *section = start..end;
    }
    let is_sound = |at: usize| XxHash3_64::oneshot(&bytes[sections[at].clone()]) == sums[at];
    // The embeddings are as large as everything else together.
    let is_sound = std::thread::scope(|scope| {
        let vectors = scope.spawn(|| is_sound(VECTORS));
        let mut others = (0..SECTIONS).filter(|at| *at != VECTORS);
        others.all(is_sound) && vectors.join().unwrap_or(false)
    });
    (at == bytes.len() && is_sound).then_some(sections)
}

/// Returns true if a file contains the bytes that were written, even if the repository has changed
/// since.
fn is_sound_context(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && sections(bytes).is_some()
}

/// Checks the indexes and context layers of all roots in a cache directory, and removes damaged
/// files.
///
/// # Errors
/// If a damaged file cannot be removed.
pub fn verify_search_index(cache: &Path) -> io::Result<IndexVerified> {
    verify_index_files(cache, is_sound_context)
}

#[cfg(test)]
mod tests;
