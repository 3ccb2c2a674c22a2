//! The counter against the reference implementations.

mod bytes;
mod generated;
mod growth;
mod nasty;
mod reference;
mod threads;
mod vocabulary;
