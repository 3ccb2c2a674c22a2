//! The token counts of files, for one model or several.

use loom_host::{Chosen, PackRun, ProviderTexts, Source, chosen_models, pack_options_for, treemap};
use loom_models::Counted;
use loom_wire::{LeftOutCount, NoticeInfo, TokensCall, TokensInfo, TreeInfo};

use super::call::callable;
use super::{check, runs, unusable};
use crate::provider::{Provider, Subject, unless_exact};
use crate::results::tokens::{FileCount, ModelCounts, Prices, TokenRange, TotalTokens};
use crate::session::{Reader, Session};
use crate::{Control, Infiniloom, Model, Result, Snapshot, Text, results};

/// A query for the token counts of files.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    models: Vec<Model>,
    has_cost: bool,
    is_exact: bool,
    has_page: bool,
}

/// The counts for all models, with the counted files.
#[derive(Default)]
struct Counts {
    models: Vec<ModelCounts>,
    tree: Option<TreeInfo>,
    left_out: Vec<LeftOutCount>,
    page: Option<String>,
}

/// A model, and the provider that counts for it.
struct Requested {
    chosen: Chosen,
    provider: Option<Provider>,
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

    /// Has the providers count the totals of models whose tokens are estimated. It sends them
    /// the text, without secrets, with the keys in the user's environment: the engine must use
    /// the user's settings. [`Control::before_sending`] reports each text first.
    #[must_use]
    pub fn exact(mut self, is_exact: bool) -> Self {
        self.is_exact = is_exact;
        self
    }

    /// Adds an HTML page that shows the tokens of directories and files.
    #[must_use]
    pub fn page(mut self, is_made: bool) -> Self {
        self.has_page = is_made;
        self
    }

    /// Counts a text that does not belong to a repository.
    ///
    /// # Errors
    /// If the run is cancelled, a provider fails, or the settings refuse texts with secrets
    /// and the text would be sent.
    pub fn run_text(
        &self,
        engine: &Infiniloom,
        text: &Text,
        control: &Control,
    ) -> Result<TokensInfo> {
        control.run(|| {
            let repository = engine.open_source(Source::join(Vec::new()))?;
            let snapshot = repository.snapshot_with(control)?;
            let reader = snapshot.reader();
            let (mut notices, mut counts) = (Vec::new(), Counts::default());
            if self.has_page {
                check(vec![unusable("a page shows files, and the text is none")])?;
            }
            for requested in self.requested(reader, &mut notices)? {
                let counted = counted_text(reader, requested, text, control)?;
                counts.models.push(counted);
            }
            Ok(self.info(counts, notices))
        })
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<TokensInfo> {
        let reader = snapshot.reader();
        let (mut notices, mut counts) = (Vec::new(), Counts::default());
        for mut requested in self.requested(reader, &mut notices)? {
            let note = reader.calibrate(&mut requested.chosen.model);
            notices.extend(note.map(|note| NoticeInfo::new("note", note)));
            let session = reader.session_for(requested.chosen.clone(), control)?;
            let warnings = self.counted(&session, requested, control, &mut counts)?;
            let new = |notice: &NoticeInfo| !notices.contains(notice);
            let warnings: Vec<NoticeInfo> = warnings.into_iter().filter(new).collect();
            notices.extend(warnings);
        }
        Ok(self.info(counts, notices))
    }

    /// Returns the models to count for. Resolves every provider and its key before any text is
    /// sent.
    fn requested(&self, reader: &Reader, notices: &mut Vec<NoticeInfo>) -> Result<Vec<Requested>> {
        let is_named = !self.models.is_empty();
        let chosen = match is_named {
            true => self.models.iter().map(Model::chosen).collect(),
            false => chosen_models(&reader.resolved)?,
        };
        let named_by = match is_named {
            true => None,
            false => Some(&*reader.resolved),
        };
        let notes = chosen.iter().flat_map(|chosen| &chosen.notes);
        notices.extend(notes.map(|note| NoticeInfo::new("note", note)));
        let requested = chosen.into_iter().map(|chosen| {
            let provider = match self.is_exact {
                true => unless_exact(&reader.engine, &chosen, named_by)?,
                false => None,
            };
            Ok(Requested { chosen, provider })
        });
        requested.collect()
    }

    fn info(&self, counts: Counts, notices: Vec<NoticeInfo>) -> TokensInfo {
        let prices = match self.has_cost {
            true => Prices::Shown,
            false => Prices::Hidden,
        };
        TokensInfo {
            notices,
            tree: counts.tree,
            left_out: counts.left_out,
            page: counts.page,
            ..results::tokens::info(&counts.models, prices)
        }
    }

    /// Adds the counts for one model. Returns the remarks about its files.
    fn counted(
        &self,
        session: &Session,
        Requested { chosen, provider }: Requested,
        control: &Control,
        counts: &mut Counts,
    ) -> Result<Vec<NoticeInfo>> {
        let survey = PackRun::new(&session.packer, &*session.progress, &session.cancel).survey()?;
        let total = match provider {
            Some(provider) => {
                let text = ProviderTexts::new(&session.packer, &survey).joined()?;
                let files = survey.files().len();
                counted_by(&provider, text, Subject::Files { files }, control)?
            }
            None => TotalTokens {
                range: TokenRange {
                    tokens: survey.overview.tokens,
                    lower: survey.files().map(|file| file.lower).sum(),
                    upper: survey.files().map(|file| file.upper).sum(),
                },
                counted_by: None,
            },
        };
        if counts.models.is_empty() {
            let name = &chosen.model.name;
            let page = || treemap(&survey.overview, survey.files(), name);
            counts.tree = Some(results::tokens::tree(&survey.overview.tree));
            counts.left_out = survey.overview.to_wire().left_out;
            counts.page = self.has_page.then(page);
        }
        let files = survey.files().map(|file| FileCount {
            path: file.path.to_string(),
            range: TokenRange::from(file),
        });
        counts.models.push(ModelCounts {
            has_estimated_files: !chosen.model.tokenizer.is_exact(),
            files: files.collect(),
            model: chosen.model,
            typed: chosen.typed,
            fit: chosen.fit,
            total,
        });
        let warnings = survey.warnings.iter();
        let warnings = warnings.map(|warning| NoticeInfo::new("warning", warning));
        Ok(warnings.chain(session.cache_notice()).collect())
    }
}

runs!(Tokens => TokensInfo);
callable!(Tokens => TokensInfo);

impl Tokens {
    fn call(&self) -> Result<TokensCall> {
        let Self {
            models,
            has_cost,
            is_exact,
            has_page,
        } = self;
        let models = models.iter().map(Model::requested_name);
        Ok(TokensCall {
            models: models.map(str::to_owned).collect(),
            cost: *has_cost,
            exact: *is_exact,
            page: *has_page,
        })
    }

