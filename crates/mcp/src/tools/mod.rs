//! The tools, their descriptions for the model, and the dispatch of a call.

mod call;
mod context;
mod found;
mod map;
mod navigate;
mod numbers;
mod pack;
mod partial;
mod place;
mod quote;
mod read;
mod scope;
mod search;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use infiniloom::{Cancel, Control, Level, Model, Redactor, Settings};
use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use serde_json::{Value, json};

use crate::Roots;
use crate::answer::{self, AnswerForm, Fitted};
use crate::arguments::Arguments;
use crate::client_limits::ClientLimits;
use crate::one_line::one_line;
use crate::synonyms::Canonical;
use crate::tool_error::ToolError;
pub(crate) use call::Call;
use found::Discovery;

/// Maximum tokens of an answer, for any arguments.
const MOST_TOKENS: usize = 200_000;
/// Minimum limit of an answer: with fewer tokens it says nothing useful.
const LEAST_TOKENS: usize = 100;
/// Maximum tokens of an error.
const WRONG_TOKENS: usize = 1000;
/// Time that a call waits for an index or a layer that does not exist yet. A shorter time would
/// only make the client ask again; a longer one looks like a hang.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Maximum tokens of an answer before the index exists.
const PARTIAL_TOKENS: usize = 500;

/// The forms of an answer. Text is for a model, JSON for a program.
const FORMATS: &[&str] = &["text", "json"];

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// Purpose and limits, for the model.
    about: &'static str,
    /// Arguments of this tool only.
    arguments: fn() -> Value,
    /// Arguments of which a call needs at least one.
    needs: &'static [&'static str],
    /// Advice for a call without them.
    missing: &'static str,
    /// Default limit of an answer in tokens.
    tokens: usize,
    /// The limit that the user's settings choose instead.
    settled_tokens: fn(&Settings) -> Option<usize>,
    run: fn(&Call<'_>) -> Result<Fitted, ToolError>,
}

/// The client of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    /// The form of answers unless a call names another.
    pub(crate) form: AnswerForm,
    pub(crate) limits: ClientLimits,
    /// Time that a call waits for the index.
    pub(crate) patience: Duration,
}

impl Caller {
    /// Returns the caller of an answer that is text.
    pub(crate) fn for_text(self) -> Self {
        Self {
            form: AnswerForm::Text,
            ..self
        }
    }
}

impl Default for Caller {
    fn default() -> Self {
        Self {
            form: AnswerForm::default(),
            limits: ClientLimits::default(),
            patience: PATIENCE,
        }
    }
}

/// Why an answer from the files before a change is partial, and how to get the newest one.
const STALE: &str = "files changed a moment ago and are being read again; this answer is of before";
const AGAIN: &str = "ask again for the newest";

/// Returns the JSON schema of a list of texts.
fn paths_schema(about: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": about})
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

/// Describes the tools for the client with this name, which gets answers in this form.
pub(crate) fn list(form: AnswerForm, client: Option<&str>) -> Vec<Described> {
    let tools = ALL.iter();
    tools.map(|tool| tool.described(form, client)).collect()
}

/// Answers a call of a client.
pub(crate) fn call(
    tool: &Tool,
    roots: &Roots,
    arguments: &Arguments,
    caller: Caller,
    cancel: &Cancel,
) -> Result<Fitted, ToolError> {
    let canonical = Canonical::new(tool.name, arguments);
    let limit = canonical.arguments.number("budget").ok().flatten();
    let limit = limit
        .unwrap_or(tool.tokens)
        .clamp(LEAST_TOKENS, WRONG_TOKENS);
    let mut telling = Telling {
        caller,
        ..Telling::default()
    };
    let answered = answered(tool, roots, &canonical, cancel, &mut telling);
    answered.map_err(|wrong| {
        let lines = std::iter::once(wrong.0).chain(canonical.notices);
        let wrong = ToolError(lines.collect::<Vec<_>>().join("\n"));
        wrong.presented(limit, &telling)
    })
}

/// Presentation of a result.
#[derive(Default)]
struct Telling {
    caller: Caller,
    redactor: Redactor,
    model: Model,
}

/// Answers a call. Sets `telling` to the redactor and the model of the directory.
fn answered(
    tool: &Tool,
    roots: &Roots,
    canonical: &Canonical,
    cancel: &Cancel,
    telling: &mut Telling,
) -> Result<Fitted, ToolError> {
    let arguments = &canonical.arguments;
    tool.check(canonical)?;
    let control = Control::new().with_cancel(cancel);
    let root = roots.pick(arguments.text("root")?, &arguments.paths(), &control)?;
    if arguments.text("format")? == Some("json") {
        telling.caller.form = AnswerForm::Data;
    }
    telling.redactor = root.repository().redactor();
    telling.model = root.repository().model();
    let arguments = &arguments.without_links(&root);
    let limit = match arguments.number("budget")? {
        Some(limit) if limit < LEAST_TOKENS => {
            let told = format!("`budget` must be at least {LEAST_TOKENS}");
            return Err(ToolError(told));
        }
        Some(limit) => limit,
        None => match (tool.settled_tokens)(&root.repository().settings()) {
            Some(limit) if limit < LEAST_TOKENS => {
                return Err(ToolError(format!(
                    "the settings say `[{}] budget = {limit}`, and an answer needs {LEAST_TOKENS}: \
                     mend them, or say `budget`",
                    tool.name
                )));
            }
            settled => settled.unwrap_or(tool.tokens),
        },
    };
    (tool.run)(&Call {
        root: &root,
        arguments,
        notices: &canonical.notices,
        cancel,
        limit: limit.min(MOST_TOKENS),
        caller: telling.caller,
        began: Instant::now(),
        waited: Cell::default(),
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
    /// Checks that a call has what the tool needs. An unknown name may be the missing argument, so
    /// only then it is an error.
    fn check(&self, canonical: &Canonical) -> Result<(), ToolError> {
        let mut needs = self.needs.iter();
        if self.needs.is_empty() || needs.any(|name| canonical.arguments.has(name)) {
            return Ok(());
        }
        let unknown = canonical.unknown.first().map(|unknown| {
            let names = self.properties();
            let names: Vec<&str> = names.keys().map(String::as_str).collect();
            let names = names.join(", ");
            format!("there is no argument {unknown}; this tool takes {names}; ")
        });
        let missing = self.missing;
        Err(ToolError(format!(
            "{}{missing}",
            unknown.unwrap_or_default()
        )))
    }

    fn properties(&self) -> JsonObject {
        let mut properties = object((self.arguments)());
        let root = "Which folder, where several are served";
        properties.extend(object(json!({
            "budget": {"type": "integer", "default": self.tokens, "description": "Tokens of the answer"},
            "root": {"type": "string", "description": root},
            "format": {"type": "string", "enum": FORMATS},
        })));
        properties
    }

    fn described(&self, form: AnswerForm, client: Option<&str>) -> Described {
        let required: &[&str] = match self.needs {
            [one] => &[*one],
            _ => &[],
        };
        // Synonyms are not listed, and a client that checks the schema must not refuse them.
        let schema = json!({
            "type": "object",
            "properties": self.properties(),
            "required": required,
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
            Some(words) => described
                .with_title(words.title_for(client))
                .with_meta(words.meta()),
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
