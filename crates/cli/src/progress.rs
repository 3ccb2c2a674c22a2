//! A progress line on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use infiniloom::{Control, Progress, ProgressEvent};
use loom_base::printable;

use super::ui::Ui;

/// Line with the progress of a run.
struct ProgressLine(ProgressBar);

impl ProgressLine {
    fn new() -> Self {
        let bar = ProgressBar::no_length();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Clears the line, because the result follows.
    fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Runs `work` with a progress line, if the terminal can show it.
pub(super) fn follow<T>(ui: Ui, control: &Control, work: impl FnOnce(&Control) -> T) -> T {
    if !ui.shows_progress() {
        return work(control);
    }
    let progress = Progress::new();
    let line = ProgressLine::new();
    let bar = line.0.clone();
    let events = progress.events();
    std::thread::spawn(move || {
        let mut last = None;
        for event in events {
            if bar.is_finished() {
                return;
            }
            show(&bar, event, last.replace(event.stage) != Some(event.stage));
        }
    });
    let result = work(&control.clone().with_progress(&progress));
    line.finish();
    result
}

fn show(bar: &ProgressBar, event: ProgressEvent, is_new: bool) {
    if is_new {
        let template = match event.total {
            None => "{spinner} {msg}",
            Some(_) => "{spinner} {msg} {bar:30} {pos}/{len} files",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(event.stage.name());
        if let Some(total) = event.total {
            bar.set_length(total as u64);
        }
    }
    bar.set_position(event.done as u64);
}

/// Line with the messages of git during a fetch, if the terminal can show it. It changes only with
/// a new message, so that a password prompt stays readable.
pub(super) struct FetchLine {
    bar: ProgressBar,
    address: String,
}

impl FetchLine {
    pub(super) fn new(ui: Ui, address: &str) -> Self {
        let bar = match ui.shows_progress() {
            true => ProgressBar::no_length(),
            false => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            address: printable(address).into_owned(),
        }
    }

    pub(super) fn is_about(&self, address: &str) -> bool {
        self.address == printable(address)
    }

    pub(super) fn show(&self, words: &str) {
        let words = printable(words);
        self.bar.set_message(format!("{}: {words}", self.address));
    }
}

impl Drop for FetchLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