    fn of_call(call: &TokensCall, engine: &Infiniloom) -> Result<Self> {
        let TokensCall {
            models,
            cost,
            exact,
            page,
        } = call;
        let models = models.iter().map(|name| engine.model(name));
        Ok(Self {
            models: models.collect::<Result<Vec<_>>>()?,
            has_cost: *cost,
            is_exact: *exact,
            has_page: *page,
        })
    }
}

fn counted_by(
    provider: &Provider,
    text: String,
    subject: Subject,
    control: &Control,
) -> Result<TotalTokens> {
    Ok(TotalTokens {
        range: TokenRange::exact(provider.count(text, subject, control)?),
        counted_by: Some(provider.host()),
    })
}

fn counted_text(
    reader: &Reader,
    Requested { chosen, provider }: Requested,
    text: &Text,
    control: &Control,
) -> Result<ModelCounts> {
    let total = match provider {
        Some(provider) => {
            let options = pack_options_for(chosen.clone(), &reader.resolved, &[])?;
            // In the list of secrets, a text without a name is standard input.
            let name = match text.name() {
                "-" => "(standard input)",
                name => name,
            };
            let clean = options.secrets.cleaned(name, text.text())?;
            counted_by(&provider, clean, Subject::Text, control)?
        }
        None => {
            control.check()?;
            let count: Counted = chosen.model.tokenizer.count(text.text());
            TotalTokens {
                range: TokenRange {
                    tokens: count.likely(),
                    lower: count.lower(),
                    upper: count.upper(),
                },
                counted_by: None,
            }
        }
    };
    Ok(ModelCounts {
        has_estimated_files: !chosen.model.tokenizer.is_exact() && total.counted_by.is_none(),
        files: vec![FileCount {
            path: text.name().to_owned(),
            range: total.range,
        }],
        model: chosen.model,
        typed: chosen.typed,
        fit: chosen.fit,
        total,
    })
}
