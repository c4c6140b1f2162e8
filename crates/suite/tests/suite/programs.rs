//! Whole programs: `main`, standard input, arguments, files, several sources, and inputs that the source asks for.

use crate::common::*;
use covet_input::Pointee;
use covet_input::ValueKind::*;
use covet_results::{Record, Test, TestOutcome};
use covet_suite::ctest::{Settings, programs, write};
use covet_suite::replay::{Config, Replay, Verdict};

#[test]
fn main_keeps_its_meaning() {
    let case = Case::new(&[(
        "a.c",
        "#include <stdio.h>\n#include <string.h>\n\
         int seen;\nstatic void note(void) { seen++; }\n\
         int main(int argc, char **argv) {\n\
             char line[16]; note();\n\
             if (fgets(line, sizeof line, stdin) && !strcmp(line, \"hi\\n\")) return 40 + argc;\n\
             if (argc == 3 && !strcmp(argv[1], \"-x\") && argv[2][0] == 0) return 9;\n\
         }\n",
    )]);
    let with_code = |mut test: Test, code: i64| {
        test.returned = Some(int(code));
        test
    };
    case.all_pass(vec![
        with_code(returning("main-001", "main", &[], None), 0),
        with_code(
            returning(
                "main-002",
                "main",
                &[
                    ("stdin[0]", byte(b'h')),
                    ("stdin[1]", byte(b'i')),
                    ("stdin[2]", byte(b'\n')),
                    ("stdin[3]", byte(b'z')),
                    ("stdin.size", wide(3, 64, Unsigned)),
                ],
                None,
            ),
            41,
        ),
        with_code(
            returning(
                "main-003",
                "main",
                &[
                    ("argv[1][0]", byte(b'-')),
                    ("argv[1][1]", byte(b'x')),
                    ("argv[2][0]", byte(0)),
                    ("argv[2][1]", byte(b'q')),
                ],
                None,
            ),
            9,
        ),
        returning("note-001", "note", &[], None),
    ]);
}

#[test]
fn files_are_there_by_name() {
    let case = Case::new(&[(
        "a.c",
        "#include <stdio.h>\n\
         int total(void) { FILE *f = fopen(\"in.txt\", \"r\"); int c, s = 0; if (!f) return -1; while ((c = getc(f)) != EOF) s += c; return s; }\n",
    )]);
    case.all_pass(vec![
        returning("total-001", "total", &[("file.in.txt[0]", byte(1)), ("file.in.txt[1]", byte(2))], Some(int(3))),
        returning(
            "total-002",
            "total",
            &[("file.in.txt.size", wide(0, 64, Unsigned)), ("file.in.txt[0]", byte(2))],
            Some(int(0)),
        ),
        returning("total-003", "total", &[], Some(int(-1))),
    ]);
}

