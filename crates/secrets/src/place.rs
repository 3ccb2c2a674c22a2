//! Context of a text, derived from its path: whether values need quotes, and whether it is a test,
//! an example or a list of digests.

mod role;
mod texts;
mod value_file;

use crate::names::NameClass;
use crate::words::WordList;

/// Syntax and purpose of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextContext {
    pub(crate) syntax: Syntax,
    pub(crate) purpose: Purpose,
    pub(crate) layout: Layout,
    pub(crate) role: Role,
}

/// Reader of the text: decides whether a name by itself makes its value a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// A program reads settings from it: the value of a name for a secret is a secret.
    Config,
    /// A compiler or an interpreter: values without quotes are identifiers.
    Source,
    /// Source code in a file called `settings`: a name for a secret decides, unless the value is
    /// the name of something.
    Settings,
    /// People.
    #[default]
    Text,
    /// Something else.
    Other,
}

impl Role {
    /// Returns true if a compiler or an interpreter reads the text.
    pub(crate) fn is_program(self) -> bool {
        matches!(self, Self::Source | Self::Settings)
    }
}

/// Layout of the whole text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    #[default]
    Free,
    /// A first line with column names, then lines of fields.
    Table,
    /// PostgreSQL's password file.
    Pgpass,
    /// Tables in prose.
    Tables,
    /// Lines of `user:secret`: `.htpasswd`, the password maps of mail servers.
    Pairs,
    /// Lines whose third word is the secret: `chap-secrets`.
    Thirds,
    /// Lines of `"user" "secret"`: the users of PgBouncer.
    QuotedPairs,
    /// Lists of packages among settings: `package.json`, `Cargo.toml`.
    Manifest,
    /// Only one value, if the file name is accurate.
    Value(NameClass),
}

/// Syntax of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Strings have quotes.
    Code,
    /// A value extends to the end of its line.
    Settings,
    /// A value is one word.
    Shell,
    /// Prose.
    #[default]
    Prose,
    /// Hundreds of package digests.
    Digests,
}

/// Purpose of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    #[default]
    Plain,
    /// Tests and their data.
    Test,
    /// Examples and documentation.
    Example,
    /// Translated user interface texts.
    Translation,
    /// User interface texts that also contain keys: Android's `strings.xml`.
    Strings,
    /// A file that usually contains secrets.
    Keeper,
}

impl TextContext {
    /// Derives the context from a path, with `/` between directories.
    pub fn new(path: &str) -> Self {
        let lower = path.to_ascii_lowercase();
        let whole = lower.rsplit('/').next().unwrap_or(&lower);
        let name = configuration_beneath(&lower, whole).unwrap_or(whole);
        let is_record = name == "record" && lower.contains(".dist-info/");
        let syntax = match is_record {
            true => Syntax::Digests,
            false => syntax(name),
        };
        Self {
            syntax,
            purpose: purpose(&lower, whole),
            layout: layout(&lower, name),
            role: role::of(&lower, name, syntax),
        }
    }
}

/// Returns `values.yml` for `values.yml.j2`: a template of a config file counts as a config file.
/// Other templates are programs.
fn configuration_beneath<'a>(path: &str, name: &'a str) -> Option<&'a str> {
    let name = name.strip_suffix('~').unwrap_or(name);
    let (beneath, end) = name.rsplit_once('.')?;
    let is_template = matches!(
        end,
        "j2" | "jinja"
            | "jinja2"
            | "tmpl"
            | "tpl"
            | "gotmpl"
            | "erb"
            | "epp"
            | "ctmpl"
            | "template"
    ) || is_copy(end)
        // Some programs keep their settings in a form that a web server does not serve.
        || end == "php" && beneath.ends_with(".ini");
    let has_end = is_template && (beneath.contains('.') || beneath == "env");
    (has_end && role::of(path, beneath, syntax(beneath)) == Role::Config).then_some(beneath)
}

