//! The counter against the reference implementations.

mod bytes;
mod claude;
mod files;
mod generated;
mod golden;
mod growth;
mod nasty;
mod reference;
mod threads;
mod vocabulary;
