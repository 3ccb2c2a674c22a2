//! Formats of results without a budget. A budget counts final bytes, so the query decides the
//! format of a pack, a context and a map.

use loom_wire::{
    ChunksInfo, IndexInfo, ModelInfo, NavigationInfo, RankedInfo, ReadInfo, Report, ScanInfo,
    SearchInfo, SettingInfo, SymbolsInfo, TokensInfo, WhyInfo,
};
use serde::Serialize;

use crate::choices::Format;
use crate::{Error, Result, results};

/// A result that can be rendered.
pub trait Render {
    /// Renders the result.
    ///
    /// # Errors
    /// If the format is not available for the result.
    fn render(&self, format: Format) -> Result<String>;
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Error::invalid("not_json", error.to_string()))
}

fn refused(format: Format, formats: &str) -> Error {
    let message = format!("the result has no format {format}; expected {formats}");
    Error::invalid("unknown_format", message)
}

impl Render for ScanInfo {
    /// Renders JSON, SARIF, or a line for each finding.
    fn render(&self, format: Format) -> Result<String> {
        match format {
            Format::Json => json(self),
            Format::Sarif => json(&results::sarif::log(&self.findings)),
            Format::Plain => {
                let lines = self.findings.iter().map(results::scan::line);
                Ok(lines.map(|line| line + "\n").collect())
            }
            _ => Err(refused(format, "json, sarif or plain")),
        }
    }
}

macro_rules! renders_json {
    ($($result:ty),+ $(,)?) => {$(
        impl Render for $result {
            /// Renders JSON.
            fn render(&self, format: Format) -> Result<String> {
                match format {
                    Format::Json => json(self),
                    _ => Err(refused(format, "json")),
                }
            }
        }
    )+};
}

renders_json!(
    ChunksInfo,
    IndexInfo,
    ModelInfo,
    NavigationInfo,
    RankedInfo,
    ReadInfo,
    Report,
    SearchInfo,
    SettingInfo,
    SymbolsInfo,
    TokensInfo,
    WhyInfo,
);