/// Suffixes of backup copies.
fn is_copy(end: &str) -> bool {
    const ENDS: WordList = WordList::new("dist bak old orig save backup copy");
    ENDS.has(end.trim_end_matches('~').as_bytes())
}

fn syntax(name: &str) -> Syntax {
    // Not a file: a message, a header.
    if name.starts_with('(') {
        return Syntax::Prose;
    }
    if is_digests(name) {
        return Syntax::Digests;
    }
    if name.starts_with(".env") || name.ends_with(".env") || is_requirements(name) {
        return Syntax::Settings;
    }
    if is_script(name) {
        return Syntax::Shell;
    }
    // Metadata of Python packages, which contains their README.
    if matches!(name, "metadata" | "pkg-info") {
        return Syntax::Prose;
    }
    match name
        .rsplit_once('.')
        .map_or(name, |(_, extension)| extension)
    {
        "rs" | "py" | "pyi" | "pyx" | "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "go"
        | "java" | "kt" | "kts" | "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "cs" | "rb"
        | "erb" | "php" | "swift" | "scala" | "m" | "mm" | "dart" | "ex" | "exs" | "erl" | "hs"
        | "ml" | "clj" | "lua" | "pl" | "pm" | "r" | "jl" | "groovy" | "gradle" | "vue"
        | "svelte" | "sol" | "zig" | "nim" | "fs" | "vb" | "json" | "jsonc" | "json5" | "har"
        | "tf" | "hcl" | "proto" | "graphql" | "ipynb" | "jsp" | "aspx" | "cshtml" | "coffee"
        | "ps1" | "psm1" | "sql" | "css" | "scss" | "less" | "feature" | "tfvars" | "tfstate"
        | "bicep" | "sbt" | "inc" | "phtml" | "asm" | "s" | "v" | "sv" | "vhd" | "y" | "l"
        | "g4" | "wat" | "pest" | "lalrpop" | "fbs" | "thrift" | "wgsl" | "glsl" | "hlsl"
        | "cu" | "cuh" | "tcl" | "lisp" | "el" | "scm" | "rkt" | "purs" | "elm" | "mts" | "cts"
        | "mustache" | "hbs" | "ejs" | "snap" | "map" | "f90" | "pas" | "ada" | "d" | "cr"
        | "pxd" | "in" | "tmpl" | "j2" | "ipp" | "inl" | "tcc" | "def" | "td" | "ll" | "mod"
        | "star" | "bzl" | "rkyv" => Syntax::Code,
        "yml" | "yaml" | "ini" | "cfg" | "conf" | "config" | "cnf" | "properties" | "props"
        | "env" | "envrc" | "npmrc" | "pypirc" | "netrc" | "pgpass" | "credentials" | "service"
        | "desktop" | "plist" | "xml" | "xaml" | "resx" | "htpasswd" | "s3cfg" | "boto"
        | "dockercfg" | "toml" => Syntax::Settings,
        "sh" | "bash" | "zsh" | "fish" | "csh" | "tcsh" | "ksh" | "bat" | "cmd" | "dockerfile"
        | "containerfile" | "makefile" | "mk" | "jenkinsfile" | "vagrantfile" | "procfile"
        | "expect" => Syntax::Shell,
        "md" | "markdown" | "mdx" | "rst" | "txt" | "text" | "adoc" | "asciidoc" | "html"
        | "htm" | "tex" | "org" | "csv" | "tsv" | "log" | "po" | "pot" | "readme" | "license"
        | "changelog" | "authors" | "contributing" | "copying" | "notice" | "todo" | "news"
        | "changes" | "eml" | "mbox" | "msg" | "email" => Syntax::Prose,
        // Most files of another kind are read by some program.
        _ => Syntax::Settings,
    }
}

