//! Code ranked for a question, by its words or by its meaning.

use loom_host::{
    ContextBuilder, Expr, IndexUse, Pattern, Program, Query, QueryOptions, Question, RankOptions,
    RankedHit, RepoPath, SearchError, is_stop_word,
};
use loom_wire::{NoticeInfo, RankedInfo, RankedSearchCall};

use super::call::{callable, choice};
use super::{check, narrows, runs, secrets_notice, unusable};
use crate::choices::{Granularity, Ranking};
use crate::layers::Remarks;
use crate::session::{Choices, Session};
use crate::{Control, Error, Infiniloom, Result, Snapshot, results};

/// The number of hits without a limit.
const LIMIT: usize = 10;

/// A query that ranks code for a question.
#[derive(Clone, Debug)]
pub struct RankedSearch {
    choices: Choices,
    question: String,
    kind: Kind,
    ranking: Option<Ranking>,
    granularity: Option<Granularity>,
    limit: usize,
    paths: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Question,
    Semantic,
}

impl RankedSearch {
    fn new(question: impl Into<String>, kind: Kind) -> Self {
        Self {
            choices: Choices::default(),
            question: question.into(),
            kind,
            ranking: None,
            granularity: None,
            limit: LIMIT,
            paths: Vec::new(),
        }
    }

    /// Ranks files by the words of a question.
    pub fn question(question: impl Into<String>) -> Self {
        Self::new(question, Kind::Question)
    }

    /// Ranks code by its similarity in meaning to a question.
    pub fn semantic(question: impl Into<String>) -> Self {
        Self::new(question, Kind::Semantic)
    }

    /// Sets the weighting of words. Only for a question.
    #[must_use]
    pub fn ranking(mut self, ranking: Ranking) -> Self {
        self.ranking = Some(ranking);
        self
    }

    /// Sets the units to compare. Only for similarity in meaning.
    #[must_use]
    pub fn granularity(mut self, granularity: Granularity) -> Self {
        self.granularity = Some(granularity);
        self
    }

    /// Returns at most this many hits.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Ranks files whose paths contain this text or match this glob; more than one call adds
    /// paths. Only for a question.
    #[must_use]
    pub fn within(mut self, path: impl Into<String>) -> Self {
        self.paths.push(path.into());
        self
    }

