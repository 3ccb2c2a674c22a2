//! Long lists of plain values, either in memory or in a file that the caller maps. This module
//! knows no files; the caller supplies the bytes.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::{Pod, cast_slice, try_cast_slice};

/// Bytes that several columns share, such as a mapped file.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// An immutable list of plain values. A clone shares the values.
#[derive(Clone)]
pub struct Column<T> {
    values: Values<T>,
}

#[derive(Clone)]
enum Values<T> {
    Memory(Arc<Vec<T>>),
    Mapped(SharedBytes, Range<usize>),
}

impl<T: Pod> Column<T> {
    /// Returns the values in `range` of `bytes`. Returns `None` if the range is outside of
    /// the bytes, is not aligned for `T`, or ends inside of a value.
    pub fn from_bytes(bytes: SharedBytes, range: Range<usize>) -> Option<Self> {
        let part = (*bytes).as_ref().get(range.clone())?;
        try_cast_slice::<u8, T>(part).ok()?;
        Some(Self {
            values: Values::Mapped(bytes, range),
        })
    }

    /// Returns the values to change them. Copies them if they are mapped or shared.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if let Values::Mapped(..) = &self.values {
            self.values = Values::Memory(Arc::new(self.to_vec()));
        }
        match &mut self.values {
            Values::Memory(values) => Arc::make_mut(values),
            Values::Mapped(..) => unreachable!("the values were copied into memory"),
        }
    }

    /// Returns the values as bytes, in the byte order of this machine.
    pub fn as_bytes(&self) -> &[u8] {
        cast_slice(self)
    }
}

impl<T: Pod> Deref for Column<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.values {
            Values::Memory(values) => values,
            // `from_bytes` checked that the bytes are values.
            Values::Mapped(bytes, range) => cast_slice(&(**bytes).as_ref()[range.clone()]),
        }
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self {
            values: Values::Memory(Arc::new(values)),
        }
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Pod + PartialEq> PartialEq for Column<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod> fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Column({} values)", self.len())
    }
}

/// Append-only storage for a column that outgrows memory; read once at the end.
pub trait Spill {
    /// Appends bytes. Returns false if they cannot be stored; the storage then keeps the
    /// bytes of earlier calls and takes no more.
    fn append(&mut self, bytes: &[u8]) -> bool;

    /// Returns the stored bytes, aligned for any number. Returns `None` if they cannot be
    /// read again.
    fn finish(self: Box<Self>) -> Option<SharedBytes>;
}

/// Policy that decides which columns leave memory.
pub trait Scratch {
    /// Returns the number of bytes of one column that stay in memory.
    fn in_memory(&self) -> usize;

    /// Opens storage for one column. Returns `None` if no storage is available.
    fn open(&self) -> Option<Box<dyn Spill>>;

    /// Records that a column stays in memory because storage is missing or full.
    fn note_full(&self) {}
}

/// Scratch space that keeps every column in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct InMemory;

impl Scratch for InMemory {
    fn in_memory(&self) -> usize {
        usize::MAX
    }

    fn open(&self) -> Option<Box<dyn Spill>> {
        None
    }
}

/// Error: the storage lost values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the scratch file of a column cannot be read again")]
pub struct ColumnLost;

/// Builder of a column that receives one value after the other.
pub struct ColumnBuilder<'a, T> {
    scratch: &'a dyn Scratch,
    spill: Option<Box<dyn Spill>>,
    /// Number of values in the storage.
    spilled: usize,
    tail: Vec<T>,
    /// True if the storage lost values.
    is_lost: bool,
}

impl<'a, T: Pod> ColumnBuilder<'a, T> {
    /// Starts an empty column.
    pub fn new(scratch: &'a dyn Scratch) -> Self {
        Self {
            scratch,
            spill: None,
            spilled: 0,
            tail: Vec::new(),
            is_lost: false,
        }
    }

    /// Returns the number of values so far.
    pub fn len(&self) -> usize {
        self.spilled + self.tail.len()
    }

    /// Returns whether the column is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a value.
    pub fn push(&mut self, value: T) {
        self.extend_from_slice(&[value]);
    }

    /// Adds values. [`Self::finish`] reports a failure.
    pub fn extend_from_slice(&mut self, values: &[T]) {
        self.tail.extend_from_slice(values);
        if size_of_val(self.tail.as_slice()) >= self.scratch.in_memory() {
            self.is_lost |= self.flush().is_err();
        }
    }

    /// Returns the column.
    ///
    /// # Errors
    /// If the storage failed and its values are lost.
    pub fn finish(mut self) -> Result<Column<T>, ColumnLost> {
        if self.spill.is_some() {
            self.flush()?;
        }
        if self.is_lost {
            return Err(ColumnLost);
        }
        let Some(spill) = self.spill else {
            self.tail.shrink_to_fit();
            return Ok(self.tail.into());
        };
        let bytes = spill.finish().ok_or(ColumnLost)?;
        let end = (*bytes).as_ref().len();
        let column = Column::from_bytes(bytes, 0..end).ok_or(ColumnLost)?;
        (column.len() == self.spilled)
            .then_some(column)
            .ok_or(ColumnLost)
    }

