//! `[[compress]]` and `[[transform]]`: rules for compressing some files. The callers apply them.

use toml_edit::{Item, Table};

use super::reader::Reader;
use crate::choices::{Action, Compress, TransformName};
use crate::quote::found_in;
use crate::value::{InvalidValue, MOST_GLOBS, Value};
use crate::{FileTrust, Origin, Problem};

/// Name of a table, its purpose, and the keys of its rules with their meanings.
type RuleTable = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// Tables of rules, each with the keys of its rules.
pub(crate) const TABLES: &[RuleTable] = &[
    (
        COMPRESS,
        "The compression level of some files. The last rule that matches a file \
         decides; the rules of the user's own file come after those of a repository. \
         With `--compress LEVEL` no rule applies.",
        &[
            ("match", "A glob, as for `--include`."),
            ("level", "The level, as for `--compress`."),
        ],
    ),
    (
        TRANSFORM,
        "The form of some files: unchanged, transformed, or skipped. The last rule \
         that matches a file decides; the rules of the user's own file come after \
         those of a repository.",
        &[
            ("name", "A name, for people."),
            ("pattern", "A glob, as for `--include`."),
            ("action", "`include`, `exclude` or `transform`."),
            ("transform", "Which form."),
        ],
    ),
];

const COMPRESS: &str = "compress";
const TRANSFORM: &str = "transform";

/// Compression level for some files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressRule {
    /// Glob of the files.
    pub glob: String,
    /// Level.
    pub level: Compress,
    /// Origin of the rule.
    pub origin: Origin,
}

/// Action for some files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformRule {
    /// Glob of the files.
    pub glob: String,
    /// Action.
    pub action: Action,
    /// Transform, if the action is [`Action::Transform`].
    pub transform: Option<TransformName>,
    /// Origin of the rule.
    pub origin: Origin,
}

/// Rules of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) compress: Vec<CompressRule>,
    pub(crate) transform: Vec<TransformRule>,
}

/// Returns whether a table with that name contains rules.
pub(super) fn is_table(name: &str) -> bool {
    TABLES.iter().any(|(known, ..)| *known == name)
}

impl Rules {
    /// Parses one of the tables. A repository's file may contain it too: the output counts and
    /// names the parts that a rule removes, as for `exclude`.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader<'_>,
        name: &str,
        item: &Item,
        origin: Origin,
    ) {
        let Some((key, _, known)) = TABLES.iter().find(|(known, ..)| *known == name) else {
            return;
        };
        let Some(tables) = item.as_array_of_tables() else {
            let found = item.as_value().map_or("a table".to_owned(), found_in);
            let unfit = InvalidValue::new(format!("tables, [[{key}]]"), found);
            return report(reader, key, unfit, origin);
        };
        if reader.file.trust == FileTrust::Repository && tables.len() > MOST_GLOBS {
            let expected = format!("at most {MOST_GLOBS} rules in a repository's file");
            let unfit = InvalidValue::new(expected, tables.len().to_string());
            return report(reader, key, unfit, origin);
        }
        for table in tables {
            for (word, _) in table.iter() {
                if reader.is_full() {
                    return;
                }
                if !known.iter().any(|(known, _)| *known == word) {
                    let origin = reader.key_origin(table.key(word));
                    reader.unknown_key(&format!("{key}.{word}"), origin);
                }
            }
            match *key {
                COMPRESS => self.compress.extend(compress_rule(reader, table, &origin)),
                _ => self
                    .transform
                    .extend(transform_rule(reader, table, &origin)),
            }
        }
    }
}

fn compress_rule(reader: &mut Reader<'_>, table: &Table, origin: &Origin) -> Option<CompressRule> {
    let glob = word::<String>(reader, COMPRESS, "match", table, origin);
    let level = word::<Compress>(reader, COMPRESS, "level", table, origin);
    Some(CompressRule {
        glob: glob?,
        level: level?,
        origin: reader.key_origin(table.key("match")),
    })
}

fn transform_rule(
    reader: &mut Reader<'_>,
    table: &Table,
    origin: &Origin,
) -> Option<TransformRule> {
    let glob = word::<String>(reader, TRANSFORM, "pattern", table, origin);
    let action = word::<Action>(reader, TRANSFORM, "action", table, origin);
    let is_named = action == Some(Action::Transform) || table.contains_key("transform");
    let transform = match is_named {
        true => word::<TransformName>(reader, TRANSFORM, "transform", table, origin),
        false => None,
    };
    Some(TransformRule {
        glob: glob?,
        action: action?,
        transform,
        origin: reader.key_origin(table.key("pattern")),
    })
}

/// Returns the value of a required key.
fn word<T: Value>(
    reader: &mut Reader<'_>,
    table_name: &'static str,
    key: &str,
    table: &Table,
    origin: &Origin,
) -> Option<T> {
    let at = table
        .key(key)
        .map_or_else(|| origin.clone(), |key| reader.key_origin(Some(key)));
    let Some(value) = table.get(key).and_then(Item::as_value) else {
        let unfit = InvalidValue::new(format!("`{key}` in each rule"), "none");
        report(reader, table_name, unfit, at);
        return None;
    };
    match T::from_toml(value) {
        Ok(value) => Some(value),
        Err(unfit) => {
            report(reader, table_name, unfit, at);
            None
        }
    }
}

fn report(reader: &mut Reader<'_>, key: &'static str, unfit: InvalidValue, origin: Origin) {
    reader.problems.push(Problem::WrongValue {
        origin,
        key,
        expected: unfit.expected,
        found: unfit.found,
        nearest: unfit.nearest,
    });
}
