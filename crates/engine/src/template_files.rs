//! The files of a pack in a template: a list whose texts are fetched one by one, and freed at the
//! end of the loop.

use std::fmt;
use std::sync::{Arc, OnceLock};

use loom_wire::FileInfo;
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// Source of a template's texts.
pub trait TextSource: Send + Sync {
    /// Returns the text of the file at `position`; `None` if the run was cancelled.
    fn text(&self, position: usize) -> Option<FileText>;
}

/// Text of a file when the template fetched it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileText {
    /// Its text.
    pub text: String,
    /// Note about its processing.
    pub note: Option<String>,
}

/// The variable `files`.
pub(crate) struct Files {
    data: Arc<TemplateData>,
}

struct TemplateData {
    files: Vec<FileInfo>,
    texts: Box<dyn TextSource>,
}

impl Files {
    pub(crate) fn new(files: Vec<FileInfo>, texts: Box<dyn TextSource>) -> Self {
        Self {
            data: Arc::new(TemplateData { files, texts }),
        }
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} files", self.data.files.len())
    }
}

impl Object for Files {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let position = key.as_usize()?;
        self.data.files.get(position)?;
        Some(Value::from_object(File {
            data: Arc::clone(&self.data),
            position,
            fetched: OnceLock::new(),
        }))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.data.files.len())
    }
}

/// One file. Its note and its content are fetched together, so that they belong to one version.
struct File {
    data: Arc<TemplateData>,
    position: usize,
    fetched: OnceLock<Option<Fetched>>,
}

struct Fetched {
    note: Value,
    content: Value,
}

impl File {
    fn fetched(&self) -> Option<&Fetched> {
        let fetch = || {
            let FileText { text, note } = self.data.texts.text(self.position)?;
            Some(Fetched {
                note: Value::from(note),
                content: Value::from(text),
            })
        };
        self.fetched.get_or_init(fetch).as_ref()
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data.files[self.position].path)
    }
}

impl Object for File {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let info = self.data.files.get(self.position)?;
        match key.as_str()? {
            "path" => Some(Value::from(info.path.as_str())),
            "language" => Some(Value::from(info.language.clone())),
            "lines" => Some(Value::from(info.lines)),
            "tokens" => Some(Value::from(info.tokens)),
            "note" => Some(self.fetched()?.note.clone()),
            "content" => Some(self.fetched()?.content.clone()),
            _ => None,
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&["path", "language", "lines", "tokens", "note", "content"])
    }
}
