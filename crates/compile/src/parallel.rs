//! A list worked on by several threads. Results come in the order of the list; so does the error that is returned.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn map<T: Sync, R: Send, E: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<R, E>>>> = Mutex::new(items.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(index, item);
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(result);
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_default().into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn keeps_order_and_reports_the_first_error() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(map(&items, 8, |_, n| Ok::<usize, ()>(n * 2)).unwrap(), (0..200).step_by(2).collect::<Vec<_>>());
        assert_eq!(map(&items, 8, |_, n| if *n % 30 == 29 { Err(*n) } else { Ok(()) }), Err(29));
        assert_eq!(map(&[], 8, |_, n: &u8| Ok::<u8, ()>(*n)).unwrap(), Vec::<u8>::new());
    }
}
