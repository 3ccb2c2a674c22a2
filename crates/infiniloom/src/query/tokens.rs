//! The token counts of files, for one model or several.

use loom_host::{Chosen, chosen_models};
use loom_wire::{NoticeInfo, TokensInfo};

use super::runs;
use crate::results::tokens::{FileCount, ModelCounts, Prices, TokenRange, TotalTokens};
use crate::session::Session;
use crate::{Control, Model, Result, Snapshot, results};

/// Counts the tokens of files.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    models: Vec<Model>,
    has_cost: bool,
}

impl Tokens {
    /// Counts for the models of the settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts for these models.
    #[must_use]
    pub fn models(mut self, models: impl IntoIterator<Item = Model>) -> Self {
        self.models.extend(models);
        self
    }

    /// Adds the price of a prompt of all files.
    #[must_use]
    pub fn cost(mut self, is_shown: bool) -> Self {
        self.has_cost = is_shown;
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<TokensInfo> {
        let reader = snapshot.reader();
        let chosen = match self.models.is_empty() {
            true => chosen_models(&reader.resolved)?,
            false => self.models.iter().map(Model::chosen).collect(),
        };
        let mut notices = Vec::new();
        let mut counts = Vec::new();
        for mut chosen in chosen {
            let notes = chosen.notes.iter();
            notices.extend(notes.map(|note| NoticeInfo::new("note", note)));
            let note = reader.calibrate(&mut chosen.model);
            notices.extend(note.map(|note| NoticeInfo::new("note", note)));
            let session = reader.session_for(chosen.clone(), control)?;
            let warnings = counted(&session, chosen, &mut counts)?;
            notices.extend(warnings);
        }
        notices.dedup();
        let prices = match self.has_cost {
            true => Prices::Shown,
            false => Prices::Hidden,
        };
        let mut info = results::tokens::info(&counts, prices);
        info.notices = notices;
        Ok(info)
    }
}

runs!(Tokens => TokensInfo);

/// Adds the counts for one model. Returns the remarks about its files.
fn counted(
    session: &Session,
    chosen: Chosen,
    counts: &mut Vec<ModelCounts>,
) -> Result<Vec<NoticeInfo>> {
    let survey = session.packer.survey(&*session.progress, &session.cancel)?;
    let range = TokenRange {
        tokens: survey.overview.tokens,
        lower: survey.files().map(|file| file.lower).sum(),
        upper: survey.files().map(|file| file.upper).sum(),
    };
    let files = survey.files().map(|file| FileCount {
        path: file.path.to_string(),
        range: TokenRange::from(file),
    });
    counts.push(ModelCounts {
        has_estimated_files: !chosen.model.tokenizer.is_exact(),
        files: files.collect(),
        model: chosen.model,
        typed: chosen.typed,
        fit: chosen.fit,
        total: TotalTokens {
            range,
            counted_by: None,
        },
    });
    let warnings = survey.warnings.iter();
    let warnings = warnings.map(|warning| NoticeInfo::new("warning", warning));
    Ok(warnings.chain(session.cache_notice()).collect())
}
