//! A chunk as bytes.

use loom_base::codec::{Reader, Writer};

use crate::{ContentKind, Severities, Severity, TextChunk};

impl TextChunk {
    /// Writes it.
    pub fn write(&self, out: &mut Writer) {
        out.text(&self.id);
        out.span(self.span);
        out.size(self.overlap);
        out.lines(self.lines);
        out.text(&self.context).size(self.tokens);
        out.text(&self.sha256).text(self.kind.name());
        out.texts(&self.symbols);
        out.texts(&self.roles);
        out.size(self.records);
        out.flag(self.severities.is_some());
        if let Some(severities) = &self.severities {
            out.size(severities.counts().count());
            for (severity, count) in severities.counts() {
                out.text(severity.name()).size(count);
            }
        }
    }

    /// Reads it back.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            id: from.text()?.to_owned(),
            span: from.span()?,
            overlap: from.size()?,
            lines: from.lines()?,
            context: from.text()?.to_owned(),
            tokens: from.size()?,
            sha256: from.text()?.to_owned(),
            kind: ContentKind::from_name(from.text()?)?,
            symbols: from.texts()?,
            roles: from.texts()?,
            records: from.size()?,
            severities: match from.flag()? {
                true => {
                    let counts = from.many(|from| {
                        let name = from.text()?;
                        let mut all = Severity::ALL.into_iter();
                        Some((all.find(|one| one.name() == name)?, from.size()?))
                    })?;
                    Some(Severities::from_counts(counts))
                }
                false => None,
            },
        })
    }
}
