//! Definitions, references, implementations and calls of a name or a location.

use std::sync::Arc;
use std::time::{Duration, Instant};

use loom_host::{IndexUse, SyntaxNavigator, Target};
use loom_wire::{NavigateCall, NavigationInfo, NoticeInfo};

use super::call::{callable, unknown_word};
use super::{check, milliseconds, narrows, runs, secrets_notice, time_notice, unusable};
use crate::ids;
use crate::layers::Remarks;
use crate::results::navigation::{
    Navigation, NavigationOptions, NavigationQuery, Related, Relation,
};
use crate::session::Choices;
use crate::{Control, Infiniloom, Result, Snapshot};

/// The share of a time limit that is spent on finding the definitions.
const MEANING: f64 = 0.4;

/// Calls are followed at most this many steps.
const MAX_DEPTH: usize = 10;

/// A query for code that is related to a name (`parse`, `Parser::parse`, `shop.Shop.sell`) or to a
/// location (`src/main.rs:12:9`, from the root).
#[derive(Clone, Debug)]
pub struct Navigate {
    choices: Choices,
    target: String,
    relation: Relation,
    depth: Option<usize>,
    is_resolved_only: bool,
    limit: Option<usize>,
    accepts_ids: bool,
    time_limit: Option<Duration>,
}

impl Navigate {
    fn new(target: impl Into<String>, relation: Relation) -> Self {
        Self {
            choices: Choices::default(),
            target: target.into(),
            relation,
            depth: None,
            is_resolved_only: false,
            limit: None,
            accepts_ids: false,
            time_limit: None,
        }
    }

    /// Finds the definitions.
    pub fn definitions(target: impl Into<String>) -> Self {
        Self::new(target, Relation::Definitions)
    }

    /// Finds the references.
    pub fn references(target: impl Into<String>) -> Self {
        Self::new(target, Relation::References)
    }

    /// Finds the implementations of a type, or the overrides of a method.
    pub fn implementations(target: impl Into<String>) -> Self {
        Self::new(target, Relation::Implementations)
    }

    /// Finds the calls to a function.
    pub fn callers(target: impl Into<String>) -> Self {
        Self::new(target, Relation::Callers)
    }

    /// Finds the calls that a function makes.
    pub fn callees(target: impl Into<String>) -> Self {
        Self::new(target, Relation::Callees)
    }

    /// Follows calls this many steps, 1 to 10. Only for callers and callees.
    #[must_use]
    pub fn depth(mut self, steps: usize) -> Self {
        self.depth = Some(steps);
        self
    }

    /// Returns only locations that certainly mean the target. Only for references and callers.
    #[must_use]
    pub fn resolved(mut self, is_resolved_only: bool) -> Self {
        self.is_resolved_only = is_resolved_only;
        self
    }

    /// Returns at most this many locations.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Reads the ids of other results: `FILE:FIRST-LAST`, `FILE:LINE` and `FILE` mean the
    /// definitions there.
    #[must_use]
    pub fn ids(mut self, is_accepted: bool) -> Self {
        self.accepts_ids = is_accepted;
        self
    }

