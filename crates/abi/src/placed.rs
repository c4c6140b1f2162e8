//! Addresses of input objects: chosen by the engine, the same in every run and every worker.
//!
//! The region is cut into one part per power of two. An object takes one block of the part whose blocks are larger than it,
//! so the byte past its end belongs to no object, and the start of the object around an address is a matter of masking. Comparisons of
//! pointers therefore mean the same in every run, whatever else the input builds.

pub const BASE: u64 = 0x2050_0000_0000;
/// Bytes of the part of each class.
const PART_SHIFT: u32 = 26;
/// Blocks of 16 bytes to 32 MiB.
pub const SMALLEST: u32 = 4;
pub const LARGEST: u32 = 25;
pub const SIZE: u64 = ((LARGEST - SMALLEST + 1) as u64) << PART_SHIFT;

/// The class of an object of at most `bytes` bytes; none when it is too large.
pub const fn class_of(bytes: u64) -> Option<u32> {
    let mut class = SMALLEST;
    while class <= LARGEST {
        if bytes < 1 << class {
            return Some(class);
        }
        class += 1;
    }
    None
}

/// The address of block `number` of a class; none when the part is used up.
pub const fn address(class: u32, number: u64) -> Option<u64> {
    if class < SMALLEST || class > LARGEST || number >= 1 << (PART_SHIFT - class) {
        return None;
    }
    Some(BASE + (((class - SMALLEST) as u64) << PART_SHIFT) + (number << class))
}

/// The start and size of the block that an address of the region lies in.
pub const fn block(address: u64) -> Option<(u64, u64)> {
    let offset = address.wrapping_sub(BASE);
    if offset >= SIZE {
        return None;
    }
    let bytes = 1 << (SMALLEST + (offset >> PART_SHIFT) as u32);
    Some((address & !(bytes - 1), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_larger_than_their_objects_and_found_from_any_address_inside() {
        for (bytes, class) in [(0, 4), (15, 4), (16, 5), (31, 5), (32, 6), ((1 << 25) - 1, 25)] {
            assert_eq!(class_of(bytes), Some(class));
            for number in [0, 1] {
                let start = address(class, number).unwrap();
                assert_eq!(block(start), Some((start, 1 << class)));
                assert_eq!(block(start + bytes), Some((start, 1 << class)));
            }
        }
        assert_eq!((class_of(1 << 25), address(25, 2), block(BASE + SIZE)), (None, None, None));
    }
}
