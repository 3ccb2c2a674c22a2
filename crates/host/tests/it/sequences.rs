//! Whatever happens to the files between two runs: what is remembered never gives
//! another answer than looking at everything again.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use loom_host::{CacheOptions, Cancel, NoProgress, PackOptions, PackRun, Packer};
use loom_testkit::{Sandbox, tick, until};

use crate::fixture::Chance;

impl Chance {
    fn name(&mut self) -> String {
        let ends = ["rs", "py", "md", "bin", "js"];
        let folders = ["", "a/", "a/b/"];
        format!(
            "{}{}.{}",
            folders[self.below(3)],
            self.below(4),
            ends[self.below(5)]
        )
    }

    /// Texts of few sizes, so that different ones often have the same.
    fn text(&mut self) -> String {
        let word = ["alpha", "gamma", "delta", "kappa"][self.below(4)];
        let line = match self.below(4) {
            0 => format!("fn {word}() {{ {word}::call() }}\n"),
            1 => format!("\u{0}{word}\n"),
            2 => format!("password = \"{word}Xk39vQ2mPz7w\"\n"),
            _ => format!("# {word}\ndef {word}(): pass\n"),
        };
        line.repeat(1 + self.below(2))
    }
}

fn all_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => all_files(&path, found),
            false => found.push(path),
        }
    }
}

/// Sets the time of the last change back, as a program can.
fn set_back(path: &Path, hours: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + hours * 3600);
    let file = File::options().append(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

/// Does one thing to the files below `root`.
fn happen(root: &Path, chance: &mut Chance) {
    let mut files = Vec::new();
    all_files(root, &mut files);
    let some = (!files.is_empty()).then(|| files[chance.below(files.len())].clone());
    let write = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if fs::write(path, text).is_ok() {
            // Nobody waits for a file that may still be written.
            set_back(path, 1);
        }
    };
    match (chance.below(9), some) {
        (0 | 1, _) | (_, None) => {
            let (name, text) = (chance.name(), chance.text());
            write(&root.join(name), &text);
        }
        (2, Some(path)) => write(&path, &chance.text()),
        (3, Some(path)) => {
            // Another text of the same size, and the same time.
            let old = fs::read(&path).unwrap();
            let new: Vec<u8> = old
                .iter()
                .map(|byte| if *byte == b'a' { b'e' } else { *byte })
                .collect();
            fs::write(&path, new).unwrap();
            set_back(&path, 1);
        }
        (4, Some(path)) => {
            let new = root.join(chance.name());
            fs::create_dir_all(new.parent().unwrap()).unwrap();
            fs::rename(path, new).unwrap();
        }
        (5, Some(path)) => fs::remove_file(path).unwrap(),
        (6, Some(path)) => {
            // Two files change places.
            let other = files[chance.below(files.len())].clone();
            if other != path {
                let between = root.join("between");
                fs::rename(&path, &between).unwrap();
                fs::rename(&other, &path).unwrap();
                fs::rename(&between, &other).unwrap();
            }
        }
        (7, Some(path)) => {
            // A new file of the same size takes its place.
            let old = fs::read(&path).unwrap();
            let new = root.join("new");
            let text: Vec<u8> = old.iter().rev().copied().collect();
            fs::write(&new, text).unwrap();
            set_back(&new, 1);
            fs::rename(new, path).unwrap();
        }
        (_, Some(path)) => set_back(&path, chance.below(3) as u64),
    }
}

/// Everything that a run says about the files.
fn answer(root: &Path, cache: Option<&CacheOptions>) -> (String, String) {
    let options = PackOptions {
        cache: cache.cloned(),
        ..PackOptions::default()
    };
    let packer = Packer::open(&[root], options).unwrap();
    let survey = PackRun::new(&packer, &NoProgress, &Cancel::new())
        .survey()
        .unwrap();
    let mut out = Vec::new();
    PackRun::new(&packer, &NoProgress, &Cancel::new())
        .write(&survey, &mut out)
        .unwrap();
    let files: Vec<_> = survey
        .files()
        .map(|file| format!("{} {} {} {}", file.path, file.hash, file.tokens, file.lines))
        .collect();
    let left_out: Vec<_> = survey
        .left_out
        .iter()
        .map(|left| format!("{} {}", left.path, left.reason))
        .collect();
    let told = format!("{files:#?}\n{left_out:#?}\n{:#?}", survey.secrets.len());
    (told, String::from_utf8(out).unwrap())
}

/// Waits until all that happened so far is past by more than the clock is coarse.
fn settle(sandbox: &Sandbox, coarseness: Duration) {
    tick(&sandbox.work());
    let now = SystemTime::now();
    until(|| now.elapsed().is_ok_and(|age| age > coarseness));
}

#[test]
fn no_change_is_missed() {
    // More with `cargo xtask suite sequences`.
    let count = std::env::var("LOOM_SEQUENCES").map_or(60, |count| count.parse().unwrap());
    let sandbox = Sandbox::new();
    let root = sandbox.path("tree");
    let mut cache = CacheOptions::new(Some(sandbox.path("cache")));
    // Coarser than the clocks of the file systems that tests run on, and short enough
    // for files to settle within the test.
    cache.coarseness = Duration::from_millis(25);
    for seed in 0..count {
        let mut chance = Chance(seed * 7919 + 1);
        if root.exists() {
            fs::remove_dir_all(&root).unwrap();
        }
        fs::create_dir_all(&root).unwrap();
        (0..4).for_each(|_| happen(&root, &mut chance));
        for step in 0..3 {
            match chance.below(4) {
                0 => settle(&sandbox, cache.coarseness),
                1 => tick(&sandbox.work()),
                _ => {}
            }
            (0..=chance.below(3)).for_each(|_| happen(&root, &mut chance));
            if chance.below(8) == 0 {
                while_changing(&root, &cache, &mut chance);
            }
            let remembered = answer(&root, Some(&cache));
            assert_eq!(remembered, answer(&root, None), "seed {seed}, step {step}");
        }
    }
    println!("figure: sequences = {count}");
}

/// Asks while files change: what is said then is not compared, what is remembered of
/// it is.
fn while_changing(root: &Path, cache: &CacheOptions, chance: &mut Chance) {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                happen(root, chance);
            }
        });
        let options = PackOptions {
            cache: Some(cache.clone()),
            ..PackOptions::default()
        };
        if let Ok(packer) = Packer::open(&[root], options) {
            let _ = PackRun::new(&packer, &NoProgress, &Cancel::new()).survey();
        }
        is_done.store(true, Ordering::Relaxed);
    });
}
