//! The machine-readable report of a run.

use loom_engine::Section;
use loom_models::Tokenizer;
use loom_source::LeftOut;
use loom_wire::{
    FORMAT_VERSION, LeftOutInfo, OutputInfo, REPORT_GENERATOR, Report, SecretsInfo, SectionInfo,
};

use crate::survey::Survey;
use crate::write::Written;
use crate::{FoundSecret, PackOptions};

/// Builds the report of a finished run.
pub fn report(
    options: &PackOptions,
    survey: &Survey,
    written: &Written,
    warnings: Vec<String>,
) -> Report {
    Report {
        generator: REPORT_GENERATOR.to_owned(),
        format_version: FORMAT_VERSION,
        name: survey.overview.name.clone(),
        output: OutputInfo {
            format: options.format_name().to_owned(),
            bytes: written.bytes,
            tokens: written.tokens.likely(),
            tokens_upper: written.tokens.upper(),
            estimated: !written.tokens.is_exact(),
            counted_by: None,
            vocabulary: options.model.tokenizer.label().into_owned(),
            model: options.model.name.clone(),
            window: options.model.limits.window,
        },
        statistics: survey.overview.to_wire(),
        sections: sections(survey, options.model.tokenizer),
        files: survey.files().map(loom_engine::FileMeta::to_wire).collect(),
        left_out: survey.left_out.iter().map(left_out_info).collect(),
        secrets: SecretsInfo {
            mode: options.secrets.mode.name().to_owned(),
            findings: survey.secrets.iter().map(FoundSecret::to_wire).collect(),
        },
        changed: written.changed.clone(),
        warnings,
    }
}

/// Describes a path that was found and skipped.
pub fn left_out_info(left: &LeftOut) -> LeftOutInfo {
    LeftOutInfo {
        path: left.path.display().into_owned(),
        is_dir: left.is_dir,
        reason: left.reason.kind().to_owned(),
        detail: left.reason.to_string(),
    }
}

fn sections(survey: &Survey, tokenizer: Tokenizer) -> Vec<SectionInfo> {
    let info = |section: &Section| SectionInfo {
        kind: section.kind().name().to_owned(),
        title: section.title().to_owned(),
        repository: section.repository().map(str::to_owned),
        bytes: section.text().len(),
        tokens: tokenizer.count(section.text()).likely(),
    };
    survey.overview.sections.iter().map(info).collect()
}
