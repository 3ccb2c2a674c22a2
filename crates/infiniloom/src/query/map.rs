//! The overview of a repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loom_host::{
    Focus, MapRepository, MapRequest, MapWanted, NO_MATCH_MAP_TOKENS, RepoPath, focus_path,
    map_request,
};
use loom_settings::MapFormat;
use loom_wire::{FORMAT_VERSION, MapCall, MapDocumentInfo, MapSymbolInfo, MapTextInfo, NoticeInfo};

use super::call::{callable, model_name, path_text};
use super::{counts, narrows, runs};
use crate::choices::{Algorithm, Format};
use crate::layers::MapLayer;
use crate::session::{Choices, Session};
use crate::{Budget, Control, ErrorProblem, Infiniloom, Result, Snapshot, results};

/// A page for a browser has no budget; its key symbols have this one.
const PAGE_BUDGET: usize = 20_000;

/// A map that can be drawn.
struct Drawn {
    layer: Arc<MapLayer>,
    request: MapRequest,
    notices: Vec<NoticeInfo>,
}

/// A query for the most important symbols and files, within a budget.
#[derive(Clone, Debug, Default)]
pub struct Map {
    choices: Choices,
    focus: Vec<String>,
    mentions: Vec<String>,
    query: Option<String>,
    focuses_changed: bool,
    is_summary: bool,
    directory: Option<PathBuf>,
}

impl Map {
    /// The maximum tokens of the map that follows a message without matches.
    pub const NO_MATCH_BUDGET: usize = NO_MATCH_MAP_TOKENS;

    /// Creates a map by the settings of the snapshot.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the map within a budget. A page for a browser has none.
    #[must_use]
    pub fn budget(mut self, budget: impl Into<Budget>) -> Self {
        self.choices.values.set("map.budget", budget.into().text());
        self
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.choices.values.set("map.format", format.name());
        self
    }

