//! Packs into a file with progress. Ctrl-C cancels; the file appears complete or not at all.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it shows its result"
)]

use infiniloom::{Budget, Cancel, Control, ErrorKind, Infiniloom, Pack, Progress};

fn main() -> infiniloom::Result<()> {
    let (cancel, progress) = (Cancel::new(), Progress::new());
    let control = Control::new().with_cancel(&cancel).with_progress(&progress);
    let _ = ctrlc::set_handler(move || cancel.cancel());
    let shown =
        std::thread::spawn(move || progress.events().for_each(|event| eprintln!("{event}")));
    let engine = Infiniloom::new();
    let model = engine.model("claude-sonnet-4-5")?;
    let snapshot = engine.open(".")?.snapshot_with(&control)?;
    let pack = Pack::new().model(&model).budget(Budget::for_model(&model));
    match pack.write_file(&snapshot, "repo.xml", &control) {
        Ok(report) => println!("{} files packed", report.files.len()),
        Err(error) if error.kind() == ErrorKind::Cancelled => println!("nothing was written"),
        Err(error) => return Err(error),
    }
    drop(control); // the events end with the last `Control`, and so does the thread
    let _ = shown.join();
    Ok(())
}
