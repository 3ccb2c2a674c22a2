//! Flags of `search` that people know from `rg`: those with the same meaning, and the replacements
//! for the others.

use clap::{Arg, ArgAction, value_parser};

/// Returns the flags with the same meaning.
pub(super) fn args() -> [Arg; 7] {
    let list = |name: &'static str, short: char| {
        let arg = Arg::new(name).long(name).short(short);
        arg.action(ArgAction::Append)
    };
    let switch = |name: &'static str, short: char| {
        let arg = Arg::new(name).long(name).short(short);
        arg.action(ArgAction::SetTrue)
    };
    [
        list("regexp", 'e')
            .value_name("PATTERN")
            .allow_hyphen_values(true)
            .conflicts_with_all(["ask", "rank"])
            .help("Find lines that match this expression; may be given again, and any may match"),
        list("glob", 'g')
            .value_name("GLOB")
            .help("Only files that match this glob, told from here; with ! before it, none that do; the last that matches decides"),
        list("type", 't')
            .value_name("TYPE")
            .help("Only files of this type, by a language or an extension: py, ts, rust"),
        Arg::new("max-count")
            .long("max-count")
            .short('m')
            .value_name("N")
            .value_parser(value_parser!(usize))
            .help("Show at most N lines of each file"),
        switch("case-sensitive", 's')
            .overrides_with_all(["ignore-case", "smart-case"])
            .help("Find the case as written, which is the default"),
        // The output always contains both.
        switch("line-number", 'n').hide(true),
        switch("with-filename", 'H').hide(true),
    ]
}

/// Returns the replacement for a flag of `rg` that does not exist here.
pub(super) fn instead_of(flag: &str) -> Option<&'static str> {
    Some(match flag {
        "-v" | "--invert-match" => {
            "lines that do not match are not shown; -WORD in a query means files without it, \
             --not-in paths; --verbose is written out"
        }
        "-T" | "--type-not" => "-lang:NAME in a query leaves a language out",
        "-o" | "--only-matching" => "--format json has the places of matches in each line",
        "-u" | "-uu" | "-uuu" | "--unrestricted" | "--hidden" | "-." => {
            "--no-ignore reads what ignore files leave out; files with a dot are read"
        }
        "-L" | "--files-without-match" => "-WORD in a query means files without it; -l their paths",
        "--json" => "--format json",
        "--files" => "path:PART as the query lists files",
        "--sort-files" | "--sortr" => "--sort path is the default, --sort score the best first",
        "-N" | "--no-line-number" => "--format json has each part of a line by itself",
        "-U" | "--multiline" => "lines are searched one by one; `word other` finds files with both",
        "-P" | "--pcre2" => "expressions are those of `rg` without -P",
        "-x" | "--line-regexp" => "--regex '^PATTERN$'",
        "-d" | "--max-depth" => "--in takes a glob, such as '*/*'",
        _ => return None,
    })
}
