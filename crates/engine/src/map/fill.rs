//! Fills a budget: chooses contents, writes and counts them, and corrects the target by the error,
//! until the map nearly fills the budget and never exceeds it.

use loom_base::Counter;
use loom_graph::Workers;
use thiserror::Error;

use super::choose::{Choice, Chooser, Room};
use super::document::MapDocument;
use super::drawn::Drawn;
use super::extract::Extract;
use super::input::one_line;
use super::linked::SymbolGraph;
use super::query::Focus;
use super::rank::{Algorithm, Importance, Weights, importance};
use super::render::MapFormat;
use super::summary;

/// Maximum rounds of choosing: each corrects the target of the one before.
const ROUNDS: usize = 16;

/// Maximum rounds of adding names to use the rest.
const MORE_ROUNDS: usize = 10;

/// A map that uses 98 % of its budget is full.
const FULL: usize = 98;

/// A map that uses 95 % is full enough.
const ENOUGH: usize = 95;

/// Options of a map.
#[derive(Clone, Debug)]
pub struct MapOptions {
    /// Name of the repository.
    pub name: String,
    /// Description from the repository.
    pub description: Option<String>,
    /// Number of all files, including those without a language, and of their lines.
    pub total: (usize, usize),
    /// Tokens of all files, if counted.
    pub tokens: Option<usize>,
    /// Maximum tokens of the whole output.
    pub budget: usize,
    /// Output format.
    pub format: MapFormat,
    /// Ranking algorithm.
    pub algorithm: Algorithm,
    /// Weights of the factors.
    pub weights: Weights,
    /// Kinds of symbols to show.
    pub extract: Extract,
    /// Focus of the map.
    pub focus: Focus,
    /// Recency of each file's last change, from 0 to 1; empty if it does not count.
    pub recency: Vec<f64>,
}

/// Reason for a missing map.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
    /// The budget is too small for the header.
    #[error("the smallest map needs {smallest} tokens; the budget is {budget}")]
    BudgetTooSmall {
        /// The budget.
        budget: usize,
        /// Tokens of the smallest possible map.
        smallest: usize,
    },
}

/// A map.
#[derive(Clone, Debug)]
pub struct Filled {
    /// Its contents.
    pub document: MapDocument,
    /// Its formatted text.
    pub text: String,
    /// Tokens of the text.
    pub tokens: usize,
    /// True if it shows everything.
    pub is_whole: bool,
}

impl SymbolGraph {
    /// Builds the map of a repository. The same input gives the same map.
    ///
    /// # Errors
    /// If the budget is too small for the header.
    pub fn map(
        &self,
        options: &MapOptions,
        counter: &dyn Counter,
        workers: &dyn Workers,
    ) -> Result<Filled, MapError> {
        let importance = self.importance(options, workers);
        self.map_by(&importance, options, counter)
    }

    /// Computes the importance of all files and symbols.
    pub fn importance(&self, options: &MapOptions, workers: &dyn Workers) -> Importance {
        importance(
            self,
            options.algorithm,
            &options.weights,
            &options.recency,
            &options.focus.interest(self),
            workers,
        )
    }

    /// Builds a map with a precomputed importance.
    ///
    /// # Errors
    /// If the budget is too small for the header.
    pub fn map_by(
        &self,
        importance: &Importance,
        options: &MapOptions,
        counter: &dyn Counter,
    ) -> Result<Filled, MapError> {
        let drawn = match options.format {
            MapFormat::Mermaid => Drawn::All,
            _ => Drawn::First,
        };
        let chooser = Chooser::new(self, importance, options.extract, drawn);
        let description = options.description.as_deref();
        let (files, lines) = options.total;
        let mut base = summary::base(self, &options.name, description, files, lines);
        base.tokens = options.tokens;
        base.summary = summary::paragraph(&base, self, importance, &chooser);
        base.left_out = base.files;
        Fill {
            chooser,
            format: options.format,
            budget: options.budget,
            counter,
        }
        .run(&base)
    }
}

struct Fill<'a> {
    chooser: Chooser<'a>,
    format: MapFormat,
    budget: usize,
    counter: &'a dyn Counter,
}

