//! Lookup of models by name. A name matches the longest name or alias that it begins with, so that
//! dated versions find their family.

use std::sync::LazyLock;

use crate::data::{Data, TEXTS};
use crate::name::{adds_nothing, forms, is_other_size, is_version, key, squeezed, versioned};
use crate::{Model, UnknownModel};

/// Model that is used if the user names none.
const DEFAULT: &str = "gpt-5";

/// Number of suggestions: as many names as a reader compares at a glance.
const SUGGESTIONS: usize = 3;

static BUILT_IN: LazyLock<Registry> = LazyLock::new(|| Registry::new(Data::read(&TEXTS)));

/// Collection of models that can be found by name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    models: Vec<Model>,
    names: Vec<Name>,
}

/// Model that was found, and how well its name matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelMatch<'a> {
    /// Matching model.
    pub model: &'a Model,
    /// Quality of the match.
    pub fit: NameMatch,
}

/// How well a name matches the model that was found for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameMatch {
    /// The name is the model's name or an alias.
    Name,
    /// The name is the model's name with a date, a version, or a way to run it.
    Version,
    /// The name only begins with the model's name; it may belong to a different model.
    Part,
}

impl NameMatch {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Version => "version",
            Self::Part => "part",
        }
    }
}

/// Name or alias of a model.
#[derive(Clone, Debug)]
struct Name {
    key: String,
    /// Original spelling, for suggestions.
    spelling: String,
    model: usize,
    reach: Reach,
}

/// Set of names that a name matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// All names that begin with it.
    Start,
    /// Only the name itself and its latest version.
    Exact,
}

/// Whether a model of another size matches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sizes {
    Same,
    Any,
}

impl Name {
    fn matches(&self, target: &str) -> bool {
        match self.reach {
            Reach::Start => is_version(target, &self.key),
            Reach::Exact => target.strip_suffix("-latest").unwrap_or(target) == self.key,
        }
    }

    fn fit(&self, target: &str) -> NameMatch {
        if target == self.key || self.reach == Reach::Exact {
            NameMatch::Name
        } else if adds_nothing(target, &self.key) {
            NameMatch::Version
        } else {
            NameMatch::Part
        }
    }
}

