//! Definitions, references, implementations and calls of a name or a location.

use loom_host::{IndexUse, SyntaxNavigator, Target};
use loom_wire::{NavigateCall, NavigationInfo, NoticeInfo};

use super::call::{callable, unknown_word};
use super::{check, narrows, runs, secrets_notice, unusable};
use crate::results::navigation::{Navigation, NavigationOptions, Related, Relation};
use crate::session::Choices;
use crate::{Control, Infiniloom, Result, Snapshot};

/// Calls are followed at most this many steps.
const MAX_DEPTH: usize = 10;

/// Finds the code that is related to a name (`parse`, `Parser::parse`, `shop.Shop.sell`) or to
/// a location (`src/main.rs:12:9`, from the root).
#[derive(Clone, Debug)]
pub struct Navigate {
    choices: Choices,
    target: String,
    relation: Relation,
    depth: Option<usize>,
    is_resolved_only: bool,
    limit: Option<usize>,
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

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<NavigationInfo> {
        let target = self.checked()?;
        let session = snapshot.session(&self.choices, control)?;
        let searcher = snapshot.lines(&session, IndexUse::Update)?;
        let navigator = SyntaxNavigator::new(&searcher);
        let options = NavigationOptions {
            depth: self.depth.unwrap_or(1),
            is_resolved_only: self.is_resolved_only,
        };
        let found = Navigation::find(&navigator, &target, &self.target, self.relation, options);
        session.check()?;
        let mut info = found.info(self.limit);
        info.notices = session.notices(&searcher.unread(), searcher.warnings());
        let mode = session.packer.secrets_mode();
        let secrets = secrets_in(&found, self.limit.unwrap_or(usize::MAX));
        info.notices.extend(secrets_notice(mode, secrets));
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
        } = self;
        Ok(NavigateCall {
            settings: choices.values.call()?,
            target: target.clone(),
            relation: relation_name(*relation).to_owned(),
            depth: *depth,
            resolved: *is_resolved_only,
            limit: *limit,
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
        } = call;
        Ok(Self {
            choices: Choices::of_call(settings, None, engine)?,
            target: target.clone(),
            relation: relation_named(relation)?,
            depth: *depth,
            is_resolved_only: *resolved,
            limit: *limit,
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

/// The number of results with a secret on their line.
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
