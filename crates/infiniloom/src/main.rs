//! The command `infiniloom`.

use std::process::ExitCode;

fn main() -> ExitCode {
    infiniloom::cli::main()
}
