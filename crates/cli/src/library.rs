//! The library as commands use it: an engine with the flags and settings files that the user
//! named, and the repositories that it opens.

use std::path::PathBuf;

use clap::ArgMatches;
use infiniloom::{
    Cache, Control, Infiniloom, InfiniloomBuilder, Options, Repository, Root, Settings, Snapshot,
};
use loom_settings::Group;

use super::error::CliError;
use super::ui::Ui;
use super::{exact, flags, interrupt};

/// Creates an engine and checks its settings now, for commands that open no repository.
pub(super) fn engine(matches: &ArgMatches, groups: &[Group]) -> Result<Infiniloom, CliError> {
    Ok(builder(matches, options(matches, groups)).build()?)
}

/// Creates an engine whose settings are checked together with those of the repository.
pub(super) fn unchecked_engine(matches: &ArgMatches, groups: &[Group]) -> Infiniloom {
    builder(matches, options(matches, groups)).build_unchecked()
}

/// Returns the flags of a command as options.
pub(super) fn options(matches: &ArgMatches, groups: &[Group]) -> Options {
    Options::from_flags(flags::layer(matches, groups))
}

/// Configures an engine with the user's settings, the environment and the cache.
pub(super) fn builder(matches: &ArgMatches, options: Options) -> InfiniloomBuilder {
    let builder = Infiniloom::builder().cache(Cache::User).options(options);
    match matches.get_one::<PathBuf>("config") {
        _ if matches.get_flag("no-config") => builder.without_settings_files(),
        Some(file) => builder.user_settings_file(file),
        None => builder.user_settings(),
    }
}

/// Creates the control of a run: Ctrl-C cancels it, and it announces text for a provider.
pub(super) fn control(ui: Ui) -> Control {
    let control = Control::new().with_cancel(&interrupt::cancel());
    control.before_sending(move |sending| ui.say(&exact::sending_message(sending)))
}

/// Returns the options of messages.
pub(super) fn ui(settings: &Settings) -> Ui {
    Ui::new(&settings.resolved().settings().ui)
}

/// An open repository.
pub(super) struct Opened {
    pub(super) repository: Repository,
    pub(super) settings: Settings,
    pub(super) ui: Ui,
}

impl Opened {
    /// Opens directories and files, and prints warnings about their settings.
    pub(super) fn open(
        matches: &ArgMatches,
        groups: &[Group],
        paths: &[PathBuf],
    ) -> Result<Self, CliError> {
        let roots = paths.iter().map(Root::from);
        Self::open_roots(&unchecked_engine(matches, groups), roots, &Control::new())
    }

    /// Opens roots of all kinds, and prints warnings about their settings.
    pub(super) fn open_roots(
        engine: &Infiniloom,
        roots: impl IntoIterator<Item = Root>,
        control: &Control,
    ) -> Result<Self, CliError> {
        let repository = engine.open_with(roots, control)?;
        let settings = repository.settings();
        let ui = ui(&settings);
        let warnings = settings.warnings().iter();
        warnings.for_each(|warning| ui.warn(warning));
        Ok(Self {
            repository,
            settings,
            ui,
        })
    }

    /// Returns a snapshot whose files the query of the command lists.
    pub(super) fn snapshot(&self) -> Result<Snapshot, CliError> {
        Ok(self.repository.unlisted_snapshot()?)
    }

    /// Returns the values of the settings.
    pub(super) fn values(&self) -> &loom_settings::Settings {
        self.settings.resolved().settings()
    }

    /// Returns the options for results on standard output.
    pub(super) fn output_ui(&self) -> Ui {
        Ui::on_standard_output(&self.values().ui)
    }
}
