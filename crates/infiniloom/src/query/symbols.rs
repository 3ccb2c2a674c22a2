//! Symbols of files, and the outline of one file.

use std::ops::ControlFlow;

use loom_host::{
    FileStructure, Filter, FilterKind, LeftOut, Limits, Relations, Run, StructureOptions, Symbol,
    SymbolKind, Tested, Visibility,
};
use loom_wire::{FORMAT_VERSION, FileSymbols, NoticeInfo, SymbolsCall, SymbolsInfo};

use super::call::callable;
use super::{check, narrows, runs, unusable};
use crate::session::{Choices, Session};
use crate::{Control, Error, ErrorKind, ErrorProblem, Infiniloom, Result, Snapshot, results};

/// Lists the symbols that files define.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    pub(super) choices: Choices,
    /// The file of an outline.
    outline: Option<String>,
    kinds: Vec<String>,
    languages: Vec<String>,
    has_references: bool,
    has_imports: bool,
    has_tests: bool,
}

impl Symbols {
    /// The symbols of all files, without those that are private to a file or type.
    pub fn new() -> Self {
        Self::default()
    }

    /// All symbols of one file. Its path starts at the root; it is empty if the root is a file.
    pub fn outline(path: impl Into<String>) -> Self {
        Self {
            outline: Some(path.into()),
            ..Self::default()
        }
    }

