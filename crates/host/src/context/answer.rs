//! Answers one question with a context.

use loom_embed::CodeTable;
use loom_engine::Format;
use loom_engine::context::{
    Corpus, FitOptions, ParsedQuery, Rest, SelectOptions, Signal, fit, select,
};

use super::texts::Texts;
use super::{ContextAnswer, ContextRepository, ContextRequest, remote};
use crate::cache::CacheSession;
use crate::options::SecretsOptions;
use crate::{Cancel, PackError, Packer, RepoPath, Run, SecretsMode};

/// Bytes of files whose candidates are ranked, per token of the budget: about fifty times the
/// budget.
const REACH: u64 = 200;

impl ContextRepository {
    /// Returns the context for a question. The run may know more secrets than the repository.
    ///
    /// # Errors
    /// If the budget is too small for the header and the pinned candidates, or the caller cancels.
    pub fn answer(
        &self,
        packer: &Packer,
        request: &ContextRequest,
        run: &Run,
        cancel: &Cancel,
    ) -> Result<ContextAnswer, PackError> {
        let secrets = &packer.options.secrets;
        run.secrets.know(&self.secrets);
        let asked = ParsedQuery::new(&request.query);
        let texts = Texts::new(packer, run, self, cancel);
        let corpus = &self.corpus;
        let Given {
            mut wishes,
            required,
            missing,
        } = given(corpus, request);
        let text = |file: u32| Some(texts.get(file)?.text.clone());
        let chosen = |wishes: &SelectOptions| select(&asked, corpus, &self.past, wishes, &text);
        if request.weights.file[Signal::Summary as usize] > 0.0 {
            wishes.about = self.about(&asked);
        }
        if request.compares_meanings() {
            wishes.closeness = match request.embedder.as_deref() {
                None => self.closeness(&asked),
                Some(embedder) => {
                    let first = chosen(&wishes);
                    let sent = remote::sendable(secrets, run, &request.query);
                    let sent = ParsedQuery::new(&sent).prose;
                    let close = remote::closeness(embedder, &sent, corpus, &first, &texts)?;
                    self.recall.finish();
                    close
                }
            };
        }
        let mut selection = chosen(&wishes);
        let has_no_match = request.empty_without_match(&asked, &mut selection);
        let options = fit_options(packer, request, required);
        let summary = |file: u32| self.summaries.get(file as usize).cloned();
        let text = |file: u32| texts.get(file);
        let fitted = fit(&selection, corpus, &options, &text, &summary);
        if cancel.is_cancelled() {
            return Err(PackError::Cancelled);
        }
        let fitted = fitted?;
        let shown = fitted.pieces.iter();
        let shown = shown.filter_map(|piece| Some((piece.file, texts.get(piece.file)?)));
        Ok(ContextAnswer {
            texts: shown.collect(),
            changed: texts.changed(),
            secrets: texts.secrets_in(&fitted.pieces) + secrets_in(secrets, &fitted.rest),
            selection,
            fitted,
            files: corpus.files.len(),
            has_no_match,
            missing,
        })
    }
}

/// Counts the secrets and placeholders in the summaries of the other files.
fn secrets_in(secrets: &SecretsOptions, rest: &[Rest]) -> usize {
    let of = |one: &Rest| match secrets.mode {
        SecretsMode::Off => 0,
        mode if mode.hides() => one.text.matches("[REDACTED:").count(),
        _ => {
            let path = RepoPath::new(&one.path).unwrap_or_else(|_| RepoPath::root());
            secrets.scan(&path, &one.text).len()
        }
    };
    rest.iter().map(of).sum()
}

