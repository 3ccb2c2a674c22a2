//! The description of one setting: everything that help, the reference page, the schema and a
//! command-line parser need.

mod declarations;
mod declare;

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

pub use declarations::{Context, Group, Map, Model, Pack, Run, Scan, Settings, Ui};

use crate::value::{InvalidValue, Shape, Value};
use crate::{Flag, Origin};
use declarations::SETTINGS;

/// Permission of a repository's own file for a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trust {
    /// It may set it.
    Anyone,
    /// Only the user may set it.
    UserOnly,
    /// It may set a path that stays inside the repository.
    InsideRepository,
    /// It may set the default or less, because more could stall a run.
    LowerOnly,
}

impl Trust {
    /// Returns the rule in words, for the reference.
    pub fn rule(self) -> &'static str {
        match self {
            Self::Anyone => "may set it",
            Self::UserOnly => "may not set it",
            Self::InsideRepository => "may set a path inside the repository",
            Self::LowerOnly => "may lower it",
        }
    }
}

/// Declaration of one setting.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Setting {
    /// Table and name, `scan.max_file_size`.
    pub key: &'static str,
    /// Table that it belongs to.
    pub group: Group,
    /// Kind of value.
    pub shape: Shape,
    /// Spelling on the command line.
    pub flag: Option<Flag>,
    /// Permission of a repository's own file.
    pub trust: Trust,
    pub(crate) doc: &'static str,
    pub(crate) access: Access,
}

impl Setting {
    /// Returns the name inside its table, `max_file_size`.
    pub fn name(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// Returns the first paragraph of the documentation, on one line, without the final full stop,
    /// for `-h`.
    pub fn summary(&self) -> String {
        let first = paragraphs(self.doc).next().unwrap_or_default();
        first.trim_end_matches('.').to_owned()
    }

    /// Returns the help text of the flag for `-h`: the summary, or the effect of switching off.
    pub fn flag_summary(&self) -> String {
        match self.flag.map_or("", |flag| flag.summary) {
            "" => self.summary(),
            summary => summary.to_owned(),
        }
    }

    /// Returns the whole documentation, one line per paragraph, for `--help`.
    pub fn documentation(&self) -> String {
        paragraphs(self.doc).collect::<Vec<_>>().join("\n\n")
    }

    /// Returns the environment variable, `INFINILOOM_SCAN_MAX_FILE_SIZE`.
    pub fn variable(&self) -> String {
        format!(
            "{VARIABLE_PREFIX}{}",
            self.key.replace('.', "_").to_uppercase()
        )
    }

    /// Returns the default, in the form of [`Listed::shown`](crate::Listed); empty for none.
    pub fn default(&self) -> String {
        (self.access.show)(&Settings::default())
    }

    /// Returns the default as a TOML value.
    pub(crate) fn default_toml(&self) -> toml_edit::Value {
        (self.access.to_toml)(&Settings::default())
    }

    /// Returns the type as a fragment of JSON schema.
    pub(crate) fn schema(&self) -> serde_json::Value {
        (self.access.schema)()
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Setting({})", self.key)
    }
}

/// Prefix of all our environment variables.
pub(crate) const VARIABLE_PREFIX: &str = "INFINILOOM_";

/// Returns every setting, in the order of declaration.
pub fn all() -> &'static [Setting] {
    SETTINGS
}

/// Returns the settings of one group, in the order of declaration.
pub fn of_group(group: Group) -> impl Iterator<Item = &'static Setting> {
    all().iter().filter(move |setting| setting.group == group)
}

/// Returns the setting with this key. [`nearest_key`](crate::nearest_key) suggests one for an
/// unknown key.
pub fn setting(key: &str) -> Option<&'static Setting> {
    all().iter().find(|setting| setting.key == key)
}

/// Splits documentation comments into paragraphs, each on one line.
pub(crate) fn paragraphs(doc: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = doc.lines().map(str::trim).collect();
    let blocks: Vec<String> = lines
        .split(|line| line.is_empty())
        .filter(|block| !block.is_empty())
        .map(|block| block.join(" "))
        .collect();
    blocks.into_iter()
}

