//! `infiniloom chunk`: files in parts that fit a number of tokens.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use infiniloom::host::{
    Cancel, ChunkOptions, ChunksTold, FileChunks, HistoryOptions, OutputFile, Packer, RepoPath,
    Source, apply_calibration, chunk_options, pack_options,
};
use loom_settings::{Group, Resolved};

use crate::chunk_output::{ChunkFormat, ChunkWriter};
use crate::error::CliError;
use crate::interrupt::{add_unfinished, cancel_on_interrupt, set_finished};
use crate::numbers::{number, plural, size};
use crate::outputs::Outputs;
use crate::progress::ProgressLine;
use crate::ui::Ui;
use crate::{flags, sources};

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
    let cancel = cancel_on_interrupt();
    let paths = super::paths(matches);
    let is_piped = paths == [Path::new("-")];
    if !is_piped && paths.iter().any(|path| path == Path::new("-")) {
        let error = CliError::user("standard input cannot be cut together with paths");
        return Err(error.hint("name - alone, or ./- for a file of that name"));
    }
    let config = super::config::config_files(matches);
    let layer = || flags::layer(matches, GROUPS);
    let users = config.resolve(None, layer())?;
    let ui = Ui::new(&users.settings().ui);
    // Wrong sizes are told before anything is fetched.
    chunk_options(&users).map_err(|error| CliError::from(error).told_by(ui))?;
    let (source, resolved) = match is_piped {
        true => (Source::join(Vec::new()), users),
        false => {
            let source = sources::open(matches, &cancel, ui).map_err(|error| error.told_by(ui))?;
            let resolved = super::config::resolve(matches, Some(&source), layer())?;
            (source, resolved)
        }
    };
    let ui = Ui::new(&resolved.settings().ui);
    let output = matches.get_one::<PathBuf>("chunk-output");
    let output = output.filter(|path| path.as_path() != Path::new("-"));
    let run = Run::new(source, &resolved, output, ui, cancel)?;
    run.write(matches, is_piped, started)
        .map_err(|error| error.told_by(ui))?;
    Ok(ExitCode::SUCCESS)
}

struct Run {
    packer: Packer,
    options: ChunkOptions,
    output: Option<PathBuf>,
    ui: Ui,
    cancel: Cancel,
}

impl Run {
    fn new(
        source: Source,
        resolved: &Resolved,
        output: Option<&PathBuf>,
        ui: Ui,
        cancel: Cancel,
    ) -> Result<Self, CliError> {
        let options = chunk_options(resolved)?;
        let mut outputs = Outputs::locate(resolved.settings(), &source).all();
        outputs.extend(output.cloned());
        let mut pack = pack_options(resolved, &outputs)?;
        // Nothing of what git knows is shown, only what did not change is left out.
        pack.history = HistoryOptions {
            changed: pack.history.changed.take(),
            ..HistoryOptions::default()
        };
        let note = apply_calibration(&source, &mut pack.model);
        pack.notes.extend(note);
        pack.notes.iter().for_each(|note| ui.warn(note));
        Ok(Self {
            packer: Packer::new(source, pack),
            options,
            output: output.cloned(),
            ui,
            cancel,
        })
    }

    fn write(
        &self,
        matches: &ArgMatches,
        is_piped: bool,
        started: Instant,
    ) -> Result<(), CliError> {
        let format = match matches
            .get_one::<String>("answer-format")
            .map(String::as_str)
        {
            Some("json") => ChunkFormat::Json,
            Some("text") => ChunkFormat::Text,
            _ => ChunkFormat::Lines,
        };
        let is_exact = self.packer.options().model.tokenizer.is_exact();
        let Some(path) = &self.output else {
            let out = io::BufWriter::with_capacity(1 << 18, io::stdout().lock());
            let mut writer = ChunkWriter::new(out, format, is_exact);
            let told = self.pour(&mut writer, is_piped)?;
            let written = writer.finish();
            written.map_err(|error| CliError::io("cannot write the result", &error))?;
            self.conclude(&writer, &told, started);
            return Ok(());
        };
        let failed = |error| CliError::io(&format!("cannot write {}", path.display()), &error);
        let file = OutputFile::create(path).map_err(failed)?;
        let temporary = file.temporary_path().map(Path::to_owned);
        temporary.iter().for_each(|path| add_unfinished(path));
        let mut writer = ChunkWriter::new(file, format, is_exact);
        let told = self.pour(&mut writer, is_piped)?;
        writer.finish().map_err(failed)?;
        self.conclude(&writer, &told, started);
        writer.into_inner().finish().map_err(failed)?;
        temporary.iter().for_each(|path| set_finished(path));
        Ok(())
    }

    fn pour(
        &self,
        writer: &mut ChunkWriter<impl Write>,
        is_piped: bool,
    ) -> Result<ChunksTold, CliError> {
        let failed = |error: io::Error| CliError::io("cannot write the result", &error);
        if is_piped {
            let decoded = super::standard_input()?;
            let path = RepoPath::new("-").unwrap_or_else(|_| RepoPath::root());
            let (file, told) = self.packer.chunks_of_text(path, decoded, &self.options)?;
            writer.add(&file).map_err(failed)?;
            return Ok(told);
        }
        let progress = ProgressLine::new(self.ui);
        let mut broken = None;
        let mut emit = |file: FileChunks| match writer.add(&file) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                broken = Some(error);
                ControlFlow::Break(())
            }
        };
        let told = self
            .packer
            .text_chunks(&self.options, &progress, &self.cancel, &mut emit);
        match broken {
            Some(error) => Err(failed(error)),
            None => Ok(told?),
        }
    }

    fn conclude(&self, writer: &ChunkWriter<impl Write>, told: &ChunksTold, started: Instant) {
        let ui = self.ui;
        told.warnings.iter().for_each(|warning| ui.warn(warning));
        ui.warn_of_cache(&self.packer);
        for left in &told.left_out {
            let says = format!("{} is not cut: {}", left.path, left.reason);
            match left.reason.is_expected() {
                false => ui.warn(&says),
                true if ui.verbose > 0 => ui.say(&says),
                true => {}
            }
        }
        let mode = self.packer.options().secrets.mode.name();
        match told.secrets.len() {
            0 => {}
            found => {
                let secrets = plural(found, "secret", "secrets");
                ui.say(&format!(
                    "{secrets} found ({mode}); `infiniloom scan` names them"
                ));
            }
        }
        let chunks = plural(writer.chunks(), "chunk", "chunks");
        let files = plural(writer.files(), "file", "files");
        let took = started.elapsed().as_secs_f64();
        ui.say(&format!(
            "{chunks} of {files}, {}, {} tokens with what repeats, in {took:.2} s",
            size(writer.bytes()),
            number(writer.tokens()),
        ));
    }
}
