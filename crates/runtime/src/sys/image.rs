//! The program's executable in memory: where it was loaded, where its code is, and its thread-local block.
//!
//! Invariant: filled in once by [`find`], before the first run.

use core::ffi::{c_int, c_void};

use crate::sys::state::Static;

#[derive(Clone, Copy)]
pub struct Image {
    /// Add this to an address of the file to get an address in memory.
    pub base: u64,
    pub code_start: u64,
    pub code_end: u64,
    /// The calling thread's copy of the executable's thread-local variables.
    pub tls: u64,
    pub tls_size: u64,
}

static IMAGE: Static<Image> = Static::new(Image { base: 0, code_start: 0, code_end: 0, tls: 0, tls_size: 0 });

pub fn image() -> &'static Image {
    IMAGE.get()
}

impl Image {
    pub fn has_code(&self, address: u64) -> bool {
        (self.code_start..self.code_end).contains(&address)
    }

    /// The address as the file's symbol table has it, for code of the executable; others stay as they are.
    pub fn in_file(&self, address: u64) -> u64 {
        if self.has_code(address) { address - self.base } else { address }
    }
}

/// Looks the executable up. It is the first object the dynamic linker lists.
pub fn find() {
    // SAFETY: the callback only reads the records it is given.
    unsafe { libc::dl_iterate_phdr(Some(first_object), core::ptr::null_mut()) };
}

unsafe extern "C" fn first_object(info: *mut libc::dl_phdr_info, _size: usize, _data: *mut c_void) -> c_int {
    // SAFETY: the linker passes a valid record with `dlpi_phnum` headers.
    let (info, headers) = unsafe {
        let info = &*info;
        (info, core::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize))
    };
    let image = IMAGE.get();
    image.base = info.dlpi_addr;
    for header in headers {
        if header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0 {
            image.code_start = info.dlpi_addr + header.p_vaddr;
            image.code_end = image.code_start + header.p_memsz;
        }
        if header.p_type == libc::PT_TLS {
            image.tls = info.dlpi_tls_data as u64;
            image.tls_size = header.p_memsz;
        }
    }
    1
}
