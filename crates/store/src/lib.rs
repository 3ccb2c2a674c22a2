//! A content-addressed cache: looks up derived values by content hash and value kind, and records
//! the contents that the files of a root had. It neither interprets values nor reads the root.
//!
//! A value is either plain or encrypted. An encrypted value can be read only by a caller that has
//! the contents it was derived from, so the store exposes no contents. Losing the store costs only
//! time: every value is verified when it is read, and a damaged value is a cache miss.
//!
//! ```
//! use loom_store::{Digest, HashChoice, ValueKind, Options, Seal, Store};
//!
//! let store = Store::in_memory(Options::default());
//! let contents = b"fn main() {}";
//! let digest = Digest::of(HashChoice::Blake3, contents);
//! let kind = ValueKind { name: "words", version: 1 };
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
pub use snapshot::{SnapshotEntry, Version};
pub use store::{Content, Options, Store, StoreError, ValueKind, Values};
pub use verify::{Stats, Verified};
