//! The tools, their descriptions for the model, and the dispatch of a call.

mod context;
mod found;
mod map;
mod navigate;
mod pack;
mod partial;
mod place;
mod quote;
mod read;
mod search;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use infiniloom::{Cancel, Control, Layer, Level, Model, Redactor, Settings, Snapshot};
use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use serde_json::{Value, json};

use crate::Roots;
use crate::answer::{self, Answer, AnswerForm, Fitted};
use crate::arguments::Arguments;
use crate::one_line::one_line;
use crate::root::{Root, Warm};
use crate::tool_error::ToolError;
use found::Discovery;
use place::Paths;

/// Maximum tokens of an answer, for any arguments.
const MOST_TOKENS: usize = 200_000;
/// Minimum limit of an answer: with fewer tokens it says nothing useful.
const LEAST_TOKENS: usize = 100;
/// Maximum tokens of an error.
const WRONG_TOKENS: usize = 1000;
/// Time that a call waits for a layer. Then it answers with the existing ones.
const PATIENCE: Duration = Duration::from_millis(2500);

/// Time that a call reads files. Then it returns the results so far: to read all files for a
/// frequent name takes longer than a client waits.
const DEADLINE: Duration = Duration::from_secs(5);

/// The forms of an answer. Text is for a model, JSON for a program.
const FORMATS: &[&str] = &["text", "json"];

/// Maximum number of warnings about files in an answer.
const WARNINGS: usize = 3;

/// Note on an answer from the files before a change.
const STALE: &str = "Note: files changed a moment ago and are being read again; this answer is of before. Ask again for the newest.";

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// Purpose and limits, for the model.
    about: &'static str,
    /// Arguments of this tool only.
    arguments: fn() -> Value,
    required: &'static [&'static str],
    /// Default limit of an answer in tokens.
    tokens: usize,
    /// The limit that the user's settings choose instead.
    settled_tokens: fn(&Settings) -> Option<usize>,
    run: fn(&Call<'_>) -> Result<Fitted, ToolError>,
}

/// A call of a tool.
pub(crate) struct Call<'a> {
    pub(crate) root: &'a Root,
    pub(crate) arguments: &'a Arguments,
    pub(crate) cancel: &'a Cancel,
    /// Limit of the answer in tokens.
    pub(crate) limit: usize,
    /// The form of the answer.
    pub(crate) form: AnswerForm,
    began: Instant,
}

/// Returns the JSON schema of compression levels.
fn levels() -> Value {
    let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
    json!({"type": "string", "enum": names})
}

/// Returns the compression level of a call.
fn level(call: &Call<'_>) -> Result<Level, ToolError> {
    let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
    let name = call.arguments.choice("compress", &names)?;
    Ok(name.parse().unwrap_or(Level::None))
}

pub(crate) const ALL: &[Tool] = &[
    context::TOOL,
    search::TOOL,
    navigate::TOOL,
    read::TOOL,
    map::TOOL,
    pack::TOOL,
];

pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    ALL.iter().find(|tool| tool.name == name)
}

/// Describes the tools for clients that get answers in this form.
pub(crate) fn list(form: AnswerForm) -> Vec<Described> {
    ALL.iter().map(|tool| tool.described(form)).collect()
}

/// Answers a call, in the form `usual` unless the call names another.
pub(crate) fn call(
    tool: &Tool,
    roots: &Roots,
    arguments: &Arguments,
    usual: AnswerForm,
    cancel: &Cancel,
) -> Result<Fitted, ToolError> {
    let limit = arguments.number("max_tokens").ok().flatten();
    let limit = limit
        .unwrap_or(tool.tokens)
        .clamp(LEAST_TOKENS, WRONG_TOKENS);
    let mut telling = Telling {
        form: usual,
        ..Telling::default()
    };
    answered(tool, roots, arguments, cancel, &mut telling)
        .map_err(|wrong| wrong.presented(limit, &telling))
}

/// Presentation of a result.
#[derive(Default)]
struct Telling {
    form: AnswerForm,
    redactor: Redactor,
    model: Model,
}

/// Answers a call. Sets `telling` to the redactor and the model of the directory.
fn answered(
    tool: &Tool,
    roots: &Roots,
    arguments: &Arguments,
    cancel: &Cancel,
    telling: &mut Telling,
) -> Result<Fitted, ToolError> {
    let own = (tool.arguments)();
    let names = own.as_object().into_iter().flat_map(|own| own.keys());
    let mut names: Vec<&str> = names.map(String::as_str).collect();
    names.extend(["max_tokens", "root", "format"]);
    let arguments = &arguments.renamed(&names);
    arguments.known(&names)?;
    let control = Control::new().with_cancel(cancel);
    let root = roots.pick(arguments.text("root")?, &arguments.paths(), &control)?;
    let form = match arguments.choice("format", FORMATS)? {
        "json" => AnswerForm::Data,
        _ => telling.form,
    };
    *telling = Telling {
        form,
        redactor: root.repository().redactor(),
        model: root.repository().model(),
    };
    let arguments = &arguments.without_links(&root);
    let limit = match arguments.number("max_tokens")? {
        Some(limit) if limit < LEAST_TOKENS => {
            let told = format!("`max_tokens` must be at least {LEAST_TOKENS}");
            return Err(ToolError(told));
        }
        Some(limit) => limit,
        None => match (tool.settled_tokens)(&root.repository().settings()) {
            Some(limit) if limit < LEAST_TOKENS => {
                return Err(ToolError(format!(
                    "the settings say `[{}] budget = {limit}`, and an answer needs {LEAST_TOKENS}: \
                     mend them, or say `max_tokens`",
                    tool.name
                )));
            }
            settled => settled.unwrap_or(tool.tokens),
        },
    };
    (tool.run)(&Call {
        root: &root,
        arguments,
        cancel,
        limit: limit.min(MOST_TOKENS),
        form,
        began: Instant::now(),
    })
}