#[test]
fn several_sources_make_several_programs() {
    let case = Case::new(&[
        (
            "a.c",
            "#include \"b.h\"\nstatic int helper(int x) { return x + 1; }\nint top(int x) { return helper(x) + other(x); }\n",
        ),
        ("b.h", "int other(int x);\nextern int limit;\n"),
        (
            "b.c",
            "#include \"b.h\"\nint limit = 5;\nstatic int helper(int x) { return x * 2; }\nint other(int x) { return helper(x) + limit; }\n",
        ),
        ("sub/c.c", "int main(void) { return 1; }\n"),
    ]);
    let mut helper = returning("helper-002", "helper", &[("arg.x", int(4))], Some(int(8)));
    helper.file = case.folder.path().join("b.c").display().to_string();
    case.all_pass(vec![
        returning("helper-001", "helper", &[("arg.x", int(4))], Some(int(5))),
        returning("top-001", "top", &[("arg.x", int(4)), ("global.limit", int(1))], Some(int(5 + 8 + 1))),
        helper,
        returning("main-001", "main", &[], Some(int(1))),
    ]);
    let names: Vec<_> =
        std::fs::read_dir(case.folder.path().join("covet-out")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn marks_of_verification_tasks() {
    let case = Case::new(&[(
        "a.c",
        "#include <assert.h>\n\
         extern int __VERIFIER_nondet_int(void); extern double __VERIFIER_nondet_double(); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
         extern void __VERIFIER_assume(int); void reach_error(void) { assert(0); } extern void __VERIFIER_error(void);\n\
         int main(void) {\n\
             int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); double d = __VERIFIER_nondet_double();\n\
             __VERIFIER_assume(a > b);\n\
             if (d != d) reach_error();\n\
             if (__VERIFIER_nondet_uchar() == 200) __VERIFIER_error();\n\
             return a * 10 + b;\n\
         }\n",
    )]);
    let crash = |id: &str, inputs: &[(&str, covet_input::Value)]| Test {
        outcome: TestOutcome::Crashed,
        signal: Some(6),
        ..returning(id, "main", inputs, None)
    };
    case.all_pass(vec![
        returning(
            "main-001",
            "main",
            &[("nondet_int", int(3)), ("nondet_int#2", int(-1)), ("nondet_double", double(0.5))],
            Some(int(29)),
        ),
        crash("main-002", &[("nondet_int", int(3)), ("nondet_double", wide(0x7ff8_0000_0000_0001, 64, Float))]),
        crash("main-003", &[("nondet_int", int(3)), ("nondet_uchar", wide(200, 8, Unsigned))]),
    ]);
    case.all_fail(vec![returning("main-001", "main", &[("nondet_int", int(-3))], None)]);
}

/// Builds with the shipped headers and gives the verdicts.
fn with_headers(text: &str, tests: Vec<Test>) {
    let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/include");
    let case = Case::with_flags(&[("a.c", text)], &[&format!("-I{}", shipped.display())]);
    let mut settings = Settings::new(case.folder.path().join("covet-out"));
    for name in ["covet.h", "crest.h", "crown.h", "klee/klee.h"] {
        settings.headers.push((name.to_string(), std::fs::read_to_string(shipped.join(name)).unwrap()));
    }
    let mut translations = case.translations.clone();
    translations[0].flags.clear();
    let sources = covet_suite::ctest::Sources { translations: &translations, ..case.sources() };
    let made = programs(sources, &Record { tests, ..Record::default() }, &settings);
    write(&made, &settings).unwrap();
    for compiler in COMPILERS {
        let config = Config {
            compiler: compiler.into(),
            flavour: covet_suite::ctest::Flavour::Plain,
            scratch: case.folder.path().to_owned(),
            objects: case.folder.path().to_owned(),
            time_limit: std::time::Duration::from_secs(20),
            bounds: Default::default(),
            threads: 1,
        };
        let replay = Replay::build(&made, config).unwrap();
        for test in replay.tests() {
            assert_eq!(replay.run(test).unwrap(), Some(Verdict::Passed), "{compiler} {test}");
        }
    }
}

#[test]
fn marks_of_klee() {
    with_headers(
        "#include <klee/klee.h>\n\
         struct pair { int a; char b; };\n\
         int main(void) {\n\
             int x, v[3]; struct pair p; klee_make_symbolic(&x, sizeof x, \"x\"); klee_make_symbolic(v, sizeof v, \"v\");\n\
             klee_make_symbolic(&p, sizeof p, \"p\"); klee_assume(x > 0); klee_assert(v[1] != 13);\n\
             return x + v[0] * 10 + v[2] * 100 + p.a * 1000 + p.b + klee_range(0, 5, \"r\");\n\
         }\n",
        vec![
            returning(
                "main-001",
                "main",
                &[
                    ("x", int(2)),
                    ("v[0]", int(1)),
                    ("v[1]", int(0)),
                    ("v[2]", int(3)),
                    ("p.0", int(4)),
                    ("p.4", byte(5)),
                    ("r", int(1)),
                ],
                Some(int(2 + 10 + 300 + 4000 + 5 + 1)),
            ),
            Test {
                outcome: TestOutcome::Crashed,
                signal: Some(6),
                ..returning("main-002", "main", &[("x", int(1)), ("v[1]", int(13))], None)
            },
        ],
    );
}

#[test]
fn marks_of_crest_crown_and_covet() {
    with_headers(
        "#include \"crest.h\"\n\
         int main(void) { int a; unsigned char b; CREST_int(a); CREST_unsigned_char(b); CREST_int(a); return a + b; }\n",
        vec![returning(
            "main-001",
            "main",
            &[("a", int(2)), ("b", wide(250, 8, Unsigned)), ("a#2", int(4))],
            Some(int(254)),
        )],
    );
    with_headers(
        "#include \"crown.h\"\n\
         int main(void) { int a; float f; SYM_int(a); SYM_float(f, \"speed\"); SYM_assume(a > 0); return a + (f == 1.5f) + SYM_short(); }\n",
        vec![returning(
            "main-001",
            "main",
            &[
                ("a", int(2)),
                ("speed", wide(u128::from(1.5_f32.to_bits()), 32, Float)),
                ("SYM_short", wide(5, 16, Signed)),
            ],
            Some(int(8)),
        )],
    );
    with_headers(
        "#include <covet.h>\n\
         int main(void) { int x = covet_int(\"x\"); double d = covet_double(\"d\"); struct { short s[2]; } o; covet_symbolic(&o, sizeof o, \"o\");\n\
             covet_assume(x > 0); covet_assert(d < 2); return x + (d == -0.5) + o.s[1] + covet_bool(\"b\"); }\n",
        vec![
            returning(
                "main-001",
                "main",
                &[
                    ("x", int(2)),
                    ("d", double(-0.5)),
                    ("o[0]", wide(9, 16, Signed)),
                    ("o[1]", wide(0xffff, 16, Signed)),
                    ("b", wide(1, 1, Bool)),
                ],
                Some(int(3)),
            ),
            Test {
                outcome: TestOutcome::Crashed,
                signal: Some(6),
                ..returning("main-002", "main", &[("x", int(1)), ("d", double(2.0))], None)
            },
        ],
    );
}

#[test]
fn a_fuzz_harness_gets_its_bytes() {
    let case = Case::new(&[(
        "a.c",
        "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n\
         int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) { if (Size > 1 && Data[0] == 'F' && Data[1] == 0xff) abort(); return 0; }\n",
    )]);
    let inputs = [("arg.data[0]", byte(b'F')), ("arg.data[1]", byte(255)), ("arg.size", wide(2, 64, Unsigned))];
    let crash = Test {
        outcome: TestOutcome::Crashed,
        signal: Some(6),
        ..returning("LLVMFuzzerTestOneInput-001", "LLVMFuzzerTestOneInput", &inputs, None)
    };
    let mut short = returning("LLVMFuzzerTestOneInput-002", "LLVMFuzzerTestOneInput", &inputs, Some(int(0)));
    short.inputs[2].1.bits = 1;
    case.all_pass(vec![crash, short]);
}

#[test]
fn a_test_cannot_reach_beyond_its_folder() {
    let victim = tempfile::tempdir().unwrap();
    let file = victim.path().join("precious");
    std::fs::write(&file, "x").unwrap();
    let text = format!(
        "#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <unistd.h>\n\
         int harm(int how) {{\n\
             switch (how) {{\n\
             case 0: return unlink(\"{0}\");\n\
             case 1: return open(\"{0}\", O_WRONLY | O_TRUNC);\n\
             case 2: return chmod(\"{0}\", 0);\n\
             case 3: return kill(getppid(), SIGKILL);\n\
             case 4: return kill(-1, SIGTERM);\n\
             case 5: return socket(AF_INET, SOCK_STREAM, 0);\n\
             case 6: {{ FILE *f = fopen(\"mine\", \"w\"); if (!f || mkdir(\"d\", 0700)) return -1; fputs(\"y\", f); return fclose(f) + (fopen(\"d/e\", \"w\") == NULL); }}\n\
             case 7: kill(0, SIGKILL); return 0;\n\
             case 8: return getenv(\"CARGO_MANIFEST_DIR\") ? 0 : -1;\n\
             }}\n\
             return 0;\n\
         }}\n",
        file.display()
    );
    let case = Case::new(&[("a.c", &text)]);
    let refused = |how: i64| returning(&format!("harm-{how}"), "harm", &[("arg.how", int(how))], Some(int(-1)));
    let mut tests: Vec<Test> = [0, 1, 2, 3, 4, 5, 8].into_iter().map(refused).collect();
    tests.push(returning("harm-6", "harm", &[("arg.how", int(6))], Some(int(0))));
    tests.push(Test {
        outcome: TestOutcome::Crashed,
        signal: Some(9),
        ..returning("harm-7", "harm", &[("arg.how", int(7))], None)
    });
    case.all_pass(tests);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "x");
    let left: Vec<_> = std::fs::read_dir(case.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("covet-test-")), "{left:?}");
}

