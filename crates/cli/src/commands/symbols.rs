//! `infiniloom symbols`: what files define, for people and for programs.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use infiniloom::host::{
    ClassDiagram, FileImports, FileStructure, Language, Limits, ModuleDiagram, Packer, Relations,
    Resolution, Run, Source, StructureOptions, Symbol, SymbolKind, Tested, Visibility,
    pack_options,
};
use infiniloom::results;
use loom_settings::{Group, Resolved};
use loom_wire::FORMAT_VERSION;

use crate::error::CliError;
use crate::interrupt::cancel_on_interrupt;
use crate::outputs::Outputs;
use crate::ui::Ui;
use crate::{flags, symbol_text};

const GROUPS: &[Group] = &[Group::Scan, Group::Symbols];

pub(super) fn command() -> Command {
    let command = Command::new("symbols")
        .about("List what files define: functions, types, constants and more")
        .after_help(
            "Examples:\n  infiniloom symbols src\n  infiniloom symbols --kind class,interface --lang java\n  \
             infiniloom symbols --private --format json\n  infiniloom symbols src --mermaid > classes.mmd",
        )
        .arg(super::paths_arg("Folders or files; the current folder when none is given"))
        .arg(super::list_arg("kind", "KIND", "Only these kinds, such as function,class,method"))
        .arg(super::list_arg("lang", "LANGUAGE", "Only files in these languages, such as rust,python"))
        .arg(super::switch("references", "Add what files use, with --format json"))
        .arg(super::switch(
            "imports",
            "Add what files import and which files that means, with --format json",
        ))
        .arg(super::switch(
            "tests",
            "Add what each test tests and how that is known, with --format json",
        ))
        .arg(
            Arg::new("mermaid")
                .long("mermaid")
                .value_name("DIAGRAM")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("classes")
                .value_parser(["classes", "modules"])
                .help("Draw a diagram in Mermaid: types, or which folders import which"),
        )
        .arg(super::format_arg());
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let paths = super::paths(matches);
    let kinds = kinds(matches)?;
    let languages = languages(matches, "lang")?;
    let (packer, resolved) = opened(matches, GROUPS, &paths)?;
    let settings = &resolved.settings().symbols;
    let filter = Filter {
        kinds,
        is_private_shown: settings.private,
    };
    let options = StructureOptions {
        languages,
        limits: Limits {
            all: settings.generated,
            ..Limits::default()
        },
        redacts: true,
    };
    let (run, cancel) = (Run::new(), cancel_on_interrupt());
    let diagram = matches.get_one::<String>("mermaid").map(String::as_str);
    if diagram == Some("modules") {
        return modules(&packer.imports(&options, &run, &cancel)?);
    }
    let mut printer = Printer::new(matches, filter, &resolved);
    if printer.has_imports || printer.has_tests {
        // What a test is about may be in any language.
        let all = StructureOptions {
            languages: Vec::new(),
            ..options.clone()
        };
        printer.relations = packer.relations(&all, &run, &cancel)?;
    }
    let mut failed = None;
    packer.structures(&options, &run, &cancel, |file| match printer.add(&file) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    })?;
    if let Some(error) = failed {
        return Err(CliError::io("cannot write the result", &error));
    }
    Ui::new(&resolved.settings().ui).warn_of(&packer, &run.unread(), run.warnings());
    printer
        .finish()
        .map_err(|error| CliError::io("cannot write the result", &error))?;
    Ok(ExitCode::SUCCESS)
}

/// Which folders import which.
fn modules(files: &[FileImports]) -> Result<ExitCode, CliError> {
    let mut diagram = ModuleDiagram::default();
    for file in files {
        for (_, meaning) in &file.imports {
            if let Resolution::Files(targets) = meaning {
                // A package is one thing, however many files it has.
                if let Some(target) = targets.first() {
                    diagram.add(&file.path, target);
                }
            }
        }
    }
    super::print(&diagram.finish())?;
    Ok(ExitCode::SUCCESS)
}

/// What the paths name, with the settings that hold for them.
pub(super) fn opened(
    matches: &ArgMatches,
    groups: &[Group],
    paths: &[PathBuf],
) -> Result<(Packer, Resolved), CliError> {
    let source = Source::open(paths)?;
    let layer = flags::layer(matches, groups);
    let resolved = super::config::resolve(matches, Some(&source), layer)?;
    let outputs = Outputs::locate(resolved.settings(), &source).all();
    let options = pack_options(&resolved, &outputs)?;
    Ok((Packer::new(source, options), resolved))
}

