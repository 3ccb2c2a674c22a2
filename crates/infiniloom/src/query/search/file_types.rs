//! File types, named as in `rg`: languages, extensions, and sets of names.

use loom_host::{Expr, Globs, Language, RepoPath};

/// Types with several languages, or with another name for one.
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

/// Types without a language, or with more files than it has.
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

/// Returns the files of a type; empty if the type is unknown.
pub(super) fn type_of(word: &str) -> Vec<Expr> {
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