    /// Returns whether a question ignores a lower-case word because it is in every text.
    pub fn ignores(word: &str) -> bool {
        is_stop_word(word)
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<RankedInfo> {
        self.check()?;
        let session = snapshot.session(&self.choices, control)?;
        let mut info = match self.kind {
            Kind::Question => self.by_words(snapshot, &session)?,
            Kind::Semantic => self.by_meaning(&session)?,
        };
        info.hits.truncate(self.limit);
        Ok(info)
    }

    fn check(&self) -> Result<()> {
        let mut problems = Vec::new();
        if self.question.trim().is_empty() {
            problems.push(unusable("the question is empty"));
        }
        if self.kind == Kind::Semantic && self.ranking.is_some() {
            problems.push(unusable("a ranking of words has no effect on meaning"));
        }
        if self.kind == Kind::Question && self.granularity.is_some() {
            problems.push(unusable(
                "words are ranked by file, whatever the granularity",
            ));
        }
        if self.kind == Kind::Semantic && !self.paths.is_empty() {
            problems.push(unusable(
                "paths narrow a question; an include narrows meaning",
            ));
        }
        check(problems)?;
        match self.kind == Kind::Question && Question::new(&self.question).is_empty() {
            true => Err(
                Error::invalid("bad_query", "the question has no searchable words").with_hint(
                    "it ignores stop words and punctuation; a text search finds them".to_owned(),
                ),
            ),
            false => Ok(()),
        }
    }

    fn by_words(&self, snapshot: &Snapshot, session: &Session) -> Result<RankedInfo> {
        let searcher = snapshot.lines(session, IndexUse::Update)?;
        let options = RankOptions {
            ranking: match self.ranking {
                Some(Ranking::Bm25) => loom_host::Ranking::Bm25,
                Some(Ranking::TfIdf) => loom_host::Ranking::TfIdf,
                Some(Ranking::CodeAware) | None => loom_host::Ranking::CodeAware,
            },
            limit: self.limit,
            ..RankOptions::default()
        };
        let paths = self.path_filter()?;
        let is_included = |path: &RepoPath| {
            let may_match = |paths: &Program| paths.may_match(path.as_bytes(), None);
            paths.as_ref().is_none_or(may_match)
        };
        let hits = searcher.rank_among(&self.question, &options, is_included, &session.cancel)?;
        let mut info = info(session, &hits);
        let notices = snapshot.notices(session, Remarks::of_search(&searcher));
        info.notices.splice(0..0, notices);
        Ok(info)
    }

    fn path_filter(&self) -> Result<Option<Program>> {
        if self.paths.is_empty() {
            return Ok(None);
        }
        let options = QueryOptions {
            case: loom_host::Case::Smart,
            is_word: false,
            language: &|_| None,
        };
        let paths = self.paths.iter();
        let paths = paths.map(|path| Expr::Path(Pattern::literal(path)));
        // The query needs a pattern; only its path filters matter here.
        let query = Query::literal("a", &options).map_err(SearchError::from)?;
        let query = query.within(Expr::Or(paths.collect()));
        let program = Program::new(&query).map_err(SearchError::from)?;
        Ok(Some(program))
    }

    fn by_meaning(&self, session: &Session) -> Result<RankedInfo> {
        let run = session.run();
        let repository = ContextBuilder::new(&session.packer, &run, &session.cancel).build()?;
        let granularity = self.granularity.map(Granularity::name);
        let granularity = granularity.and_then(loom_host::Granularity::from_name);
        let granularity = granularity.unwrap_or_default();
        let mut hits = repository.nearest(&self.question, granularity, self.limit);
        repository.mark_secrets(&session.packer, &mut hits);
        let mut info = info(session, &hits);
        let notices = session.notices(&run.unread(), run.warnings());
        info.notices.splice(0..0, notices);
        if hits.is_empty() {
            info.notices
                .push(match repository.corpus().files.is_empty() {
                    true => NoticeInfo::new("no_files", "there is no text here"),
                    false => {
                        NoticeInfo::new("no_match", "no word of the question has a meaning here")
                    }
                });
        }
        Ok(info)
    }
}

runs!(RankedSearch => RankedInfo);
callable!(RankedSearch => RankedInfo);

impl RankedSearch {
    fn call(&self) -> Result<RankedSearchCall> {
        let Self {
            choices,
            question,
            kind,
            ranking,
            granularity,
            limit,
            paths,
        } = self;
        Ok(RankedSearchCall {
            settings: choices.values.call()?,
            text: question.clone(),
            semantic: *kind == Kind::Semantic,
            ranking: ranking.map(|one| one.name().to_owned()),
            granularity: granularity.map(|one| one.name().to_owned()),
            limit: Some(*limit),
            within: paths.clone(),
        })
    }

    fn of_call(call: &RankedSearchCall, engine: &Infiniloom) -> Result<Self> {
        let RankedSearchCall {
            settings,
            text,
            semantic,
            ranking,
            granularity,
            limit,
            within,
        } = call;
        Ok(Self {
            choices: Choices::of_call(settings, None, engine)?,
            question: text.clone(),
            kind: match semantic {
                true => Kind::Semantic,
                false => Kind::Question,
            },
            ranking: choice(ranking.as_ref())?,
            granularity: choice(granularity.as_ref())?,
            limit: limit.unwrap_or(LIMIT),
            paths: within.clone(),
        })
    }
}
narrows!(RankedSearch);

fn info(session: &Session, hits: &[RankedHit]) -> RankedInfo {
    let secrets = hits.iter().filter(|hit| hit.has_secret).count();
    let mut info = results::search::ranked_info(hits);
    let mode = session.packer.secrets_mode();
    info.notices.extend(secrets_notice(mode, secrets));
    info
}
