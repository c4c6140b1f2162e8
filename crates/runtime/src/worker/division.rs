//! A division that trapped → its divisor, read from the instruction: x86 does not tell a zero from an overflowing quotient.

/// The divisor, zero-extended; none when the trap came from something else, or on machines whose divisions do not trap.
///
/// # Safety
/// `context` must be that of the trap, so that its program counter and the operand can be read.
#[cfg(target_arch = "x86_64")]
pub unsafe fn divisor(context: &libc::ucontext_t) -> Option<u64> {
    let registers = &context.uc_mcontext.gregs;
    let register = |number: u8| registers[NUMBERED[usize::from(number)] as usize] as u64;
    let mut code = Code { at: registers[libc::REG_RIP as usize] as *const u8 };
    // SAFETY: bytes of the instruction that just trapped; its operand was read by the processor before us.
    unsafe {
        let (mut is_short, mut rex) = (false, 0);
        let opcode = loop {
            match code.byte() {
                0x66 => is_short = true,
                prefix @ 0x40..=0x4f => rex = prefix,
                other => break other,
            }
        };
        let shape = code.byte();
        let (mode, operation, low) = (shape >> 6, shape >> 3 & 7, shape & 7);
        if opcode != 0xf7 || operation < 6 {
            return None;
        }
        let mask = if rex & 8 != 0 {
            u64::MAX
        } else if is_short {
            0xffff
        } else {
            0xffff_ffff
        };
        let (index_bit, base_bit) = ((rex >> 1 & 1) << 3, (rex & 1) << 3);
        if mode == 3 {
            return Some(register(low | base_bit) & mask);
        }
        let mut address = 0u64;
        let mut base = Some(low | base_bit);
        if low == 4 {
            let (scale, index, low) = code.scaled();
            if index | index_bit != 4 {
                address = register(index | index_bit) << scale;
            }
            base = (mode != 0 || low != 5).then_some(low | base_bit);
        } else if low == 5 && mode == 0 {
            // Relative to the next instruction, which begins after these four bytes.
            let distance = code.number();
            return Some(read(code.at as u64 + distance, mask));
        }
        address = address.wrapping_add(base.map_or(0, register));
        let distance = match (mode, base) {
            (1, _) => code.byte() as i8 as u64,
            (2, _) | (_, None) => code.number(),
            _ => 0,
        };
        Some(read(address.wrapping_add(distance), mask))
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn divisor(_context: &libc::ucontext_t) -> Option<u64> {
    None
}

/// Registers in the order of their numbers in instructions.
#[cfg(target_arch = "x86_64")]
const NUMBERED: [core::ffi::c_int; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

/// The bytes of an instruction, one after the other.
#[cfg(target_arch = "x86_64")]
struct Code {
    at: *const u8,
}

#[cfg(target_arch = "x86_64")]
impl Code {
    unsafe fn byte(&mut self) -> u8 {
        // SAFETY: as the caller vouches.
        unsafe {
            let byte = *self.at;
            self.at = self.at.add(1);
            byte
        }
    }

    /// A distance of four bytes.
    unsafe fn number(&mut self) -> u64 {
        // SAFETY: as the caller vouches.
        unsafe {
            let number = self.at.cast::<i32>().read_unaligned();
            self.at = self.at.add(4);
            number as u64
        }
    }

    /// Scale, index and base.
    unsafe fn scaled(&mut self) -> (u8, u8, u8) {
        // SAFETY: as the caller vouches.
        let byte = unsafe { self.byte() };
        (byte >> 6, byte >> 3 & 7, byte & 7)
    }
}

#[cfg(target_arch = "x86_64")]
unsafe fn read(address: u64, mask: u64) -> u64 {
    // SAFETY: an operand of that size, as the caller vouches.
    unsafe {
        match mask {
            u64::MAX => (address as *const u64).read_unaligned(),
            0xffff => u64::from((address as *const u16).read_unaligned()),
            _ => u64::from((address as *const u32).read_unaligned()),
        }
    }
}
