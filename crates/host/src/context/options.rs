//! Converts settings into the options of a context.

use loom_engine::Format;
use loom_engine::context::{ContextWeights, Signal};
use loom_settings::Settings;

pub use loom_settings::ContextStrategy;

use super::ContextRequest;

/// Returns the options of a context for `query`.
pub fn context_request(settings: &Settings, query: String) -> ContextRequest {
    let context = &settings.context;
    let number = |tokens: u64| usize::try_from(tokens).unwrap_or(usize::MAX);
    let reserve = context
        .reserve
        .map_or(0, |reserve| number(reserve.tokens()));
    let weights = match context.strategy.as_slice() {
        [] => ContextWeights::default(),
        chosen => {
            let signals: Vec<Signal> = chosen
                .iter()
                .flat_map(|one| signals(*one))
                .copied()
                .collect();
            ContextWeights::chosen(&signals)
        }
    };
    ContextRequest {
        query,
        budget: number(context.budget.tokens()).saturating_sub(reserve),
        below: String::new(),
        format: Format::from_name(context.format.name()).unwrap_or(Format::Xml),
        weights,
        hot: Vec::new(),
        previous: Vec::new(),
        embedder: None,
        pins: Vec::new(),
        top: context.top.map(|top| top as usize),
        threshold: context
            .threshold
            .map_or(f64::NEG_INFINITY, loom_settings::Weight::value),
    }
}

/// Returns the signals of a strategy.
fn signals(strategy: ContextStrategy) -> &'static [Signal] {
    match strategy {
        ContextStrategy::Lexical => &[Signal::Words, Signal::Parts, Signal::Name],
        ContextStrategy::EmbeddingSimilarity => &[Signal::Semantic],
        ContextStrategy::Summaries => &[Signal::Summary],
        ContextStrategy::Mentions => &[
            Signal::Path,
            Signal::Frame,
            Signal::Definition,
            Signal::Phrase,
        ],
        ContextStrategy::Calls => &[Signal::Call],
        ContextStrategy::History => &[Signal::History, Signal::Together],
        ContextStrategy::GraphCentrality => &[Signal::Central],
        ContextStrategy::Recency => &[Signal::Recent],
        ContextStrategy::TestAssociation => &[Signal::Tested],
        _ => &[],
    }
}
