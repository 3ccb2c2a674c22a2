//! The layer of a settings file. All that is wrong with a file is found in one
//! reading, each with its line and column.

use std::ops::Range;
use std::sync::Arc;

use loom_models::OwnModel;
use toml_edit::{Document, Item, Key, TableLike};

use super::line_index::LineIndex;
use super::{Assignment, Layer, Rank, Rules, models, rules};
use crate::nearest::{nearest, nearest_key};
use crate::setting::all;
use crate::value::{Parsed, Unfit, Written, found_in, plain};
use crate::{FileOrigin, FileTrust, Group, Origin, Problem, Setting, Trust};

impl Layer {
    /// Reads the text of a settings file. What a repository's file may not do is
    /// a problem like any other.
    ///
    /// # Errors
    /// Everything that is wrong with the file, up to 50 problems.
    pub fn from_toml(file: &FileOrigin, text: &str) -> Result<Self, Vec<Problem>> {
        Self::from_toml_with(all(), file, text)
    }

    /// The same with a table of settings other than ours.
    pub(super) fn from_toml_with(
        settings: &'static [Setting],
        file: &FileOrigin,
        text: &str,
    ) -> Result<Self, Vec<Problem>> {
        // Editors do not count a byte order mark as a column.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader {
            settings,
            file: Arc::new(file.clone()),
            lines: LineIndex::new(text),
            assignments: Vec::new(),
            problems: Vec::new(),
            models: Vec::new(),
            rules: Rules::default(),
        };
        match Document::parse(text) {
            Ok(document) => reader.root(document.as_table()),
            Err(error) => reader.syntax(&error),
        }
        let rank = match file.trust {
            FileTrust::User => Rank::User,
            FileTrust::Repository => Rank::Repository,
        };
        let mut layer = Self::new(rank, reader.assignments, reader.problems)?;
        layer.models = reader.models;
        layer.rules = reader.rules;
        Ok(layer.in_declared_order())
    }
}

pub(super) struct Reader<'a> {
    settings: &'static [Setting],
    pub(super) file: Arc<FileOrigin>,
    lines: LineIndex<'a>,
    assignments: Vec<Assignment>,
    pub(super) problems: Vec<Problem>,
    pub(super) models: Vec<OwnModel>,
    pub(super) rules: Rules,
}

impl Reader<'_> {
    fn root(&mut self, root: &dyn TableLike) {
        for (name, item) in root.iter() {
            if self.is_full() {
                return;
            }
            let origin = self.key_origin(root.key(name));
            if name == models::TABLE {
                self.own_models(item, origin);
                continue;
            }
            if rules::is_table(name) {
                self.rules(name, item, origin);
                continue;
            }
            let group = Group::ALL.iter().find(|group| group.name() == name);
            match (group, item.as_table_like()) {
                (Some(_), Some(table)) => self.table(name, table),
                (Some(group), None) => self.not_a_table(*group, item, origin),
                (None, Some(_)) => self.unknown_table(name, origin),
                (None, None) => self.unknown_key(name, origin),
            }
        }
    }

    fn table(&mut self, group: &str, table: &dyn TableLike) {
        for (name, item) in table.iter() {
            if self.is_full() {
                return;
            }
            let key = format!("{group}.{name}");
            let origin = self.key_origin(table.key(name));
            match self.settings.iter().find(|setting| setting.key == key) {
                Some(setting) => self.setting(setting, item, origin),
                None => self.unknown_key(&key, origin),
            }
        }
    }

    /// Whether enough is wrong: a hostile file can have as many problems as it has lines.
    pub(super) fn is_full(&self) -> bool {
        const MOST_PROBLEMS: usize = 50;
        self.problems.len() >= MOST_PROBLEMS
    }

    fn setting(&mut self, setting: &'static Setting, item: &Item, key_origin: Origin) {
        if self.file.trust == FileTrust::Repository && setting.trust == Trust::UserOnly {
            self.problems.push(user_only(setting, key_origin));
            return;
        }
        let origin = item.span().map_or(key_origin, |span| self.origin(&span));
        match self.assign(setting, item, origin) {
            Ok(assignment) => self.assignments.push(assignment),
            Err(problem) => self.problems.push(problem),
        }
    }

    fn assign(
        &self,
        setting: &'static Setting,
        item: &Item,
        origin: Origin,
    ) -> Result<Assignment, Problem> {
        let Some(written) = item.as_value() else {
            let unfit = Unfit::new(format!("a value ({})", setting.shape.name()), "a table");
            return Err(unfit.into_problem(setting, origin));
        };
        let read = match self.file.trust {
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

    /// Why a repository's file may not set this value.
    fn refusal(
        &self,
        setting: &Setting,
        value: &Parsed,
        written: &toml_edit::Value,
        origin: &Origin,
    ) -> Option<Problem> {
        if self.file.trust == FileTrust::User {
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
        self.problems.push(Problem::WrongValue {
            origin,
            key: group.name(),
            expected: format!("a table, [{}]", group.name()),
            found,
            nearest: None,
        });
    }

    fn unknown_table(&mut self, name: &str, origin: Origin) {
        let groups = Group::ALL.iter().map(|group| group.name());
        self.problems.push(Problem::UnknownTable {
            origin,
            table: plain(name),
            nearest: nearest(name, groups).map(ToOwned::to_owned),
        });
    }

    pub(super) fn unknown_key(&mut self, key: &str, origin: Origin) {
        self.problems.push(Problem::UnknownKey {
            origin,
            key: plain(key),
            nearest: nearest_key(key).map(ToOwned::to_owned),
        });
    }

    fn syntax(&mut self, error: &toml_edit::TomlError) {
        let origin = self.origin(&error.span().unwrap_or(0..0));
        self.problems.push(Problem::Syntax {
            origin,
            message: plain(error.message()),
        });
    }

    pub(super) fn key_origin(&self, key: Option<&Key>) -> Origin {
        let span = key.and_then(Key::span);
        self.origin(&span.unwrap_or(0..0))
    }

    fn origin(&self, span: &Range<usize>) -> Origin {
        let (line, before) = self.lines.locate(span.start);
        Origin::File {
            file: Arc::clone(&self.file),
            line,
            column: before.chars().count() + 1,
        }
    }
}

fn user_only(setting: &Setting, origin: Origin) -> Problem {
    Problem::UserOnly {
        origin,
        key: setting.key,
        elsewhere: elsewhere(setting),
    }
}

/// How the user sets it for one run.
fn elsewhere(setting: &Setting) -> String {
    match setting.flag {
        Some(flag) => format!("--{}", flag.long),
        None => setting.variable(),
    }
}
