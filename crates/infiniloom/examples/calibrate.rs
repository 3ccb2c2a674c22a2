//! Has a provider count samples of the current directory, if it may see them.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Calibrate, Cancel, Control, Infiniloom};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::builder().user_settings().build()?;
    let snapshot = engine.open(".")?.snapshot()?;
    let may_send = std::env::args().any(|argument| argument == "--send");
    let cancel = Cancel::new();
    let (refuse, control) = (cancel.clone(), Control::new().with_cancel(&cancel));
    let control = control.before_sending(move |sending| {
        println!("{} bytes for {}", sending.bytes, sending.host);
        if !may_send {
            refuse.cancel(); // nothing leaves
        }
    });
    let calibrate = Calibrate::new().model(&engine.model("sonnet")?);
    match calibrate.run_with(&snapshot, &control) {
        Ok(found) => println!("estimates times {:.3}", found.factor),
        Err(error) => println!("{}: {error}", error.code()),
    }
    Ok(())
}