    /// Moves the values in memory to the storage. If it is full, all values come back.
    fn flush(&mut self) -> Result<(), ColumnLost> {
        if self.spill.is_none() {
            self.spill = self.scratch.open();
        }
        let Some(spill) = &mut self.spill else {
            // A new request for every value would cost more than the values.
            self.scratch.note_full();
            self.scratch = &InMemory;
            return Ok(());
        };
        if spill.append(cast_slice(&self.tail)) {
            self.spilled += self.tail.len();
            self.tail.clear();
            return Ok(());
        }
        self.scratch.note_full();
        self.scratch = &InMemory;
        let Some(spill) = self.spill.take() else {
            return Ok(());
        };
        let mut values = Vec::new();
        if self.spilled > 0 {
            let bytes = spill.finish().ok_or(ColumnLost)?;
            let size = self.spilled * size_of::<T>();
            let stored = (*bytes).as_ref().get(..size).ok_or(ColumnLost)?;
            values.extend_from_slice(try_cast_slice(stored).map_err(|_| ColumnLost)?);
        }
        values.append(&mut self.tail);
        (self.tail, self.spilled) = (values, 0);
        Ok(())
    }
}

impl<T: Pod> fmt::Debug for ColumnBuilder<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ColumnBuilder({} values)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;

    /// Storage in memory with a limit of `limit` bytes.
    #[derive(Clone)]
    struct Small {
        limit: usize,
        stored: Arc<Mutex<Vec<u64>>>,
    }

    struct Words(Vec<u64>, usize);

    impl AsRef<[u8]> for Words {
        fn as_ref(&self) -> &[u8] {
            &cast_slice(&self.0)[..self.1]
        }
    }

    impl Scratch for Small {
        fn in_memory(&self) -> usize {
            16
        }

        fn open(&self) -> Option<Box<dyn Spill>> {
            Some(Box::new((self.clone(), Vec::new())))
        }
    }

    impl Spill for (Small, Vec<u8>) {
        fn append(&mut self, bytes: &[u8]) -> bool {
            let fits = self.1.len() + bytes.len() <= self.0.limit;
            if fits {
                self.1.extend_from_slice(bytes);
                self.0.stored.lock().unwrap().push(bytes.len() as u64);
            }
            fits
        }

        fn finish(self: Box<Self>) -> Option<SharedBytes> {
            let mut words = vec![0_u64; self.1.len().div_ceil(8)];
            bytemuck::cast_slice_mut(&mut words)[..self.1.len()].copy_from_slice(&self.1);
            Some(Arc::new(Words(words, self.1.len())))
        }
    }

    proptest! {
        #[test]
        fn column_has_the_same_values_in_memory_and_in_storage(
            values in proptest::collection::vec(any::<[u8; 3]>(), 0..200),
            step in 1..9_usize,
            limit in 0..400_usize,
        ) {
            let stored = Arc::new(Mutex::new(Vec::new()));
            let scratch = Small { limit, stored: stored.clone() };
            let mut builder = ColumnBuilder::new(&scratch);
            for some in values.chunks(step) {
                builder.extend_from_slice(some);
            }
            prop_assert_eq!(builder.len(), values.len());
            let column = builder.finish().unwrap();
            prop_assert_eq!(&column[..], &values[..]);
            prop_assert_eq!(column.as_bytes(), values.as_flattened());
            let may_spill = values.len() * 3 >= 16 + 24 && limit >= 40;
            prop_assert!(!may_spill || !stored.lock().unwrap().is_empty());
        }
    }

    #[test]
    fn misaligned_or_partial_bytes_are_rejected() {
        let bytes: SharedBytes = Arc::new(Words(vec![7, 8], 16));
        let of = |range| Column::<u32>::from_bytes(bytes.clone(), range);
        assert_eq!(of(0..8).unwrap().len(), 2);
        assert!(of(0..7).is_none());
        assert!(of(1..5).is_none());
        assert!(of(8..20).is_none());
    }

    #[test]
    fn missing_storage_is_requested_once() {
        #[derive(Default)]
        struct Missing(std::cell::Cell<usize>, std::cell::Cell<usize>);
        impl Scratch for Missing {
            fn in_memory(&self) -> usize {
                4
            }
            fn open(&self) -> Option<Box<dyn Spill>> {
                self.0.set(self.0.get() + 1);
                None
            }
            fn note_full(&self) {
                self.1.set(self.1.get() + 1);
            }
        }
        let missing = Missing::default();
        let mut builder = ColumnBuilder::new(&missing);
        (0..100_u32).for_each(|number| builder.push(number));
        assert!(builder.finish().unwrap().iter().copied().eq(0..100));
        assert_eq!((missing.0.get(), missing.1.get()), (1, 1));
    }

    #[test]
    fn storage_that_loses_values_is_an_error() {
        struct Loses;
        impl Scratch for Loses {
            fn in_memory(&self) -> usize {
                4
            }
            fn open(&self) -> Option<Box<dyn Spill>> {
                Some(Box::new(Loses))
            }
        }
        impl Spill for Loses {
            fn append(&mut self, _: &[u8]) -> bool {
                true
            }
            fn finish(self: Box<Self>) -> Option<SharedBytes> {
                None
            }
        }
        let mut builder = ColumnBuilder::new(&Loses);
        builder.extend_from_slice(&[1_u32, 2]);
        assert_eq!(builder.finish(), Err(ColumnLost));
    }
}
