//! The escape sequence OSC 52: text for the clipboard, in base64, sent through the terminal. It
//! works over ssh. The terminal sends no response.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use super::{ClipboardError, Copied};

/// Maximum bytes of text that every terminal with OSC 52 accepts: the oldest ones limit the
/// sequence to 100,000 bytes, and base64 makes 4 bytes of each 3.
pub(crate) const SAFE_TEXT: usize = 74_994;

/// The terminal itself, even if standard output is redirected.
const TERMINAL: &str = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };

pub(super) fn copy(text: &mut File) -> Result<Copied, ClipboardError> {
    text.rewind()?;
    let terminal = OpenOptions::new().write(true).open(TERMINAL);
    let terminal = terminal.map_err(ClipboardError::NoTerminal)?;
    send(text, &mut BufWriter::new(terminal))?;
    let is_long = text.metadata()?.len() > SAFE_TEXT as u64;
    Ok(Copied::Terminal { is_long })
}

fn send(text: &mut dyn Read, terminal: &mut dyn Write) -> io::Result<()> {
    terminal.write_all(b"\x1b]52;c;")?;
    let mut encoder = EncoderWriter::new(&mut *terminal, &STANDARD);
    io::copy(text, &mut encoder)?;
    encoder.finish()?;
    drop(encoder);
    terminal.write_all(b"\x07")?;
    terminal.flush()
}

#[cfg(test)]
mod tests {
    use base64::Engine;

    use super::*;

    #[test]
    fn one_sequence_whatever_the_length() {
        for length in [0, 1, 2, 3, 100_000] {
            let text = vec![b'x'; length];
            let mut out = Vec::new();
            send(&mut text.as_slice(), &mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
            let inner = out.strip_prefix("\x1b]52;c;").unwrap();
            let inner = inner.strip_suffix('\x07').unwrap();
            assert_eq!(STANDARD.decode(inner).unwrap(), text);
        }
    }
}
