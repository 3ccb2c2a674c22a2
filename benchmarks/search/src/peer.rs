//! ripgrep over the same files, and both as commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::queries::Asked;

pub(crate) struct Peer {
    rg: String,
    tree: PathBuf,
    /// The paths, with a NUL behind each.
    list: PathBuf,
}

impl Peer {
    pub(crate) fn new(rg: &str, tree: &Path, files: &[String]) -> Result<Self> {
        let list = std::env::temp_dir().join(format!("search-files-{}", std::process::id()));
        let mut text = String::new();
        for file in files {
            text.push_str(file);
            text.push('\0');
        }
        fs::write(&list, text)?;
        Ok(Self {
            rg: rg.to_owned(),
            tree: tree.to_owned(),
            list,
        })
    }

    /// The lines that it finds in the files of the list, and the time that it takes over
    /// the tree as it is, with its own rules: the better of two.
    pub(crate) fn ask(&self, asked: &Asked) -> Result<(BTreeSet<(String, usize)>, f64)> {
        let out = Command::new("xargs")
            .args(["-0", "-a"])
            .arg(&self.list)
            .arg(&self.rg)
            .args([
                "-a",
                "-n",
                "-H",
                "--no-heading",
                "--no-config",
                "--color=never",
            ])
            .args(asked.flags())
            .args(["-e", &asked.text, "--"])
            .current_dir(&self.tree)
            .output()
            .context("xargs")?;
        // It has a word to say only where it refuses.
        if !out.stderr.is_empty() {
            bail!("ripgrep: {}", String::from_utf8_lossy(&out.stderr));
        }
        let mut found = BTreeSet::new();
        for line in out
            .stdout
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            let mut parts = line.splitn(3, |byte| *byte == b':');
            let (Some(path), Some(number)) = (parts.next(), parts.next()) else {
                bail!("a line of ripgrep's without a number");
            };
            let number = String::from_utf8_lossy(number).parse()?;
            found.insert((String::from_utf8_lossy(path).into_owned(), number));
        }
        let mut best = f64::MAX;
        for _ in 0..2 {
            let start = Instant::now();
            Command::new(&self.rg)
                .args(["-n", "--no-config", "--color=never"])
                .args(asked.flags())
                .args(["-e", &asked.text, "."])
                .current_dir(&self.tree)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok((found, best))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.list);
    }
}

/// Our command from start to end, p50 of some queries in milliseconds.
pub(crate) fn commands(ours: &Path, tree: &Path, asked: &[&Asked]) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for one in asked {
        let mut flags = vec![one.kind_flag()];
        flags.extend(one.flags().into_iter().filter(|flag| *flag != "-F"));
        times.push(command(ours, tree, &flags, &one.text)?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// The same of a text that no file has: what remains is the look at all files.
pub(crate) fn nothing(ours: &Path, tree: &Path, turns: usize) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for turn in 0..turns {
        times.push(command(
            ours,
            tree,
            &["-F"],
            &format!("\u{1}qzx{turn}\u{2}"),
        )?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Milliseconds of one command.
fn command(ours: &Path, tree: &Path, flags: &[&str], text: &str) -> Result<f64> {
    let start = Instant::now();
    Command::new(ours)
        .args(["search", "--secrets", "off"])
        .args(flags)
        .args(["--", text])
        .current_dir(tree)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(1e3 * start.elapsed().as_secs_f64())
}
