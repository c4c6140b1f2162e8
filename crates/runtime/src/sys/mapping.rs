//! Anonymous memory straight from the kernel: the runtime never calls `malloc`.
//!
//! Invariant: what is mapped here is zero until written and is never unmapped.

use core::ptr;

/// `bytes` of zeroed private memory, committed page by page as touched; null when the kernel refuses.
pub fn private(bytes: usize) -> *mut u8 {
    map(ptr::null_mut(), bytes, 0)
}

/// The same at exactly `address`; null when something is there already.
pub fn private_at(address: u64, bytes: usize) -> *mut u8 {
    map(address as *mut u8, bytes, libc::MAP_FIXED_NOREPLACE)
}

fn map(address: *mut u8, bytes: usize, extra: i32) -> *mut u8 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | extra;
    // SAFETY: a fresh anonymous mapping overlaps nothing (NOREPLACE where the address is fixed).
    unsafe {
        let at = libc::mmap(address.cast(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        if at == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        if !address.is_null() && at.cast() != address {
            // A kernel older than the flag takes the address as a hint only.
            libc::munmap(at, bytes);
            return ptr::null_mut();
        }
        // Sparse use: a huge page per touched byte would eat the machine.
        libc::madvise(at, bytes, libc::MADV_NOHUGEPAGE);
        at.cast()
    }
}
