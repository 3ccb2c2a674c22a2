//! Flags of `search` that people type because `rg` has them: those that mean the same here,
//! and what to type instead of the others.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use infiniloom::host::{Expr, Globs, Language, Query, RepoPath, Source};

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
        // Both are always shown.
        switch("line-number", 'n').hide(true),
        switch("with-filename", 'H').hide(true),
    ]
}

/// What -t says of a file.
pub(super) fn types(matches: &ArgMatches) -> Result<Vec<Expr>, CliError> {
    let mut found = Vec::new();
    for word in matches.get_many::<String>("type").into_iter().flatten() {
        let of = type_of(&word.to_lowercase());
        if of.is_empty() {
            let told = CliError::user(format!("no type {word}"));
            return Err(told.hint("--lang takes languages, -g globs such as '*.xyz'"));
        }
        found.extend(of);
    }
    Ok(found)
}

/// Types that are several languages of ours, or one under another name.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("bazel", &["starlark"]),
    ("config", &["ini"]),
    ("container", &["dockerfile"]),
    ("css", &["css", "scss"]),
    ("docker", &["dockerfile"]),
    ("elisp", &["lisp"]),
    ("js", &["javascript", "jsx", "vue"]),
    ("md", &["markdown", "mdx"]),
    ("protobuf", &["proto"]),
    ("ps", &["powershell"]),
    ("sass", &["sass", "scss"]),
    ("ts", &["typescript", "tsx"]),
    ("typescript", &["typescript", "tsx"]),
    ("vimscript", &["vim"]),
];

/// Types that are no language of ours, or more than its files.
const ENDINGS: &[(&str, &[&str])] = &[
    ("asciidoc", &["*.adoc", "*.asciidoc"]),
    ("coffeescript", &["*.coffee"]),
    ("cpp", &["*.h"]),
    ("flatbuffers", &["*.fbs"]),
    ("gradle", &["*.gradle.kts", "gradlew"]),
    ("h", &["*.h", "*.hh", "*.hpp"]),
    ("license", &["LICEN[CS]E*", "COPYING*", "NOTICE*"]),
    ("lock", &["*.lock", "package-lock.json"]),
    ("m4", &["*.m4", "*.ac"]),
    ("org", &["*.org"]),
    ("readme", &["README*"]),
    ("robot", &["*.robot"]),
    ("spec", &["*.spec"]),
    ("stylus", &["*.styl"]),
    (
        "systemd",
        &["*.service", "*.socket", "*.timer", "*.target", "*.mount"],
    ),
    ("thrift", &["*.thrift"]),
    ("yacc", &["*.y"]),
    ("yang", &["*.yang"]),
];

fn type_of(word: &str) -> Vec<Expr> {
    let listed = |table: &'static [(&str, &'static [&'static str])]| {
        let entry = table.iter().find(|(name, _)| *name == word);
        entry.map_or(&[][..], |(_, list)| *list)
    };
    let ids = listed(LANGUAGES).iter().copied();
    let mut found: Vec<Language> = ids.filter_map(Language::from_id).collect();
    if found.is_empty() {
        let path = RepoPath::new(format!("x.{word}")).ok();
        let by_ending = || path.and_then(|path| Language::detect(&path, ""));
        found.extend(Language::from_id(word).or_else(by_ending));
    }
    let languages = found.iter().map(|one| Expr::Language(one.id().to_owned()));
    let endings = listed(ENDINGS);
    let globs = (!endings.is_empty()).then(|| {
        Expr::Globs(Globs {
            list: endings.iter().map(|one| (*one).to_owned()).collect(),
            ..Globs::default()
        })
    });
    languages.chain(globs).collect()
}

/// The query in the files that the globs of -g leave, which count from the working folder.
pub(super) fn within_globs(query: Query, matches: &ArgMatches, source: &Source) -> Query {
    let globs = matches.get_many::<String>("glob").into_iter().flatten();
    let list: Vec<String> = globs.cloned().collect();
    if list.is_empty() {
        return query;
    }
    let (here, top) = working_folder(source).unwrap_or_default();
    query.within(Expr::Globs(Globs { list, here, top }))
}

/// What the working folder is called from the top, and the top from there.
fn working_folder(source: &Source) -> Option<(String, String)> {
    let roots: Vec<&Path> = source.roots().collect();
    let [root] = roots.as_slice() else {
        return None;
    };
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    let name = |path: &Path| match path.to_str() {
        Some("") | None => String::new(),
        Some(path) => format!("{path}/"),
    };
    match (here.strip_prefix(root), root.strip_prefix(&here)) {
        (Ok(inside), _) => Some((name(inside), String::new())),
        (_, Ok(below)) => Some((String::new(), name(below))),
        _ => None,
    }
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
