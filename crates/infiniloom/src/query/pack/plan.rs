//! A planned pack: its files, and the skipped ones. The caller may write it several times, whole or
//! in parts.

use std::io::Write;
use std::sync::Arc;

use loom_host::{
    FileMeta, FoundSecret, Limit, NoProgress, PackRun, Packer, Survey, Written, left_out_info,
    report as pack_report,
};
use loom_models::Counted;
use loom_settings::{Extent, Resolved, Settings};
use loom_wire::{NoticeInfo, PackPlanInfo, Report, SecretInfo};

use super::warnings::warnings;
use crate::provider::{KeptOutput, Provider, Subject};
use crate::session::Session;
use crate::{Control, Error, Result, results};

/// A pack whose contents are decided. Write it with [`PackPlan::write_to`], or in parts with
/// [`PackPlan::split`].
#[derive(Debug)]
pub struct PackPlan {
    packer: Arc<Packer>,
    resolved: Arc<Resolved>,
    provider: Option<Provider>,
    survey: Survey,
}

/// A pack that was written, or a part of one.
#[derive(Clone, Debug)]
pub struct WrittenPack {
    written: Written,
    counted_by: Option<String>,
}

/// A written pack, with the text that a provider will count.
pub(super) struct UncountedPack {
    written: Written,
    text: Option<String>,
}

pub(super) fn budget(settings: &Settings) -> Option<usize> {
    let budget = settings.pack.budget?;
    Some(usize::try_from(budget.tokens()).unwrap_or(usize::MAX))
}

impl PackPlan {
    pub(super) fn make(session: &Session, provider: Option<Provider>) -> Result<Self> {
        let (packer, cancel) = (&session.packer, &session.cancel);
        let run = PackRun::new(packer, &*session.progress, cancel);
        let survey = run.survey_within(budget(session.settings()))?;
        Ok(Self {
            packer: Arc::clone(packer),
            resolved: Arc::clone(&session.resolved),
            provider,
            survey,
        })
    }

    /// Describes the packed and the skipped files. After the pack was written, it also has the
    /// secrets of files that changed during the write.
    pub fn info(&self) -> PackPlanInfo {
        let overview = &self.survey.overview;
        PackPlanInfo {
            name: overview.name.clone(),
            statistics: overview.to_wire(),
            estimated: !overview.tokenizer.is_exact(),
            tree: results::tokens::tree(&overview.tree),
            files: self.survey.files().map(FileMeta::to_wire).collect(),
            left_out: self.survey.left_out.iter().map(left_out_info).collect(),
            secrets: self.secrets(),
        }
    }

    /// Returns remarks about the run.
    pub fn notices(&self) -> Vec<NoticeInfo> {
        let warning = self.packer.cache_warning();
        let notice = warning.map(|warning| NoticeInfo::new("cache", warning));
        notice.into_iter().collect()
    }

    /// Writes the pack to `out`. A cancelled run leaves a partial output. If a provider counts the
    /// pack, the text is sent afterwards.
    ///
    /// # Errors
    /// If `out` cannot be written to, the provider fails, or the run is cancelled.
    pub fn write_to(&self, out: &mut dyn Write, control: &Control) -> Result<WrittenPack> {
        control.run(|| {
            let written = self.write_uncounted(out, control)?;
            self.counted(written, control)
        })
    }

    pub(super) fn write_uncounted(
        &self,
        out: &mut dyn Write,
        control: &Control,
    ) -> Result<UncountedPack> {
        let (progress, cancel) = (control.progress(), control.token());
        let write = |out: &mut dyn Write| {
            PackRun::new(&self.packer, &*progress, &cancel).write(&self.survey, out)
        };
        if self.provider.is_none() {
            let (written, text) = (write(out)?, None);
            return Ok(UncountedPack { written, text });
        }
        let mut kept = KeptOutput::new(out);
        let written = write(&mut kept)?;
        let text = Some(kept.into_text()?);
        Ok(UncountedPack { written, text })
    }

    /// Replaces an estimate by the provider's count.
    pub(super) fn counted(&self, pack: UncountedPack, control: &Control) -> Result<WrittenPack> {
        let UncountedPack { mut written, text } = pack;
        let mut counted_by = None;
        if let (Some(provider), Some(text)) = (&self.provider, text) {
            let tokens = provider.count(text, Subject::Pack, control)?;
            written.tokens = Counted::Exact(tokens);
            counted_by = Some(provider.host());
        }
        Ok(WrittenPack {
            written,
            counted_by,
        })
    }

    /// Splits the pack into parts of the size in the settings. Each is a complete pack. Without a
    /// size in the settings, returns no parts.
    ///
    /// # Errors
    /// If a part has no space for its header and a little text, a provider is to count the pack, or
    /// the run is cancelled.
    pub fn split(&self, control: &Control) -> Result<Vec<Self>> {
        let Some(limit) = self.resolved.settings().pack.split else {
            return Ok(Vec::new());
        };
        if self.provider.is_some() {
            let message = "a provider counts one output, and a split pack has several";
            return Err(Error::invalid("several_outputs", message));
        }
        control.run(|| {
            let surveys = PackRun::new(&self.packer, &NoProgress, &control.token())
                .split(&self.survey, size(limit))?;
            let part = |survey: Survey| Self {
                packer: Arc::clone(&self.packer),
                resolved: Arc::clone(&self.resolved),
                provider: None,
                survey,
            };
            Ok(surveys.into_iter().map(part).collect())
        })
    }

    /// Reports a written pack, or its parts together.
    pub fn report(&self, written: &[WrittenPack]) -> Report {
        let all = written.iter().map(|one| &one.written);
        let together = Written {
            bytes: all.clone().map(|one| one.bytes).sum(),
            tokens: all.clone().map(|one| one.tokens).sum(),
            changed: all.clone().flat_map(|one| one.changed.clone()).collect(),
        };
        let largest = all.map(|one| one.tokens).max_by_key(Counted::upper);
        let largest = largest.unwrap_or(Counted::Exact(0));
        let options = self.packer.options();
        let settings = self.resolved.settings();
        let warnings = warnings(options, settings, &self.survey, &together.changed, largest);
        let mut report = pack_report(options, &self.survey, &together, warnings);
        report.secrets.findings = self.secrets();
        report.output.counted_by = written.iter().find_map(|one| one.counted_by.clone());
        report
    }

    fn secrets(&self) -> Vec<SecretInfo> {
        let found = self.survey.found_secrets();
        found.iter().map(FoundSecret::to_wire).collect()
    }
}

fn size(extent: Extent) -> Limit {
    match extent {
        Extent::Tokens(tokens) => {
            Limit::Tokens(usize::try_from(tokens.tokens()).unwrap_or(usize::MAX))
        }
        Extent::Bytes(size) => Limit::Bytes(usize::try_from(size.bytes()).unwrap_or(usize::MAX)),
    }
}
