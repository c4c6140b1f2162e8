//! A list worked on by several threads, the results taken one by one in the order of the list while the work goes on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Does `work` for every number below `count`, up to `threads` at a time, and hands the results to `take` on this thread.
pub fn in_order<R: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> R + Sync,
    mut take: impl FnMut(usize, R),
) {
    let next = AtomicUsize::new(0);
    let (send, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (send, next, work) = (send.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count || send.send((at, work(at))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (at, result) in results {
            early.insert(at, result);
            while let Some(result) = early.remove(&expected) {
                take(expected, result);
                expected += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        let mut taken = Vec::new();
        let work = |at: usize| {
            std::thread::sleep(std::time::Duration::from_millis(if at.is_multiple_of(3) { 5 } else { 0 }));
            at * at
        };
        in_order(20, 4, work, |at, result| taken.push((at, result)));
        assert_eq!(taken, (0..20).map(|at| (at, at * at)).collect::<Vec<_>>());
        in_order(0, 4, |at| at, |_, _| panic!("nothing was to be done"));
    }
}