/// Matches `Dockerfile.dev`, `Makefile.am`, but not `dockerfile-highlighter.js`.
fn is_script(name: &str) -> bool {
    const SCRIPTS: WordList =
        WordList::new("dockerfile containerfile makefile jenkinsfile vagrantfile procfile");
    const PROGRAMS: WordList =
        WordList::new("js mjs cjs ts mts cts jsx tsx py rs go java rb php c h cc cpp cs map json");
    let extension = name.rsplit('.').next().unwrap_or(name);
    let begins = |begin: &[u8]| name.as_bytes().starts_with(begin);
    let is_history = name.starts_with('.') && name.ends_with("_history");
    is_history || SCRIPTS.iter().any(begins) && !PROGRAMS.has(extension.as_bytes())
}

/// Returns true for lists of packages with their URLs.
fn is_requirements(name: &str) -> bool {
    let is_list = name.starts_with("requirements") || name.starts_with("constraints");
    is_list && name.ends_with(".txt")
}

fn layout(path: &str, name: &str) -> Layout {
    if role::is_manifest(name) {
        return Layout::Manifest;
    }
    let by_end = match name.rsplit('.').next() {
        Some("csv" | "tsv" | "tab" | "psv") => Layout::Table,
        Some("pgpass") => Layout::Pgpass,
        Some("md" | "markdown" | "mdx" | "rst" | "txt" | "adoc" | "html" | "htm") => Layout::Tables,
        Some("htpasswd" | "sasl_passwd" | "passwd") => Layout::Pairs,
        Some("chap-secrets" | "pap-secrets") => Layout::Thirds,
        _ if name == "readme" => Layout::Tables,
        _ => Layout::Free,
    };
    match by_end {
        Layout::Free | Layout::Tables if name == "pgpass.conf" || name.starts_with(".pgpass.") => {
            Layout::Pgpass
        }
        Layout::Free | Layout::Tables if is_user_file(name) => Layout::Pairs,
        Layout::Tables if name == "userlist.txt" => Layout::QuotedPairs,
        Layout::Free | Layout::Tables => {
            value_file::promise(path, name).map_or(by_end, Layout::Value)
        }
        _ => by_end,
    }
}

fn is_digests(name: &str) -> bool {
    const NAMES: WordList = WordList::new(
        ".cargo-checksum.json cargo.lock composer.lock flake.lock gemfile.lock go.sum go.work.sum \
         gradle.lockfile mix.lock npm-shrinkwrap.json package-lock.json \
         packages.lock.json pdm.lock pipfile.lock pnpm-lock.yaml podfile.lock \
         poetry.lock pubspec.lock uv.lock yarn.lock sha256sums sha512sums md5sums \
         checksums.txt package.resolved deno.lock bun.lock .terraform.lock.hcl",
    );
    NAMES.has(name.as_bytes())
        || [
            ".sha256", ".sha512", ".sha1", ".md5", ".sum", ".asc", ".sig",
        ]
        .iter()
        .any(|end| name.ends_with(end))
}

fn purpose(path: &str, name: &str) -> Purpose {
    const TESTS: WordList = WordList::new(
        "test tests testing spec specs testdata fixture fixtures __tests__ mock \
         mocks e2e unittest unittests cassettes testutil integration stubs \
         benchmark benchmarks bench fuzz vectors test-vectors \
         test_vectors testvectors",
    );
    const EXAMPLES: WordList = WordList::new(
        "example examples sample samples demo demos doc docs tutorial tutorials \
         guide guides documentation site-docs changelogs",
    );
    const EXAMPLE_WORDS: WordList =
        WordList::new("example examples sample samples template dist tmpl");
    let folders = || path.split('/').rev().skip(1);
    let stem = name.split('.').next().unwrap_or(name);
    let words = || name.split(['.', '-', '_']);
    if let Some(purpose) = texts::purpose(path, name) {
        return purpose;
    }
    let is_test = folders().any(|folder| TESTS.has(folder.as_bytes()))
        || words().any(|word| {
            matches!(
                word,
                "test" | "tests" | "spec" | "mock" | "fixture" | "vectors"
            )
        })
        || stem.ends_with("tests")
        || stem.starts_with("test");
    if is_test {
        return Purpose::Test;
    }
    let is_example = folders().any(|folder| EXAMPLES.has(folder.as_bytes()))
        || words().any(|word| EXAMPLE_WORDS.has(word.as_bytes()))
        || matches!(
            name.rsplit('.').next(),
            Some("md" | "rst" | "adoc" | "mdx" | "html" | "htm" | "tex" | "metadata" | "pkg-info")
        );
    if is_example {
        return Purpose::Example;
    }
    match is_keeper(name) {
        true => Purpose::Keeper,
        false => Purpose::Plain,
    }
}

