//! The tools: what a model reads about each, and who answers.

mod context;
mod map;
mod navigate;
mod pack;
mod partial;
mod place;
mod quote;
mod read;
mod scope;
mod search;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use infiniloom::host::{Cancel, FitError, Level, MapError, PackError, PackOptions};
use loom_settings::Settings;
use rmcp::model::{JsonObject, Tool as Described, ToolAnnotations};
use serde_json::{Value, json};

use crate::Roots;
use crate::answer::{self, Answer, Fitted};
use crate::arguments::Arguments;
use crate::one_line::one_line;
use crate::root::Root;
use crate::wrong::Wrong;

/// No answer is longer, whatever is asked for.
const MOST_TOKENS: usize = 200_000;
/// No answer has less room: fewer tokens say nothing.
const LEAST_TOKENS: usize = 100;
/// What is wrong is told in fewer.
const WRONG_TOKENS: usize = 1000;
/// How long a call waits for what is being made; then it answers with what there is.
const PATIENCE: Duration = Duration::from_millis(2500);

/// How long a call looks into files; then it tells what it found. A name that is everywhere
/// takes longer than anybody waits.
const DEADLINE: Duration = Duration::from_secs(5);
/// Of that, so much is for what a name means.
const MEANING: f64 = 0.4;

/// What is said about an answer from files before they changed.
const STALE: &str = "Note: files changed a moment ago and are being read again; this answer is of before. Ask again for the newest.";

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// For the model: what it is for, and when not to use it.
    about: &'static str,
    /// The arguments that only this tool has.
    arguments: fn() -> Value,
    required: &'static [&'static str],
    /// The tokens of an answer unless told otherwise.
    tokens: usize,
    /// The same where the user's settings say something else.
    settled_tokens: fn(&Settings) -> Option<usize>,
    run: fn(&Call<'_>) -> Result<Fitted, Wrong>,
}

/// A call of a tool.
pub(crate) struct Call<'a> {
    pub(crate) root: &'a Root,
    pub(crate) arguments: &'a Arguments,
    pub(crate) cancel: &'a Cancel,
    /// The tokens that the answer may have.
    pub(crate) limit: usize,
    began: Instant,
}

/// What says how much of the text of files is left out.
fn levels() -> Value {
    let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
    json!({"type": "string", "enum": names})
}

