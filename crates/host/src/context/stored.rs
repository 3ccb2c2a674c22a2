//! What contexts of a tree are made from, kept as a whole beside the index of searches:
//! while no file changes, it is read in place of all of them. Names and summaries are
//! text of the repository: they are sealed with the contents of some of its files, which
//! are read when it is opened.

use loom_base::codec::{Reader, Writer};
use loom_embed::{CodeTable, Vectors};
use loom_engine::context::{Corpus, Past};
use loom_secrets::Copies;
use loom_source::FoundFile;
use loom_store::{Seal, Version};
use memmap2::Mmap;
use twox_hash::XxHash3_64;

use super::gather::Gathered;
use crate::Packer;
use crate::cache::Recall;
use crate::search::Location;

const MAGIC: &[u8; 8] = b"LOOMCTX2";
/// Files whose contents are the seal, and how large each is at most.
const SEALING: usize = 16;
const LARGEST: u64 = 64 << 10;

/// What says that nothing changed.
pub(super) struct Kept<'a> {
    packer: &'a Packer,
    location: Location,
    /// Paths, contents and all choices that decide what is read of them.
    tree: [u8; 32],
    /// The commits that histories begin at.
    heads: [u8; 32],
    seal: Seal,
}

/// The places that bytes are divided into.
struct Sections<'a> {
    corpus: &'a [u8],
    texts: &'a [u8],
    vectors: &'a [u8],
    about: &'a [u8],
    past: &'a [u8],
}