/// Value as written.
#[derive(Clone, Copy)]
pub(crate) enum Written<'a> {
    /// In a variable or after a flag.
    Text(&'a OsStr),
    /// In the user's file.
    Toml(&'a toml_edit::Value),
    /// In a repository's file.
    RepositoryToml(&'a toml_edit::Value),
}

/// Function that stores a value in its field, or appends it to a list.
pub(crate) type Store = Arc<dyn Fn(&mut Settings, &Origin) + Send + Sync>;

/// Parsed value with its type erased, so that all settings can be in one table.
#[derive(Clone)]
pub(crate) struct Parsed {
    pub(crate) store: Store,
    pub(crate) leaves_repository: bool,
    pub(crate) exceeds_default: bool,
}

/// Functions for the typed field of a setting.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) read: fn(Written<'_>) -> Result<Parsed, InvalidValue>,
    pub(crate) reset: fn(&mut Settings),
    pub(crate) show: fn(&Settings) -> String,
    pub(crate) to_toml: fn(&Settings) -> toml_edit::Value,
    pub(crate) schema: fn() -> serde_json::Value,
}

/// Parses a value of type `T` that `store` will put into its field.
pub(crate) fn read<T: Value>(
    written: Written<'_>,
    default: &T,
    store: fn(&mut Settings, T, &Origin),
) -> Result<Parsed, InvalidValue> {
    let value = match written {
        Written::Text(text) => T::from_os(text)?,
        Written::Toml(value) => T::from_toml(value)?,
        Written::RepositoryToml(value) => {
            let value = T::from_toml(value)?.in_repository();
            match value.too_costly() {
                Some(unfit) => return Err(unfit),
                None => value,
            }
        }
    };
    Ok(Parsed {
        leaves_repository: value.leaves_repository(),
        exceeds_default: value.exceeds(default),
        store: Arc::new(move |settings, origin| store(settings, value.clone(), origin)),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let mut seen = HashSet::new();
        let mut fresh = |name: String| assert!(seen.insert(name.clone()), "{name} twice");
        for setting in all() {
            fresh(setting.key.to_owned());
            fresh(setting.variable());
            if let Some(flag) = setting.flag {
                // Commands that share no group may reuse a name.
                let group = setting.group;
                fresh(format!("{group:?} --{}", flag.long));
                let short = flag.short.into_iter();
                short.for_each(|c| fresh(format!("{group:?} -{c}")));
                if setting.shape == Shape::Switch {
                    fresh(format!("{group:?} --{}", flag.opposite()));
                }
            }
        }
    }

    #[test]
    fn flags_match_their_shapes() {
        for setting in all() {
            let Some(flag) = setting.flag else { continue };
            assert_eq!(
                setting.shape.takes_value(),
                !flag.value_name.is_empty(),
                "{}",
                setting.key
            );
            assert_eq!(flag.sets, flag.summary.is_empty(), "{}", setting.key);
            for key in flag.conflicts {
                assert!(super::setting(key).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn documentation_has_a_short_first_line() {
        for setting in all() {
            let summary = setting.summary();
            assert!((10..=80).contains(&summary.len()), "{summary}");
            assert!(setting.documentation().starts_with(&summary));
        }
    }

    #[test]
    fn variables_are_mechanical() {
        let size = setting("scan.max_file_size").unwrap();
        assert_eq!(size.variable(), "INFINILOOM_SCAN_MAX_FILE_SIZE");
        assert_eq!(size.name(), "max_file_size");
        assert_eq!(size.default(), "32mb");
    }

    #[test]
    fn switches_that_set_false_have_their_own_help_text() {
        let ignore = setting("scan.ignore_files").unwrap();
        assert_eq!(ignore.summary(), "Honour the ignore files");
        assert_eq!(
            ignore.flag_summary(),
            "Read also what the ignore files leave out"
        );
        let tree = setting("pack.tree").unwrap();
        assert_eq!(tree.flag_summary(), tree.summary());
    }

    #[test]
    fn repository_file_never_sets_paths_freely() {
        for setting in all().iter().filter(|s| s.shape == Shape::Path) {
            assert_ne!(setting.trust, Trust::Anyone, "{}", setting.key);
        }
    }
}
