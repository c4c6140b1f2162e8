//! Small programs and what they make one believe.

use covet_source::{Beliefs, Parser, Spot, Toolchain, Translation, TypeKind, Types, Unit};

/// The program of one file, asked by `check`.
fn with(source: &str, check: impl FnOnce(&Beliefs<'_>, &Unit, &Types)) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), source).unwrap();
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let mut types = Types::default();
    let translation = Translation { directory: folder.path().into(), file: "unit.c".into(), flags: vec![] };
    let unit = parser.parse(&translation, &mut types).unwrap();
    check(&Beliefs::new(vec![&unit]), &unit, &types);
}

/// Why the first parameter of `f` may be NULL.
fn parameter(source: &str) -> Option<String> {
    let mut found = None;
    with(source, |beliefs, unit, _| {
        let function = unit.function("f").unwrap();
        found = beliefs.parameter(function, &function.parameters[0].name);
    });
    found
}

/// Why member `m` of `struct s` may be NULL.
fn member(source: &str) -> Option<String> {
    let mut found = None;
    with(source, |beliefs, _, types| {
        let is_it = |ty: &covet_source::Type| ty.name == "struct s" && matches!(ty.kind, TypeKind::Record(_));
        let (record, _) = types.iter().find(|(_, ty)| is_it(ty)).unwrap();
        found = beliefs.lasting(&Spot::Member { record, field: "m".into() });
    });
    found
}

fn told(text: &str) -> Option<String> {
    Some(text.to_string())
}

#[test]
fn a_parameter_is_believed_to_be_null_where_it_is_tested_or_given_null() {
    assert_eq!(parameter("int f(int *p) { return *p; }"), None);
    assert_eq!(parameter("int f(int *p) { if (p) return 1; return *p; }"), told("unit.c:1 tests it"));
    assert_eq!(parameter("int f(int *p) { int v = *p;\n return p != 0 && v; }"), told("unit.c:2 tests it"));
    assert_eq!(parameter("int *g(void); int f(int *p) { p = g(); return p ? *p : 0; }"), None);
    assert_eq!(parameter("int f(int *p) { return *p; } int g(void) { return f(0); }"), told("unit.c:1 passes NULL"));
    assert_eq!(parameter("int f(int *p) { return *p; } int g(int *q) { return f(q); }"), None);
    let unchecked =
        "void *malloc(unsigned long); int f(int *p) { return *p; }\nint g(void) { int *q = malloc(4); return f(q); }";
    assert_eq!(parameter(unchecked), told("unit.c:2 passes what `malloc` gives, unchecked"));
    let checked = unchecked.replace("return f(q)", "if (!q) return 0; return f(q)");
    assert_eq!(parameter(&checked), None);
    let found = "int t; int *find(int k) { if (k) return 0;\n return &t; } int f(int *p) { return *p; } int g(void) { return f(find(1)); }";
    assert_eq!(parameter(found), told("unit.c:2 passes what `find` gives, which may be NULL (unit.c:1)"));
    let promised = found.replace("int *find(int k)", "__attribute__((returns_nonnull)) int *find(int k)");
    assert_eq!(parameter(&promised), None);
    let asserted = "void __assert_fail(void); int f(int *p) { p ? (void)0 : __assert_fail();\n return *p; }";
    assert_eq!(parameter(asserted), None);
}

#[test]
fn a_member_is_believed_to_be_null_where_it_is_tested_or_left_null() {
    let s = "struct s { int *m; };\nvoid *malloc(unsigned long); void free(void *);\n";
    let with = |body: &str| member(&format!("{s}{body}"));
    assert_eq!(with("int f(struct s *s) { return *s->m; }"), None);
    assert_eq!(with("int f(struct s *s) { return s->m && *s->m; }"), told("unit.c:3 tests it"));
    assert_eq!(with("void f(struct s *s) { s->m = 0; }"), None, "nobody ever asks");
    assert_eq!(with("int f(struct s *s) { int *p = s->m; return p ? *p : 0; }"), told("unit.c:3 tests it"));
    assert_eq!(
        with("void f(struct s *s) { s->m = malloc(4); }"),
        told("unit.c:3 stores what `malloc` gives, unchecked in it")
    );
    assert_eq!(with("int f(struct s *s) { s->m = malloc(4); if (!s->m) return 0; return 1; }"), None);
    assert_eq!(with("void f(struct s *s) { if (s->m) free(s->m); s->m = 0; }"), None);
    assert_eq!(with("void f(struct s *s, int *q) { s->m = q; }"), None);
}

#[test]
fn declarations_say_what_may_be_null() {
    let nullable = |source: &str| {
        let mut found = None;
        with(source, |_, unit, _| found = unit.function("f").unwrap().parameters[0].nullable);
        found
    };
    assert_eq!(nullable("int f(int *_Nullable p) { return *p; }"), Some(true));
    assert_eq!(nullable("int f(int *_Nonnull p) { return *p; }"), Some(false));
    assert_eq!(nullable("__attribute__((nonnull)) int f(int *p) { return *p; }"), Some(false));
    assert_eq!(
        nullable("int f(int *p, int *q) __attribute__((nonnull(1)));\nint f(int *p, int *q) { return *p + *q; }"),
        Some(false)
    );
    assert_eq!(
        nullable("int f(int *p, int *q) __attribute__((nonnull(2)));\nint f(int *p, int *q) { return *p + *q; }"),
        None
    );
    assert_eq!(nullable("int f(int *p) { return *p; }"), None);
}

#[test]
fn numbers_of_members_are_what_writers_make_them() {
    let ask = |body: &str, value: i64| {
        let mut found = Ok(None);
        with(&format!("struct s {{ int m; }};\n{body}"), |beliefs, _, types| {
            let (record, _) = types.iter().find(|(_, ty)| ty.name == "struct s").unwrap();
            found = beliefs.range(&Spot::Member { record, field: "m".into() }, value);
        });
        found
    };
    assert_eq!(ask("int f(struct s *s) { return s->m; }", 7), Ok(None));
    let constants = "void f(struct s *s) { s->m = 1; } void g(struct s *s) { s->m = 2; }";
    assert_eq!(ask(constants, 2), Ok(told("unit.c:2 sets it")));
    assert_eq!(ask(constants, 7), Err("what sets it gives it other values (unit.c:2)".into()));
    assert_eq!(ask("void f(struct s *s, int v) { s->m = v; }", 7), Ok(told("unit.c:2 sets it, and nothing checks it")));
    let checked = "int f(struct s *s, int v) { s->m = v;\n return s->m > 3; }";
    assert_eq!(ask(checked, 7), Err("it is checked elsewhere (unit.c:3)".into()));
}

#[test]
fn functions_of_one_table_are_given_the_same() {
    let asks = |name: &str| format!("void {name}(int *p) {{ if (p) *p = 1; }}\n");
    let table = |names: &str| format!("void f(int *p) {{ *p = 2; }}\nvoid (*const all[])(int *) = {{{names}}};");
    let two = asks("a") + &asks("b");
    let why = "`a`, which stands in the same table, asks for it (unit.c:1 tests it), and so do 1 more";
    assert_eq!(parameter(&(two.clone() + &table("a, b, f"))), told(why));
    assert_eq!(parameter(&(two.clone() + &table("a, b"))), None, "it stands in none");
    assert_eq!(parameter(&(two + &table("a, f"))), None, "one is too few");
}

#[test]
fn functions_of_one_header_keep_one_promise() {
    let folder = tempfile::tempdir().unwrap();
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let asked = |count: usize, all: usize| {
        let names: Vec<String> = (0..all).map(|at| format!("g{at}")).chain(["f".to_owned()]).collect();
        let declared: String = names.iter().map(|name| format!("int {name}(int *p);\n")).collect();
        let body = |(at, name): (usize, &String)| match at < count {
            true => format!("int {name}(int *p) {{ return p ? *p : 0; }}\n"),
            false => format!("int {name}(int *p) {{ return *p; }}\n"),
        };
        let bodies: String = names.iter().enumerate().map(body).collect();
        std::fs::write(folder.path().join("all.h"), declared).unwrap();
        std::fs::write(folder.path().join("unit.c"), format!("#include \"all.h\"\n{bodies}")).unwrap();
        let mut types = Types::default();
        let translation = Translation { directory: folder.path().into(), file: "unit.c".into(), flags: vec![] };
        let unit = parser.parse(&translation, &mut types).unwrap();
        let beliefs = Beliefs::new(vec![&unit]);
        beliefs.parameter(unit.function("f").unwrap(), "p")
    };
    assert_eq!(asked(19, 19), told("of 20 pointers that the functions of all.h are given, 19 are asked for it"));
    assert_eq!(asked(16, 19), None, "four do not ask");
    assert_eq!(asked(9, 9), None, "too few to tell");
}
