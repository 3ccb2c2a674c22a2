//! The same input gives the same bytes, in every environment and working directory.

use loom_testkit::{Run, Sandbox, odd_tree};

use crate::packed::{BINARY, formats};

/// Arguments, working directory, and variables; an empty variable is removed.
type Surroundings<'a> = (&'a [&'a str], &'a str, &'a [(&'a str, &'a str)]);

#[test]
fn the_same_bytes_everywhere() {
    let sandbox = Sandbox::new();
    odd_tree(&sandbox);
    let work = sandbox.work();
    let whole = |args: &[&str], folder: &str, variables: &[(&str, &str)]| {
        let mut command = sandbox.command(BINARY);
        command
            .arg("pack")
            .args(args)
            .current_dir(sandbox.path(folder));
        for (name, value) in variables {
            match value.is_empty() {
                true => command.env_remove(name),
                false => command.env(name, value),
            };
        }
        Run::from(command.output().unwrap()).ok()
    };
    let formats: Vec<_> = formats().collect();
    let one = |format: &&str| whole(&["-f", format, "-j", "1"], "", &[]);
    let expected: Vec<_> = formats.iter().map(one).collect();
    let turkish = [("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")];
    let runs: [Surroundings<'_>; 15] = [
        (&["-j", "2"], "", &[]),
        (&["-j", "2"], "", &[]),
        (&["-j", "2"], "", &[]),
        (&["-j", "8"], "", &[]),
        (&["-j", "8"], "", &[]),
        (&["-j", "8"], "", &[]),
        (&["."], "", &[("LC_ALL", "C")]),
        (&[], "", &turkish),
        (&[], "", &[("HOME", "")]),
        (&[], "", &[("TZ", "Asia/Tokyo"), ("TERM", "dumb")]),
        (&[], "", &[("INFINILOOM_UI_COLOR", "always")]),
        (&[work.to_str().unwrap()], "..", &[]),
        (&["work"], "..", &[]),
        (&[".."], "docs", &[]),
        (&["../links/../../work/."], "docs", &[]),
    ];
    let pairs = || formats.iter().zip(&expected);
    let all = runs
        .iter()
        .flat_map(|run| pairs().map(move |pair| (run, pair)));
    for ((args, folder, variables), (format, expected)) in all {
        let found = whole(&[&["-f", *format][..], *args].concat(), folder, variables);
        assert!(found.len() > 10_000);
        assert!(
            found == *expected,
            "{format} {args:?} in {folder:?} with {variables:?}"
        );
    }
}
