//! Bytes → their digest, as the test programs make it (`ctest/c/harness.c`); which types have no byte that says nothing.

use covet_source::{Field, TypeId, TypeKind, Types};

/// FNV-1a, 64 bits.
pub fn of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Whether every byte of such a value is what the code made it, whoever compiles it: no address, no padding, no sign of a NaN.
pub fn says_all(types: &Types, ty: TypeId) -> bool {
    let ty = types.completed(ty);
    match types.kind(ty) {
        TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Enum(_) => true,
        TypeKind::Array { element, count: Some(_) } => says_all(types, *element),
        TypeKind::Record(record) => {
            let size = |field: &Field| types.get(types.completed(field.ty)).size.unwrap_or(0);
            let whole = types.get(ty).size.unwrap_or(0);
            let is_filled = match record.is_union {
                true => record.fields.iter().all(|field| size(field) == whole),
                false => record.fields.iter().map(size).sum::<u64>() == whole,
            };
            is_filled && record.fields.iter().all(|field| field.bit_width.is_none() && says_all(types, field.ty))
        }
        TypeKind::Bool
        | TypeKind::Float { .. }
        | TypeKind::Pointer { .. }
        | TypeKind::Array { count: None, .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Void
        | TypeKind::Function { .. }
        | TypeKind::Opaque => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_source::{Parser, Toolchain, Translation};

    #[test]
    fn digests_are_those_of_the_test_programs() {
        assert_eq!(
            [of(b""), of(b"a"), of(b"foobar")],
            [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]
        );
    }

    #[test]
    fn what_no_code_has_made_is_not_digested() {
        let folder = tempfile::tempdir().unwrap();
        let source = "struct pair { int a, b; }; struct gap { char a; int b; }; struct bits { unsigned a : 3, b : 29; };
            union both { unsigned short freq, code; }; union odd { char a; int b; };
            int n[9]; struct pair p[9]; union both u[9]; struct gap g[9]; struct bits s[9]; union odd o[9]; char *t[9]; double d[9];";
        std::fs::write(folder.path().join("a.c"), source).unwrap();
        let mut types = Types::default();
        let translation = Translation { directory: folder.path().into(), file: "a.c".into(), flags: vec![] };
        let unit = Parser::load(&Toolchain::default()).unwrap().parse(&translation, &mut types).unwrap();
        let said: String = unit.globals.iter().filter(|global| says_all(&types, global.ty)).map(|g| &*g.name).collect();
        assert_eq!(said, "npu");
    }
}