/// How much of the text of files is to be left out.
fn level(call: &Call<'_>) -> Result<Level, Wrong> {
    let names = Level::ALL.map(Level::name);
    let name = call.arguments.choice("compress", &names)?;
    Ok(Level::from_name(name).unwrap_or(Level::None))
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

/// The tools as clients are told of them.
pub(crate) fn list() -> Vec<Described> {
    ALL.iter().map(Tool::described).collect()
}

/// Answers a call.
pub(crate) fn call(
    tool: &Tool,
    roots: &Roots,
    arguments: &Arguments,
    cancel: &Cancel,
) -> Result<Fitted, Wrong> {
    let limit = arguments.number("max_tokens").ok().flatten();
    let limit = limit
        .unwrap_or(tool.tokens)
        .clamp(LEAST_TOKENS, WRONG_TOKENS);
    let mut options = PackOptions::default();
    answered(tool, roots, arguments, cancel, &mut options)
        .map_err(|wrong| wrong.told(limit, &options))
}

/// The same; `options` become those of the folder that is meant.
fn answered(
    tool: &Tool,
    roots: &Roots,
    arguments: &Arguments,
    cancel: &Cancel,
    options: &mut PackOptions,
) -> Result<Fitted, Wrong> {
    let own = (tool.arguments)();
    let names = own.as_object().into_iter().flat_map(|own| own.keys());
    let mut names: Vec<&str> = names.map(String::as_str).collect();
    names.extend(["max_tokens", "root"]);
    let arguments = &arguments.renamed(&names);
    arguments.known(&names)?;
    let root = roots.pick(arguments.text("root")?, &arguments.paths())?;
    root.packer().options().clone_into(options);
    let arguments = &arguments.without_links(&root);
    let limit = match arguments.number("max_tokens")? {
        Some(limit) if limit < LEAST_TOKENS => {
            let told = format!("`max_tokens` must be at least {LEAST_TOKENS}");
            return Err(Wrong(told));
        }
        Some(limit) => limit,
        None => match (tool.settled_tokens)(&root.settings()) {
            Some(limit) if limit < LEAST_TOKENS => {
                return Err(Wrong(format!(
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
        began: Instant::now(),
    })
}

impl Wrong {
    /// As it is told: without secrets in names, and within its limit.
    fn told(self, limit: usize, options: &PackOptions) -> Self {
        // Nobody has to look at what is far too long.
        let text = answer::bounded(self.0, limit, &options.model);
        let lines = text.lines().map(one_line).collect::<Vec<_>>();
        let clean = answer::cleaned(&lines.join("\n"), &options.secrets);
        Self(answer::bounded(clean, limit, &options.model))
    }
}

impl Tool {
    fn described(&self) -> Described {
        let mut properties = (self.arguments)();
        properties["max_tokens"] = json!({"type": "integer", "default": self.tokens});
        properties["root"] =
            json!({"type": "string", "description": "Which folder, where several are served"});
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
        Described::new(self.name, self.about, Arc::new(object(schema)))
            .with_raw_output_schema(Arc::new(object(output)))
            .with_annotations(annotations)
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

impl Call<'_> {
    /// As much of an answer as fits.
    fn fit(&self, answer: Answer) -> Fitted {
        self.fit_within(answer, self.limit)
    }

    /// As much of an answer as fits into `limit` tokens. Redacts it first with the secrets of
    /// the newest snapshot: the answer may come from an earlier one.
    fn fit_within(&self, mut answer: Answer, limit: usize) -> Fitted {
        let redacted = self.root.with(self.cancel, |live| {
            answer.redact(|text| live.searcher.redact_known(text));
        });
        match redacted {
            Ok(()) => {
                let answer = answer.warn(self.root.warnings());
                answer.fit(limit, self.root.packer().options())
            }
            // The call was cancelled: nobody reads the answer.
            Err(_) => Fitted::default(),
        }
    }

    /// Full paths as answers call them: from the top of the repository.
    fn below(&self, paths: Vec<String>) -> Vec<String> {
        let packer = self.root.packer();
        let below = |path: String| {
            let mut tops = packer.source().roots();
            let below = tops.find_map(|top| Path::new(&path).strip_prefix(top).ok());
            let below = below.and_then(Path::to_str).map(str::to_owned);
            below.unwrap_or(path)
        };
        paths.into_iter().map(below).collect()
    }

    /// Stops where nobody waits any more.
    fn check(&self) -> Result<(), Wrong> {
        match self.cancel.is_cancelled() {
            true => Err(PackError::Cancelled.into()),
            false => Ok(()),
        }
    }

    /// Whether the index is there, after a short wait.
    fn is_indexed(&self) -> bool {
        self.root.wait(self.patience(), self.cancel)
    }

    /// How long the call may still wait for something that is being made.
    fn patience(&self) -> Duration {
        PATIENCE.saturating_sub(self.began.elapsed())
    }

    /// How long the call may still look into files.
    fn time_left(&self) -> Duration {
        DEADLINE.saturating_sub(self.began.elapsed())
    }

    /// What is said about an answer without the index.
    fn told_partial(&self) -> String {
        let far = match self.root.indexing() {
            Some((done, files)) if files > 0 => format!(" ({done} of {files} files)"),
            _ => String::new(),
        };
        let doing = match far.is_empty() {
            true => "the files are being read",
            false => "the index is being made",
        };
        format!("Partial: {doing}{far}. Ask again in a few seconds for the whole answer.")
    }
}

impl From<PackError> for Wrong {
    fn from(error: PackError) -> Self {
        if let PackError::Secrets { found } = &error {
            let places = found.iter().take(3);
            let places = places.map(|one| format!("{}:{}", one.path, one.line));
            let places: Vec<String> = places.collect();
            let more = if found.len() > 3 { ", …" } else { "" };
            return Self(format!(
                "{error} ({}{more}), and the settings want nothing shown then (secrets = fail). \
                 `infiniloom scan` lists them; `secrets = redact` shows the rest.",
                places.join(", ")
            ));
        }
        let smallest = match &error {
            PackError::Context(FitError::BudgetTooSmall { smallest, .. })
            | PackError::Map(MapError::BudgetTooSmall { smallest, .. })
            | PackError::BudgetTooSmall { smallest, .. } => Some(*smallest),
            _ => None,
        };
        if let Some(smallest) = smallest {
            // What the engine counts is not all that is told.
            let needed = smallest.saturating_mul(3) / 2;
            return Self(format!(
                "this takes more than `max_tokens`: about {needed} would do, or pin and name less"
            ));
        }
        let mut told = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(error) = source {
            told.push_str(&format!(": {error}"));
            source = error.source();
        }
        Self(told)
    }
}