    /// Lists only symbols of this kind, such as `function`; more than one call adds kinds.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kinds.push(kind.into());
        self
    }

    /// Lists only files in this language; more than one call adds languages.
    #[must_use]
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.languages.push(language.into());
        self
    }

    /// Lists private symbols, too.
    #[must_use]
    pub fn private(mut self, is_shown: bool) -> Self {
        self.choices.values.switch("symbols.private", is_shown);
        self
    }

    /// Reads minified and generated files, too.
    #[must_use]
    pub fn generated(mut self, is_shown: bool) -> Self {
        self.choices.values.switch("symbols.generated", is_shown);
        self
    }

    /// Adds the references of each file.
    #[must_use]
    pub fn references(mut self, is_shown: bool) -> Self {
        self.has_references = is_shown;
        self
    }

    /// Adds the imports of each file, with the files that they mean.
    #[must_use]
    pub fn imports(mut self, is_shown: bool) -> Self {
        self.has_imports = is_shown;
        self
    }

    /// Adds the code that each test tests.
    #[must_use]
    pub fn tests(mut self, is_shown: bool) -> Self {
        self.has_tests = is_shown;
        self
    }

    /// Calls `show` with each file, in the order of the paths, as soon as it is read: no more
    /// than a few files are in memory. If `show` breaks, the run ends early. The result has no
    /// files.
    ///
    /// # Errors
    /// As for [`Symbols::run_with`].
    pub fn for_each(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        mut show: impl FnMut(FileSymbols) -> ControlFlow<()>,
    ) -> Result<SymbolsInfo> {
        control.run(|| self.shown(snapshot, control, &mut show))
    }

    fn answer(&self, snapshot: &Snapshot, control: &Control) -> Result<SymbolsInfo> {
        let mut files = Vec::new();
        let info = self.shown(snapshot, control, &mut |file| {
            files.push(file);
            ControlFlow::Continue(())
        })?;
        Ok(SymbolsInfo { files, ..info })
    }

    fn shown(
        &self,
        snapshot: &Snapshot,
        control: &Control,
        show: &mut dyn FnMut(FileSymbols) -> ControlFlow<()>,
    ) -> Result<SymbolsInfo> {
        let (kinds, options) = self.checked()?;
        match &self.outline {
            Some(path) => self.outlined(path, snapshot, control, show),
            None => {
                let session = snapshot.session(&self.choices, control)?;
                let options = with_limits(&session, options);
                self.listed(&kinds, &options, &session, show)
            }
        }
    }

    fn listed(
        &self,
        kinds: &[SymbolKind],
        options: &StructureOptions,
        session: &Session,
        show: &mut dyn FnMut(FileSymbols) -> ControlFlow<()>,
    ) -> Result<SymbolsInfo> {
        let is_private_shown = session.settings().symbols.private;
        let run = session.run();
        let relations = match self.has_imports || self.has_tests {
            true => all_relations(session, &run, options)?,
            false => Relations::default(),
        };
        let is_kind = |symbol: &Symbol| kinds.is_empty() || kinds.contains(&symbol.kind);
        let is_shown = |symbol: &Symbol| {
            is_kind(symbol) && (is_private_shown || symbol.visibility != Visibility::Private)
        };
        let (mut hidden, mut private, mut searched) = (0, 0, 0);
        let mut is_any = false;
        session
            .packer
            .structures(options, &run, &session.cancel, |file| {
                let shown: Vec<bool> = file.structure.symbols.iter().map(is_shown).collect();
                hidden += shown.iter().filter(|shown| !**shown).count();
                let fitting = file.structure.symbols.iter().filter(|one| is_kind(one));
                private += fitting.filter(|one| !is_shown(one)).count();
                searched += 1;
                is_any |= shown.contains(&true);
                let is_empty = !shown.contains(&true);
                // With a filter, only files that have something to show.
                match !is_empty || (file.language.is_some() && kinds.is_empty()) {
                    true => show(self.info(&file, &shown, &relations)),
                    false => ControlFlow::Continue(()),
                }
            })?;
        let mut notices = session.notices(&run.unread(), run.warnings());
        if hidden > 0 && !is_private_shown && kinds.is_empty() {
            let message = format!("{hidden} private symbols are not shown");
            notices.push(NoticeInfo::new("private", message));
        }
        if !is_any {
            notices.extend(self.no_symbols(searched, private));
        }
        Ok(SymbolsInfo {
            format_version: FORMAT_VERSION,
            files: Vec::new(),
            notices,
        })
    }

    /// Returns the notice that the filters match no symbol, if there are filters.
    fn no_symbols(&self, searched: usize, private: usize) -> Option<NoticeInfo> {
        let filter = |noun: &str, names: &[String]| {
            let names = names.join(", ");
            (!names.is_empty()).then(|| format!("{noun} {names}"))
        };
        let filters = [
            filter("kind", &self.kinds),
            filter("language", &self.languages),
        ];
        let filters: Vec<String> = filters.into_iter().flatten().collect();
        let files = if searched == 1 { "file" } else { "files" };
        let hidden = match private {
            0 => String::new(),
            private => format!("; not shown: {private} private"),
        };
        let message = format!(
            "no symbol matches {} in {searched} {files}{hidden}",
            filters.join(" and ")
        );
        (!filters.is_empty()).then(|| NoticeInfo::new("no_symbols", message))
    }

    fn info(&self, file: &FileStructure, shown: &[bool], relations: &Relations) -> FileSymbols {
        let tested = match self.has_tests {
            true => relations.tested(&file.path, &file.structure),
            false => Tested::default(),
        };
        let mut info = results::symbols::file(file, shown, &tested);
        info.references = self
            .has_references
            .then(|| results::symbols::references(file));
        info.imports = self
            .has_imports
            .then(|| results::symbols::imports(relations.imports(&file.path)));
        info
    }

    fn outlined(
        &self,
        path: &str,
        snapshot: &Snapshot,
        control: &Control,
        show: &mut dyn FnMut(FileSymbols) -> ControlFlow<()>,
    ) -> Result<SymbolsInfo> {
        let reader = snapshot.reader();
        let session = reader.session_with(&self.choices, control, |options| {
            if !path.is_empty() {
                let filter = Filter::new(FilterKind::Include, &exact_glob(path));
                options.scan.filters = vec![filter?];
            }
            Ok(())
        })?;
        let options = StructureOptions {
            limits: Limits {
                all: true,
                ..Limits::default()
            },
            redacts: true,
            ..StructureOptions::default()
        };
        let run = session.run();
        let mut found: Option<FileStructure> = None;
        session
            .packer
            .structures(&options, &run, &session.cancel, |file| {
                found = Some(file);
                ControlFlow::Break(())
            })?;
        let unread = run.unread();
        let notices = session.notices(&unread, run.warnings());
        let file = found.ok_or_else(|| not_outlined(path, &unread, &notices))?;
        let shown = vec![true; file.structure.symbols.len()];
        let _ = show(results::symbols::file(&file, &shown, &Tested::default()));
        Ok(SymbolsInfo {
            format_version: FORMAT_VERSION,
            files: Vec::new(),
            notices,
        })
    }

    pub(super) fn checked(&self) -> Result<(Vec<SymbolKind>, StructureOptions)> {
        let (mut kinds, mut problems) = (Vec::new(), Vec::new());
        for kind in &self.kinds {
            match SymbolKind::from_name(kind) {
                Some(kind) => kinds.push(kind),
                None => problems.push(unknown_kind(kind)),
            }
        }
        let languages = super::languages(&self.languages, &mut problems);
        let values = &self.choices.values;
        let has_lists = self.has_references || self.has_imports || self.has_tests;
        let has_filters = !self.kinds.is_empty() || !self.languages.is_empty();
        if self.outline.is_some() && (has_lists || has_filters || !values.is_empty()) {
            problems.push(unusable(
                "an outline shows all symbols of its file, and takes no other value",
            ));
        }
        check(problems)?;
        let options = StructureOptions {
            languages,
            redacts: true,
            ..StructureOptions::default()
        };
        Ok((kinds, options))
    }
}

