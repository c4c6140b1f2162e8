//! Values of every type arrive in the tested function bit for bit.

use crate::common::*;
use covet_input::Pointee;
use covet_input::ValueKind::*;

#[test]
fn scalars_return_what_was_recorded() {
    let case = Case::new(&[(
        "a.c",
        "static int add(int a, int b) { return a + b; }\n\
         unsigned char low(unsigned long long x) { return (unsigned char)x; }\n\
         _Bool both(_Bool a, _Bool b) { return a && b; }\n\
         long long least(long long x) { return x; }\n",
    )]);
    case.all_pass(vec![
        returning("add-001", "add", &[("arg.a", int(-3)), ("arg.b", int(5))], Some(int(2))),
        returning(
            "low-001",
            "low",
            &[("arg.x", wide(u128::from(u64::MAX), 64, Unsigned))],
            Some(wide(255, 8, Unsigned)),
        ),
        returning(
            "both-001",
            "both",
            &[("arg.a", wide(1, 1, Bool)), ("arg.b", wide(1, 8, Bool))],
            Some(wide(1, 8, Bool)),
        ),
        returning("least-001", "least", &[("arg.x", wide(1 << 63, 64, Signed))], Some(wide(1 << 63, 64, Signed))),
    ]);
    case.all_fail(vec![returning("add-001", "add", &[("arg.a", int(1))], Some(int(2)))]);
}

#[test]
fn floats_keep_every_bit() {
    let case = Case::new(&[(
        "a.c",
        "#include <string.h>\n\
         unsigned long bits(double x) { unsigned long b; memcpy(&b, &x, 8); return b; }\n\
         unsigned bits32(float x) { unsigned b; memcpy(&b, &x, 4); return b; }\n\
         unsigned long low(long double x) { unsigned long b; memcpy(&b, &x, 8); return b; }\n\
         double same(double x) { return x; }\n",
    )]);
    let patterns: [u64; 12] = [
        0.1_f64.to_bits(),
        (-0.0_f64).to_bits(),
        1,
        f64::MAX.to_bits(),
        f64::MIN_POSITIVE.to_bits(),
        f64::INFINITY.to_bits(),
        f64::NEG_INFINITY.to_bits(),
        0x7ff8_0000_0000_0001,
        0xfff8_dead_beef_0001,
        0x000f_ffff_ffff_ffff,
        123_456.789_f64.to_bits(),
        3.5_f64.to_bits(),
    ];
    let mut tests = Vec::new();
    for (i, bits) in patterns.into_iter().enumerate() {
        let value = wide(u128::from(bits), 64, Float);
        tests.push(returning(&format!("bits-{i}"), "bits", &[("arg.x", value)], Some(wide(value.bits, 64, Unsigned))));
        tests.push(returning(&format!("same-{i}"), "same", &[("arg.x", value)], Some(value)));
    }
    for (i, bits) in [1, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc1_2345, 0x3dcc_cccd, 0x7f7f_ffff, 0x007f_ffff_u32]
        .into_iter()
        .enumerate()
    {
        let value = wide(u128::from(bits), 32, Float);
        tests.push(returning(
            &format!("bits32-{i}"),
            "bits32",
            &[("arg.x", value)],
            Some(wide(value.bits, 32, Unsigned)),
        ));
    }
    let long_double = wide(0x3fff_c000_0000_0000_0001, 80, Float);
    tests.push(returning("low-1", "low", &[("arg.x", long_double)], Some(wide(0xc000_0000_0000_0001, 64, Unsigned))));
    case.all_pass(tests);
    case.all_fail(vec![
        returning("same-1", "same", &[("arg.x", double(0.0))], Some(double(-0.0))),
        returning("same-2", "same", &[("arg.x", double(1.0))], Some(double(f64::NAN))),
    ]);
}

#[test]
fn wide_integers_by_halves() {
    let case = Case::new(&[(
        "a.c",
        "unsigned __int128 twice(unsigned __int128 x) { return x * 2; }\n\
         int negative(__int128 x) { return x < 0; }\n",
    )]);
    let big = (7 << 100) | 9;
    case.all_pass(vec![
        returning("twice-1", "twice", &[("arg.x", wide(big, 128, Unsigned))], Some(wide(big * 2, 128, Unsigned))),
        returning("twice-2", "twice", &[("arg.x", wide(big, 128, Unsigned))], Some(wide(18, 64, Unsigned))),
        returning("negative-1", "negative", &[("arg.x", wide(1 << 127, 128, Signed))], Some(int(1))),
        returning("negative-2", "negative", &[("arg.x", wide(u128::MAX, 128, Signed))], Some(int(1))),
    ]);
}

