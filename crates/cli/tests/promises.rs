//! The short form of `covet bench promises`: programs that try to break what Covet promises about time, memory, results.

use std::process::Command;

#[test]
fn promises_hold() {
    let output = Command::new(env!("CARGO_BIN_EXE_covet")).args(["bench", "promises", "--quick"]).output().unwrap();
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{table}{}", String::from_utf8_lossy(&output.stderr));
    assert!(table.contains(" 0 promises broken"), "{table}");
}
