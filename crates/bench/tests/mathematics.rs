//! Every function of `<math.h>` on doubles and floats is a term that means, bit for bit, what the library computes.
//!
//! The list is what clang reads in the installed header. Each function is called with a symbolic and with a plain copy of the same
//! values, and the bits of the results are compared: where the call is a term that is a condition, which is then evaluated.

use covet_bench::semantics::{Shown, Verdict, of_file};
use std::fmt::Write as _;
use std::process::Command;

/// Functions that are no terms, and why.
const EXCEPTIONS: &[(&str, &str)] =
    &[("nan", "of a text; programs hand in a literal"), ("nanf", "of a text; programs hand in a literal")];

const NUMBERS: &[&str] =
    &["0.0", "-0.0", "1.0", "-2.5", "3.5", "0.7", "1e-310", "-7e4", "1e300", "INFINITY", "NAN", "40.25"];
const INTEGERS: &[&str] = &["0", "1", "2", "3", "-2", "5", "64", "33", "-7", "4", "1000", "7"];

struct Declaration {
    name: String,
    result: String,
    parameters: Vec<String>,
}

/// The functions that the header declares, without those of other types and without names that only libraries may use.
fn declarations() -> Vec<Declaration> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("header.c");
    std::fs::write(&file, "#define _GNU_SOURCE\n#include <math.h>\n").expect("a file");
    let clang = covet_source::Toolchain::default().program("clang");
    let dump = Command::new(clang).args(["-fsyntax-only", "-Xclang", "-ast-dump"]).arg(&file).output().expect("clang");
    let text = String::from_utf8_lossy(&dump.stdout).into_owned();
    let mut all: Vec<Declaration> = text.lines().filter_map(declaration).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all.dedup_by(|a, b| a.name == b.name);
    all
}

/// `...FunctionDecl 0x... <...> ... sin 'double (double)' extern`
fn declaration(line: &str) -> Option<Declaration> {
    let (before, rest) = line.contains("FunctionDecl").then(|| line.split_once(" '"))??;
    let (ty, _) = rest.split_once('\'')?;
    let name = before.rsplit(' ').next()?.to_owned();
    let (result, parameters) = ty.strip_suffix(')')?.split_once(" (")?;
    let foreign = ty.contains("long double") || ty.contains("_Float") || name.starts_with('_');
    let parameters = parameters.split(", ").map(str::to_owned).collect();
    (!foreign).then(|| Declaration { name, result: result.to_owned(), parameters })
}

/// C that calls the function with the values at `at`, and fails when the bits of a result differ.
fn check(declaration: &Declaration) -> String {
    let (mut before, mut compare) = (String::new(), Vec::new());
    let (mut symbolic, mut plain) = (Vec::new(), Vec::new());
    for (i, parameter) in declaration.parameters.iter().enumerate() {
        let place = format!("[(at + {}) % 12]", i * 5);
        match parameter.trim_end_matches([' ', '*']).trim_start_matches("const ") {
            "char" => (symbolic.push("\"\"".to_owned()), plain.push("\"\"".to_owned())).0,
            base if parameter.ends_with('*') => {
                let values = values(base);
                let _ = write!(before, "{base} s{i} = {values}{place}, p{i} = plain_{values}{place}; ");
                symbolic.push(format!("&s{i}"));
                plain.push(format!("&p{i}"));
                compare.push(format!("DIFFER(s{i}, p{i})"));
            }
            base => {
                symbolic.push(format!("({base}){}{place}", values(base)));
                plain.push(format!("({base})plain_{}{place}", values(base)));
            }
        }
    }
    let (name, result) = (&declaration.name, &declaration.result);
    let (symbolic, plain) = (symbolic.join(", "), plain.join(", "));
    if result == "void" {
        let _ = write!(before, "{name}({symbolic}); {name}({plain}); ");
    } else {
        let _ = write!(before, "{result} s = {name}({symbolic}), p = {name}({plain}); ");
        compare.push("DIFFER(s, p)".to_owned());
    }
    let all = compare.join(" | ");
    format!("{before}if ({all}) return printf(\"{name} %d\\n\", at), 1;")
}

/// The table that values of a type come from.
fn values(ty: &str) -> &'static str {
    match ty {
        "double" => "doubles",
        "float" => "floats",
        _ => "integers",
    }
}

/// NaNs may have any sign and payload, as in C.
const HEAD: &str = "#define _GNU_SOURCE\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\
static uint64_t bits(const void *x, size_t n) { uint64_t b = 0; memcpy(&b, x, n); return b; }\n\
#define DIFFER(x, y) ((bits(&x, sizeof x) != bits(&y, sizeof y)) & !((x != x) & (y != y)))\n";

fn tables() -> String {
    let table = |ty: &str, name: &str, of: &[&str]| {
        let all = of.join(", ");
        format!("{ty} {name}[12] = {{ {all} }}; const {ty} plain_{name}[12] = {{ {all} }};\n")
    };
    table("double", "doubles", NUMBERS) + &table("float", "floats", NUMBERS) + &table("int", "integers", INTEGERS)
}

fn show(text: &str) -> Shown {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("calls.c");
    std::fs::write(&file, text).expect("a file");
    let flags = ["-lm".to_owned(), "-Wno-everything".to_owned()];
    of_file(&file, &flags, &folder.path().join("cache"), folder.path()).expect("clang is installed")
}

#[test]
fn mathematics_is_made_of_terms() {
    let all = declarations();
    assert!(all.len() > 100, "the header declares {} functions", all.len());
    let mut text = HEAD.to_owned() + &tables();
    let first = text.lines().count() as u32 + 1;
    for declaration in &all {
        // All of a function stands in one line.
        let (name, check) = (&declaration.name, check(declaration));
        let _ = writeln!(
            text,
            "static int check_{name}(void) {{ for (int at = 0; at < 12; at++) {{ {check} }} return 0; }}"
        );
    }
    let calls: Vec<String> = all.iter().map(|declaration| format!("check_{}()", declaration.name)).collect();
    let _ =
        writeln!(text, "int main(void) {{ int failed = 0; failed |= {}; return failed; }}", calls.join("; failed |= "));
    let shown = show(&text);
    assert_eq!(shown.verdict, Verdict::Same);
    let concrete = |at: usize| !shown.lines.contains(&(first + at as u32));
    let names = all.iter().enumerate().filter(|(at, _)| concrete(*at)).map(|(_, declared)| declared.name.as_str());
    let expected: Vec<&str> = EXCEPTIONS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.collect::<Vec<_>>(), expected, "functions that are no terms");
    assert!(shown.externals.is_empty(), "made concrete by {:?}", shown.externals);
}

/// What is computed in `long double` is concrete, and told.
#[test]
fn long_doubles_are_counted() {
    let text = HEAD.to_owned() + &tables() + "int main(void) { return sinl(doubles[5]) < 0.5; }\n";
    let shown = show(&text);
    assert_eq!(shown.verdict, Verdict::Same);
    assert!(shown.lines.is_empty() && shown.concretised > 0, "{shown:?}");
}