/// The languages that a flag names.
pub(super) fn languages(matches: &ArgMatches, flag: &str) -> Result<Vec<Language>, CliError> {
    let found = super::words(matches, flag).into_iter().map(|word| {
        Language::from_id(&word.to_lowercase()).ok_or_else(|| {
            let error = CliError::user(format!("no language {word}"));
            error.hint("names are lower case, such as rust, python, typescript, csharp, cpp")
        })
    });
    found.collect()
}

fn kinds(matches: &ArgMatches) -> Result<Vec<SymbolKind>, CliError> {
    let found = super::words(matches, "kind").into_iter().map(|word| {
        SymbolKind::from_name(&word).ok_or_else(|| {
            let names: Vec<_> = SymbolKind::ALL.iter().map(|kind| kind.name()).collect();
            let error = CliError::user(format!("no kind of symbol {word}"));
            error.hint(format!("kinds are {}", names.join(", ")))
        })
    });
    found.collect()
}

/// Which symbols are shown.
struct Filter {
    kinds: Vec<SymbolKind>,
    is_private_shown: bool,
}

impl Filter {
    fn shows(&self, symbol: &Symbol) -> bool {
        let is_kind = self.kinds.is_empty() || self.kinds.contains(&symbol.kind);
        is_kind && (self.is_private_shown || symbol.visibility != Visibility::Private)
    }
}

/// Prints files as they come, in one of the forms.
struct Printer {
    form: Form,
    filter: Filter,
    has_references: bool,
    has_imports: bool,
    has_tests: bool,
    relations: Relations,
    hidden: usize,
    ui: Ui,
    files: usize,
}

enum Form {
    Text,
    Json,
    Mermaid(ClassDiagram),
}

impl Printer {
    fn new(matches: &ArgMatches, filter: Filter, resolved: &Resolved) -> Self {
        let form = match () {
            () if matches.contains_id("mermaid") => Form::Mermaid(ClassDiagram::default()),
            () if super::wants_json(matches) => Form::Json,
            () => Form::Text,
        };
        Self {
            form,
            filter,
            has_references: matches.get_flag("references"),
            has_imports: matches.get_flag("imports"),
            has_tests: matches.get_flag("tests"),
            relations: Relations::default(),
            hidden: 0,
            ui: Ui::on_standard_output(&resolved.settings().ui),
            files: 0,
        }
    }

    fn add(&mut self, file: &FileStructure) -> std::io::Result<()> {
        let symbols = &file.structure.symbols;
        let shown: Vec<bool> = symbols
            .iter()
            .map(|symbol| self.filter.shows(symbol))
            .collect();
        self.hidden += shown.iter().filter(|shown| !**shown).count();
        let is_empty = !shown.contains(&true);
        match &mut self.form {
            Form::Mermaid(diagram) => diagram.add(&file.structure),
            Form::Text if is_empty => {}
            Form::Text => {
                let text = symbol_text::file(file, &shown, self.ui);
                std::io::stdout().lock().write_all(text.as_bytes())?;
            }
            // With a filter, only files that have something to show.
            Form::Json
                if is_empty && (file.language.is_none() || !self.filter.kinds.is_empty()) => {}
            Form::Json => return self.add_json(file, &shown),
        }
        Ok(())
    }

    fn add_json(&mut self, file: &FileStructure, shown: &[bool]) -> std::io::Result<()> {
        let tested = match self.has_tests {
            true => self.relations.tested(&file.path, &file.structure),
            false => Tested::default(),
        };
        let mut info = results::symbols::file(file, shown, &tested);
        info.references = self
            .has_references
            .then(|| results::symbols::references(file));
        info.imports = self
            .has_imports
            .then(|| results::symbols::imports(self.relations.imports(&file.path)));
        let start = match self.files {
            0 => format!("{{\"format_version\":{FORMAT_VERSION},\"files\":[\n"),
            _ => ",\n".to_owned(),
        };
        self.files += 1;
        let mut out = std::io::stdout().lock();
        out.write_all(start.as_bytes())?;
        Ok(serde_json::to_writer(&mut out, &info)?)
    }

    fn finish(self) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        match self.form {
            Form::Mermaid(diagram) => out.write_all(diagram.finish().as_bytes())?,
            Form::Json if self.files == 0 => {
                writeln!(out, "{{\"format_version\":{FORMAT_VERSION},\"files\":[]}}")?;
            }
            Form::Json => out.write_all(b"\n]}\n")?,
            Form::Text => {
                if self.hidden > 0 && !self.filter.is_private_shown && self.filter.kinds.is_empty()
                {
                    let note = format!(
                        "{} private symbols are not shown: --private shows them",
                        self.hidden
                    );
                    self.ui.hint(&note);
                }
            }
        }
        out.flush()
    }
}