fn fit_options(packer: &Packer, request: &ContextRequest, required: Vec<u32>) -> FitOptions {
    FitOptions {
        name: packer.source.name(),
        below: request.below.clone(),
        budget: request.budget,
        format: match request.format {
            // JSON contains the context in the format with the fewest tokens.
            Format::Json => Format::Compact,
            other => other,
        },
        tokenizer: packer.options.model.tokenizer,
        doc: request.weights.doc,
        required,
        threshold: request.threshold,
        top: request.top.unwrap_or(usize::MAX),
        rest: request.weights.rest,
        // JSON has its own fields for them.
        tells_reasons: request.format != Format::Json,
    }
}

impl ContextRequest {
    /// Returns true if the ranking uses embeddings.
    pub fn compares_meanings(&self) -> bool {
        self.weights.file[Signal::Semantic as usize] > 0.0
    }
}

impl ContextRepository {
    /// Releases the cache, so that it is closed with its packer even if this value is never
    /// dropped.
    pub fn release_cache(&mut self) {
        self.recall = CacheSession::nothing();
    }

    /// Returns the files and their candidates.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// Returns true if a file has this displayed path.
    pub fn has_file(&self, path: &str) -> bool {
        file(&self.corpus, path).is_some()
    }

    /// Returns true if a pin matches a file, lines of one, or a definition.
    pub fn has_pin(&self, pin: &str) -> bool {
        // An empty file exists, but has no candidates.
        self.has_file(pin) || !pinned(&self.corpus, pin).is_empty()
    }

    /// Returns the similarity of each file's summary to the query.
    fn about(&self, asked: &ParsedQuery) -> Vec<f32> {
        let meant = CodeTable.vector(&asked.prose);
        self.about.closeness(&meant, 0..self.about.len())
    }

    /// Returns the similarity of each candidate to the query.
    fn closeness(&self, asked: &ParsedQuery) -> Vec<f32> {
        let meant = CodeTable.vector(&asked.prose);
        self.vectors.closeness(&meant, 0..self.vectors.len())
    }
}

/// The caller's files and pins, resolved in the corpus.
struct Given {
    wishes: SelectOptions,
    required: Vec<u32>,
    missing: Vec<String>,
}

fn given(corpus: &Corpus, request: &ContextRequest) -> Given {
    let mut missing = Vec::new();
    let mut hot = Vec::new();
    for path in &request.hot {
        match file(corpus, path) {
            Some(file) => hot.push(file),
            None => missing.push(path.clone()),
        }
    }
    // A file of an earlier answer may be deleted: that is not the caller's mistake.
    let previous = request.previous.iter();
    let previous = previous.filter_map(|path| file(corpus, path)).collect();
    let mut required = Vec::new();
    for pin in &request.pins {
        match pinned(corpus, pin) {
            parts if parts.is_empty() => missing.push(pin.clone()),
            parts => required.extend(parts),
        }
    }
    let wishes = SelectOptions {
        weights: request.weights.clone(),
        closeness: Vec::new(),
        about: Vec::new(),
        matches_by_meaning: request.matches_by_meaning(),
        hot,
        previous,
        reach: (request.budget as u64).checked_mul(REACH),
    };
    Given {
        wishes,
        required,
        missing,
    }
}

fn file(corpus: &Corpus, path: &str) -> Option<u32> {
    let path = path.trim_start_matches("./");
    let at = corpus
        .files
        .iter()
        .position(|file| file.path.display() == path)?;
    u32::try_from(at).ok()
}

/// Returns the candidates that a pin selects: a file, lines of one, or a definition.
fn pinned(corpus: &Corpus, pin: &str) -> Vec<u32> {
    if let Some(file) = file(corpus, pin) {
        return corpus.files[file as usize].parts.clone().collect();
    }
    if let Some((path, lines)) = pin.rsplit_once(':')
        && let Some(file) = file(corpus, path)
    {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else {
            return Vec::new();
        };
        if first > last {
            return Vec::new();
        }
        let parts = corpus.files[file as usize].parts.clone();
        return parts
            .filter(|part| {
                let part = &corpus.parts[*part as usize];
                part.first <= last && part.last >= first
            })
            .collect();
    }
    corpus.parts_named(pin)
}
