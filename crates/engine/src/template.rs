//! A user's template in place of a format. The template writes its output as it runs and fetches
//! the text of a file on demand, so that only one file is in memory at a time. It sees only the
//! data it gets: without a loader it cannot include files.

use std::io;
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value, context};

use crate::template_files::{Files, TextSource};
use crate::{FileMeta, Overview};

/// A parsed template.
#[derive(Clone, Debug)]
pub struct Template {
    environment: Arc<Environment<'static>>,
    name: String,
    /// Quoted in messages.
    source: Arc<str>,
}

/// Failure of a template or of its output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// The template cannot be parsed, or uses an unknown name.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The template as the user named it.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The problem.
        what: String,
    },
    /// The output could not be written.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
}

impl Template {
    /// Parses `source`; `name` is for messages.
    ///
    /// # Errors
    /// If `source` is not a valid template.
    pub fn parse(name: &str, source: &str) -> Result<Self, TemplateError> {
        let mut environment = environment().map_err(|error| explain(error, name, source))?;
        environment
            .add_template_owned(name.to_owned(), source.to_owned())
            .map_err(|error| explain(error, name, source))?;
        Ok(Self {
            environment: Arc::new(environment),
            name: name.to_owned(),
            source: source.into(),
        })
    }

    /// Writes the pack of `files` to `out`. `texts` supplies their texts by position.
    ///
    /// # Errors
    /// If the template uses an unknown name, or `out` fails.
    pub fn render<'a>(
        &self,
        overview: &Overview,
        files: impl IntoIterator<Item = &'a FileMeta>,
        texts: impl TextSource + 'static,
        out: &mut dyn io::Write,
    ) -> Result<(), TemplateError> {
        let files = files.into_iter().map(FileMeta::to_wire).collect();
        let files = Value::from_object(Files::new(files, Box::new(texts)));
        let explained = |error| explain(error, &self.name, &self.source);
        let template = self.environment.get_template(&self.name);
        let template = template.map_err(explained)?;
        let written = template.render_captured_to(data(overview, &files), out);
        written.map(|_| ()).map_err(explained)
    }
}

fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    // A line with only a tag leaves no blank line, and the last newline stays.
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()?,
    );
    // Escaping must not depend on the name of the template file.
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_debug(true);
    Ok(environment)
}

fn data(overview: &Overview, files: &Value) -> Value {
    let statistics = overview.to_wire();
    let languages = statistics.languages.iter().map(|share| {
        context! { name => share.name.as_str(), files => share.files, lines => share.lines, tokens => share.tokens }
    });
    let left_out = statistics
        .left_out
        .iter()
        .map(|share| context! { reason => share.reason.as_str(), count => share.count, directories => share.directories });
    let sections = overview.sections.iter().map(|section| {
        context! {
            kind => section.kind().name(),
            title => section.title(),
            repository => section.repository(),
            text => section.text(),
        }
    });
    let revisions = statistics.revisions.iter().map(|revision| {
        context! { tree => revision.tree.as_deref(), name => revision.name.as_str(), commit => revision.commit.as_str() }
    });
    context! {
        name => overview.name.as_str(),
        statistics => context! {
            files => overview.files,
            lines => overview.lines,
            bytes => overview.bytes,
            tokens => overview.tokens,
            vocabulary => overview.tokenizer.label(),
        },
        languages => languages.collect::<Vec<_>>(),
        left_out => left_out.collect::<Vec<_>>(),
        revisions => revisions.collect::<Vec<_>>(),
        tree => overview.tree.to_text(),
        header => overview.guidance.header(),
        instructions => overview.guidance.instructions(),
        marks => overview.explanation(),
        sections => sections.collect::<Vec<_>>(),
        files => files,
    }
}

