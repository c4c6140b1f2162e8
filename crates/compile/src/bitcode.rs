//! How C becomes bitcode to be instrumented, the user's and, in the build script, the models': as written, nothing optimised, everything named.

pub const FLAGS: &[&str] = &[
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    // Version 5 has the hash of the whole file in it: code that was generated before would never fit again.
    "-gdwarf-4",
    "-fno-discard-value-names",
    "-w",
    "-emit-llvm",
    "-c",
    "-fno-omit-frame-pointer",
    "-ffp-contract=off",
    "-fno-stack-protector",
];

/// No fortified functions of the C library.
pub const UNFORTIFIED: [&str; 2] = ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0"];