#[test]
fn what_no_file_defines_crashes_only_when_used() {
    let case = Case::new(&[
        (
            "a.c",
            "int nowhere(int x);\nextern int gone;\nint far(int x);\nint f(int x) { return x > 2 ? nowhere(x) : x > 1 ? gone : far(x); }\n",
        ),
        ("b.c", "int missing(void);\nint far(int x) { return x ? missing() : 5; }\n"),
    ]);
    let crash = |id: &str, x| Test {
        outcome: TestOutcome::Crashed,
        signal: Some(11),
        ..returning(id, "f", &[("arg.x", int(x))], None)
    };
    let tests = vec![returning("f-001", "f", &[("arg.x", int(0))], Some(int(5))), crash("f-002", 2), crash("f-003", 3)];
    case.all_pass(tests.clone());
    case.all_pass(vec![tests[0].clone(), crash("f-004", 1)]);
}

/// Types that one file defines and another only declares have no name in the tests of the other.
#[test]
fn objects_of_types_that_the_file_does_not_see() {
    let header = "struct inner; struct state; struct stream { struct state *state; int n; };\n";
    let case = Case::new(&[
        ("stream.h", header),
        (
            "a.c",
            "#include \"stream.h\"\nint weight(struct stream *s);\n\
             int total(struct stream *s) { return weight(s) + s->n; }\n",
        ),
        (
            "b.c",
            "#include \"stream.h\"\nstruct inner { short first; int second; struct stream *up; };\n\
             struct state { char tag; struct inner *in, *more[2]; unsigned low : 3, high : 5; };\n\
             int weight(struct stream *s) {\n\
                 struct state *t = s->state;\n\
                 if (t->in->up != s || t->more[0]) return -1;\n\
                 return t->tag + t->in->second * 10 + t->more[1]->first * 100 + t->high * 1000; }\n",
        ),
    ]);
    let mut test = returning(
        "total-001",
        "total",
        &[
            ("arg.s->n", int(10_000)),
            ("arg.s->state->tag", byte(3)),
            ("arg.s->state->in->second", int(4)),
            ("arg.s->state->more[1]->first", wide(5, 16, Signed)),
            ("arg.s->state->high", wide(6, 5, Unsigned)),
        ],
        Some(int(16_543)),
    );
    for path in ["arg.s", "arg.s->state", "arg.s->state->in", "arg.s->state->more[1]"] {
        test.pointers.insert(path.into(), Pointee::Object { elements: 1, more: 0 });
    }
    test.pointers.insert("arg.s->state->in->up".into(), Pointee::Alias("arg.s".into()));
    test.pointers.insert("arg.s->state->more[0]".into(), Pointee::Null);
    case.all_pass(vec![test]);
}
