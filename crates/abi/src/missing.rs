//! Functions that the files of a program use and nobody defines. A call of one crashes, at an address by which it is known: that the program was
//! not given whole is no bug of its own.

/// In the middle of what a process may have and never does: programs and libraries lie far above, made-up memory far below.
const FIRST: u64 = 0x6d69_7373_0000;
/// More than a program has of them.
const MOST: u64 = 1 << 20;

/// Where a call of the one with this number goes.
pub fn address(number: usize) -> u64 {
    FIRST + number as u64 % MOST
}

/// Whether a fault at this address is a call of one.
pub fn is_call(fault: u64) -> bool {
    (FIRST..FIRST + MOST).contains(&fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn their_addresses_are_known_and_others_are_not() {
        assert!([0, 7, 1 << 21].into_iter().all(|number| is_call(address(number))));
        assert!([0, 8, 0x5555_5555_0000, 0x7fff_ffff_0000].into_iter().all(|address| !is_call(address)));
    }
}
