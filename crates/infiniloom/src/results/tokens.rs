//! Token counts of files, for one model or several.

use std::collections::HashMap;

use loom_host::{FileMeta, TokenTree, TreeNode};
use loom_models::{Cost, Model, NameMatch};
use loom_wire::{FORMAT_VERSION, FileTokens, ModelTokens, TokensInfo, TreeInfo};

/// A number of tokens, and the range of an estimate.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokenRange {
    /// The count, or the likely count.
    pub tokens: usize,
    /// The lower end of the range.
    pub lower: usize,
    /// The upper end of the range.
    pub upper: usize,
}

impl TokenRange {
    /// Creates the range of an exact count.
    pub fn exact(tokens: usize) -> Self {
        Self {
            tokens,
            lower: tokens,
            upper: tokens,
        }
    }
}

impl From<&FileMeta> for TokenRange {
    fn from(file: &FileMeta) -> Self {
        Self {
            tokens: file.tokens,
            lower: file.lower,
            upper: file.upper,
        }
    }
}

/// The tokens of all texts together.
#[derive(Clone, Debug)]
pub struct TotalTokens {
    /// The count.
    pub range: TokenRange,
    /// The host of the provider that counted, if any.
    pub counted_by: Option<String>,
}

/// The counts for one model.
#[derive(Clone, Debug)]
pub struct ModelCounts {
    /// The model.
    pub model: Model,
    /// The name that the caller wrote.
    pub typed: String,
    /// How well that name matches the model; `None` for a vocabulary file.
    pub fit: Option<NameMatch>,
    /// The tokens of all texts.
    pub total: TotalTokens,
    /// The tokens of each text, by path.
    pub files: Vec<FileCount>,
    /// Whether the counts of single texts are estimates.
    pub has_estimated_files: bool,
}

/// The tokens of one text.
#[derive(Clone, Debug)]
pub struct FileCount {
    /// Its path.
    pub path: String,
    /// Its count.
    pub range: TokenRange,
}

/// Whether a result has prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prices {
    /// With the price of a prompt of all texts.
    Shown,
    /// Without prices.
    Hidden,
}

/// Joins the counts of all models, in the order of `counts`.
pub fn info(counts: &[ModelCounts], prices: Prices) -> TokensInfo {
    let has_ranges = counts.iter().any(|one| one.has_estimated_files);
    let first = counts.first();
    let others: Vec<HashMap<&str, TokenRange>> = counts
        .iter()
        .skip(1)
        .map(|one| {
            let files = one.files.iter();
            files.map(|file| (file.path.as_str(), file.range)).collect()
        })
        .collect();
    let files = first.into_iter().flat_map(|first| &first.files);
    let files = files.map(|file| {
        // Each model has its own scan, and files may appear or disappear between two scans.
        let of_others = others
            .iter()
            .map(|ranges| ranges.get(file.path.as_str()).copied().unwrap_or_default());
        let ranges: Vec<TokenRange> = [file.range].into_iter().chain(of_others).collect();
        file_tokens(&file.path, &ranges, has_ranges)
    });
    TokensInfo {
        format_version: FORMAT_VERSION,
        total_tokens: first.map_or(0, |first| first.total.range.tokens),
        models: counts.iter().map(|one| model_tokens(one, prices)).collect(),
        files: files.collect(),
        tree: None,
        left_out: Vec::new(),
        page: None,
        notices: Vec::new(),
    }
}

/// Describes the directories and files of a tree.
pub fn tree(tree: &TokenTree) -> TreeInfo {
    TreeInfo {
        name: String::new(),
        tokens: tree.root().tokens,
        children: tree.root().children.iter().map(node).collect(),
    }
}

fn node(node: &TreeNode) -> TreeInfo {
    let (name, end) = node.collapsed();
    TreeInfo {
        name,
        tokens: end.tokens,
        children: end.children.iter().map(self::node).collect(),
    }
}

fn model_tokens(counts: &ModelCounts, prices: Prices) -> ModelTokens {
    let ModelCounts { model, total, .. } = counts;
    let cost = model.prices.input_cost(total.range.tokens);
    let is_estimate = !model.tokenizer.is_exact();
    ModelTokens {
        model: model.name.clone(),
        asked: counts.typed.clone(),
        matched: counts.fit.map_or("none", NameMatch::name).to_owned(),
        tokenizer: model.tokenizer.label().into_owned(),
        estimated: is_estimate && total.counted_by.is_none(),
        files_estimated: is_estimate,
        counted_by: total.counted_by.clone(),
        total_tokens: total.range.tokens,
        total_tokens_lower: total.range.lower,
        total_tokens_upper: total.range.upper,
        window: model.limits.window,
        prompt_limit: model.limits.prompt(),
        effective_budget: model.limits.effective_budget(),
        cost: cost.filter(|_| prices == Prices::Shown).map(Cost::dollars),
    }
}

fn file_tokens(path: &str, ranges: &[TokenRange], has_ranges: bool) -> FileTokens {
    let tokens: Vec<usize> = ranges.iter().map(|range| range.tokens).collect();
    let edges = ranges.iter().map(|range| [range.lower, range.upper]);
    FileTokens {
        path: path.to_owned(),
        tokens: tokens.first().copied().unwrap_or(0),
        by_model: if tokens.len() > 1 { tokens } else { Vec::new() },
        bands: edges.filter(|_| has_ranges).collect(),
    }
}