impl Registry {
    /// Returns the models that come with the program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    pub(crate) fn new(data: Data) -> Self {
        debug_assert!(data.problems.is_empty(), "{:?}", data.problems);
        let mut registry = Self::default();
        for model in data.models {
            registry.push(model);
        }
        for (alias, name) in data.aliases {
            let target = registry.models.iter().position(|model| model.name == name);
            let (alias, reach) = match alias.strip_prefix('=') {
                Some(alias) => (alias, Reach::Exact),
                None => (alias.as_str(), Reach::Start),
            };
            if let Some(target) = target {
                registry.name(alias, target, reach);
            }
        }
        registry
    }

    /// Returns all models.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// Returns the model with the longest name that `name` begins with. Case, separators between
    /// words and the prefixes of providers do not matter: `us.anthropic.`, `openrouter/anthropic/`,
    /// `models/`.
    ///
    /// # Errors
    /// Returns an error with suggestions if no model matches.
    pub fn resolve(&self, name: &str) -> Result<&Model, UnknownModel> {
        self.find(name).map(|found| found.model)
    }

    /// Does the same as [`resolve`](Self::resolve), and reports how well the name matches.
    ///
    /// # Errors
    /// Returns an error with suggestions if no model matches.
    pub fn find(&self, name: &str) -> Result<ModelMatch<'_>, UnknownModel> {
        let forms = forms(name);
        let find = |sizes| forms.iter().find_map(|form| self.longest(form, sizes));
        let found = find(Sizes::Same).or_else(|| forms.iter().find_map(|form| self.run_on(form)));
        found.ok_or_else(|| UnknownModel {
            name: name.to_owned(),
            relative: find(Sizes::Any).map(|found| Box::new(found.model.clone())),
            suggestions: self.suggestions(&forms, strsim::damerau_levenshtein),
        })
    }

    fn longest(&self, target: &str, sizes: Sizes) -> Option<ModelMatch<'_>> {
        let is_it = |name: &&Name| {
            let model = || key(&self.models[name.model].name);
            name.matches(target) && (sizes == Sizes::Any || !is_other_size(target, &model()))
        };
        // If names are equal, the last one added wins.
        let name = self.names.iter().filter(is_it);
        let name = name.max_by_key(|name| name.key.len())?;
        let (model, fit) = (self.models.get(name.model)?, name.fit(target));
        Some(ModelMatch { model, fit })
    }

    /// Finds a model whose name was written without separators between its words: `o4mini`.
    fn run_on(&self, target: &str) -> Option<ModelMatch<'_>> {
        let target = squeezed(target);
        let mut names = self.names.iter().rev();
        let name = names.find(|name| squeezed(&name.key) == target)?;
        let model = self.models.get(name.model)?;
        Some(ModelMatch {
            model,
            fit: NameMatch::Name,
        })
    }

    /// Suggests names for one that no model has: another version of it first, the newest
    /// up to that one, then the names that are spelt most alike. `distance` counts edits.
    fn suggestions(&self, forms: &[String], distance: impl Fn(&str, &str) -> usize) -> Vec<String> {
        let mut suggestions: Vec<String> = Vec::new();
        let near = |form: &String| -> Vec<&str> {
            let version = self.other_version(form).into_iter();
            version.chain(self.spelt_alike(form, &distance)).collect()
        };
        // The form with the fewest prefixes that resembles a name decides.
        let near = forms.iter().map(near).find(|near| !near.is_empty());
        for name in near.into_iter().flatten() {
            if suggestions.len() < SUGGESTIONS && !suggestions.iter().any(|one| one == name) {
                suggestions.push(name.to_owned());
            }
        }
        suggestions
    }

    /// Finds another version of `target`: the newest up to that one, or else the newest.
    fn other_version(&self, target: &str) -> Option<&str> {
        let (family, version) = versioned(target)?;
        let names = self.names.iter();
        let names = names.filter_map(|name| Some((versioned(&name.key)?, name)));
        let same = names.filter(|((words, _), _)| *words == family);
        let best = same.max_by_key(|((_, one), _)| (*one <= version, one.clone()));
        best.map(|(_, best)| &*best.spelling)
    }

    /// Lists the names that differ from `target` in at most a third of their letters, the nearest
    /// first. A name whose length already differs by more is not compared: the work of a comparison
    /// is the product of both lengths, and a repository's settings file chooses one of them.
    fn spelt_alike(
        &self,
        target: &str,
        distance: impl Fn(&str, &str) -> usize,
    ) -> impl Iterator<Item = &str> {
        let letters = target.chars().count();
        let compare = |name: &'_ Name| {
            let allowed = name.key.len() / 3;
            let is_alike = name.key.chars().count().abs_diff(letters) <= allowed;
            let distance = is_alike.then(|| distance(target, &name.key));
            distance.filter(|&distance| distance <= allowed)
        };
        let mut near: Vec<(usize, &str)> = self
            .names
            .iter()
            .filter_map(|name| Some((compare(name)?, &*name.spelling)))
            .collect();
        near.sort_by_key(|&(distance, _)| distance);
        near.into_iter().map(|(_, spelling)| spelling)
    }

    /// Adds a model, or replaces the one with that name.
    pub(crate) fn add(&mut self, model: Model) {
        let target = key(&model.name);
        // A name can also be an alias of another model.
        let is_first = |name: &Name| self.models[name.model].name == name.spelling;
        let mut names = self.names.iter();
        let known = names.find(|name| name.key == target && is_first(name));
        let known = known.map(|name| name.model);
        match known {
            Some(at) => {
                self.name(&model.name, at, Reach::Start);
                self.models[at] = model;
            }
            None => self.push(model),
        }
    }

    /// Adds a model with a new name.
    fn push(&mut self, model: Model) {
        self.name(&model.name, self.models.len(), Reach::Start);
        self.models.push(model);
    }

    fn name(&mut self, spelling: &str, model: usize, reach: Reach) {
        self.names.push(Name {
            key: key(spelling),
            spelling: spelling.to_owned(),
            model,
            reach,
        });
    }
}

/// Returns the models that come with the program.
pub fn all() -> &'static [Model] {
    BUILT_IN.models()
}

/// Finds a model among those that come with the program, see [`Registry::resolve`].
///
/// # Errors
/// Returns an error with suggestions if no model matches.
pub fn resolve(name: &str) -> Result<&'static Model, UnknownModel> {
    BUILT_IN.resolve(name)
}

/// Returns the model that is used if the user names none.
pub fn default_model() -> Model {
    resolve(DEFAULT).map_or_else(|unknown| unknown.fallback(), Clone::clone)
}

#[cfg(test)]
mod tests;
