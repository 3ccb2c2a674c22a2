//! What a level left of a text, as bytes. It quotes the text, so it is only ever kept
//! sealed.

use loom_base::codec::{Reader, Writer};
use loom_store::{Seal, ValueKind};
use loom_syntax::{Compressed, Compression, Elided, ElidedKind, Gentler, Language, Level, LineMap};

use super::structure::{many, read_lines, write_lines};
use super::{Met, Recall, kind, variant};

const COMPRESSED: ValueKind = kind("compressed");

impl Recall {
    /// What `how` leaves of a text, as it was made before, or as `make` makes it. `memory`
    /// is that of a parse.
    pub(crate) fn compressed(
        &self,
        met: &Met,
        (language, text): (Option<Language>, &str),
        (how, memory): (&Compression, u64),
        make: impl FnOnce() -> Compressed,
    ) -> Compressed {
        let language = language.map_or("", Language::id);
        let variant = variant(&[language.as_bytes(), format!("{how:?} {memory}").as_bytes()]);
        // Whoever has the contents has the text.
        let seal = Seal::of(text.as_bytes());
        let known = self.sealed(met, COMPRESSED, variant, &seal);
        known.and_then(|value| read(&value)).unwrap_or_else(|| {
            let compressed = make();
            self.keep_sealed(met, COMPRESSED, variant, &write(&compressed), &seal);
            compressed
        })
    }
}

fn write(compressed: &Compressed) -> Vec<u8> {
    let mut out = Writer::new();
    out.text(&compressed.text).text(compressed.level.name());
    out.flag(compressed.gentler.is_some());
    if let Some((level, why)) = compressed.gentler {
        out.text(level.name()).text(why.reason());
    }
    out.size(compressed.lines.count());
    out.size(compressed.lines.steps().len());
    for (here, original) in compressed.lines.steps() {
        out.size(*here).size(*original);
    }
    out.size(compressed.elided.len());
    for part in &compressed.elided {
        out.text(part.what.name());
        write_lines(&mut out, part.lines);
        out.size(part.marked);
    }
    out.finish()
}

fn read(value: &[u8]) -> Option<Compressed> {
    let mut from = Reader::new(value);
    let text = from.text()?.to_owned();
    let level = Level::from_name(from.text()?)?;
    let gentler = match from.flag()? {
        true => Some((
            Level::from_name(from.text()?)?,
            Gentler::from_reason(from.text()?)?,
        )),
        false => None,
    };
    let count = from.size()?;
    let steps = many(&mut from, |from| Some((from.size()?, from.size()?)))?;
    let elided = many(&mut from, |from| {
        Some(Elided {
            what: ElidedKind::from_name(from.text()?)?,
            lines: read_lines(from)?,
            marked: from.size()?,
        })
    })?;
    from.is_at_end().then(|| Compressed {
        text,
        lines: LineMap::new(steps, count),
        elided,
        level,
        gentler,
    })
}

#[cfg(test)]
mod tests {
    use loom_syntax::{Limits, compress};

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let body = "    let step = other(1, 2, 3);\n".repeat(20);
        let text = format!("/// About a.\npub fn a() {{\n{body}}}\n\nfn b() {{}}\n");
        let limits = Limits::default();
        for (id, text) in [
            ("rust", text.as_str()),
            ("text", "a  \n\n\n\nb\n"),
            ("json", ""),
        ] {
            for level in Level::ALL {
                let how = Compression::at(level);
                let found = compress(Language::from_id(id), text, &how, &limits);
                let bytes = write(&found);
                assert_eq!(read(&bytes).as_ref(), Some(&found), "{id} {level}");
                assert_eq!(read(&bytes[..bytes.len() - 1]), None);
            }
        }
    }
}