fn explain(error: Error, name: &str, source: &str) -> TemplateError {
    if error.kind() == ErrorKind::WriteFailure {
        let cause = std::error::Error::source(&error);
        let kind = cause.and_then(|cause| cause.downcast_ref::<io::Error>());
        let kind = kind.map_or(io::ErrorKind::Other, io::Error::kind);
        return TemplateError::Write(io::Error::new(kind, error));
    }
    let mut what = error.kind().to_string();
    if let Some(detail) = error.detail() {
        what = format!("{what}: {detail}");
    }
    let place = error.range().and_then(|range| source.get(range));
    if let Some(place) = place.filter(|place| !place.is_empty() && !place.contains('\n')) {
        what = format!("{what}, at `{place}`");
    }
    TemplateError::Wrong {
        file: name.to_owned(),
        line: error.line().unwrap_or(1),
        what,
    }
}

#[cfg(test)]
mod tests {
    use loom_base::{ContentHash, RepoPath};
    use loom_models::Vocabulary;

    use super::*;
    use crate::{FileText, describe};

    struct Numbered;

    impl TextSource for Numbered {
        fn text(&self, position: usize) -> Option<FileText> {
            Some(FileText {
                text: format!("text <{position}>\n"),
                note: (position == 1).then(|| "odd".to_owned()),
            })
        }
    }

    fn render(source: &str) -> Result<String, TemplateError> {
        let file = |path| {
            let hash = ContentHash::from_bytes([0; 32]);
            let path = RepoPath::new(path).unwrap();
            describe(path, "fn a() {}\n", hash, Vocabulary::O200kBase)
        };
        let files = [file("a.rs"), file("b/c.rs")];
        let overview = Overview::new("demo", Vocabulary::O200kBase, &files, Vec::new());
        let mut out = Vec::new();
        Template::parse("t.txt", source)?.render(&overview, &files, Numbered, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn check(source: &str, expected: &str) {
        assert_eq!(render(source).unwrap(), expected);
    }

    fn check_wrong(source: &str, line: usize, what: &str) {
        match render(source).unwrap_err() {
            TemplateError::Wrong {
                file,
                line: at,
                what: said,
            } => {
                assert_eq!((file.as_str(), at), ("t.txt", line), "{said}");
                assert!(said.contains(what), "{said}");
            }
            error => panic!("{error}"),
        }
    }

    #[test]
    fn data() {
        check(
            "{{ name }} {{ statistics.files }} {{ languages[0].name }}\n",
            "demo 2 Rust\n",
        );
        check("{{ tree }}", "a.rs 4\nb/ 4\n c.rs 4\n");
        check("{{ header is none }} {{ left_out|length }}", "True 0");
    }

    #[test]
    fn files() {
        check(
            "{% for file in files %}\n{{ file.path }} {{ file.note or '-' }}: {{ file.content }}{% endfor %}\n",
            "a.rs -: text <0>\nb/c.rs odd: text <1>\n",
        );
        check("{{ files|length }} {{ files[1].language }}", "2 rust");
        check("{{ files[0].content|escape }}", "text &lt;0&gt;\n");
        check(
            "{{ files[0].content|tojson }}",
            "\"text \\u003c0\\u003e\\n\"",
        );
    }

    #[test]
    fn wrong_templates() {
        check_wrong("a\n{% for %}", 2, "syntax error");
        check_wrong("a\nb\n{{ nmae }}", 3, "`nmae`");
        check_wrong(
            "{% for f in files %}\n{{ f.langauge }}\n{% endfor %}",
            2,
            "f.langauge",
        );
        check_wrong("{{ name|shout }}", 1, "shout");
        check_wrong("{% include '/etc/passwd' %}", 1, "");
    }

    #[test]
    fn a_closed_output_is_not_the_template_s_fault() {
        let template = Template::parse("t", "x").unwrap();
        let overview = Overview::new("demo", Vocabulary::O200kBase, [], Vec::new());
        let mut full: &mut [u8] = &mut [];
        let error = template
            .render(&overview, [], Numbered, &mut full)
            .unwrap_err();
        assert!(
            matches!(error, TemplateError::Write(cause) if cause.kind() == io::ErrorKind::WriteZero)
        );
    }
}
