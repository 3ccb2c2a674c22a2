//! A compressed text as bytes.

use loom_base::codec::{Reader, Writer};

use crate::{Compressed, Elided, ElidedKind, Level, LevelFallback, LineMap};

impl Compressed {
    /// Writes it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new();
        out.text(&self.text).text(self.level.name());
        out.flag(self.gentler.is_some());
        if let Some((level, why)) = self.gentler {
            out.text(level.name()).text(why.reason());
        }
        out.size(self.lines.count());
        out.size(self.lines.steps().len());
        for (here, original) in self.lines.steps() {
            out.size(*here).size(*original);
        }
        out.size(self.elided.len());
        for part in &self.elided {
            out.text(part.what.name());
            out.lines(part.lines);
            out.size(part.marked);
        }
        out.finish()
    }

    /// Reads it back. Returns `None` for anything else.
    pub fn from_bytes(value: &[u8]) -> Option<Self> {
        let mut from = Reader::new(value);
        let text = from.text()?.to_owned();
        let level = Level::from_name(from.text()?)?;
        let gentler = match from.flag()? {
            true => Some((
                Level::from_name(from.text()?)?,
                LevelFallback::from_reason(from.text()?)?,
            )),
            false => None,
        };
        let count = from.size()?;
        let steps = from.many(|from| Some((from.size()?, from.size()?)))?;
        let elided = from.many(|from| {
            Some(Elided {
                what: ElidedKind::from_name(from.text()?)?,
                lines: from.lines()?,
                marked: from.size()?,
            })
        })?;
        from.is_at_end().then(|| Self {
            text,
            lines: LineMap::new(steps, count),
            elided,
            level,
            gentler,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compression, Language, Limits, compress};

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
                let bytes = found.to_bytes();
                assert_eq!(
                    Compressed::from_bytes(&bytes).as_ref(),
                    Some(&found),
                    "{id} {level}"
                );
                assert_eq!(Compressed::from_bytes(&bytes[..bytes.len() - 1]), None);
            }
        }
    }
}
