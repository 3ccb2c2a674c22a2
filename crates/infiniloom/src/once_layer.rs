//! A derived value of one snapshot: built once, by the first query that needs it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use loom_host::Cancel;

use crate::{Error, Result};

/// Interval at which a waiting query checks for cancellation.
const LOOKS: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(crate) struct OnceLayer<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
enum State<T> {
    Missing,
    Building,
    Built(Arc<T>),
}

impl<T> Default for OnceLayer<T> {
    fn default() -> Self {
        Self {
            state: Mutex::new(State::Missing),
            changed: Condvar::new(),
        }
    }
}

impl<T> OnceLayer<T> {
    /// Returns the value if it is built.
    pub(crate) fn built(&self) -> Option<Arc<T>> {
        match &*self.lock() {
            State::Built(value) => Some(Arc::clone(value)),
            State::Missing | State::Building => None,
        }
    }

    /// Returns the value, and builds it if it is missing. One caller builds while the others wait
    /// for its value. If the build fails, one of them tries again.
    pub(crate) fn get(
        &self,
        cancel: &Cancel,
        build: impl FnOnce() -> Result<Arc<T>>,
    ) -> Result<Arc<T>> {
        let mut state = self.lock();
        loop {
            match &*state {
                State::Built(value) => return Ok(Arc::clone(value)),
                State::Building if cancel.is_cancelled() => return Err(Error::cancelled()),
                State::Building => {
                    let waited = self.changed.wait_timeout(state, LOOKS);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                State::Missing => break,
            }
        }
        *state = State::Building;
        drop(state);
        let mut building = Building {
            layer: self,
            value: None,
        };
        let value = build()?;
        building.value = Some(Arc::clone(&value));
        Ok(value)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that marks the build as ended, also after a panic.
struct Building<'l, T> {
    layer: &'l OnceLayer<T>,
    value: Option<Arc<T>>,
}

impl<T> Drop for Building<'_, T> {
    fn drop(&mut self) {
        *self.layer.lock() = match self.value.take() {
            Some(value) => State::Built(value),
            None => State::Missing,
        };
        self.layer.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_build_is_tried_again_and_a_built_value_stays() {
        let layer = OnceLayer::<u8>::default();
        let cancel = Cancel::new();
        assert!(layer.get(&cancel, || Err(Error::cancelled())).is_err());
        assert_eq!(layer.built(), None);
        assert_eq!(*layer.get(&cancel, || Ok(Arc::new(1))).unwrap(), 1);
        assert_eq!(*layer.get(&cancel, || Ok(Arc::new(2))).unwrap(), 1);
    }

    #[test]
    fn cancelled_query_stops_waiting_for_another_builder() {
        let layer = OnceLayer::<u8>::default();
        let (cancel, other) = (Cancel::new(), Cancel::new());
        other.cancel();
        let built = layer.get(&cancel, || {
            let waited = layer.get(&other, || Ok(Arc::new(9)));
            assert_eq!(waited.unwrap_err().code(), "cancelled");
            Ok(Arc::new(1))
        });
        assert_eq!(*built.unwrap(), 1);
    }
}
