//! Alarms of one cause become one: the same pointer or index, unchecked at several places of a function and not changed in between.
//!
//! The first of them is told, which is the surest or worst; the others are places that it names. What was refuted stays apart from what was not.

use super::code::{Code, Found};
use super::culprit::culprit;
use super::tokens::{Token, text};
use covet_results::{Alarm, Frame, Record, Verdict};

/// Joins the alarms of a record; tests of those that are joined to another show that one.
pub fn join(record: &mut Record, code: &Code<'_>) {
    let mut kept: Vec<Alarm> = Vec::new();
    let mut places = Vec::new();
    for alarm in std::mem::take(&mut record.alarms) {
        match kept.iter().position(|other| is_same(other, &alarm, code)) {
            Some(leader) => {
                let Alarm { function, file, line, column, mut told, .. } = alarm;
                kept[leader].told.same.push(Frame { function, file, line, column });
                kept[leader].told.same.append(&mut told.same);
                places.push(leader);
            }
            None => {
                places.push(kept.len());
                kept.push(alarm);
            }
        }
    }
    record.alarms = kept;
    for test in &mut record.tests {
        test.alarm = test.alarm.and_then(|alarm| places.get(alarm).copied());
    }
}

fn is_same(a: &Alarm, b: &Alarm, code: &Code<'_>) -> bool {
    let is_refuted = |alarm: &Alarm| alarm.verdict == Verdict::Filtered;
    let are_near = (a.kind, &a.file, &a.function) == (b.kind, &b.file, &b.function) && is_refuted(a) == is_refuted(b);
    if !are_near {
        return false;
    }
    let (Some(first), Some(second)) = (code.of(a), code.of(b)) else { return false };
    let (one, other) = (wrong_part(a, &first), wrong_part(b, &second));
    let names: Vec<&str> = one.iter().filter(|token| token.is_name()).map(|token| token.text).collect();
    !names.is_empty() && text(one) == text(other) && !first.is_changed_before(&second, &names)
}

fn wrong_part<'c>(alarm: &Alarm, found: &Found<'c>) -> &'c [Token<'c>] {
    let tokens = found.tokens();
    &tokens[culprit(alarm.kind, tokens)]
}

#[cfg(test)]
mod tests {
    use super::super::code::Texts;
    use super::*;
    use covet_results::{AlarmKind, Range, Test};
    use covet_sites::SiteMap;

    #[test]
    fn one_pointer_that_nobody_checks_is_one_alarm() {
        let source = "int f(struct s *p, struct s *q)\n{\n    int x = p->a;\n    p->b = 2;\n    x += q->a;\n    p = q;\n    return x + p->a;\n}\n";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c").to_string_lossy().into_owned();
        std::fs::write(&file, source).unwrap();
        let alarm = |line: u32, expression: &str| {
            let column = source.lines().nth(line as usize - 1).unwrap().find(expression).unwrap() as u32 + 1;
            let range = Range { line, column, end_line: line, end_column: column + expression.len() as u32 };
            let (file, function) = (file.clone(), "f".to_string());
            Alarm { file, function, line, column, range: Some(range), ..Alarm::new(AlarmKind::NullDereference) }
        };
        let alarms = vec![alarm(3, "p->a"), alarm(4, "p->b = 2"), alarm(5, "q->a"), alarm(7, "p->a")];
        let tests = (0..4).map(|at| Test { alarm: Some(at), ..Test::new(format!("f-00{at}"), "f") }).collect();
        let mut record = Record { alarms, tests, ..Record::default() };
        let (texts, map) = (Texts::of([file.as_str()].into_iter()), SiteMap::default());
        join(&mut record, &texts.code(&map));
        let lines: Vec<u32> = record.alarms.iter().map(|alarm| alarm.line).collect();
        assert_eq!(lines, [3, 5, 7], "`p` of line 7 is another one");
        assert_eq!(record.alarms[0].told.same[0].line, 4);
        let shown: Vec<usize> = record.tests.iter().filter_map(|test| test.alarm).collect();
        assert_eq!(shown, [0, 0, 1, 2]);
    }
}
