//! Queries from async code: a dropped future cancels its query.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Cancel, Context, Control, Error, Infiniloom, Result, Snapshot};

async fn assemble(snapshot: Snapshot, prompt: String) -> Result<String> {
    let cancel = Cancel::new();
    let _guard = cancel.cancel_on_drop();
    let control = Control::new().with_cancel(&cancel);
    let query = Context::new(prompt).budget(8_000);
    let work = tokio::task::spawn_blocking(move || query.run_with(&snapshot, &control));
    let context = work.await.unwrap_or_else(|_| Err(Error::cancelled()))?;
    Ok(context.context)
}

fn main() -> Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else {
        return Err(Error::cancelled());
    };
    let context = runtime.block_on(assemble(snapshot, "the total of a basket".to_owned()))?;
    println!("{context}");
    Ok(())
}
