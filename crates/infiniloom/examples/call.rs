//! Sends a query as JSON and runs it elsewhere.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::wire::QueryCall;
use infiniloom::{Control, Infiniloom, Pack, Query};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let call = Pack::new().budget(2_000).exclude("*.env").to_call()?;
    let json = serde_json::to_string(&call)?;
    println!("{json}");
    let engine = Infiniloom::new();
    let pack = Pack::from_call(&serde_json::from_str(&json)?, &engine)?;
    let snapshot = engine.open(".")?.snapshot()?;
    let packed = Query::run_with(&pack, &snapshot, &Control::new())?;
    println!("{} tokens", packed.report.output.tokens);
    let wrong = json.replace("settings", "bugdet");
    if let Err(error) = serde_json::from_str::<QueryCall>(&wrong) {
        println!("{error}");
    }
    Ok(())
}
