//! The command through its real binary, in a sandbox with a home of its own.
