//! Keeps what was derived from contents, by the hash of the contents and by who
//! derived it, and remembers which contents the files of a tree had. It does not know
//! what a value means, and never touches a tree.
//!
//! A value is either plain, or sealed: then it can be read only by those who have the
//! contents that it was derived from, so that nothing of them stands in the store in
//! the clear. Losing the store loses nothing but time: everything in it is checked
//! when it is read, and what is not right is not there.
//!
//! ```
//! use loom_store::{Digest, HashChoice, Kind, Options, Seal, Store};
//!
//! let store = Store::in_memory(Options::default());
//! let contents = b"fn main() {}";
//! let digest = Digest::of(HashChoice::Blake3, contents);
//! let kind = Kind { name: "words", version: 1 };
//! let mut batch = store.batch();
//! batch.put_sealed(&digest, kind, 0, b"fn, main", &Seal::of(contents));
//! store.write(&batch);
//! let content = store.find(&digest).unwrap();
//! let value = store.get_sealed(&content, kind, 0, &Seal::of(contents));
//! assert_eq!(value.as_deref(), Some(b"fn, main".as_slice()));
//! ```

mod batch;
mod digest;
mod packed;
mod prune;
mod schema;
mod snapshot;
mod store;
#[cfg(test)]
mod test_store;
mod verify;

pub use batch::Batch;
pub use digest::{Digest, HashChoice};
pub use packed::{Compression, Seal};
pub use prune::Pruned;
pub use snapshot::{Known, Version};
pub use store::{Content, Kind, Options, Store, StoreError, Values};
pub use verify::{Stats, Verified};
