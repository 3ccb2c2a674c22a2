//! The second pass: renders each file on some thread and writes the results in
//! order, counting the tokens of the whole output on the way.

mod template;

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::ControlFlow;

use loom_engine::{Rendered, Renderer, number_lines};
use loom_models::{Counted, Tally, Tokenizer};

use crate::ordered::{Ahead, ordered};
use crate::survey::{Survey, Surveyed};
use crate::{Cancel, PackError, Packer, Progress, Stage};

/// Rendered and unwritten text: enough to keep every thread busy.
const AHEAD: Ahead = Ahead {
    items: 64,
    weight: 24 << 20,
};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The bytes of the output.
    pub bytes: usize,
    /// The tokens of the output: exact, or an estimate with its band.
    pub tokens: Counted,
    /// The files whose contents changed after they were counted, or vanished.
    pub changed: Vec<String>,
}

/// One piece of the output.
struct Piece {
    text: String,
    tally: Tally,
    changed: Option<String>,
}

impl Packer {
    /// Writes the pack of what `survey` found.
    ///
    /// # Errors
    /// When `out` cannot be written to, or a stop was asked for.
    pub fn write(
        &self,
        survey: &Survey,
        out: &mut dyn Write,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Written, PackError> {
        progress.begin(Stage::Write, Some(survey.files.len()));
        let mut writer = Writer::new(out, self.options.model.tokenizer);
        if let Some(template) = &self.options.template {
            return self.write_template(template, survey, writer, progress, cancel);
        }
        let renderer = self.options.format.renderer();
        let mut text = String::new();
        renderer.head(&survey.overview, &mut text);
        writer.text(&text).map_err(PackError::Write)?;
        let mut failure = None;
        ordered(
            survey.files.len(),
            self.options.thread_count(),
            AHEAD,
            |at| survey.files[at].meta.bytes,
            |at| self.piece(renderer, &survey.files[at], at),
            |_, piece| {
                progress.advance(1);
                failure = writer.piece(piece).err().map(PackError::Write);
                if failure.is_none() && cancel.is_cancelled() {
                    failure = Some(PackError::Cancelled);
                }
                if failure.is_some() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        if let Some(failure) = failure {
            return Err(failure);
        }
        let mut text = String::new();
        renderer.tail(&mut text);
        writer.text(&text).map_err(PackError::Write)?;
        writer.finish().map_err(PackError::Write)
    }

    fn piece(&self, renderer: &dyn Renderer, file: &Surveyed, position: usize) -> Piece {
        let current = self.current(file);
        let tokenizer = self.options.model.tokenizer;
        let mut text = String::with_capacity(current.text.len() + 256);
        let shown = if self.options.line_numbers {
            Cow::Owned(number_lines(&current.text))
        } else {
            Cow::Borrowed(&*current.text)
        };
        let rendered = renderer.file(&current.meta, &shown, position, &mut text);
        let tally = match rendered {
            Rendered::Verbatim(range) if !self.options.line_numbers => {
                let mut tally = Tally::of(tokenizer, &text[..range.start]);
                let body = &text[range.clone()];
                tally.append(Tally::of_counted(tokenizer, body, current.meta.tokens));
                tally.push(&text[range.end..]);
                tally
            }
            _ => Tally::of(tokenizer, &text),
        };
        Piece {
            text,
            tally,
            changed: current.changed.then(|| file.meta.path.to_string()),
        }
    }
}

/// Writes pieces and keeps count.
struct Writer<'a> {
    out: &'a mut dyn Write,
    bytes: usize,
    tally: Tally,
    changed: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(out: &'a mut dyn Write, tokenizer: Tokenizer) -> Self {
        Self {
            out,
            bytes: 0,
            tally: Tally::new(tokenizer),
            changed: Vec::new(),
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.bytes += text.len();
        self.tally.push(text);
        Ok(())
    }

    fn piece(&mut self, piece: Piece) -> io::Result<()> {
        self.out.write_all(piece.text.as_bytes())?;
        self.bytes += piece.text.len();
        self.tally.append(piece.tally);
        self.changed.extend(piece.changed);
        Ok(())
    }

    fn finish(self) -> io::Result<Written> {
        self.out.flush()?;
        Ok(Written {
            bytes: self.bytes,
            tokens: self.tally.counted(),
            changed: self.changed,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use loom_testkit::Sandbox;

    use crate::{Cancel, NoProgress, PackOptions, Packer};

    /// Files that change between the passes, as those beyond the kept text can.
    #[test]
    fn what_changed_in_between_is_written_as_it_is_now() {
        let sandbox = Sandbox::new();
        for name in ["a", "changed", "gone"] {
            sandbox.write(name, "first words\n");
        }
        let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
        let mut survey = packer.survey(&NoProgress, &Cancel::new()).unwrap();
        for file in &mut survey.files {
            file.kept = None;
        }
        sandbox.write("changed", "other\nwords\n");
        fs::remove_file(sandbox.path("gone")).unwrap();
        let mut out = Vec::new();
        let written = packer.write(&survey, &mut out, &NoProgress, &Cancel::new());
        let written = written.unwrap();
        assert_eq!(written.changed, ["changed", "gone"]);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            written.tokens,
            loom_models::count(&text, &loom_models::default_model())
        );
        for expected in [
            "<file path=\"a\" lines=\"1\" tokens=\"3\"><![CDATA[\nfirst words\n]]></file>\n",
            "<file path=\"changed\" lines=\"2\" tokens=\"4\" note=\"changed after the statistics were made\"><![CDATA[\nother\nwords\n]]></file>\n",
            "<file path=\"gone\" lines=\"0\" tokens=\"0\" note=\"could not be read again: vanished before it was read\"><![CDATA[\n]]></file>\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }
}