runs!(Symbols => SymbolsInfo);
callable!(Symbols => SymbolsInfo);

impl Symbols {
    fn call(&self) -> Result<SymbolsCall> {
        let Self {
            choices,
            outline,
            kinds,
            languages,
            has_references,
            has_imports,
            has_tests,
        } = self;
        Ok(SymbolsCall {
            settings: choices.values.call()?,
            outline: outline.clone(),
            kinds: kinds.clone(),
            languages: languages.clone(),
            references: *has_references,
            imports: *has_imports,
            tests: *has_tests,
        })
    }

    fn of_call(call: &SymbolsCall, engine: &Infiniloom) -> Result<Self> {
        let SymbolsCall {
            settings,
            outline,
            kinds,
            languages,
            references,
            imports,
            tests,
        } = call;
        Ok(Self {
            choices: Choices::of_call(settings, None, engine)?,
            outline: outline.clone(),
            kinds: kinds.clone(),
            languages: languages.clone(),
            has_references: *references,
            has_imports: *imports,
            has_tests: *tests,
        })
    }
}
narrows!(Symbols);

/// The options with the limits of the settings.
pub(super) fn with_limits(session: &Session, options: StructureOptions) -> StructureOptions {
    StructureOptions {
        limits: Limits {
            all: session.settings().symbols.generated,
            ..Limits::default()
        },
        ..options
    }
}

/// The imports and tests of all files: what a test is about may be in any language.
fn all_relations(session: &Session, run: &Run, options: &StructureOptions) -> Result<Relations> {
    let all = StructureOptions {
        languages: Vec::new(),
        ..options.clone()
    };
    Ok(session.packer.relations(&all, run, &session.cancel)?)
}

/// Explains why a file has no outline. Paths of notices have no secrets.
fn not_outlined(path: &str, unread: &[LeftOut], notices: &[NoticeInfo]) -> Error {
    let about = notices.iter().find_map(|notice| notice.path.as_ref());
    let message = match (unread.first(), about, path) {
        (Some(left), Some(path), _) => format!("{path} is {}", left.reason),
        (_, _, "") => "the file is not text, or a rule skips it".to_owned(),
        (_, _, path) => format!("{path}: no such file, or it is not text"),
    };
    Error::with_message(ErrorKind::NotFound, "no_such_path", message)
}

fn unknown_kind(kind: &str) -> ErrorProblem {
    let names: Vec<_> = SymbolKind::ALL.iter().map(|kind| kind.name()).collect();
    ErrorProblem {
        message: format!("no kind of symbol {kind}"),
        hint: Some(format!("kinds are {}", names.join(", "))),
    }
}

/// A glob that matches one path from the root.
pub(super) fn exact_glob(path: &str) -> String {
    let path = path.trim_start_matches("./").trim_start_matches('/');
    let mut glob = String::from("/");
    for letter in path.chars() {
        if matches!(letter, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' | '#') {
            glob.push('\\');
        }
        glob.push(letter);
    }
    glob
}
