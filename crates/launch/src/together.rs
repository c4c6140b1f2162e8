//! Work on each of many things by a few threads at a time: most of it is waiting for programs. The answers come in the order of the things.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub fn together<T: Sync, A: Send>(threads: usize, things: &[T], work: impl Fn(usize, &T) -> A + Sync) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let answers: Vec<Mutex<Option<A>>> = things.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, things.len().max(1)) {
            scope.spawn(|| {
                while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < things.len()) {
                    let answer = work(at, &things[at]);
                    *answers[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
                }
            });
        }
    });
    let answer = |slot: Mutex<Option<A>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.into_iter().filter_map(answer).collect()
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn answers_come_in_order() {
        let things: Vec<u32> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            assert_eq!(together(threads, &things, |_, thing| thing * 2), (0..100).map(|n| n * 2).collect::<Vec<_>>());
        }
        assert!(together(2, &[] as &[u32], |_, thing| *thing).is_empty());
    }
}
