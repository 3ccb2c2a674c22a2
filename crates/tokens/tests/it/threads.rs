//! Threads share one table and may write the same slots.

use loom_tokens::Vocabulary;

#[test]
#[expect(clippy::disallowed_methods, reason = "threads are what is tested")]
fn threads_that_write_the_same_slots_agree() {
    let text: String = (0..4_000)
        .map(|at| format!("word{at} ünïque{at}\n"))
        .collect();
    for &vocabulary in Vocabulary::ALL {
        let count = || vocabulary.count(&text);
        let counts: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(count)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().ok())
                .collect()
        });
        assert_eq!(counts, [Some(count()); 3]);
    }
}
