//! Reads a pack file by file. A slow consumer pauses the reading.

#![expect(clippy::print_stdout, reason = "it shows its result")]

use infiniloom::{Buffer, Control, Infiniloom, Pack, PackEvent};

fn main() -> infiniloom::Result<()> {
    let snapshot = Infiniloom::new().open(".")?.snapshot()?;
    for event in Pack::new().stream(&snapshot, Buffer::new(8), &Control::new()) {
        match event? {
            PackEvent::Metadata(statistics) => println!("{} files", statistics.files),
            PackEvent::File { info, text, .. } => println!("{}: {} bytes", info.path, text.len()),
            PackEvent::Summary { skipped, .. } => println!("{} skipped", skipped.len()),
            _ => {}
        }
    }
    Ok(())
}
