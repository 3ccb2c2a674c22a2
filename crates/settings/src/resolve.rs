//! Merges layers into one set of settings, each with its origin.

use std::collections::BTreeMap;

use loom_models::OwnModel;

use crate::layer::Assignment;
use crate::setting::all;
use crate::{CompressRule, Layer, Origin, Setting, Settings, TransformRule};

/// Settings after merging.
#[derive(Clone, Debug)]
pub struct Resolved {
    settings: Settings,
    origins: BTreeMap<&'static str, Origin>,
    models: Vec<OwnModel>,
    compress: Vec<CompressRule>,
    transforms: Vec<TransformRule>,
    warnings: Vec<String>,
}

/// Row of `config list`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listed<'a> {
    /// Setting.
    pub setting: &'static Setting,
    /// Value in the syntax of its flag; empty for none.
    pub shown: String,
    /// Value in the syntax of a settings file.
    pub toml: String,
    /// Origin of the value; for a list, of its last part.
    pub origin: &'a Origin,
}

/// Merges layers over the defaults. They may come in any order: flags override the environment,
/// which overrides the repository's file, which overrides the user's file.
///
/// A value replaces the one below it; globs are added after those below. A value other than the
/// default resets a setting that conflicts with it to its default, so that `-v` overrides a `quiet
/// = true` in a file.
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
    // The last rule decides. The user's own rules come after a repository's, so that no repository
    // can include a file that its reader excludes.
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

    /// Returns the typed settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the models that the user describes, `[[models]]`.
    pub fn models(&self) -> &[OwnModel] {
        &self.models
    }

    /// Returns the compression levels for some files, `[[compress]]`: the last one that matches
    /// decides.
    pub fn compress_rules(&self) -> &[CompressRule] {
        &self.compress
    }

    /// Returns the actions for some files, `[[transform]]`: the last one that matches decides.
    pub fn transform_rules(&self) -> &[TransformRule] {
        &self.transforms
    }

    /// Adds warnings about ignored files.
    #[must_use]
    pub fn with_warnings(mut self, warnings: Vec<String>) -> Self {
        self.warnings.extend(warnings);
        self
    }

    /// Returns warnings about the settings, which can still be used.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the settings without their origins.
    pub fn into_settings(self) -> Settings {
        self.settings
    }

    /// Returns the origin of a setting's value; `None` for an unknown setting.
    pub fn origin(&self, key: &str) -> Option<&Origin> {
        let setting = crate::setting(key)?;
        Some(self.origins.get(setting.key).unwrap_or(&Origin::BuiltIn))
    }

    /// Returns one setting; `None` for an unknown one.
    pub fn get(&self, key: &str) -> Option<Listed<'_>> {
        let setting = crate::setting(key)?;
        Some(Listed {
            setting,
            shown: (setting.access.show)(&self.settings),
            toml: (setting.access.to_toml)(&self.settings).to_string(),
            origin: self.origin(key)?,
        })
    }

    /// Lists every setting, in the order of declaration.
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
