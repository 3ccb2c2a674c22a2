//! The same input gives the same bytes, however and wherever the command runs.

use loom_testkit::{Run, Sandbox, odd_tree};

use crate::packed::BINARY;

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
    for format in ["xml", "markdown", "json"] {
        let expected = whole(&["-f", format, "-j", "1"], "", &[]);
        assert!(expected.len() > 10_000);
        for (args, folder, variables) in [
            (&["-j", "1"][..], "", &[][..]),
            (&["-j", "2"], "", &[]),
            (&["-j", "8"], "", &[]),
            (&["."], "", &[("LC_ALL", "C")]),
            (
                &[],
                "",
                &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")],
            ),
            (&[], "", &[("HOME", "")]),
            (
                &[],
                "",
                &[("TZ", "Asia/Tokyo"), ("TERM", "dumb"), ("NO_COLOR", "1")],
            ),
            (&[], "", &[("INFINILOOM_UI_COLOR", "always")]),
            (&[work.to_str().unwrap()], "..", &[]),
            (&["work"], "..", &[]),
            (&[".."], "docs", &[]),
            (&["../links/../../work/."], "docs", &[]),
        ] {
            let args = [&["-f", format], args].concat();
            let found = whole(&args, folder, variables);
            assert!(
                found == expected,
                "{args:?} in {folder:?} with {variables:?}"
            );
        }
    }
}
