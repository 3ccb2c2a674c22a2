//! Writes a settings file, and shows the settings with their files and origins.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Existing, Infiniloom, Options, SettingsFile};

fn main() -> infiniloom::Result<()> {
    let file = SettingsFile::Repository(".".into());
    file.create(Existing::Replace)?;
    if let Err(error) = file.create(Existing::Keep) {
        println!("{error}");
    }
    let options = Options::new().set("pack.format", "markdown");
    let engine = Infiniloom::builder().options(options).build()?;
    let repository = engine.open(".")?;
    for file in repository.settings_files() {
        println!("{}: {}", file.owner, file.path);
    }
    let settings = repository.settings();
    print!("{}", settings.to_toml_with_origins());
    if let Err(error) = settings.require("pack.fromat") {
        println!("{}", error.hint().unwrap_or_default());
    }
    Ok(())
}
