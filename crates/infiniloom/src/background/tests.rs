//! Tests of values that are built in the background.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use super::*;

fn built(background: &Arc<Background<u64>>, version: u64, value: u64) -> u64 {
    let got = background.get(version, &Cancel::new(), move |_| Ok(value));
    *got.unwrap()
}

/// Returns a request that is already cancelled.
fn hurried() -> Cancel {
    let cancel = Cancel::new();
    cancel.cancel();
    cancel
}

#[test]
fn value_is_built_once_and_again_for_a_later_version() {
    let background = Background::new();
    assert_eq!(built(&background, 1, 10), 10);
    assert_eq!(built(&background, 1, 11), 10);
    assert!(!background.has(2));
    assert_eq!(built(&background, 2, 20), 20);
    // A later value also serves an earlier version.
    assert_eq!(built(&background, 1, 12), 20);
}

#[test]
fn cancelled_wait_ends_and_a_warm_build_goes_on() {
    let background = Background::<u64>::new();
    background.set_warm(true);
    let (go, wait) = channel::<()>();
    let slow = move |_: &Cancel| {
        wait.recv().unwrap();
        Ok(1)
    };
    let error = background.get(1, &hurried(), slow).unwrap_err();
    assert_eq!(error.code(), "cancelled");
    go.send(()).unwrap();
    assert_eq!(built(&background, 1, 2), 1);
}

#[test]
fn build_without_a_caller_stops_unless_it_is_kept_warm() {
    let background = Background::<u64>::new();
    let (told, heard) = channel();
    let until_stopped = move |cancel: &Cancel| {
        while !cancel.is_cancelled() {
            std::thread::yield_now();
        }
        told.send(()).unwrap();
        Err(Error::cancelled())
    };
    assert!(background.get(1, &hurried(), until_stopped).is_err());
    heard.recv().unwrap();
    assert_eq!(built(&background, 1, 2), 2);
}

#[test]
fn one_value_is_built_at_a_time_however_often_the_version_changes() {
    let background = Background::<u64>::new();
    background.set_warm(true);
    let (at_work, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    std::thread::scope(|scope| {
        for version in 1..40 {
            let (at_work, most) = (Arc::clone(&at_work), Arc::clone(&most));
            let background = &background;
            scope.spawn(move || {
                let build = move |_: &Cancel| {
                    most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    Ok(version)
                };
                let got = background.get(version, &Cancel::new(), build).unwrap();
                assert!(*got >= version);
            });
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 1);
}

#[test]
fn failure_and_panic_are_told_and_tried_again() {
    let background = Background::<u64>::new();
    background.set_warm(true);
    let error = background.get(1, &Cancel::new(), |_| panic!("on purpose"));
    assert_eq!(error.unwrap_err().code(), "panic");
    let secrets = || Error::with_message(ErrorKind::Refused, "secrets_found", "two secrets");
    while background.lock().building.is_some() {
        std::thread::yield_now();
    }
    let error = background.get(1, &Cancel::new(), move |_| Err(secrets()));
    assert_eq!(error.unwrap_err().code(), "panic");
    while background.lock().building.is_some() {
        std::thread::yield_now();
    }
    let error = background.get(1, &Cancel::new(), |_| Ok(7)).unwrap_err();
    assert_eq!(
        (error.code(), error.kind()),
        ("secrets_found", ErrorKind::Refused)
    );
    while !background.has(1) {
        std::thread::yield_now();
    }
    assert_eq!(built(&background, 1, 8), 7);
}

#[test]
fn unused_value_is_dropped_and_built_again() {
    let background = Background::new();
    assert_eq!(built(&background, 1, 10), 10);
    assert!(background.drop_unused(Instant::now()).is_some());
    assert!(background.has(1));
    assert_eq!(background.drop_unused(Instant::now() + KEPT), None);
    assert!(!background.has(1));
    assert_eq!(built(&background, 1, 11), 11);
}