impl ToolError {
    /// Redacts names in the error and bounds it.
    fn presented(self, limit: usize, telling: &Telling) -> Self {
        // Nobody has to look at what is far too long.
        let text = answer::bounded(self.0, limit, &telling.model);
        let lines = text.lines().map(one_line).collect::<Vec<_>>();
        let clean = telling.redactor.redact(&lines.join("\n"));
        Self(answer::bounded(clean, limit, &telling.model))
    }
}

impl Tool {
    fn described(&self, form: AnswerForm) -> Described {
        let mut properties = (self.arguments)();
        properties["max_tokens"] = json!({"type": "integer", "default": self.tokens});
        properties["root"] =
            json!({"type": "string", "description": "Which folder, where several are served"});
        properties["format"] = json!({"type": "string", "enum": FORMATS});
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": self.required,
            "additionalProperties": false,
        });
        let output = json!({
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "tokens": {"type": "integer"},
                "truncated": {"type": "boolean"},
                "sources": {"type": "array", "items": {"type": "string"}},
                "sources_left_out": {"type": "integer"},
            },
        });
        let annotations = ToolAnnotations::new()
            .read_only(true)
            .idempotent(true)
            .open_world(false);
        let mut described = Described::new(self.name, self.about, Arc::new(object(schema)))
            .with_annotations(annotations);
        // A client that knows an output schema passes on the data instead of the text.
        if form == AnswerForm::Data {
            described = described.with_raw_output_schema(Arc::new(object(output)));
        }
        match Discovery::for_tool(self.name) {
            Some(words) => described.with_title(words.title).with_meta(words.meta()),
            None => described,
        }
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

impl Call<'_> {
    /// Fits an answer into the limit of the call.
    fn fit(&self, answer: Answer) -> Fitted {
        self.fit_within(answer, self.limit)
    }

    /// Fits an answer into `limit` tokens. Redacts it first with the secrets of the newest
    /// snapshot: the answer may come from an earlier one.
    fn fit_within(&self, mut answer: Answer, limit: usize) -> Fitted {
        let newest = self.snapshot();
        let redactor = newest.and_then(|newest| {
            let redactor = newest.redactor(&self.control())?;
            Ok((newest, redactor))
        });
        match redactor {
            Ok((newest, redactor)) => {
                answer.redact(|text| redactor.redact_known(text));
                let answer = answer.warn(self.warnings(&newest));
                answer
                    .form(self.form)
                    .fit(limit, &redactor, &newest.model())
            }
            // The call was cancelled: nobody reads the answer.
            Err(_) => Fitted::default(),
        }
    }

    /// Returns warnings about the files and the settings of a snapshot, those about visible secrets
    /// first, and only the first ones, because each answer repeats them.
    fn warnings(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut warnings = snapshot.warnings(&self.control()).unwrap_or_default();
        let more = warnings.len().saturating_sub(WARNINGS);
        warnings.truncate(WARNINGS);
        warnings.extend_from_slice(snapshot.settings().warnings());
        if more > 0 {
            warnings.push(format!("{more} more; run `infiniloom index` to see them"));
        }
        warnings
    }

    /// Returns a control that ends with the call.
    fn control(&self) -> Control {
        Control::new().with_cancel(self.cancel)
    }

    /// Returns a snapshot of the present files.
    fn snapshot(&self) -> Result<Snapshot, ToolError> {
        Ok(self.root.repository().snapshot_with(&self.control())?)
    }

    /// Returns the paths of a snapshot, to resolve the paths of the call.
    fn paths(&self, snapshot: &Snapshot) -> Result<Paths<'_>, ToolError> {
        Ok(Paths {
            files: snapshot.files(&self.control())?,
            prefix: &self.root.prefix,
        })
    }

    /// Returns a snapshot that has a layer, if the time of the call suffices.
    fn warm(&self, layer: Layer) -> Result<Option<Warm>, ToolError> {
        self.root.warm(layer, self.patience(), &self.control())
    }

    /// Shortens full paths to those of answers, which start at the top of the repository.
    fn below(&self, paths: Vec<String>) -> Vec<String> {
        let tops = self.root.tops();
        let below = |path: String| {
            let mut tops = tops.iter();
            let below = tops.find_map(|top| Path::new(&path).strip_prefix(top).ok());
            let below = below.and_then(Path::to_str).map(str::to_owned);
            below.unwrap_or(path)
        };
        paths.into_iter().map(below).collect()
    }

    /// Returns an error if the caller cancelled the call.
    fn check(&self) -> Result<(), ToolError> {
        match self.cancel.is_cancelled() {
            true => Err(ToolError::interrupted()),
            false => Ok(()),
        }
    }

    /// Waits a short time for the index. Returns true if it exists.
    fn is_indexed(&self) -> bool {
        self.root.wait(self.patience(), &self.control())
    }

    /// Returns the time that the call may still wait for a layer.
    fn patience(&self) -> Duration {
        PATIENCE.saturating_sub(self.began.elapsed())
    }

    /// Returns the time that the call may still read files.
    fn time_left(&self) -> Duration {
        DEADLINE.saturating_sub(self.began.elapsed())
    }

    /// Returns the note on an answer without the index.
    fn partial_note(&self) -> String {
        let far = match self.root.indexing() {
            Some((done, steps)) if steps > 0 => format!(" ({} %)", 100 * done / steps),
            _ => String::new(),
        };
        let doing = match far.is_empty() {
            true => "the files are being read",
            false => "the index is being made",
        };
        format!("Partial: {doing}{far}. Ask again in a few seconds for the whole answer.")
    }
}
