//! One ignore file: patterns in git's own syntax, each with its line.

use gix::bstr::BStr;
use gix::glob::Pattern;
use gix::glob::pattern::{Case, Mode as Kind};
use gix::glob::wildmatch;
use loom_base::RepoPath;

use super::wildmatch::Wildmatch;
use super::{Rule, RuleSource};

/// Larger pattern files are not read: people do not write them, and each pattern costs one
/// comparison per path.
pub(crate) const LIMIT: u64 = 1 << 20;

/// Family of an ignore file, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ListKind {
    /// Only for Infiniloom.
    Infiniloom,
    /// Shared with other search tools.
    Ignore,
    /// Git's; does not affect tracked files.
    Git,
}

impl ListKind {
    /// Returns the family of a file with this name.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        match name {
            b".infiniloomignore" => Some(Self::Infiniloom),
            b".ignore" => Some(Self::Ignore),
            b".gitignore" => Some(Self::Git),
            _ => None,
        }
    }

    fn source(self, path: String) -> RuleSource {
        match self {
            Self::Infiniloom => RuleSource::InfiniloomIgnore(path),
            Self::Ignore => RuleSource::Ignore(path),
            Self::Git => RuleSource::GitIgnore(path),
        }
    }
}

/// The patterns of one file.
#[derive(Debug)]
pub(crate) struct IgnoreFile {
    pub(crate) kind: ListKind,
    source: RuleSource,
    /// Directory that the patterns are relative to.
    base: RepoPath,
    patterns: Vec<IgnorePattern>,
    case: Case,
}

/// One pattern of a file.
#[derive(Debug)]
struct IgnorePattern {
    pattern: Pattern,
    line: usize,
    /// Automaton for a pattern with several `**`.
    automaton: Option<Wildmatch>,
}

/// Matches patterns like git matches paths.
const MODE: wildmatch::Mode = wildmatch::Mode::NO_MATCH_SLASH_LITERAL;

impl IgnorePattern {
    fn new(pattern: Pattern, line: usize, case: Case) -> Self {
        let mode = match case {
            Case::Fold => MODE | wildmatch::Mode::IGNORE_CASE,
            Case::Sensitive => MODE,
        };
        let automaton = Wildmatch::compile(&pattern.text, mode);
        Self {
            pattern,
            line,
            automaton,
        }
    }

    /// Returns true if the pattern matches `path`, whose file name starts at `name`.
    fn matches(&self, path: &[u8], name: Option<usize>, is_dir: bool, case: Case) -> bool {
        let Some(automaton) = &self.automaton else {
            let path = BStr::new(path);
            let (pattern, is_dir) = (&self.pattern, Some(is_dir));
            return pattern.matches_repo_relative_path(path, name, is_dir, case, MODE);
        };
        let mode = self.pattern.mode;
        let is_name = mode.contains(Kind::NO_SUB_DIR) && !mode.contains(Kind::ABSOLUTE);
        let start = if is_name { name.unwrap_or(0) } else { 0 };
        (is_dir || !mode.contains(Kind::MUST_BE_DIR)) && automaton.matches(&path[start..])
    }
}

/// Decision of a pattern about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternDecision {
    /// Skip it.
    Ignore,
    /// Include it, although a weaker pattern skips it.
    Keep,
}

impl IgnoreFile {
    pub(crate) fn in_folder(
        kind: ListKind,
        folder: &RepoPath,
        file: &RepoPath,
        text: &[u8],
        case: Case,
    ) -> Self {
        Self::new(
            kind,
            kind.source(file.display().into_owned()),
            folder.clone(),
            text,
            case,
        )
    }

    pub(crate) fn new(
        kind: ListKind,
        source: RuleSource,
        base: RepoPath,
        text: &[u8],
        case: Case,
    ) -> Self {
        let patterns = gix::ignore::parse(text, false)
            .map(|(pattern, line, _)| IgnorePattern::new(pattern, line, case));
        Self {
            kind,
            source,
            base,
            patterns: patterns.collect(),
            case,
        }
    }

    /// Returns the decision of the last matching pattern about `path`.
    pub(crate) fn decide(&self, path: &RepoPath, is_dir: bool) -> Option<(PatternDecision, Rule)> {
        let relative = path.as_bytes().strip_prefix(self.base.as_bytes())?;
        let relative = relative.strip_prefix(b"/").unwrap_or(relative);
        let name = relative
            .iter()
            .rposition(|&byte| byte == b'/')
            .map(|slash| slash + 1);
        let matches = |one: &&IgnorePattern| one.matches(relative, name, is_dir, self.case);
        let IgnorePattern { pattern, line, .. } = self.patterns.iter().rev().find(matches)?;
        let decision = if pattern.is_negative() {
            PatternDecision::Keep
        } else {
            PatternDecision::Ignore
        };
        let rule = Rule {
            source: self.source.clone(),
            pattern: pattern.to_string(),
            line: Some(*line),
        };
        Some((decision, rule))
    }
}