impl Fill<'_> {
    fn run(&self, base: &MapDocument) -> Result<Filled, MapError> {
        let mut best: Option<Filled> = None;
        let mut smallest = usize::MAX;
        for head in self.heads(base) {
            let least = self.written(Choice {
                document: head,
                is_whole: false,
            });
            smallest = smallest.min(least.tokens);
            if least.tokens > self.budget {
                continue;
            }
            let filled = self.filled(least);
            let is_enough = filled.is_whole || filled.tokens * 100 >= self.budget * ENOUGH;
            if best
                .as_ref()
                .is_none_or(|best| is_enough || filled.tokens > best.tokens)
            {
                best = Some(filled);
            }
            if is_enough {
                break;
            }
        }
        best.ok_or(MapError::BudgetTooSmall {
            budget: self.budget,
            smallest,
        })
    }

    /// Returns possible headers, the best first: a description is valuable, and a symbol that is
    /// named below need not be named above.
    fn heads(&self, base: &MapDocument) -> [MapDocument; 3] {
        let mut whole = base.clone();
        if let Some(description) = &mut whole.description {
            // Leaves budget for the rest.
            *description = one_line(description, self.budget.max(90) * 2 / 3);
        }
        let mut brief = whole.clone();
        brief.summary = String::new();
        let mut bare = brief.clone();
        bare.description = None;
        [whole, brief, bare]
    }

    fn filled(&self, least: Filled) -> Filled {
        let head = least.document.clone();
        let mut best = least;
        let mut room = Room::default();
        self.fill(&head, &mut best, &mut room);
        // Names need few tokens each: they fill the gap that a step of the other parts left.
        for more in [
            (|room, more| Room { more, ..room }) as fn(Room, f64) -> Room,
            |room, names| Room { names, ..room },
            |room, key| Room { key, ..room },
        ] {
            self.fill_more(&head, &mut best, &mut room, more);
        }
        best
    }

    /// Finds the largest target whose choice fits.
    fn fill(&self, head: &MapDocument, best: &mut Filled, best_room: &mut Room) {
        let (mut low, mut high) = (0.0_f64, f64::INFINITY);
        let target = self.budget as f64 * 0.995;
        let mut all = self.room(best);
        for _ in 0..ROUNDS {
            let room = Room {
                all,
                ..Room::default()
            };
            let tried = self.chosen(room, head);
            let took = tried.tokens as f64;
            let is_fit = tried.tokens <= self.budget;
            match is_fit {
                true => low = low.max(all),
                false => high = high.min(all),
            }
            if is_fit && tried.tokens >= best.tokens {
                (*best, *best_room) = (tried, room);
            }
            if self.is_full(best) || high - low < 1.0 {
                break;
            }
            let guess = all * target / took.max(1.0);
            all = match high.is_finite() {
                true if guess <= low || guess >= high => f64::midpoint(low, high),
                _ => guess.max(low * 1.02 + 8.0),
            };
        }
    }

    /// Tries larger targets for one part.
    fn fill_more(
        &self,
        head: &MapDocument,
        best: &mut Filled,
        room: &mut Room,
        more: fn(Room, f64) -> Room,
    ) {
        let (mut low, mut high) = (0.0, 2.0 * self.room(best) + 8.0);
        for _ in 0..MORE_ROUNDS {
            if self.is_full(best) || high - low < 1.0 {
                break;
            }
            let middle = f64::midpoint(low, high);
            let tried = self.chosen(more(*room, middle), head);
            match tried.tokens <= self.budget {
                true => low = middle,
                false => high = middle,
            }
            if tried.tokens <= self.budget && tried.tokens >= best.tokens {
                *best = tried;
            }
        }
        *room = more(*room, low);
    }

    fn is_full(&self, filled: &Filled) -> bool {
        filled.is_whole || filled.tokens * 100 >= self.budget * FULL
    }

    fn chosen(&self, room: Room, head: &MapDocument) -> Filled {
        self.written(match self.format {
            MapFormat::Mermaid => self.chooser.choose_graph(room, head),
            _ => self.chooser.choose(room, head),
        })
    }

    fn room(&self, smallest: &Filled) -> f64 {
        self.budget.saturating_sub(smallest.tokens) as f64
    }

    fn written(&self, Choice { document, is_whole }: Choice) -> Filled {
        // The text contains its own number of tokens, which counts, too.
        let mut tokens = self.budget;
        let mut text = self.format.write(&document, tokens);
        for _ in 0..6 {
            let counted = self.counter.count(&text);
            if counted == tokens {
                break;
            }
            tokens = counted;
            text = self.format.write(&document, tokens);
        }
        let tokens = self.counter.count(&text);
        Filled {
            document,
            text,
            tokens,
            is_whole,
        }
    }
}
