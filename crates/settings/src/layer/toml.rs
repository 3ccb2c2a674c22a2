//! The layer of a settings file. One pass over a file finds all problems, each with its line and
//! column.

use loom_models::OwnModel;
use toml_edit::{Document, Item, TableLike};

use super::reader::Reader;
use super::{Assignment, Layer, Rank, Rules, models, rules};
use crate::nearest::nearest;
use crate::quote::{found_in, plain};
use crate::setting::{Parsed, Written, all};
use crate::value::InvalidValue;
use crate::{FileOrigin, FileTrust, Group, Origin, Problem, Setting, Trust};

impl Layer {
    /// Parses the text of a settings file. A forbidden value in a repository's file is a problem
    /// like any other.
    ///
    /// # Errors
    /// Returns all problems of the file, up to 50.
    pub fn from_toml(file: &FileOrigin, text: &str) -> Result<Self, Vec<Problem>> {
        Self::from_toml_with(all(), file, text)
    }

    /// Does the same with another table of settings, for tests.
    pub(super) fn from_toml_with(
        settings: &'static [Setting],
        file: &FileOrigin,
        text: &str,
    ) -> Result<Self, Vec<Problem>> {
        // Editors do not count a byte order mark as a column.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut tables = Tables {
            settings,
            reader: Reader::new(file, text),
            assignments: Vec::new(),
            models: Vec::new(),
            rules: Rules::default(),
        };
        match Document::parse(text) {
            Ok(document) => tables.root(document.as_table()),
            Err(error) => tables.reader.syntax(&error),
        }
        let rank = match file.trust {
            FileTrust::User => Rank::User,
            FileTrust::Repository => Rank::Repository,
        };
        let mut layer = Self::new(rank, tables.assignments, tables.reader.problems)?;
        layer.models = tables.models;
        layer.rules = tables.rules;
        Ok(layer.in_declared_order())
    }
}

/// State while the tables of a file are parsed.
struct Tables<'a> {
    settings: &'static [Setting],
    reader: Reader<'a>,
    assignments: Vec<Assignment>,
    models: Vec<OwnModel>,
    rules: Rules,
}

impl Tables<'_> {
    fn root(&mut self, root: &dyn TableLike) {
        for (name, item) in root.iter() {
            if self.reader.is_full() {
                return;
            }
            let origin = self.reader.key_origin(root.key(name));
            if name == models::TABLE {
                self.models
                    .extend(models::own_models(&mut self.reader, item, origin));
                continue;
            }
            if rules::is_table(name) {
                self.rules.read(&mut self.reader, name, item, origin);
                continue;
            }
            let group = Group::ALL.iter().find(|group| group.name() == name);
            match (group, item.as_table_like()) {
                (Some(_), Some(table)) => self.table(name, table),
                (Some(group), None) => self.not_a_table(*group, item, origin),
                (None, Some(_)) => self.unknown_table(name, origin),
                (None, None) => self.reader.unknown_key(name, origin),
            }
        }
    }

    fn table(&mut self, group: &str, table: &dyn TableLike) {
        for (name, item) in table.iter() {
            if self.reader.is_full() {
                return;
            }
            let key = format!("{group}.{name}");
            let origin = self.reader.key_origin(table.key(name));
            match self.settings.iter().find(|setting| setting.key == key) {
                Some(setting) => self.setting(setting, item, origin),
                None => self.reader.unknown_key(&key, origin),
            }
        }
    }

    fn setting(&mut self, setting: &'static Setting, item: &Item, key_origin: Origin) {
        if self.reader.file.trust == FileTrust::Repository && setting.trust == Trust::UserOnly {
            self.reader.problems.push(user_only(setting, key_origin));
            return;
        }
        let origin = item
            .span()
            .map_or(key_origin, |span| self.reader.origin(&span));
        match self.assign(setting, item, origin) {
            Ok(assignment) => self.assignments.push(assignment),
            Err(problem) => self.reader.problems.push(problem),
        }
    }

    fn assign(
        &self,
        setting: &'static Setting,
        item: &Item,
        origin: Origin,
    ) -> Result<Assignment, Problem> {
        let Some(written) = item.as_value() else {
            let unfit = InvalidValue::new(format!("a value ({})", setting.shape.name()), "a table");
            return Err(unfit.into_problem(setting, origin));
        };
        let read = match self.reader.file.trust {
            FileTrust::User => (setting.access.read)(Written::Toml(written)),
            FileTrust::Repository => (setting.access.read)(Written::RepositoryToml(written)),
        };
        match read {
            Err(unfit) => Err(unfit.into_problem(setting, origin)),
            Ok(value) => match self.refusal(setting, &value, written, &origin) {
                Some(problem) => Err(problem),
                None => Ok(Assignment {
                    setting,
                    origin,
                    value,
                }),
            },
        }
    }

    /// Returns the reason why a repository's file may not set this value.
    fn refusal(
        &self,
        setting: &Setting,
        value: &Parsed,
        written: &toml_edit::Value,
        origin: &Origin,
    ) -> Option<Problem> {
        if self.reader.file.trust == FileTrust::User {
            return None;
        }
        let (origin, found) = (origin.clone(), found_in(written));
        match setting.trust {
            Trust::InsideRepository if value.leaves_repository => {
                Some(Problem::OutsideRepository {
                    origin,
                    key: setting.key,
                    found,
                    elsewhere: elsewhere(setting),
                })
            }
            Trust::LowerOnly if value.exceeds_default => Some(Problem::AboveDefault {
                origin,
                key: setting.key,
                limit: setting.default(),
                found,
                elsewhere: elsewhere(setting),
            }),
            _ => None,
        }
    }

    fn not_a_table(&mut self, group: Group, item: &Item, origin: Origin) {
        let found = item
            .as_value()
            .map_or("an array of tables".to_owned(), found_in);
        self.reader.problems.push(Problem::WrongValue {
            origin,
            key: group.name(),
            expected: format!("a table, [{}]", group.name()),
            found,
            nearest: None,
        });
    }

    fn unknown_table(&mut self, name: &str, origin: Origin) {
        let groups = Group::ALL.iter().map(|group| group.name());
        self.reader.problems.push(Problem::UnknownTable {
            origin,
            table: plain(name),
            nearest: nearest(name, groups).map(ToOwned::to_owned),
        });
    }
}

fn user_only(setting: &Setting, origin: Origin) -> Problem {
    Problem::UserOnly {
        origin,
        key: setting.key,
        elsewhere: elsewhere(setting),
    }
}

/// Returns the flag or variable with which the user can set it for one run.
fn elsewhere(setting: &Setting) -> String {
    match setting.flag {
        Some(flag) => format!("--{}", flag.long),
        None => setting.variable(),
    }
}
