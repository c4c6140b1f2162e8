//! Numbers that the models write down and that belong to `abi`.

use covet_abi::input::ValueKind;

#[test]
fn markings_know_the_kinds_of_values() {
    let kinds = [
        ("SIGNED", ValueKind::Signed),
        ("UNSIGNED", ValueKind::Unsigned),
        ("FLOAT", ValueKind::Float),
        ("CHAR", ValueKind::Char),
        ("BOOL", ValueKind::Bool),
        ("POINTER", ValueKind::Pointer),
    ];
    let list: Vec<String> = kinds.iter().map(|(name, kind)| format!("{name} = {}", *kind as u8)).collect();
    let (_, text) = covet_models::SOURCES.iter().find(|(name, _)| *name == "marking.c").unwrap();
    assert!(text.contains(&format!("enum {{ {} }};", list.join(", "))));
}
