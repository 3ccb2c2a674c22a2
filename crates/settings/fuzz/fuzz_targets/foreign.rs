//! Whatever another program's configuration holds: it is refused, or an entry is set
//! once for all and taken back to the byte.
//!
//! Run with `cargo +nightly fuzz run foreign` in this folder's parent.

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
