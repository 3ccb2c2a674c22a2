//! The second pass: formats, counts of the output, templates, changed files and failures.

use std::fs;
use std::io::{self, Write};

use loom_host::{
    Cancel, Format, Guidance, NoProgress, PackError, PackOptions, PackRun, Template, count, report,
};
use loom_testkit::{Sandbox, odd_tree};

use crate::fixture::{Meddling, files_of, pack, packer, survey, write};

fn odd() -> Sandbox {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    sandbox
}

#[test]
fn counts_are_those_of_the_written_bytes_in_every_format() {
    let sandbox = odd();
    for (name, format) in Format::ALL {
        for line_numbers in [false, true] {
            let options = PackOptions {
                format: *format,
                line_numbers,
                ..PackOptions::default()
            };
            let packer = packer(&sandbox, options.clone());
            let (text, written) = write(&packer, &survey(&packer));
            assert_eq!(written.bytes, text.len(), "{name}");
            assert_eq!(written.tokens, count(&text, &options.model), "{name}");
            assert!(written.changed.is_empty(), "{name}");
        }
    }
}

#[test]
fn texts_of_the_pack_are_those_of_the_files() {
    let sandbox = Sandbox::new();
    let texts = [
        ("a.txt", "plain\n"),
        ("b.txt", "no end"),
        ("c.txt", ""),
        ("d.txt", "crlf\r\nlines\r\n"),
        ("e.xml", "]]> <![CDATA[ </file>\n"),
        ("f.md", "```\n````\n"),
    ];
    for (path, text) in texts {
        sandbox.write(path, text);
    }
    let options = PackOptions {
        format: Format::Json,
        ..PackOptions::default()
    };
    let files = files_of(&pack(&sandbox, options));
    assert_eq!(files.len(), texts.len());
    for (path, text) in texts {
        assert_eq!(files[path], text, "{path}");
    }
}

#[test]
fn line_numbers_are_those_of_the_file() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\ntwo\nthree");
    let options = PackOptions {
        format: Format::Json,
        line_numbers: true,
        ..PackOptions::default()
    };
    let files = files_of(&pack(&sandbox, options));
    let lines: Vec<&str> = files["a.txt"].lines().map(str::trim_start).collect();
    assert_eq!(lines, ["1: one", "2: two", "3: three"]);
}

/// Fails at the given byte.
struct Failing(usize);

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(bytes.len()) {
            Some(left) => {
                self.0 = left;
                Ok(bytes.len())
            }
            None => Err(io::Error::other("the disk is full")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {
            0 => Err(io::Error::other("the disk is full")),
            _ => Ok(()),
        }
    }
}

#[test]
fn failing_output_is_an_error_wherever_it_fails() {
    let sandbox = odd();
    let template = Template::parse("t", "{% for f in files %}{{ f.content }}{% endfor %}").unwrap();
    for template in [None, Some(template)] {
        let options = PackOptions {
            template,
            ..PackOptions::default()
        };
        let packer = packer(&sandbox, options);
        let survey = survey(&packer);
        let whole = write(&packer, &survey).0.len();
        for room in [0, 1, whole / 2, whole - 1, whole] {
            let mut out = Failing(room);
            let result =
                PackRun::new(&packer, &NoProgress, &Cancel::new()).write(&survey, &mut out);
            assert!(
                matches!(result, Err(PackError::Write(_))),
                "{room} of {whole}"
            );
        }
    }
}

#[test]
fn cancelled_write_is_an_error() {
    let sandbox = odd();
    let template = Template::parse("t", "{% for f in files %}{{ f.content }}{% endfor %}").unwrap();
    for template in [None, Some(template)] {
        let options = PackOptions {
            template,
            ..PackOptions::default()
        };
        let packer = packer(&sandbox, options);
        let survey = survey(&packer);
        let meddling = Meddling::cancelling(2);
        let result =
            PackRun::new(&packer, &meddling, &meddling.cancel).write(&survey, &mut io::sink());
        assert!(matches!(result, Err(PackError::Cancelled)));
    }
}

#[test]
fn template_is_rendered_and_counted() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "one\ntwo\n")
        .write("b.txt", "three\n");
    let text = "{% for f in files %}<{{ f.path }}>\n{{ f.content }}{% endfor %}end\n";
    for (line_numbers, expected) in [
        (false, "<a.txt>\none\ntwo\n<b.txt>\nthree\nend\n"),
        (true, "<a.txt>\n1: one\n2: two\n<b.txt>\n1: three\nend\n"),
    ] {
        let options = PackOptions {
            template: Some(Template::parse("t", text).unwrap()),
            line_numbers,
            ..PackOptions::default()
        };
        let packer = packer(&sandbox, options.clone());
        let (text, written) = write(&packer, &survey(&packer));
        assert_eq!(text, expected);
        assert_eq!(written.tokens, count(&text, &options.model));
        assert_eq!(options.format_name(), "template");
    }
}

#[test]
fn template_with_an_unknown_name_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    let options = PackOptions {
        template: Some(Template::parse("t", "{{ nothing.of.this }}").unwrap()),
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options);
    let result =
        PackRun::new(&packer, &NoProgress, &Cancel::new()).write(&survey(&packer), &mut io::sink());
    assert!(matches!(result, Err(PackError::Template(_))));
}

/// More text than is kept in memory is read again when it is written.
#[test]
fn template_writes_changed_files_in_their_new_state() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "first\n").write("b.txt", "first\n");
    let text = "{% for f in files %}{{ f.path }} {{ f.content }}{% endfor %}";
    let options = PackOptions {
        template: Some(Template::parse("t", text).unwrap()),
        keeps_text: false,
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options);
    let survey = survey(&packer);
    sandbox.write("b.txt", "the second text\n");
    let (text, written) = write(&packer, &survey);
    assert_eq!(text, "a.txt first\nb.txt the second text\n");
    assert_eq!(written.changed, ["b.txt"]);
}

#[test]
fn guidance_stands_in_the_head_of_every_format() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    for (name, format) in Format::ALL {
        let options = PackOptions {
            format: *format,
            guidance: Guidance::NONE
                .with_header("for you")
                .with_instructions("be brief\n"),
            ..PackOptions::default()
        };
        let text = pack(&sandbox, options);
        assert!(
            text.contains("for you") && text.contains("be brief"),
            "{name}: {text}"
        );
    }
}

/// The report describes the run that was written, not the one that was planned.
#[test]
fn report_names_changed_files_and_the_size_of_the_output() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.txt", "one\n")
        .write("b.txt", "two\n")
        .write("c.bin", "\0");
    let options = PackOptions {
        keeps_text: false,
        ..PackOptions::default()
    };
    let packer = packer(&sandbox, options.clone());
    let survey = survey(&packer);
    fs::remove_file(sandbox.path("b.txt")).unwrap();
    let (text, written) = write(&packer, &survey);
    let report = report(&options, &survey, &written, vec!["careful".to_owned()]);
    assert_eq!(
        (report.output.bytes, report.output.format.as_str()),
        (text.len(), "xml")
    );
    assert_eq!(report.output.tokens, count(&text, &options.model).likely());
    assert!(!report.output.estimated);
    assert_eq!(report.changed, ["b.txt"]);
    assert_eq!(report.warnings, ["careful"]);
    assert_eq!(report.files.len(), 2);
    assert_eq!(report.left_out[0].path, "c.bin");
    assert_eq!(
        (
            report.left_out[0].reason.as_str(),
            report.left_out[0].is_dir
        ),
        ("binary", false)
    );
    assert_eq!(report.secrets.mode, "redact");
}
