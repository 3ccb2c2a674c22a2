//! Adds the texts of a pack that are not files, and redacts all texts: a secret of one text is
//! redacted in every other.

use std::sync::Arc;

use loom_base::RepoPath;
use loom_engine::Guidance;

use crate::options::{PackOptions, SecretsOptions};
use crate::past::Past;
use crate::redaction::TextRedactor;
use crate::sections::SectionBuilder;
use crate::survey::Survey;
use crate::{PackError, Packer, Run};

/// Adds sections and guidance, and redacts all texts. If the mode hides secrets, it scans all
/// texts before it redacts any, because a secret of one text is redacted in every other.
pub(super) fn add_texts(
    packer: &Packer,
    survey: &mut Survey,
    past: Option<&Past>,
) -> Result<(), PackError> {
    let run = Arc::clone(&survey.run);
    let secrets = &packer.options.secrets;
    let hides = secrets.mode.hides();
    let known = run.warnings();
    let add = |survey: &mut Survey| {
        if let Some(past) = past {
            survey.overview.sections = SectionBuilder::new(packer, survey).all(past)?;
        }
        survey.overview.guidance = guidance(&packer.options, &run);
        Ok::<_, PackError>(())
    };
    if hides {
        run.secrets
            .begin_to_gather(survey.files.iter().any(|file| !file.findings.is_empty()));
        add(survey)?;
        add_warnings(survey, &run, &known);
        if !run.secrets.end_of_gathering() {
            // A path can be the only place of a secret.
            if redact_paths(secrets, survey) {
                summarize_again(survey);
            }
            return Ok(());
        }
    }
    redact_paths(secrets, survey);
    TextRedactor::new(packer, &run).redact_files(&mut survey.files);
    summarize_again(survey);
    add(survey)?;
    if !hides {
        add_warnings(survey, &run, &known);
    }
    Ok(())
}

/// Shows files whose paths contain secrets under redacted paths. Returns true if there are such
/// files.
fn redact_paths(options: &SecretsOptions, survey: &mut Survey) -> bool {
    let copies = survey.run.secrets.copies();
    let files = survey.files.iter().map(|file| &file.meta.path);
    let redacted = options.redacted_paths(files, &copies);
    let is_any = !redacted.is_empty();
    for (at, path) in redacted {
        let file = &mut survey.files[at];
        file.meta.path = path.clone();
        file.found.show_as(path);
    }
    if options.mode.hides() {
        options.redact_left_out(&mut survey.left_out, &copies);
        options.redact_messages(survey.warnings.iter_mut(), &copies);
    }
    survey.files.sort_by(|a, b| a.meta.path.cmp(&b.meta.path));
    survey.left_out.sort_by(|a, b| a.path.cmp(&b.path));
    is_any
}

/// Returns the user's notes for the reader, redacted because they may quote secrets.
fn guidance(options: &PackOptions, run: &Run) -> Guidance {
    let given = &options.guidance;
    let clean = |name: &str, text: &str| {
        let path = RepoPath::new(name).unwrap_or_else(|_| RepoPath::root());
        run.secrets.clean(&options.secrets, &path, text.to_owned())
    };
    let mut guidance = Guidance::NONE;
    if let Some(text) = given.header() {
        guidance = guidance.with_header(&clean("(header)", text));
    }
    if let Some(text) = given.instructions() {
        guidance = guidance.with_instructions(&clean("(instructions)", text));
    }
    guidance
}

/// Updates the totals and the tree after files changed.
fn summarize_again(survey: &mut Survey) {
    let shares = std::mem::take(&mut survey.overview.left_out);
    let metas = survey.files.iter().map(|file| &file.meta);
    survey.overview = survey.overview.of_files(metas, shares);
}

/// Adds the warnings of the run that are not `known` yet, before their paths are redacted.
fn add_warnings(survey: &mut Survey, run: &Run, known: &[String]) {
    let new = run.warnings().into_iter();
    let new = new.filter(|warning| !known.contains(warning) && !survey.warnings.contains(warning));
    let new: Vec<String> = new.collect();
    survey.warnings.extend(new);
}
