//! Turns the declared settings into flags, and the flags of a command line back into a layer of
//! settings.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::PossibleValue;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use loom_settings::{Flag, FlagValue, Group, Layer, Problem, Setting, Shape, of_group};

/// Adds the flags of some groups, and those of every command.
pub(super) fn with_settings(mut command: Command, groups: &[Group]) -> Command {
    for group in groups.iter().chain(&[Group::Cache, Group::Run, Group::Ui]) {
        for setting in of_group(*group) {
            if let Some(flag) = setting.flag {
                command = command.args(args_of(setting, &flag));
            }
        }
    }
    command.args(config_args())
}

/// Joins a flag with an optional value and the next word with an equals sign, unless that word is a
/// flag or an existing path.
pub(super) fn with_values(args: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::with_capacity(args.len());
    let mut ended = false;
    for arg in args {
        let is_flag = arg.as_encoded_bytes().starts_with(b"-");
        let may_be_value = !ended && !is_flag && !Path::new(&arg).exists();
        let flag = joined.last_mut().filter(|last| is_bare_flag(last));
        if let Some(flag) = flag.filter(|_| may_be_value) {
            flag.push("=");
            flag.push(&arg);
            continue;
        }
        ended |= arg == "--";
        joined.push(arg);
    }
    joined
}

fn is_bare_flag(word: &OsStr) -> bool {
    let Some(name) = word.to_str().and_then(|word| word.strip_prefix("--")) else {
        return false;
    };
    let mut flags = loom_settings::all()
        .iter()
        .filter_map(|setting| setting.flag);
    flags.any(|flag| !flag.bare.is_empty() && flag.long == name)
}

/// Creates the flags that select settings files.
fn config_args() -> [Arg; 2] {
    let config = Arg::new("config")
        .long("config")
        .value_name("FILE")
        .value_hint(ValueHint::FilePath)
        .value_parser(clap::value_parser!(std::path::PathBuf))
        .help("Read FILE as the user's settings");
    let none = Arg::new("no-config")
        .long("no-config")
        .action(ArgAction::SetTrue)
        .conflicts_with("config")
        .help("Read no settings file");
    [config, none]
}

fn args_of(setting: &'static Setting, flag: &Flag) -> Vec<Arg> {
    let arg = Arg::new(setting.key)
        .long(flag.long)
        .help(setting.flag_summary())
        .conflicts_with_all(flag.conflicts);
    // The setting's documentation describes the opposite of a switch that sets false.
    let arg = if flag.sets {
        arg.long_help(long_help(setting))
    } else {
        arg
    };
    let arg = match flag.short {
        Some(short) => arg.short(short),
        None => arg,
    };
    let arg = arg.aliases(aliases(setting.key));
    match setting.shape {
        // The opposite of `--no-ignore` would be `--ignore`, an alias of `--exclude`.
        Shape::Switch if flag.opposite() == "ignore" => vec![arg.action(ArgAction::SetTrue)],
        Shape::Switch => {
            let opposite = Arg::new(opposite_id(setting))
                .long(flag.opposite())
                .action(ArgAction::SetTrue)
                .overrides_with(setting.key)
                .hide(true);
            vec![
                arg.action(ArgAction::SetTrue)
                    .overrides_with(opposite_id(setting)),
                opposite,
            ]
        }
        Shape::Counter => vec![arg.action(ArgAction::Count)],
        shape => vec![value_arg(arg, shape, flag)],
    }
}

/// Returns the names of this flag in other packers.
fn aliases(key: &str) -> &'static [&'static str] {
    match key {
        "scan.exclude" => &["ignore", "exclude-pattern"],
        "scan.include" => &["include-pattern"],
        "scan.max_file_size" => &["max-size"],
        "pack.format" => &["style", "output-format"],
        "pack.output" => &["output-file"],
        "pack.copy" => &["clipboard"],
        "pack.line_numbers" => &["line-number", "output-show-line-numbers"],
        "pack.budget" => &["max-tokens", "token-budget"],
        _ => &[],
    }
}

fn long_help(setting: &Setting) -> String {
    let default = setting.default();
    match setting.shape {
        // clap lists only the values of a single choice.
        Shape::Words(choices) => {
            let values = choices
                .iter()
                .map(|choice| format!("- {}: {}", choice.name, choice.summary()));
            let values: Vec<String> = values.collect();
            let about = setting.documentation();
            format!("{about}\n\nPossible values:\n{}", values.join("\n"))
        }
        Shape::Switch | Shape::Counter | Shape::Globs => setting.documentation(),
        _ if default.is_empty() => setting.documentation(),
        _ => format!("{}\n\n[default: {default}]", setting.documentation()),
    }
}

