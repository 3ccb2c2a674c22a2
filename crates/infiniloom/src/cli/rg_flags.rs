//! Flags of `search` that people type because `rg` has them: those that mean the same here,
//! and what to type instead of the others.

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use loom_host::{Case, Expr, Language, Pattern, Query, RepoPath};

use super::error::CliError;

/// The flags that mean the same.
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
            .help("Only files that match this glob; with ! before it, none that do"),
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
        // Both are always shown.
        switch("line-number", 'n').hide(true),
        switch("with-filename", 'H').hide(true),
    ]
}

/// The languages of -t.
pub(super) fn languages(matches: &ArgMatches) -> Result<Vec<Language>, CliError> {
    let mut found = Vec::new();
    for word in matches.get_many::<String>("type").into_iter().flatten() {
        let of = languages_of(&word.to_lowercase());
        if of.is_empty() {
            let told = CliError::user(format!("no type {word}"));
            return Err(told.hint("--lang takes languages, -g globs such as '*.xyz'"));
        }
        found.extend(of);
    }
    Ok(found)
}

fn languages_of(word: &str) -> Vec<Language> {
    let ids: &[&str] = match word {
        "js" => &["javascript", "jsx"],
        "ts" => &["typescript", "tsx"],
        word => &[word],
    };
    let by_id: Vec<Language> = ids.iter().filter_map(|id| Language::from_id(id)).collect();
    if !by_id.is_empty() {
        return by_id;
    }
    let path = RepoPath::new(format!("x.{word}")).ok();
    let by_extension = path.and_then(|path| Language::detect(&path, ""));
    by_extension.into_iter().collect()
}

/// The query in the files that the globs of -g leave.
pub(super) fn within_globs(mut query: Query, matches: &ArgMatches, case: Case) -> Query {
    let globs = matches.get_many::<String>("glob").into_iter().flatten();
    let (without, with): (Vec<&str>, Vec<&str>) = globs
        .map(String::as_str)
        .partition(|glob| glob.starts_with('!'));
    let any = |globs: Vec<&str>| Expr::Or(globs.into_iter().map(|one| glob(one, case)).collect());
    if !with.is_empty() {
        query = query.within(any(with));
    }
    if !without.is_empty() {
        query = query.within(Expr::Not(Box::new(any(without))));
    }
    query
}

fn glob(text: &str, case: Case) -> Expr {
    let text = text.strip_prefix('!').unwrap_or(text);
    // A name without signs is a whole name too, and no part of one.
    let text = match text.contains(['*', '?', '[', '{']) {
        true => text.to_owned(),
        false => match text.rsplit_once('/') {
            Some((folders, name)) => format!("{folders}/{{{name}}}"),
            None => format!("{{{text}}}"),
        },
    };
    Expr::Path(Pattern {
        case,
        ..Pattern::literal(text)
    })
}

/// What to type instead of a flag of `rg` that is none here.
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
