//! The second pass: renders files on several threads and writes the results in order. Counts the
//! tokens of the whole output at the same time.

mod template;

use std::io::{self, Write};
use std::ops::ControlFlow;

use loom_engine::Renderer;
use loom_engine::fit::RenderedFile;
use loom_models::{Counted, Tally, Tokenizer};

use crate::current::{Current, gone};
use crate::ordered::ordered;
use crate::survey::{Survey, Surveyed};
use crate::{Cancel, PackError, Packer, Progress, Stage};

/// Size of the output, and files that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Size of the output.
    pub bytes: usize,
    /// Tokens of the output: exact, or an estimate with its range.
    pub tokens: Counted,
    /// Files that changed or disappeared after they were counted.
    pub changed: Vec<String>,
}

/// A file of the output.
struct FilePiece<'a> {
    piece: RenderedFile<'a>,
    /// Its path, if it changed since the survey.
    changed: Option<String>,
}

/// Writes the pack of a survey.
#[derive(Clone, Copy)]
pub(crate) struct PackWriter<'a> {
    packer: &'a Packer,
    survey: &'a Survey,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
}

impl<'a> PackWriter<'a> {
    pub(crate) fn new(
        packer: &'a Packer,
        survey: &'a Survey,
        progress: &'a dyn Progress,
        cancel: &'a Cancel,
    ) -> Self {
        Self {
            packer,
            survey,
            progress,
            cancel,
        }
    }

    /// Writes the pack to `out`.
    ///
    /// # Errors
    /// If `out` fails, or the caller cancels.
    pub(crate) fn write(self, out: &mut dyn Write) -> Result<Written, PackError> {
        let Self {
            packer,
            survey,
            progress,
            cancel,
        } = self;
        progress.begin(Stage::Write, Some(survey.files.len()));
        let mut writer = Writer::new(out, packer.options.model.tokenizer);
        if let Some(template) = &packer.options.template {
            return self.write_template(template, writer);
        }
        let renderer = packer.options.format.renderer();
        let mut text = String::new();
        renderer.head(&survey.overview, &mut text);
        writer.text(&text).map_err(PackError::Write)?;
        let mut failure = None;
        ordered(
            survey.files.len(),
            packer.options.thread_count(),
            packer.options.memory().ahead(),
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

    fn piece(self, renderer: &dyn Renderer, file: &'a Surveyed, position: usize) -> FilePiece<'a> {
        let options = &self.packer.options;
        let current = Current::read(self.packer, file);
        let changed = current.changed;
        let render = |Current { meta, text, .. }: Current<'a>| {
            RenderedFile::render(options.file_style(), renderer, &meta, text, position)
        };
        let mut piece = render(current);
        if changed && !file.has_room_for(&piece) {
            let why = "changed while it was packed, and there is no room for more";
            piece = render(gone(file, why));
            if !file.has_room_for(&piece) {
                piece = RenderedFile::nothing(options.model.tokenizer);
            }
        }
        FilePiece {
            piece,
            changed: changed.then(|| file.meta.path.to_string()),
        }
    }
}

/// Writes pieces and counts them.
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

    fn piece(&mut self, FilePiece { piece, changed }: FilePiece<'_>) -> io::Result<()> {
        for part in piece.parts() {
            self.out.write_all(part.as_bytes())?;
        }
        self.bytes += piece.bytes();
        self.tally.append(piece.tally);
        self.changed.extend(changed);
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

    use crate::{Cancel, NoProgress, PackOptions, PackRun, Packer};

    /// Files without kept text may change between the passes.
    #[test]
    fn what_changed_in_between_is_written_as_it_is_now() {
        let sandbox = Sandbox::new();
        for name in ["a", "changed", "gone"] {
            sandbox.write(name, "first words\n");
        }
        let packer = Packer::open(&[sandbox.work()], PackOptions::default()).unwrap();
        let cancel = Cancel::new();
        let run = PackRun::new(&packer, &NoProgress, &cancel);
        let mut survey = run.survey().unwrap();
        for file in &mut survey.files {
            file.kept = None;
        }
        sandbox.write("changed", "other\nwords\n");
        fs::remove_file(sandbox.path("gone")).unwrap();
        let mut out = Vec::new();
        let written = run.write(&survey, &mut out);
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