    /// Stops reading files after this time. The notice `time_limit` then reports missing results.
    /// Files near the definitions are read first.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<NavigationInfo> {
        let target = self.checked()?;
        let session = snapshot.session(&self.choices, control)?;
        let searcher = snapshot.lines(&session, IndexUse::Update)?;
        let id = match self.accepts_ids {
            true => ids::definitions_at(&searcher, &self.target, &target),
            false => None,
        };
        let began = Instant::now();
        let navigator = |part: f64| {
            let syntax = Arc::clone(&searcher.syntax);
            let navigator = SyntaxNavigator::with(&searcher, syntax, &session.cancel);
            match self.time_limit {
                Some(time) => navigator.within(time.saturating_sub(began.elapsed()).mul_f64(part)),
                None => navigator,
            }
        };
        let first = navigator(MEANING);
        let query = NavigationQuery {
            target: &target,
            id,
            typed: &self.target,
            relation: self.relation,
        };
        let start = query.start(&first);
        session.check()?;
        let second = navigator(1.0);
        let options = NavigationOptions {
            depth: self.depth.unwrap_or(1),
            is_resolved_only: self.is_resolved_only,
        };
        let found = query.follow(&second, start, options);
        session.check()?;
        let is_late = self.time_limit.is_some() && (first.is_cut() || second.is_cut());
        let mut info = found.info(self.limit);
        info.notices = snapshot.notices(&session, Remarks::of_search(&searcher));
        let mode = session.packer.secrets_mode();
        let secrets = secrets_in(&found, self.limit.unwrap_or(usize::MAX));
        info.notices.extend(secrets_notice(mode, secrets));
        info.notices.extend(is_late.then(|| time_notice("results")));
        let nothing = found.explain_nothing(&target);
        let nothing = nothing.map(|message| NoticeInfo::new("no_definition", message));
        info.notices.extend(nothing);
        Ok(info)
    }

    fn checked(&self) -> Result<Target> {
        let mut problems = Vec::new();
        let follows = matches!(self.relation, Relation::Callers | Relation::Callees);
        match self.depth {
            Some(_) if !follows => problems.push(unusable("a depth is for callers and callees")),
            Some(depth) if depth == 0 || depth > MAX_DEPTH => {
                let message = format!("expected a depth of 1 to {MAX_DEPTH}, found {depth}");
                problems.push(unusable(message));
            }
            _ => {}
        }
        let resolves = matches!(self.relation, Relation::References | Relation::Callers);
        if self.is_resolved_only && !resolves {
            problems.push(unusable("only references and callers have a certainty"));
        }
        let target = Target::parse(&self.target);
        if target.is_none() {
            problems.push(unusable(format!("no name in {:?}", self.target)));
        }
        check(problems)?;
        target.ok_or_else(|| crate::Error::with_problems(Vec::new()))
    }
}

runs!(Navigate => NavigationInfo);
callable!(Navigate => NavigationInfo);

impl Navigate {
    fn call(&self) -> Result<NavigateCall> {
        let Self {
            choices,
            target,
            relation,
            depth,
            is_resolved_only,
            limit,
            accepts_ids,
            time_limit,
        } = self;
        Ok(NavigateCall {
            settings: choices.values.call()?,
            target: target.clone(),
            relation: relation_name(*relation).to_owned(),
            depth: *depth,
            resolved: *is_resolved_only,
            limit: *limit,
            ids: *accepts_ids,
            time_limit_ms: time_limit.map(milliseconds),
        })
    }

    fn of_call(call: &NavigateCall, engine: &Infiniloom) -> Result<Self> {
        let NavigateCall {
            settings,
            target,
            relation,
            depth,
            resolved,
            limit,
            ids,
            time_limit_ms,
        } = call;
        Ok(Self {
            choices: Choices::of_call(settings, None, engine)?,
            target: target.clone(),
            relation: relation_named(relation)?,
            depth: *depth,
            is_resolved_only: *resolved,
            limit: *limit,
            accepts_ids: *ids,
            time_limit: time_limit_ms.map(Duration::from_millis),
        })
    }
}

fn relation_name(relation: Relation) -> &'static str {
    match relation {
        Relation::Definitions => "definitions",
        Relation::References => "references",
        Relation::Implementations => "implementations",
        Relation::Callers => "callers",
        Relation::Callees => "callees",
    }
}

fn relation_named(name: &str) -> Result<Relation> {
    let all = [
        Relation::Definitions,
        Relation::References,
        Relation::Implementations,
        Relation::Callers,
        Relation::Callees,
    ];
    let found = all.into_iter().find(|one| relation_name(*one) == name);
    found.ok_or_else(|| {
        let expected = all.map(relation_name).join(", ");
        unknown_word("relation", name, &expected)
    })
}
narrows!(Navigate);

/// Returns the number of results with a secret on their line.
fn secrets_in(found: &Navigation, limit: usize) -> usize {
    let secrets: Vec<bool> = match &found.related {
        Related::Definitions => found.definitions.iter().map(|one| one.has_secret).collect(),
        Related::References(uses) => uses.iter().map(|one| one.has_secret).collect(),
        Related::Implementations(found) => found.iter().map(|one| one.has_secret).collect(),
        Related::Calls(found) => found.calls.iter().map(|one| one.has_secret).collect(),
    };
    let shown = secrets.into_iter().take(limit);
    shown.filter(|has_secret| *has_secret).count()
}
