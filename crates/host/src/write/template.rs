//! Writes a pack through the user's template. The template runs on the calling thread and requests
//! each text from a second one, so that only one file is in memory at a time.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use loom_engine::{FileText, Template, TemplateError, TextSource, numbered};

use super::{PackWriter, Writer, Written};
use crate::current::Current;
use crate::{Cancel, PackError};

/// Bytes of output that are counted and written at once.
const BUFFERED: usize = 1 << 18;

impl PackWriter<'_> {
    pub(super) fn write_template(
        self,
        template: &Template,
        writer: Writer<'_>,
    ) -> Result<Written, PackError> {
        let Self { survey, cancel, .. } = self;
        let (questions, asked) = channel();
        let (answers, answered) = channel();
        let texts = Texts(Mutex::new((questions, answered)));
        let mut out = Buffered::new(writer, cancel);
        let (rendered, changed) = std::thread::scope(|scope| {
            let server = scope.spawn(move || self.answer(&asked, &answers));
            let rendered = template.render(&survey.overview, survey.files(), texts, &mut out);
            (rendered, server.join().unwrap_or_default())
        });
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        rendered.map_err(|error| match error {
            TemplateError::Write(error) => PackError::Write(error),
            wrong => PackError::Template(wrong),
        })?;
        let name = |at: usize| survey.files[at].meta.path.to_string();
        out.finish(changed.into_iter().map(name).collect())
            .map_err(PackError::Write)
    }

    /// Answers requests until the template ends. Returns the numbers of files that changed.
    fn answer(self, asked: &Receiver<usize>, answers: &Sender<FileText>) -> BTreeSet<usize> {
        let packer = self.packer;
        let mut changed = BTreeSet::new();
        for at in asked.iter().take_while(|_| !self.cancel.is_cancelled()) {
            let current = Current::read(packer, &self.survey.files[at]);
            if current.changed {
                changed.insert(at);
            }
            let text = match packer.options.line_numbers {
                true => numbered(&current.text, |line| current.meta.number_of(line)),
                false => current.text.into_owned(),
            };
            let text = current.meta.with_marks(text.into()).into_owned();
            let note = current.meta.note();
            self.progress.advance(1);
            if answers.send(FileText { text, note }).is_err() {
                break;
            }
        }
        changed
    }
}

/// The template's side of the channels.
struct Texts(Mutex<(Sender<usize>, Receiver<FileText>)>);

impl TextSource for Texts {
    fn text(&self, position: usize) -> Option<FileText> {
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        line.0.send(position).ok()?;
        line.1.recv().ok()
    }
}

/// Collects the small pieces that a template writes.
struct Buffered<'a, 'c> {
    writer: Writer<'a>,
    text: String,
    cancel: &'c Cancel,
}

impl<'a, 'c> Buffered<'a, 'c> {
    fn new(writer: Writer<'a>, cancel: &'c Cancel) -> Self {
        Self {
            writer,
            text: String::new(),
            cancel,
        }
    }

    fn empty(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        self.writer.text(&text)
    }

    fn finish(mut self, changed: Vec<String>) -> io::Result<Written> {
        self.empty()?;
        self.writer.changed = changed;
        self.writer.finish()
    }
}

impl Write for Buffered<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A template writes whole strings.
        let piece = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.text.push_str(piece);
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        if self.text.len() >= BUFFERED {
            self.empty()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.empty()
    }
}
