//! Converts the settings for compression and transformation. Flags override files, and the user's
//! includes override a repository's rules.

use loom_engine::Fit;
use loom_settings::{Action, FileTrust, Origin, Resolved};
use loom_source::{Filter, FilterKind};
use loom_syntax::{Compression, Level, PreservedKind, Transform};

use crate::config_error::ConfigError;
use crate::options::ShortenOptions;

/// Returns the options for compression and transformation.
pub(crate) fn shorten_options(resolved: &Resolved) -> Result<ShortenOptions, ConfigError> {
    let pack = &resolved.settings().pack;
    let preserved = pack.preserve.as_slice().iter();
    let mut options = ShortenOptions::new(Compression {
        level: Level::from_name(pack.compress.name()).unwrap_or_default(),
        preserve: preserved
            .filter_map(|kind| PreservedKind::from_name(kind.name()))
            .collect(),
        remove_comments: pack.remove_comments,
        minify_whitespace: pack.minify_whitespace,
    });
    if pack.fit == loom_settings::Fit::Compress {
        options.fit = Fit::Compress;
    }
    let most = pack.max_tokens_per_file;
    options.max_tokens = most.map(|most| usize::try_from(most.tokens()).unwrap_or(usize::MAX));
    let filter = |glob: &str, origin: &Origin| {
        Filter::new(FilterKind::Include, glob).map_err(|error| ConfigError::Glob {
            origin: origin.to_string(),
            error,
        })
    };
    // A level from a flag or a variable overrides config files.
    let is_over = matches!(
        resolved.origin("pack.compress"),
        Some(Origin::Flag(_) | Origin::Environment(_) | Origin::Program)
    );
    let rules = resolved.compress_rules().iter();
    for rule in rules.filter(|_| !is_over) {
        let level = Level::from_name(rule.level.name()).unwrap_or_default();
        options = options.level_for(filter(&rule.glob, &rule.origin)?, level);
    }
    for rule in resolved.settings().scan.filters.rules() {
        let is_flag = matches!(rule.origin, Origin::Flag(_) | Origin::Program);
        if is_flag && rule.kind == loom_settings::FilterKind::Include {
            options = options.asking_for(filter(&rule.glob, &rule.origin)?);
        }
    }
    for rule in resolved.transform_rules() {
        let files = filter(&rule.glob, &rule.origin)?;
        let which = rule
            .transform
            .and_then(|name| Transform::from_name(name.name()));
        options = match (rule.action, which) {
            (Action::Exclude, _) if is_of_repository(&rule.origin) => {
                options.exclude_unasked(files, &rule.glob)
            }
            (Action::Exclude, _) => options.exclude(files, &rule.glob),
            (Action::Transform, Some(which)) => options.transform(files, &rule.glob, which),
            _ => options.include(files, &rule.glob),
        };
    }
    Ok(options)
}

fn is_of_repository(origin: &Origin) -> bool {
    matches!(origin, Origin::File { file, .. } if file.trust == FileTrust::Repository)
}

/// Returns notes about settings that have no effect without another one.
pub(crate) fn idle(resolved: &Resolved, shorten: &ShortenOptions) -> Vec<String> {
    let pack = &resolved.settings().pack;
    let mut notes = Vec::new();
    let has_limit = pack.budget.is_some() || shorten.max_tokens.is_some();
    let compresses = shorten.fit == Fit::Compress;
    if compresses && !has_limit {
        notes.push("--fit compress does nothing without a limit: add --budget N or --max-tokens-per-file N, or choose a level with --compress".to_owned());
    }
    let preserves = !pack.preserve.as_slice().is_empty();
    if preserves && shorten.has_no_level() && !(compresses && has_limit) {
        notes.push("--preserve does nothing where nothing is left out: add --compress balanced, or a [[compress]] rule".to_owned());
    }
    notes
}