    /// Ranks files by this algorithm.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.choices.values.set("map.algorithm", algorithm.name());
        self
    }

    /// Prefers files near this file or directory. Its path starts at the root.
    #[must_use]
    pub fn focus(mut self, path: impl Into<String>) -> Self {
        self.focus.push(path.into());
        self
    }

    /// Prefers files near the files with uncommitted changes.
    #[must_use]
    pub fn focus_changed(mut self, focuses: bool) -> Self {
        self.focuses_changed = focuses;
        self
    }

    /// Prefers files near the symbol or file of this name.
    #[must_use]
    pub fn mention(mut self, name: impl Into<String>) -> Self {
        self.mentions.push(name.into());
        self
    }

    /// Prefers files for a question or an issue.
    #[must_use]
    pub fn query(mut self, text: impl Into<String>) -> Self {
        self.query = Some(text.into());
        self
    }

    /// Renders only the summary. A budget does not limit it.
    #[must_use]
    pub fn summary_only(mut self, is_summary: bool) -> Self {
        self.is_summary = is_summary;
        self
    }

    /// Starts the paths of [`Map::focus`] at this directory.
    #[must_use]
    pub fn from_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Returns the parts of the map, for a program that draws it itself.
    ///
    /// # Errors
    /// As for `run`, and if the format is a page for a browser.
    pub fn document(&self, snapshot: &Snapshot, control: &Control) -> Result<MapDocumentInfo> {
        control.run(|| {
            let session = snapshot.session(&self.choices, control)?;
            if session.settings().map.format == MapFormat::Html {
                super::check(vec![super::unusable("a page for a browser has no parts")])?;
            }
            let drawn = self.drawn(snapshot, &session)?;
            let map = drawn
                .layer
                .repository
                .render(&session.packer, &drawn.request)?;
            session.check()?;
            let linked = drawn.layer.repository.linked().files.len();
            Ok(results::map::document(map.document, linked, drawn.notices))
        })
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<MapTextInfo> {
        let session = snapshot.session(&self.choices, control)?;
        let Drawn {
            layer,
            request,
            notices,
        } = self.drawn(snapshot, &session)?;
        let repository = &layer.repository;
        let map = repository.render(&session.packer, &request)?;
        let is_html = session.settings().map.format == MapFormat::Html;
        let page = match is_html && !self.is_summary {
            true => Some(repository.render_page(&session.packer, &request)?),
            false => None,
        };
        let is_page = page.is_some();
        let symbols = map.document.key_symbols.iter();
        Ok(MapTextInfo {
            format_version: FORMAT_VERSION,
            name: map.document.name.clone(),
            tokens: if is_page { 0 } else { map.tokens },
            summary: map.document.summary.clone(),
            key_symbols: symbols
                .map(|symbol| MapSymbolInfo {
                    name: symbol.name.clone(),
                    kind: symbol.kind.name().to_owned(),
                    path: symbol.path.clone(),
                    line: symbol.line as usize,
                })
                .collect(),
            text: match self.is_summary {
                true => format!("{}\n", map.document.summary),
                false => page.unwrap_or(map.text),
            },
            notices,
        })
    }

    fn drawn(&self, snapshot: &Snapshot, session: &Session) -> Result<Drawn> {
        let mut request = map_request(session.settings());
        request.focus = self.found_focus(session)?;
        let format = session.settings().map.format;
        let wanted = MapWanted {
            recency: request.weights.modification_recency > 0.0,
            changes: self.focuses_changed,
            // The formats for a model do not show the tokens of files.
            tokens: matches!(format, MapFormat::Html | MapFormat::Json),
            ..MapWanted::default()
        };
        let layer = snapshot.map_layer(session, &wanted)?;
        let mut notices = snapshot.notices(session, layer.remarks.clone());
        notices.extend(unknown_focus(&layer.repository, &request.focus));
        let changed = layer.repository.changed.iter().cloned();
        request.focus.files.extend(changed);
        if format == MapFormat::Html || self.is_summary {
            request.budget = request.budget.max(PAGE_BUDGET);
        }
        Ok(Drawn {
            layer,
            request,
            notices,
        })
    }

    fn found_focus(&self, session: &Session) -> Result<Focus> {
        let root = session.packer.source().roots().next();
        let root = self.directory.as_deref().or(root);
        let root = root.unwrap_or(Path::new("")).to_owned();
        let (mut files, mut problems): (Vec<RepoPath>, Vec<ErrorProblem>) = Default::default();
        for path in &self.focus {
            match focus_path(session.packer.source(), path, &root) {
                Some(path) => files.push(path),
                None => problems.push(ErrorProblem {
                    message: format!("the focus {path:?} is no path of the repository"),
                    hint: Some(match &self.directory {
                        Some(_) => {
                            "a path below the folder you are in, or below the top of the repository"
                                .to_owned()
                        }
                        None => "a path starts at the root of the repository".to_owned(),
                    }),
                }),
            }
        }
        super::check(problems)?;
        Ok(Focus {
            files,
            mentions: self.mentions.clone(),
            query: self.query.clone(),
        })
    }
}

runs!(Map => MapTextInfo);
callable!(Map => MapTextInfo);

impl Map {
    fn call(&self) -> Result<MapCall> {
        let Self {
            choices,
            focus,
            mentions,
            query,
            focuses_changed,
            is_summary,
            directory,
        } = self;
        Ok(MapCall {
            settings: choices.values.call()?,
            model: model_name(choices.model.as_ref()),
            focus: focus.clone(),
            mentions: mentions.clone(),
            text: query.clone(),
            focus_changed: *focuses_changed,
            summary_only: *is_summary,
            directory: directory.as_deref().map(path_text).transpose()?,
        })
    }

    fn of_call(call: &MapCall, engine: &Infiniloom) -> Result<Self> {
        let MapCall {
            settings,
            model,
            focus,
            mentions,
            text,
            focus_changed,
            summary_only,
            directory,
        } = call;
        Ok(Self {
            choices: Choices::of_call(settings, model.as_ref(), engine)?,
            focus: focus.clone(),
            mentions: mentions.clone(),
            query: text.clone(),
            focuses_changed: *focus_changed,
            is_summary: *summary_only,
            directory: directory.as_ref().map(PathBuf::from),
        })
    }
}
narrows!(Map);
counts!(Map);

fn unknown_focus(repository: &MapRepository, focus: &Focus) -> Vec<NoticeInfo> {
    let unknown = repository.unknown(focus);
    let paths = unknown.paths.iter().map(|path| {
        let message = format!("focus {path}: no such file is in the map");
        NoticeInfo::new("no_such_path", message).about(path.to_string())
    });
    let names = unknown.names.iter().map(|name| {
        let message = format!("mention {name}: nothing has this name, or too much has");
        NoticeInfo::new("no_such_name", message)
    });
    paths.chain(names).collect()
}
