//! Merging: layers as typed become one set of settings, each with its origin.

use std::collections::BTreeMap;

use loom_models::OwnModel;

use crate::layer::Assignment;
use crate::setting::all;
use crate::{CompressRule, Layer, Origin, Setting, Settings, TransformRule};

/// The settings after merging.
#[derive(Clone, Debug)]
pub struct Resolved {
    settings: Settings,
    origins: BTreeMap<&'static str, Origin>,
    models: Vec<OwnModel>,
    compress: Vec<CompressRule>,
    transforms: Vec<TransformRule>,
    warnings: Vec<String>,
}

/// One line of `config list`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listed<'a> {
    /// The setting.
    pub setting: &'static Setting,
    /// The value as its flag would take it; empty for none.
    pub shown: String,
    /// The value as a settings file would have it.
    pub toml: String,
    /// Who decided it; for a list, who added the last part.
    pub origin: &'a Origin,
}

/// Merges layers over what is built in. They may come in any order: flags lie
/// over the environment, that over the repository's file, that over the user's.
///
/// A value replaces the one below it; globs are added after those below. A value
/// other than the default puts a setting that conflicts with it back to its
/// default, so that `-v` lifts a `quiet = true` in a file.
pub fn resolve(layers: impl IntoIterator<Item = Layer>) -> Resolved {
    let mut layers: Vec<Layer> = layers.into_iter().collect();
    layers.sort_by_key(|layer| layer.rank);
    let mut resolved = Resolved {
        settings: Settings::default(),
        origins: BTreeMap::new(),
        models: layers
            .iter()
            .flat_map(|layer| layer.models.clone())
            .collect(),
        compress: Vec::new(),
        transforms: Vec::new(),
        warnings: Vec::new(),
    };
    // The last rule decides: the user's own come after a repository's, so that no
    // repository takes back what its reader leaves out.
    for layer in layers.iter().rev() {
        resolved.compress.extend_from_slice(&layer.rules.compress);
        resolved
            .transforms
            .extend_from_slice(&layer.rules.transform);
    }
    for assignment in layers.iter().flat_map(|layer| &layer.assignments) {
        resolved.apply(assignment);
    }
    resolved
}

impl Resolved {
    /// Returns the same settings with `layer` over them.
    #[must_use]
    pub fn overlaid(&self, layer: &Layer) -> Self {
        let mut resolved = self.clone();
        for assignment in &layer.assignments {
            resolved.apply(assignment);
        }
        resolved
    }

    /// The settings, typed.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The models that the user describes, `[[models]]`.
    pub fn models(&self) -> &[OwnModel] {
        &self.models
    }

    /// The levels for some files, `[[compress]]`: the last one that matches decides.
    pub fn compress_rules(&self) -> &[CompressRule] {
        &self.compress
    }

    /// What is done with some files, `[[transform]]`: the last one that matches decides.
    pub fn transform_rules(&self) -> &[TransformRule] {
        &self.transforms
    }

    /// Adds warnings about files that were not used.
    #[must_use]
    pub fn with_warnings(mut self, warnings: Vec<String>) -> Self {
        self.warnings.extend(warnings);
        self
    }

    /// Returns what the user should know about the settings, though they can be used.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The same, without the origins.
    pub fn into_settings(self) -> Settings {
        self.settings
    }

    /// Who decided the value of a setting; `None` where there is no such setting.
    pub fn origin(&self, key: &str) -> Option<&Origin> {
        let setting = crate::setting(key)?;
        Some(self.origins.get(setting.key).unwrap_or(&Origin::BuiltIn))
    }

    /// One setting; `None` where there is no such setting.
    pub fn get(&self, key: &str) -> Option<Listed<'_>> {
        let setting = crate::setting(key)?;
        Some(Listed {
            setting,
            shown: (setting.access.show)(&self.settings),
            toml: (setting.access.to_toml)(&self.settings).to_string(),
            origin: self.origin(key)?,
        })
    }

    /// Every setting, in the order of declaration.
    pub fn list(&self) -> impl Iterator<Item = Listed<'_>> {
        all().iter().filter_map(|setting| self.get(setting.key))
    }

    fn apply(&mut self, assignment: &Assignment) {
        let Assignment {
            setting,
            origin,
            value,
        } = assignment;
        (value.store)(&mut self.settings, origin);
        self.origins.insert(setting.key, origin.clone());
        if (setting.access.show)(&self.settings) != setting.default() {
            self.lift_conflicts(setting);
        }
    }

    fn lift_conflicts(&mut self, setting: &Setting) {
        let conflicts = setting.flag.map_or(&[][..], |flag| flag.conflicts);
        for other in conflicts.iter().filter_map(|key| crate::setting(key)) {
            (other.access.reset)(&mut self.settings);
            self.origins.remove(other.key);
        }
    }
}
