//! Nothing → the C text that goes along with a program under test: library models, headers, replay support.
//!
//! Library functions on symbolic data are plain C here, compiled to bitcode and instrumented together with the program, so
//! their branches and arithmetic are followed like the program's own. A call of an external `X` goes to `__covet_libc_X`
//! when one of [`SOURCES`] defines it. Invariant: a model gives what the native function gives, whatever is symbolic.
//!
//! Compile every file of [`SOURCES`] with a folder that holds [`HEADERS`] on the include path. [`NATIVE`] compiles alone,
//! with any C11 compiler; the test that uses it defines `covet_values` and `covet_value_count`.

/// Library models: file name, text.
pub const SOURCES: &[(&str, &str)] = &[
    ("compare.c", include_str!("../c/compare.c")),
    ("copy.c", include_str!("../c/copy.c")),
    ("search.c", include_str!("../c/search.c")),
    ("bytes.c", include_str!("../c/bytes.c")),
    ("ctype.c", include_str!("../c/ctype.c")),
    ("wide.c", include_str!("../c/wide.c")),
    ("integer.c", include_str!("../c/integer.c")),
    ("decimal.c", include_str!("../c/decimal.c")),
    ("mathematics.c", include_str!("../c/mathematics.c")),
    ("whole.c", include_str!("../c/whole.c")),
    ("encoding.c", include_str!("../c/encoding.c")),
    ("sort.c", include_str!("../c/sort.c")),
    ("description.c", include_str!("../c/description.c")),
    ("descriptor.c", include_str!("../c/descriptor.c")),
    ("outside.c", concat!(include_str!("../c/outside.c"), include_str!("../c/surroundings.c"))),
    ("refusal.c", include_str!("../c/refusal.c")),
    ("stream.c", include_str!("../c/stream.c")),
    ("read.c", include_str!("../c/read.c")),
    ("write.c", include_str!("../c/write.c")),
    ("temporary.c", concat!("#include \"covet/model.h\"\n", include_str!("../c/temporary.c"))),
    ("numeral.c", include_str!("../c/numeral.c")),
    ("scan.c", include_str!("../c/scan.c")),
    ("format.c", include_str!("../c/format.c")),
    ("option.c", include_str!("../c/option.c")),
    ("endrun.c", include_str!("../c/endrun.c")),
    ("marking.c", include_str!("../c/marking.c")),
];

/// Headers: include path, text. Those under `covet/` are for the models, the others for programs.
pub const HEADERS: &[(&str, &str)] = &[
    ("covet.h", include_str!("../include/covet.h")),
    ("klee/klee.h", include_str!("../include/klee/klee.h")),
    ("crest.h", include_str!("../include/crest.h")),
    ("crown.h", include_str!("../include/crown.h")),
    ("covet/model.h", include_str!("../c/model.h")),
    ("covet/files.h", include_str!("../c/files.h")),
    ("covet/outside.h", include_str!("../c/outside.h")),
    ("covet/scan.h", include_str!("../c/scan.h")),
];

/// The marking functions for replay in a plain program: file name, text.
pub const NATIVE: (&str, &str) =
    ("covet-native.c", concat!(include_str!("../c/native.c"), include_str!("../c/marking.c")));
