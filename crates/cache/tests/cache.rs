//! The cache makes again what is damaged, keeps to its size, and takes nothing away from those who use it.

use covet_cache::{Cache, Error, Key, clear, info, trim};
use std::fs;
use std::path::Path;

fn make(cache: &Cache, name: &str, content: &[u8]) -> (std::path::PathBuf, bool) {
    let mut is_made = false;
    let path = cache.file(&Key::new(name), "txt", |path| {
        is_made = true;
        fs::write(path, content).map_err(|source| Error { path: path.to_owned(), source })
    });
    (path.unwrap(), is_made)
}

fn again(root: &Path, name: &str, content: &[u8]) -> bool {
    let (path, is_made) = make(&Cache::open(root).unwrap(), name, content);
    assert_eq!(fs::read(path).unwrap(), content);
    is_made
}

#[test]
fn damaged_entries_are_made_again() {
    let root = tempfile::tempdir().unwrap();
    let (path, _) = make(&Cache::open(root.path()).unwrap(), "a", b"something");
    assert!(!again(root.path(), "a", b"something"));
    let sums = path.with_file_name("sum");
    let damages: [&dyn Fn(); 6] = [
        &|| fs::write(&path, b"somethinG").unwrap(),
        &|| fs::write(&path, b"some").unwrap(),
        &|| fs::remove_file(&path).unwrap(),
        &|| fs::write(&sums, b"").unwrap(),
        &|| fs::write(&sums, b"foreign\n1 2 3\n").unwrap(),
        &|| {
            fs::remove_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path.parent().unwrap(), b"a file where a folder was").unwrap();
        },
    ];
    for damage in damages {
        damage();
        assert!(again(root.path(), "a", b"something"));
        assert!(!again(root.path(), "a", b"something"));
    }
}

#[test]
fn what_was_used_longest_ago_goes_first() {
    let root = tempfile::tempdir().unwrap();
    let cache = Cache::open(root.path()).unwrap();
    for (age, name) in ["oldest", "older", "new"].into_iter().enumerate() {
        let (path, _) = make(&cache, name, &[0; 1000]);
        let sums = fs::File::options().append(true).open(path.with_file_name("sum")).unwrap();
        let before = std::time::Duration::from_secs(10_000 * (3 - age as u64));
        sums.set_modified(std::time::SystemTime::now() - before).unwrap();
    }
    assert!(trim(root.path(), 2500).unwrap().in_use);
    drop(cache);
    fs::create_dir(root.path().join("entries/unfinished-x")).unwrap();
    let removed = trim(root.path(), 2500).unwrap();
    assert_eq!((removed.entries, removed.in_use), (1, false));
    assert!(!root.path().join("entries/unfinished-x").exists());
    assert!(again(root.path(), "oldest", &[0; 1000]));
    assert!(!again(root.path(), "new", &[0; 1000]));
}

#[test]
fn nothing_is_taken_from_those_who_use_it() {
    let root = tempfile::tempdir().unwrap();
    let cache = Cache::open(root.path()).unwrap();
    make(&cache, "a", b"1");
    assert!(clear(root.path()).unwrap().in_use && info(root.path()).unwrap().in_use);
    drop(cache);
    assert_eq!(clear(root.path()).unwrap().entries, 1);
    assert_eq!(info(root.path()).unwrap(), Default::default());
}

#[test]
fn many_at_once_make_one() {
    let root = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                (0..50).map(|n| again(root.path(), &n.to_string(), &[7; 5000])).filter(|is_made| *is_made).count()
            });
        }
    });
    assert_eq!(info(root.path()).unwrap().entries, 50);
}

#[test]
fn many_at_once_replace_what_is_damaged() {
    let root = tempfile::tempdir().unwrap();
    for round in 0..50 {
        let (path, _) = make(&Cache::open(root.path()).unwrap(), "a", b"something");
        fs::remove_file(path.with_file_name("sum")).unwrap();
        let made: Vec<(std::path::PathBuf, bool)> = std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..4).map(|_| scope.spawn(|| make(&Cache::open(root.path()).unwrap(), "a", b"something"))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert!(made.iter().any(|(_, is_made)| *is_made), "round {round}");
        assert_eq!(fs::read(&made[0].0).unwrap(), b"something");
    }
}