#[test]
fn structs_unions_enums_bit_fields_and_arrays() {
    let case = Case::new(&[(
        "a.c",
        "enum color { RED, GREEN = 5, BLUE = -2 };\n\
         struct flags { unsigned a : 3; int b : 4; unsigned : 2; _Bool c : 1; };\n\
         union word { unsigned char bytes[4]; unsigned value; };\n\
         typedef struct { struct { int x, y; }; enum color color; struct flags flags; union word word; int grid[2][3]; char name[8]; } shape;\n\
         int measure(shape s) {\n\
             return s.x * 1000000 + s.y * 100000 + (s.color == BLUE) * 10000 + s.flags.a * 1000 + s.flags.b * 100 + s.flags.c * 50\n\
                 + (s.word.bytes[1] == 2) * 10 + s.grid[1][2] + (s.name[0] == 'h' && s.name[2] == 0); }\n\
         int shade(enum color color) { return color; }\n",
    )]);
    let inputs = [
        ("arg.s.x", int(1)),
        ("arg.s.y", int(2)),
        ("arg.s.color", int(-2)),
        ("arg.s.flags.a", wide(7, 3, Unsigned)),
        ("arg.s.flags.b", wide(0xf, 4, Signed)),
        ("arg.s.flags.c", wide(1, 1, Bool)),
        ("arg.s.word.value", wide(0x0000_0201, 32, Unsigned)),
        ("arg.s.grid[1][2]", int(3)),
        ("arg.s.name[0]", byte(b'h')),
        ("arg.s.name[1]", byte(b'i')),
    ];
    let expected = 1_000_000 + 200_000 + 10_000 + 7_000 - 100 + 50 + 10 + 3 + 1;
    case.all_pass(vec![
        returning("measure-001", "measure", &inputs, Some(int(expected))),
        returning("shade-001", "shade", &[("arg.color", int(5))], Some(int(5))),
        returning("shade-002", "shade", &[("arg.color", int(77))], Some(int(77))),
    ]);
    let text = case.text(vec![
        returning("measure-001", "measure", &inputs, Some(int(expected))),
        returning("shade-001", "shade", &[("arg.color", int(5))], Some(int(5))),
    ]);
    assert!(
        text.contains(".color = BLUE") && text.contains(".name = \"hi\"") && text.contains("enum color color = GREEN;"),
        "{text}"
    );
}

