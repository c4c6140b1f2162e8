//! An alarm → a name that it keeps when the program is edited elsewhere.
//!
//! It is made of what the mistake is, not of where it stands: the kind, the function, the tokens of the expression, and which of several
//! equal ones in the function it is. Lines, spaces, comments and the folder of the file do not count.

use super::code::Found;
use covet_cache::Key;
use covet_results::Alarm;
use std::path::Path;

/// Hexadecimal digits.
const LENGTH: usize = 16;

pub fn fingerprint(alarm: &Alarm, found: Option<&Found<'_>>) -> String {
    let file = Path::new(&alarm.file).file_name().unwrap_or_default();
    let key = Key::new("alarm")
        .with(alarm.kind.to_string().as_bytes())
        .with(file.as_encoded_bytes())
        .with(alarm.function.as_bytes());
    let key = match found {
        Some(found) => key
            .with_all(found.tokens().iter().map(|token| token.text.as_bytes()))
            .with(found.ordinal().to_string().as_bytes()),
        // Of a file that cannot be read.
        None => key.with(alarm.line.to_string().as_bytes()),
    };
    let mut name = key.name();
    name.truncate(LENGTH);
    name
}

#[cfg(test)]
mod tests {
    use super::super::code::Texts;
    use super::*;
    use covet_results::{AlarmKind, Range};
    use covet_sites::SiteMap;

    /// The fingerprint of the `nth` division by `d` in a source.
    fn of(source: &str, nth: usize) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        std::fs::write(&file, source).unwrap();
        let (at, _) = source.match_indices("d;").nth(nth).unwrap();
        let start = source[..at].rfind('=').unwrap() + 2;
        let place = |at: usize| {
            let line = source[..at].matches('\n').count() as u32 + 1;
            (line, (at - source[..at].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1)
        };
        let ((line, column), (end_line, end_column)) = (place(start), place(at + 1));
        let alarm = Alarm {
            file: file.to_string_lossy().into_owned(),
            function: "f".into(),
            line,
            range: Some(Range { line, column, end_line, end_column }),
            ..Alarm::new(AlarmKind::DivisionByZero)
        };
        let texts = Texts::of([alarm.file.as_str()].into_iter());
        let map = SiteMap::default();
        let code = texts.code(&map);
        assert!(code.of(&alarm).is_some());
        fingerprint(&alarm, code.of(&alarm).as_ref())
    }

    #[test]
    fn edits_elsewhere_do_not_change_it() {
        let before = "int f(int n, int d) { int a = n / d; int b = n / d; return a + b; }";
        let after = "/* new */\n#include <x.h>\n\nint f(int n, int d)\n{\n  int c = 3;\n int a = n /\n /* of */ d; int b = n / d; return c; }";
        assert_eq!(of(before, 0), of(after, 0));
        assert_eq!(of(before, 1), of(after, 1));
        assert_ne!(of(before, 0), of(before, 1), "equal expressions are told apart by their order");
        assert_ne!(of(before, 0), of("int f(int n, int d) { int a = n * 2 / d; }", 0));
        assert_eq!(of(before, 0).len(), LENGTH);
    }
}