/// Matches `.htpasswd.staging`, `htpasswd-admin`: a file of users and passwords. In `htpasswd.js`, a
/// program tests such a file.
fn is_user_file(name: &str) -> bool {
    let name = name.trim_start_matches('.');
    let rest = ["htpasswd", "passwd-s3fs"]
        .iter()
        .find_map(|begin| name.strip_prefix(begin));
    const FORMATS: WordList =
        WordList::new("md markdown mdx rst adoc html htm yml yaml toml xml ini properties csv tsv");
    let end = name.rsplit('.').next().unwrap_or_default();
    let has_format = matches!(syntax(name), Syntax::Code | Syntax::Shell);
    let is_plain = || !has_format && !FORMATS.has(end.as_bytes());
    rest.is_some_and(|rest| !rest.contains('.') || is_plain())
}

/// Returns true for a file that usually contains secrets.
fn is_keeper(name: &str) -> bool {
    const NAMES: WordList = WordList::new(
        ".netrc _netrc .npmrc .pypirc .pgpass pgpass.conf .htpasswd credentials secrets.yml secrets.yaml \
         secrets.json secrets.toml .dockercfg credentials.json id_rsa id_dsa id_ecdsa id_ed25519 \
         .s3cfg .git-credentials master.key terraform.tfvars .boto",
    );
    name.starts_with(".env") || name.ends_with(".env") || NAMES.has(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_users_and_passwords() {
        for (path, expected) in [
            (".htpasswd", true),
            ("conf/htpasswd", true),
            ("data/htpasswd-test", true),
            ("conf/.htpasswd.staging", true),
            ("users.htpasswd", true),
            ("test/htpasswd.js", false),
            ("docs/htpasswd.md", false),
            ("htpasswd.py", false),
            ("htpasswd.yml", false),
            ("htpasswd.sh", false),
        ] {
            assert_eq!(
                TextContext::new(path).layout == Layout::Pairs,
                expected,
                "{path}"
            );
        }
    }

    #[test]
    fn paths_determine_the_context() {
        for (path, syntax, purpose) in [
            ("src/main.rs", Syntax::Code, Purpose::Plain),
            ("a/tests/b.py", Syntax::Code, Purpose::Test),
            ("pkg/server_test.go", Syntax::Code, Purpose::Test),
            ("src/LoginTests.java", Syntax::Code, Purpose::Test),
            (".env", Syntax::Settings, Purpose::Keeper),
            (".env.example", Syntax::Settings, Purpose::Example),
            ("go.sum", Syntax::Digests, Purpose::Plain),
            ("README.md", Syntax::Prose, Purpose::Example),
            ("Dockerfile", Syntax::Shell, Purpose::Plain),
            ("values.yml.j2", Syntax::Settings, Purpose::Plain),
            ("index.html.erb", Syntax::Code, Purpose::Plain),
            ("contest/latest.yaml", Syntax::Settings, Purpose::Plain),
        ] {
            let place = TextContext::new(path);
            assert_eq!((place.syntax, place.purpose), (syntax, purpose), "{path}");
        }
    }
}
