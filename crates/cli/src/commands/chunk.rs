//! `infiniloom chunk`: files in parts that fit a number of tokens.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::{Chunk, Control, Infiniloom, OutputFile};
use loom_settings::Group;
use loom_wire::{ChunkInfo, ChunksInfo};

use crate::chunk_output::{ChunkFormat, ChunkWriter};
use crate::error::CliError;
use crate::interrupt::{add_unfinished, set_finished};
use crate::library::{self, Opened};
use crate::numbers::{number, plural, size};
use crate::ui::Ui;
use crate::{flags, progress, sources};

const GROUPS: &[Group] = &[
    Group::Chunk,
    Group::Scan,
    Group::Model,
    Group::Privacy,
    Group::Secrets,
];

pub(super) fn command() -> Command {
    let command = Command::new("chunk")
        .about("Cut files into chunks that fit a number of tokens, as JSON lines")
        .long_about(
            "Cut files into chunks that fit a number of tokens, as JSON lines\n\nCode is cut where \
             functions and types end, documents at sections, conversations at messages, logs at \
             records. - is standard input.",
        )
        .after_help(
            "Examples:\n  infiniloom chunk src > chunks.jsonl\n  infiniloom chunk --tokens 512 --overlap 64 --strategy symbol\n  \
             infiniloom chunk docs --model qwen --format text\n  kubectl logs api | infiniloom chunk - --tokens 4k",
        )
        .args(sources::args())
        .arg(
            Arg::new("chunk-output")
                .long("output")
                .short('o')
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Write the chunks to FILE instead of standard output"),
        )
        .arg(
            Arg::new("answer-format")
                .long("format")
                .short('f')
                .value_name("FORMAT")
                .value_parser(["jsonl", "json", "text"])
                .default_value("jsonl")
                .help("A JSON object a line, one JSON document, or text for people"),
        );
    flags::with_settings(command, GROUPS)
}

pub(super) fn run(matches: &ArgMatches) -> Result<ExitCode, CliError> {
    let started = Instant::now();
    let paths = super::paths(matches);
    let is_piped = paths == [Path::new("-")];
    if !is_piped && paths.iter().any(|path| path == Path::new("-")) {
        let error = CliError::user("standard input cannot be cut together with paths");
        return Err(error.hint("name - alone, or ./- for a file of that name"));
    }
    let output = matches.get_one::<PathBuf>("chunk-output");
    let output = output.filter(|path| path.as_path() != Path::new("-"));
    let mut options = library::options(matches, GROUPS);
    if let Some(path) = output {
        options = options.output(path);
    }
    let engine = library::builder(matches, options).build()?;
    let ui = library::ui(&engine.settings());
    // Report invalid sizes before a remote is fetched.
    let checked = Chunk::new().check(&engine);
    checked.map_err(|error| CliError::from(error).told_by(ui))?;
    let control = library::control(ui);
    let opened = match is_piped {
        true => None,
        false => Some(sources::open(matches, &engine, ui, &control)?),
    };
    let ui = opened.as_ref().map_or(ui, |opened| opened.ui);
    let run = Run {
        engine,
        opened,
        output,
        ui,
        control,
    };
    run.write(matches, started)
        .map_err(|error| error.told_by(ui))?;
    Ok(ExitCode::SUCCESS)
}

struct Run<'a> {
    engine: Infiniloom,
    /// `None` for standard input.
    opened: Option<Opened>,
    output: Option<&'a PathBuf>,
    ui: Ui,
    control: Control,
}

impl Run<'_> {
    fn write(&self, matches: &ArgMatches, started: Instant) -> Result<(), CliError> {
        let format = match matches
            .get_one::<String>("answer-format")
            .map(String::as_str)
        {
            Some("json") => ChunkFormat::Json,
            Some("text") => ChunkFormat::Text,
            _ => ChunkFormat::Lines,
        };
        let Some(path) = self.output else {
            let out = io::BufWriter::with_capacity(1 << 18, io::stdout().lock());
            let mut writer = ChunkWriter::new(out, format);
            let info = self.pour(&mut writer)?;
            let written = writer.finish();
            written.map_err(|error| CliError::io("cannot write the result", &error))?;
            self.conclude(&writer, &info, started);
            return Ok(());
        };
        let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
        let file = OutputFile::create(path)?;
        let temporary = file.temporary_path().map(Path::to_owned);
        temporary.iter().for_each(|path| add_unfinished(path));
        let mut writer = ChunkWriter::new(file, format);
        let info = self.pour(&mut writer)?;
        writer.finish().map_err(failed)?;
        self.conclude(&writer, &info, started);
        writer.into_inner().finish()?;
        temporary.iter().for_each(|path| set_finished(path));
        Ok(())
    }

    fn pour(&self, writer: &mut ChunkWriter<impl Write>) -> Result<ChunksInfo, CliError> {
        let failed = |error: io::Error| CliError::io("cannot write the result", &error);
        let query = Chunk::new();
        let Some(opened) = &self.opened else {
            let info = query.run_text(&self.engine, &super::input_text("-")?)?;
            let mut chunks = info.chunks.iter();
            chunks
                .try_for_each(|chunk| writer.add(chunk))
                .map_err(failed)?;
            return Ok(info);
        };
        let snapshot = opened.snapshot()?;
        let mut broken = None;
        let show = |chunk: ChunkInfo| match writer.add(&chunk) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                broken = Some(error);
                ControlFlow::Break(())
            }
        };
        let info = progress::follow(self.ui, &self.control, |control| {
            query.for_each(&snapshot, control, show)
        });
        match broken {
            Some(error) => Err(failed(error)),
            None => Ok(info?),
        }
    }

    fn conclude(&self, writer: &ChunkWriter<impl Write>, info: &ChunksInfo, started: Instant) {
        let ui = self.ui;
        ui.tell(&info.notices);
        if ui.verbose > 0 {
            for left in &info.left_out {
                ui.say(&format!("{} is not cut: {}", left.path, left.detail));
            }
        }
        let secrets = info.notices.iter().find(|notice| notice.code == "secrets");
        if let Some(notice) = secrets {
            ui.say(&format!("{notice}; `infiniloom scan` names them"));
        }
        let chunks = plural(writer.chunks(), "chunk", "chunks");
        let files = plural(info.files, "file", "files");
        let took = started.elapsed().as_secs_f64();
        ui.say(&format!(
            "{chunks} of {files}, {}, {} tokens with what repeats, in {took:.2} s",
            size(info.bytes),
            number(writer.tokens()),
        ));
    }
}