impl<'a> Kept<'a> {
    /// For files as they are now; `None` where it cannot be told that they are the same
    /// another time, or there is no place to keep anything.
    pub(super) fn of(
        packer: &'a Packer,
        (files, elsewhere): (&[FoundFile], &Copies),
        recall: &Recall<'_>,
        heads: [u8; 32],
    ) -> Option<Self> {
        let location = Location::of(packer)?;
        let secrets = &packer.options.secrets;
        if secrets.has_baseline() {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        let choices = (secrets.mode, secrets.least(), packer.options.max_file_size);
        hasher.update(format!("{choices:?}").as_bytes());
        // Names and summaries have no secrets of files that are not among these.
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
                // What is too large stays so while its stamp is the same. What cannot be
                // read may be readable for somebody else, or the next time.
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

    /// What was kept, and whether its history is of today.
    pub(super) fn read(&self) -> Option<(Gathered, bool)> {
        let bytes: Mmap = self.location.context()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (tree, rest) = rest.split_first_chunk::<32>()?;
        let (heads, rest) = rest.split_first_chunk::<32>()?;
        let (tag, rest) = rest.split_first_chunk::<8>()?;
        if *tree != self.tree || *tag != self.seal.tag(&self.tree) {
            return None;
        }
        let sections = Sections::of(rest)?;
        let mut gathered = std::thread::scope(|scope| {
            let vectors = scope.spawn(|| vectors(checked(sections.vectors)?));
            let gathered = self.gathered(&sections);
            let vectors = vectors.join().ok()??;
            Some(Gathered {
                vectors,
                ..gathered?
            })
        })?;
        let is_whole = gathered.vectors.len() == gathered.corpus.parts.len()
            && gathered.about.len() == gathered.corpus.files.len()
            && gathered.summaries.len() == gathered.corpus.files.len()
            && gathered.numbers.len() == gathered.corpus.files.len();
        let past = (*heads == self.heads)
            .then(|| Past::read(&mut Reader::new(checked(sections.past)?)))
            .flatten();
        let is_today = past.is_some();
        gathered.past = past.unwrap_or_default();
        is_whole.then_some((gathered, is_today))
    }

    /// All but the vectors and the history.
    fn gathered(&self, sections: &Sections<'_>) -> Option<Gathered> {
        let mut texts = checked(sections.texts)?.to_vec();
        self.seal.apply(&self.tree, &mut texts);
        let mut texts = Reader::new(&texts);
        let mut from = Reader::new(checked(sections.corpus)?);
        let numbers = from.numbers()?;
        let with_secrets = from.numbers()?;
        let corpus = Corpus::read(&mut from, &mut texts)?;
        let mut summaries = Vec::with_capacity(corpus.files.len());
        while !texts.is_at_end() {
            summaries.push(texts.text()?.to_owned());
        }
        let places = |numbers: Vec<u32>| numbers.into_iter().map(|at| at as usize).collect();
        let about = vectors(checked(sections.about)?)?;
        from.is_at_end().then(|| Gathered {
            about,
            numbers: places(numbers),
            versions: Vec::new(),
            with_secrets: places(with_secrets),
            corpus,
            vectors: Vectors::new(CodeTable::DIMENSIONS),
            summaries,
            past: Past::default(),
        })
    }

    /// Keeps it. What cannot be written is made again the next time.
    pub(super) fn write(&self, gathered: &Gathered) {
        let (mut corpus, mut texts, mut past) = (Writer::new(), Writer::new(), Writer::new());
        let numbers = |places: &[usize]| places.iter().map(|at| *at as u32).collect::<Vec<u32>>();
        corpus.numbers(&numbers(&gathered.numbers));
        corpus.numbers(&numbers(&gathered.with_secrets));
        gathered.corpus.write(&mut corpus, &mut texts);
        for summary in &gathered.summaries {
            texts.text(summary);
        }
        gathered.past.write(&mut past);
        let mut texts = texts.finish();
        self.seal.apply(&self.tree, &mut texts);
        let bytes_of = |vectors: &Vectors| -> Vec<u8> {
            let bytes = vectors.all_bytes().iter();
            bytes.map(|one| *one as u8).collect()
        };
        let (vectors, about) = (bytes_of(&gathered.vectors), bytes_of(&gathered.about));
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.tree);
        bytes.extend_from_slice(&self.heads);
        bytes.extend_from_slice(&self.seal.tag(&self.tree));
        for section in [corpus.finish(), texts, vectors, about, past.finish()] {
            bytes.extend_from_slice(&(section.len() as u64 + 8).to_le_bytes());
            bytes.extend_from_slice(&XxHash3_64::oneshot(&section).to_le_bytes());
            bytes.extend_from_slice(&section);
        }
        if let Err(error) = self.location.keep_context(&bytes) {
            self.packer.cache_failed(&error);
        }
    }
}

impl<'a> Sections<'a> {
    fn of(mut bytes: &'a [u8]) -> Option<Self> {
        let mut next = || {
            let (size, rest) = bytes.split_first_chunk::<8>()?;
            let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
            let (section, rest) = rest.split_at_checked(size)?;
            bytes = rest;
            Some(section)
        };
        let sections = Self {
            corpus: next()?,
            texts: next()?,
            vectors: next()?,
            about: next()?,
            past: next()?,
        };
        bytes.is_empty().then_some(sections)
    }
}

/// Whether what was kept is as it was written, whatever the tree is like now.
pub(crate) fn is_sound_context(bytes: &[u8]) -> bool {
    let body = bytes
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.get(32 + 32 + 8..));
    body.and_then(Sections::of).is_some_and(|sections| {
        let Sections {
            corpus,
            texts,
            vectors,
            about,
            past,
        } = sections;
        [corpus, texts, vectors, about, past]
            .into_iter()
            .all(|section| checked(section).is_some())
    })
}

/// A section without its sum, where that is right.
fn checked(section: &[u8]) -> Option<&[u8]> {
    let (sum, body) = section.split_first_chunk::<8>()?;
    (XxHash3_64::oneshot(body) == u64::from_le_bytes(*sum)).then_some(body)
}

fn vectors(bytes: &[u8]) -> Option<Vectors> {
    let bytes = bytes.iter().map(|byte| *byte as i8).collect();
    Vectors::from_bytes(CodeTable::DIMENSIONS, bytes)
}

#[cfg(test)]
mod tests;
