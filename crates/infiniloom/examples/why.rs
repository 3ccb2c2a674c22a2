//! Shows settings with their origins, and the rule that skips a path.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, Why};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::builder().user_settings().build()?;
    let repository = engine.open(".")?;
    for setting in repository.settings().list() {
        println!("{} = {} ({})", setting.key, setting.value, setting.origin);
    }
    let why = Why::new("target/debug/app").run(&repository.snapshot()?)?;
    println!("{}: {}", why.path, why.detail);
    Ok(())
}