#[test]
fn pointers_lead_to_heap_objects() {
    let case = Case::new(&[(
        "a.c",
        "#include <stdlib.h>\n#include <string.h>\n\
         struct node { int value; struct node *next; };\n\
         typedef struct node *list;\n\
         typedef int row[3];\n\
         int sum(const struct node *n) { int s = 0; for (int i = 0; n && i < 10; i++, n = n->next) s += n->value; return s; }\n\
         int first(list l) { int v = l->value; free(l); return v; }\n\
         int length(const char *restrict text) { return (int)strlen(text); }\n\
         int last(row *m, int count) { return m[count - 1][2]; }\n\
         int third(row r) { return r[2]; }\n\
         int deep(char **words) { return words[1][0]; }\n\
         int bytes(const void *p) { return ((const unsigned char *)p)[1]; }\n\
         int missing(int *p) { return p == NULL; }\n\
         int same(int *p, int *q) { return p == q; }\n\
         int apply(int (*f)(int *), int *x) { return f ? f(x) : -1; }\n\
         void *give(int x) { return x ? malloc(1) : NULL; }\n",
    )]);
    let mut cycle = returning("sum-002", "sum", &[("arg.n->value", int(2))], Some(int(20)));
    cycle.pointers.insert("arg.n->next".into(), Pointee::Alias("arg.n".into()));
    let mut same = returning("same-001", "same", &[("arg.p[0]", int(2))], Some(int(1)));
    same.pointers.insert("arg.q".into(), Pointee::Alias("arg.p".into()));
    let mut apply = returning("apply-002", "apply", &[], Some(int(1)));
    apply.pointers.insert("arg.f".into(), Pointee::Function("missing".into()));
    let mut zeros = returning("missing-002", "missing", &[], Some(int(0)));
    zeros.pointers.insert("arg.p".into(), Pointee::Object { elements: 4, more: 0 });
    case.all_pass(vec![
        returning(
            "sum-001",
            "sum",
            &[("arg.n->value", int(1)), ("arg.n->next->value", int(0)), ("arg.n->next->next[0].value", int(5))],
            Some(int(6)),
        ),
        cycle,
        returning("first-001", "first", &[("arg.l->value", int(7))], Some(int(7))),
        returning(
            "length-001",
            "length",
            &[("arg.text[0]", byte(b'a')), ("arg.text[1]", byte(b'"')), ("arg.text[2]", byte(0))],
            Some(int(2)),
        ),
        returning("length-002", "length", &[("arg.text[0]", byte(200)), ("arg.text[1]", byte(0))], Some(int(1))),
        returning("last-001", "last", &[("arg.m[1][2]", int(9)), ("arg.count", int(2))], Some(int(9))),
        returning("third-001", "third", &[("arg.r[2]", int(4))], Some(int(4))),
        returning(
            "deep-001",
            "deep",
            &[("arg.words[0][0]", byte(b'x')), ("arg.words[1][0]", byte(b'y')), ("arg.words[1][1]", byte(0))],
            Some(int(i64::from(b'y'))),
        ),
        returning("bytes-001", "bytes", &[("arg.p[0]", byte(1)), ("arg.p[1]", byte(3))], Some(int(3))),
        returning("missing-001", "missing", &[], Some(int(1))),
        zeros,
        same,
        returning("apply-001", "apply", &[], Some(int(-1))),
        apply,
        returning("give-001", "give", &[("arg.x", int(1))], Some(wide(0x5555, 64, Pointer))),
        returning("give-002", "give", &[("arg.x", int(0))], Some(wide(0, 64, Pointer))),
    ]);
}

#[test]
fn globals_are_set_and_what_cannot_be_is_told() {
    let case = Case::new(&[(
        "a.c",
        "struct config { int mode; char tag[3]; int *data; };\n\
         static struct config config; int table[4]; static const int fixed = 3; int count = 9;\n\
         int look(int count) { return config.mode + config.tag[1] + table[3] + (config.data ? config.data[1] : 0) + count + fixed; }\n",
    )]);
    let inputs = [
        ("global.config.mode", int(1)),
        ("global.config.tag[1]", byte(b'0')),
        ("global.config.data[1]", int(1000)),
        ("global.table[3]", int(100)),
        ("global.count", int(0)),
        ("global.fixed", int(8)),
        ("arg.count", int(20)),
        ("arg.gone", int(20)),
    ];
    let test = returning("look-001", "look", &inputs, Some(int(1 + 48 + 1000 + 100 + 20 + 3)));
    case.all_pass(vec![test.clone()]);
    let text = case.text(vec![test]);
    assert!(text.contains("/* not set: global.fixed */") && text.contains("/* not used: arg.gone = 20 */"), "{text}");
}

#[test]
fn names_of_parameters_do_not_get_in_the_way() {
    let case = Case::new(&[(
        "a.c",
        "typedef struct point { int x; } point;\n\
         int point_x(point point, int point_x) { return point.x + point_x; }\n\
         int unnamed(int, int b);\nint unnamed(int a, int b) { return a + b; }\n\
         int old(a, b) int a; char b; { return a + b; }\n\
         int link(int read, int write) { return read - write; }\n",
    )]);
    case.all_pass(vec![
        returning("point_x-001", "point_x", &[("arg.point.x", int(1)), ("arg.point_x", int(2))], Some(int(3))),
        returning("unnamed-001", "unnamed", &[("arg.a", int(1)), ("arg.b", int(2))], Some(int(3))),
        returning("old-001", "old", &[("arg.a", int(1)), ("arg.b", byte(2))], Some(int(3))),
        returning("link-001", "link", &[("arg.read", int(5)), ("arg.write", int(2))], Some(int(3))),
    ]);
}
