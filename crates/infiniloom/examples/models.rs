//! Shows the limits and prices of a model, and all models of its vendor.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Infiniloom, Model};

fn main() -> infiniloom::Result<()> {
    let engine = Infiniloom::new();
    let sonnet = engine.model("sonnet")?.info();
    println!("{}: {} tokens", sonnet.name, sonnet.window);
    if let Some(price) = sonnet.prices.first().and_then(|tier| tier.input) {
        println!("${price} for a million tokens");
    }
    let all = engine.models();
    let of_vendor = all.iter().map(Model::info);
    for model in of_vendor.filter(|model| model.vendor == sonnet.vendor) {
        println!("  {}", model.name);
    }
    match engine.model("sonet") {
        Ok(model) => println!("{}", model.name()),
        Err(error) => println!("{error}: {}", error.hint().unwrap_or("no hint")),
    }
    Ok(())
}
