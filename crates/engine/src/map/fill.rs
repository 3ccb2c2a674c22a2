//! Fills a budget: chooses for a room, writes, counts what was written, and corrects
//! the room by what it took, until the map is nearly as large as it may be and never
//! larger.

use loom_base::Counter;
use loom_graph::Workers;
use thiserror::Error;

use super::choose::{Choice, Chooser, Room};
use super::document::MapDocument;
use super::drawn::Drawn;
use super::extract::Extract;
use super::input::one_line;
use super::linked::Linked;
use super::query::Focus;
use super::rank::{Algorithm, Importance, Weights, importance};
use super::render::MapFormat;
use super::summary;

/// Rounds of choosing: each one corrects the room of the one before.
const ROUNDS: usize = 16;

/// Rounds of putting more names into what is left.
const MORE_ROUNDS: usize = 10;

/// A map that uses this much of its budget is full: 98 parts of 100.
const FULL: usize = 98;

/// One that uses this much is full enough: 95 parts of 100.
const ENOUGH: usize = 95;

/// What a map is made by.
#[derive(Clone, Debug)]
pub struct MapOptions {
    /// What the repository is called.
    pub name: String,
    /// What it says about itself.
    pub description: Option<String>,
    /// All files, also those without a language, and their lines.
    pub total: (usize, usize),
    /// The tokens of all files, if they were counted.
    pub tokens: Option<usize>,
    /// At most so many tokens, of all that is written.
    pub budget: usize,
    /// The form.
    pub format: MapFormat,
    /// How files are ranked.
    pub algorithm: Algorithm,
    /// How much each factor counts.
    pub weights: Weights,
    /// What is shown.
    pub extract: Extract,
    /// What it is for.
    pub focus: Focus,
    /// How lately each file changed, from 0 to 1; empty where it does not count.
    pub recency: Vec<f64>,
}

/// Why there is no map.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
    /// The budget does not hold the head.
    #[error("the map takes {smallest} tokens at least, and the budget is {budget}")]
    BudgetTooSmall {
        /// The budget.
        budget: usize,
        /// What the smallest map takes.
        smallest: usize,
    },
}

/// A map.
#[derive(Clone, Debug)]
pub struct Filled {
    /// What it shows.
    pub document: MapDocument,
    /// The same in its format.
    pub text: String,
    /// The tokens of the text.
    pub tokens: usize,
    /// True if all that could be shown is shown.
    pub is_whole: bool,
}

impl Linked {
    /// The map of a repository. Same input, same map.
    ///
    /// # Errors
    /// When the budget does not hold the head.
    pub fn map(
        &self,
        options: &MapOptions,
        counter: &dyn Counter,
        workers: &dyn Workers,
    ) -> Result<Filled, MapError> {
        let importance = self.importance(options, workers);
        self.map_by(&importance, options, counter)
    }

    /// How important everything is for a map.
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

    /// The same map, where it is known how important everything is.
    ///
    /// # Errors
    /// When the budget does not hold the head.
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

    /// What a map may begin with, the best first: what a repository says about itself is
    /// worth having, and what is named below need not be named above.
    fn heads(&self, base: &MapDocument) -> [MapDocument; 3] {
        let mut whole = base.clone();
        if let Some(description) = &mut whole.description {
            // It leaves room for the rest.
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
        // Names take little each: they fill what a step of the other parts left.
        for more in [
            (|room, more| Room { more, ..room }) as fn(Room, f64) -> Room,
            |room, names| Room { names, ..room },
            |room, key| Room { key, ..room },
        ] {
            self.fill_more(&head, &mut best, &mut room, more);
        }
        best
    }

    /// Finds the largest room whose choice fits.
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

    /// The same with more room for a part.
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
        // The number of tokens stands in the text and is counted with it.
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
