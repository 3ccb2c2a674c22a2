//! The cached analysis of a text for contexts. Its summary quotes the text, so it is always
//! encrypted with its content key.

use loom_base::codec::{Reader, Writer};
use loom_embed::{CodeTable, Vectors};
use loom_engine::context::{Cut, CutPart, DocLines};
use loom_store::ValueKind;
use loom_syntax::{Language, Limits};

use super::FileAnalysis;
use crate::cache::{CacheEntries, kind, structure_variant, variant};

const STUDY: ValueKind = kind("study");

impl CacheEntries<'_> {
    /// Returns the cached analysis of the text.
    pub(crate) fn study(self, language: Option<Language>, limits: &Limits) -> Option<FileAnalysis> {
        read(&self.get(STUDY, study_variant(language, limits))?)
    }

    /// Caches the analysis of the text, encrypted with its content key.
    pub(crate) fn keep_study(
        self,
        language: Option<Language>,
        limits: &Limits,
        study: &FileAnalysis,
    ) {
        self.keep(STUDY, study_variant(language, limits), &write(study));
    }
}

fn study_variant(language: Option<Language>, limits: &Limits) -> i64 {
    match language {
        Some(language) => structure_variant(language, limits),
        None => variant(&[]),
    }
}

fn write(study: &FileAnalysis) -> Vec<u8> {
    let mut out = Writer::new();
    out.text(&study.summary).bytes(&bytes_of(&study.about, 0));
    out.number(study.cut.lines.into());
    out.size(study.cut.symbols.len());
    for part in &study.cut.symbols {
        out.number(u64::from(*part));
    }
    out.size(study.cut.parts.len());
    for (at, part) in study.cut.parts.iter().enumerate() {
        write_part(&mut out, part);
        out.bytes(&bytes_of(&study.vectors, at));
    }
    out.finish()
}

fn bytes_of(vectors: &Vectors, at: usize) -> Vec<u8> {
    let bytes = vectors.bytes_of(at).iter();
    bytes.map(|one| *one as u8).collect()
}

fn read_vector(from: &mut Reader<'_>, into: &mut Vectors) -> Option<()> {
    let bytes: Vec<i8> = from.bytes()?.iter().map(|one| *one as i8).collect();
    into.push_bytes(&bytes);
    Some(())
}

fn write_part(out: &mut Writer, part: &CutPart) {
    for number in [part.first, part.last, part.bytes, part.name_line] {
        out.number(u64::from(number));
    }
    for number in [part.doc.first, part.doc.last, part.doc.bytes] {
        out.number(u64::from(number));
    }
    out.optional(part.symbol.map(|symbol| symbol as usize))
        .flag(part.is_whole);
    for words in part.words {
        out.number(u64::from(words));
    }
    out.size(part.terms.len());
    let mut last = 0;
    for (key, [text, names, docs]) in &part.terms {
        // Store the differences of the ascending keys.
        out.number(u64::from(key - last));
        last = *key;
        out.number(u64::from(u32::from_le_bytes([*text, *names, *docs, 0])));
    }
}

fn read(bytes: &[u8]) -> Option<FileAnalysis> {
    let mut from = Reader::new(bytes);
    let summary = from.text()?.to_owned();
    let mut about = Vectors::new(CodeTable::DIMENSIONS);
    read_vector(&mut from, &mut about)?;
    let lines = small(&mut from)?;
    let symbols = from.many(small)?;
    let mut vectors = Vectors::new(CodeTable::DIMENSIONS);
    let parts = from.many(|from| {
        let part = read_part(from)?;
        read_vector(from, &mut vectors)?;
        Some(part)
    })?;
    let cut = Cut {
        parts,
        symbols,
        lines,
    };
    from.is_at_end().then_some(FileAnalysis {
        cut,
        vectors,
        summary,
        about,
    })
}

fn read_part(from: &mut Reader<'_>) -> Option<CutPart> {
    let mut part = CutPart {
        first: small(from)?,
        last: small(from)?,
        bytes: small(from)?,
        name_line: small(from)?,
        doc: DocLines {
            first: small(from)?,
            last: small(from)?,
            bytes: small(from)?,
        },
        symbol: from.optional()?.map(|symbol| symbol as u32),
        is_whole: from.flag()?,
        words: [small(from)?, small(from)?, small(from)?],
        terms: Vec::new(),
    };
    let mut last = 0_u32;
    part.terms = from.many(|from| {
        last = last.checked_add(small(from)?)?;
        let [text, names, docs, _] = small(from)?.to_le_bytes();
        Some((last, [text, names, docs]))
    })?;
    Some(part)
}

fn small(from: &mut Reader<'_>) -> Option<u32> {
    u32::try_from(from.number()?).ok()
}

#[cfg(test)]
mod tests {
    use loom_base::RepoPath;
    use loom_syntax::extract;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(lines in proptest::collection::vec("(def f\\(a\\):|    return parse_header\\(a\\)|class A:|    \"\"\"About a.\"\"\"|)", 0..60)) {
            let text = lines.join("\n");
            let language = Language::detect(&RepoPath::new("a.py").unwrap(), &text).unwrap();
            let study = FileAnalysis::of(&text, &extract(language, &text, &Limits::default()));
            prop_assert_eq!(read(&write(&study)), Some(study));
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }
    }
}
