//! For any contents of another program's configuration: the edit is rejected, or an entry is set,
//! setting it again changes nothing, and removing it restores every byte.
//!
//! Run with `cargo +nightly fuzz run foreign` in the parent directory.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_settings::{ForeignEntry, ForeignSyntax};

fuzz_target!(|old: &str| {
    let fields = [("command", "loom".into()), ("args", vec!["mcp"].into())];
    for syntax in [
        ForeignSyntax::Json,
        ForeignSyntax::Jsonc,
        ForeignSyntax::Toml,
    ] {
        let entry = ForeignEntry {
            syntax,
            path: &["servers", "loom"],
        };
        let Ok(new) = entry.set(old, &fields) else {
            continue;
        };
        let value = entry.get(&new).expect("it reads").expect("it is there");
        assert_eq!(value["command"], "loom");
        assert_eq!(entry.set(&new, &fields).expect("again"), new);
        assert_eq!(entry.take(&new, Some(old)).expect("back"), old);
        let taken = entry.take(&new, None).expect("out");
        assert_eq!(entry.get(&taken).expect("it still reads"), None);
    }
});
