//! The file of figures. Each part of the benchmark replaces its own section for
//! its vocabulary and leaves the others as they are.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::options::Options;

/// Where the figures go when nothing else is said.
pub fn default_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/tokens.json")
}

/// Puts `figures` under the name of the section and the vocabulary.
pub fn write(options: &Options, section: &str, figures: Value) {
    let Some(path) = &options.results else {
        return;
    };
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut all: Map<String, Value> = serde_json::from_str(&text).unwrap_or_default();
    all.insert("machine".to_owned(), machine());
    let section = all
        .entry(section)
        .or_insert_with(|| json!({}))
        .as_object_mut()
        .expect("sections are objects");
    section.insert(options.vocabulary.name().to_owned(), figures);
    let text = serde_json::to_string_pretty(&all).expect("plain values") + "\n";
    let folder = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).expect("the folder of the figures");
    fs::write(path, text).expect("the file of the figures");
}

fn machine() -> Value {
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split(": ").nth(1)?.to_owned())
    });
    let threads = std::thread::available_parallelism().map_or(0, usize::from);
    json!({ "processor": processor, "threads": threads })
}

/// A figure with as many digits as mean something.
pub fn figure(value: f64) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    let digits = if value.abs() >= 100.0 { 1.0 } else { 100.0 };
    json!((value * digits).round() / digits)
}
