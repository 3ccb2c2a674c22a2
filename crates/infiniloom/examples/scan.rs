//! Finds secrets, and redacts them in a prompt that quotes one of the repository.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Format, Infiniloom, Render, Sanitizer, Scan};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    let scan = Scan::files().run(&snapshot)?;
    for finding in &scan.findings {
        println!("{}:{}: {}", finding.path, finding.line, finding.kind);
    }
    println!("{}", scan.render(Format::Sarif)?); // for a code host
    let mut sanitizer = Sanitizer::for_snapshot(&snapshot)?; // knows the secrets of the files
    let safe = sanitizer.push("deploy with vK8#pq2Zr!x9 today\n") + &sanitizer.finish();
    println!("{safe}");
    Ok(())
}