fn value_arg(arg: Arg, shape: Shape, flag: &Flag) -> Arg {
    let arg = arg.value_name(flag.value_name).allow_hyphen_values(false);
    // The value needs an equals sign, because the next word may be a path. `with_values` adds the
    // sign if the user omitted it.
    let arg = match flag.bare {
        "" => arg,
        bare => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(bare),
    };
    let arg = match shape {
        Shape::Choice(choices) => {
            let values = choices.iter().map(|choice| {
                PossibleValue::new(choice.name)
                    .aliases(other_names(choice.name))
                    .help(choice.summary())
            });
            return arg.value_parser(values.collect::<Vec<_>>());
        }
        Shape::Path => arg.value_hint(ValueHint::FilePath),
        _ => arg,
    };
    let arg = if shape.is_repeatable() || is_list(flag) {
        arg.action(ArgAction::Append)
    } else {
        arg
    };
    arg.value_parser(clap::value_parser!(OsString))
}

/// Returns whether the values of a repeated flag form one list.
fn is_list(flag: &Flag) -> bool {
    flag.long == "model"
}

/// Returns other names of a choice, such as the extension of its files.
fn other_names(name: &str) -> &'static [&'static str] {
    match name {
        "markdown" => &["md"],
        "yaml" => &["yml"],
        "plain" => &["text", "txt"],
        _ => &[],
    }
}

/// Returns the choice with this other name.
fn own_name(other: &str) -> Option<&'static str> {
    let names = ["markdown", "yaml", "plain"];
    names
        .into_iter()
        .find(|name| other_names(name).contains(&other))
}

fn opposite_id(setting: &Setting) -> String {
    format!("{}:opposite", setting.key)
}

/// Builds the layer from the typed flags, in the order of the command line.
pub(super) fn layer(matches: &ArgMatches, groups: &[Group]) -> Result<Layer, Vec<Problem>> {
    let mut given: Vec<(usize, &'static Setting, FlagValue)> = Vec::new();
    for group in groups.iter().chain(&[Group::Cache, Group::Run, Group::Ui]) {
        for setting in of_group(*group) {
            if let Some(flag) = setting.flag {
                given.extend(typed(matches, setting, &flag));
            }
        }
    }
    given.sort_by_key(|(index, ..)| *index);
    Layer::from_flags(
        given
            .into_iter()
            .map(|(_, setting, value)| (setting, value)),
    )
}

fn typed(
    matches: &ArgMatches,
    setting: &'static Setting,
    flag: &Flag,
) -> Vec<(usize, &'static Setting, FlagValue)> {
    let is_typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let index = |id: &str| matches.index_of(id).unwrap_or(0);
    match setting.shape {
        Shape::Switch => {
            let opposite = opposite_id(setting);
            let switches = [(setting.key, flag.sets), (opposite.as_str(), !flag.sets)];
            let is_known = |id: &str| matches.try_contains_id(id).is_ok();
            let set = switches
                .into_iter()
                .filter(|(id, _)| is_known(id) && is_typed(id) && matches.get_flag(id));
            set.map(|(id, value)| (index(id), setting, FlagValue::Switch(value)))
                .collect()
        }
        Shape::Counter if is_typed(setting.key) => {
            let times = FlagValue::Times(matches.get_count(setting.key));
            vec![(index(setting.key), setting, times)]
        }
        Shape::Counter => Vec::new(),
        _ if is_list(flag) => {
            let values = matches.get_raw(setting.key).into_iter().flatten();
            let list = values.collect::<Vec<_>>().join(OsStr::new(","));
            let value = FlagValue::Value(list);
            let is_there = is_typed(setting.key);
            is_there
                .then(|| (index(setting.key), setting, value))
                .into_iter()
                .collect()
        }
        _ => {
            let indices = matches.indices_of(setting.key).into_iter().flatten();
            let values = matches.get_raw(setting.key).into_iter().flatten();
            let value = |value: &OsStr| {
                let name = value.to_str().and_then(own_name);
                FlagValue::Value(name.map_or_else(|| value.to_owned(), OsString::from))
            };
            let value = |raw: &OsStr| match setting.shape {
                Shape::Choice(_) => value(raw),
                _ => FlagValue::Value(raw.to_owned()),
            };
            indices
                .zip(values)
                .map(|(at, raw)| (at, setting, value(raw)))
                .collect()
        }
    }
}
