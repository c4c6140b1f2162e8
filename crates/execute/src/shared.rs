//! The shared file from the engine's side: laid out once, mapped, and read as typed slices.
//!
//! Invariant: every count read from the pages is cut to its region before it is used, because the program under test can
//! write anywhere in them.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;

use covet_abi::event::Event;
use covet_abi::input::{Assignment, Step, Variable};
use covet_abi::node::{Node, Table};
use covet_abi::shared::{Control, MAGIC, MAX_BATCH, Region, RunRequest, RunResult};

use crate::Error;
use crate::config::ArenaSizes;

const PAGE: u64 = 4096;

pub struct Shared {
    file: File,
    base: NonNull<u8>,
    /// As laid out; the copy in the pages may be overwritten by a run.
    layout: Layout,
}

// SAFETY: the mapping is owned by this value; access is handed over by the protocol.
unsafe impl Send for Shared {}

#[derive(Clone, Copy)]
struct Layout {
    size: u64,
    requests: Region,
    results: Region,
    steps: Region,
    values: Region,
    variables: Region,
    names: Region,
    nodes: Region,
    hash: Region,
    tables: Region,
    entries: Region,
    events: Region,
    lists: Region,
    externals: Region,
}

impl Layout {
    fn new(sizes: &ArenaSizes) -> Layout {
        let mut end = PAGE;
        let mut region = |capacity: u64, size: usize| {
            let at = end;
            end = (at + capacity * size as u64).next_multiple_of(PAGE);
            Region { at, capacity }
        };
        let mut layout = Layout {
            size: 0,
            requests: region(MAX_BATCH as u64, size_of::<RunRequest>()),
            results: region(MAX_BATCH as u64, size_of::<RunResult>()),
            steps: region(sizes.steps, size_of::<Step>()),
            values: region(sizes.values, size_of::<Assignment>()),
            variables: region(sizes.variables, size_of::<Variable>()),
            names: region(sizes.names, 1),
            nodes: region(sizes.nodes, size_of::<Node>()),
            hash: region((sizes.nodes * 2).next_power_of_two(), size_of::<u32>()),
            tables: region(sizes.tables, size_of::<Table>()),
            entries: region(sizes.entries, size_of::<u32>()),
            events: region(sizes.events, size_of::<Event>()),
            lists: region(sizes.lists, size_of::<u64>()),
            externals: region(sizes.externals, size_of::<u64>()),
        };
        layout.size = end;
        layout
    }
}

impl Shared {
    pub fn new(sizes: &ArenaSizes) -> Result<Shared, Error> {
        let layout = Layout::new(sizes);
        let failed = |what| move |source| Error::Shared { what, source };
        // SAFETY: a fresh descriptor, owned by `file`.
        let file = unsafe {
            let descriptor = libc::memfd_create(c"covet".as_ptr(), libc::MFD_CLOEXEC);
            if descriptor < 0 {
                return Err(failed("memory file")(io::Error::last_os_error()));
            }
            File::from_raw_fd(descriptor)
        };
        file.set_len(layout.size).map_err(failed("size"))?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (size, flags, descriptor) = (layout.size as usize, libc::MAP_SHARED, file.as_raw_fd());
        // SAFETY: maps the file just made.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), size, access, flags, descriptor, 0) };
        if base == libc::MAP_FAILED {
            return Err(failed("mapping")(io::Error::last_os_error()));
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| failed("mapping")(io::Error::other("null")))?;
        let mut shared = Shared { file, base, layout };
        shared.fill_in();
        Ok(shared)
    }

    /// Writes the layout into the control block (again).
    pub fn fill_in(&mut self) {
        let layout = self.layout;
        let control = self.control();
        control.magic = MAGIC;
        control.size = layout.size;
        control.node_count = control.node_count.max(1);
        control.requests = layout.requests;
        control.results = layout.results;
        control.steps = layout.steps;
        control.values = layout.values;
        control.variables = layout.variables;
        control.names = layout.names;
        control.nodes = layout.nodes;
        control.hash = layout.hash;
        control.tables = layout.tables;
        control.entries = layout.entries;
        control.events = layout.events;
        control.lists = layout.lists;
        control.externals = layout.externals;
    }

    pub fn descriptor(&self) -> i32 {
        self.file.as_raw_fd()
    }

    #[expect(clippy::mut_from_ref, reason = "pages shared with the worker; the protocol says who owns them")]
    pub fn control(&self) -> &mut Control {
        // SAFETY: the first page of the mapping.
        unsafe { &mut *self.base.as_ptr().cast() }
    }

    /// A futex word of the control block.
    pub fn word(&self, choose: fn(&mut Control) -> &mut u32) -> &AtomicU32 {
        // SAFETY: aligned, and shared with the worker by atomic accesses only.
        unsafe { AtomicU32::from_ptr(choose(self.control())) }
    }

    fn slice<T>(&self, region: Region, at: u64, count: u64) -> &[T] {
        let at = at.min(region.capacity);
        let count = count.min(region.capacity - at);
        // SAFETY: inside the region; all types are plain data.
        unsafe {
            let first = self.base.as_ptr().add(region.at as usize).cast::<T>().add(at as usize);
            std::slice::from_raw_parts(first, count as usize)
        }
    }

    #[expect(clippy::mut_from_ref, reason = "pages shared with the worker; the protocol says who owns them")]
    fn whole<T>(&self, region: Region) -> &mut [T] {
        // SAFETY: inside the region; all types are plain data.
        unsafe {
            let first = self.base.as_ptr().add(region.at as usize).cast::<T>();
            std::slice::from_raw_parts_mut(first, region.capacity as usize)
        }
    }

    pub fn requests(&mut self) -> &mut [RunRequest] {
        self.whole(self.layout.requests)
    }

    pub fn results(&self) -> &mut [RunResult] {
        self.whole(self.layout.results)
    }

    pub fn steps(&mut self) -> &mut [Step] {
        self.whole(self.layout.steps)
    }

    pub fn values(&mut self) -> &mut [Assignment] {
        self.whole(self.layout.values)
    }

    pub fn all_variables(&mut self) -> &mut [Variable] {
        self.whole(self.layout.variables)
    }

    pub fn all_names(&mut self) -> &mut [u8] {
        self.whole(self.layout.names)
    }

    pub fn variables(&self) -> &[Variable] {
        self.slice(self.layout.variables, 0, self.control().variable_count)
    }

    pub fn name(&self, variable: &Variable) -> &[u8] {
        self.slice(self.layout.names, u64::from(variable.name_at), u64::from(variable.name_len))
    }

    pub fn nodes(&self) -> &[Node] {
        self.slice(self.layout.nodes, 0, self.control().node_count)
    }

    pub fn tables(&self) -> &[Table] {
        self.slice(self.layout.tables, 0, self.control().table_count)
    }

    pub fn entries(&self) -> &[u32] {
        self.slice(self.layout.entries, 0, self.control().entry_count)
    }

    pub fn events(&self, at: u32, count: u32) -> &[Event] {
        self.slice(self.layout.events, u64::from(at), u64::from(count))
    }

    pub fn list(&self, at: u32, count: u64) -> &[u64] {
        self.slice(self.layout.lists, u64::from(at), count)
    }

    pub fn externals(&self) -> &[u64] {
        self.slice(self.layout.externals, 0, self.layout.externals.capacity)
    }

    /// True when nodes, tables or entries are more than three quarters full.
    pub fn nearly_full(&self) -> bool {
        let full = |count: u64, region: Region| count > region.capacity / 4 * 3;
        let control = self.control();
        full(control.node_count, self.layout.nodes)
            || full(control.table_count, self.layout.tables)
            || full(control.entry_count, self.layout.entries)
    }

    /// True when the table of variables is more than three quarters full.
    pub fn variables_nearly_full(&self) -> bool {
        let control = self.control();
        control.variable_count > self.layout.variables.capacity / 4 * 3
            || control.name_bytes > self.layout.names.capacity / 4 * 3
    }

    /// True when a run has written nonsense into the counts: at least `variables` variables were there before it.
    pub fn damaged(&self, variables: usize) -> bool {
        let control = self.control();
        let within = |count: u64, region: Region| count <= region.capacity;
        control.magic != MAGIC
            || control.variable_count < variables as u64
            || !within(control.variable_count, self.layout.variables)
            || !within(control.name_bytes, self.layout.names)
            || !within(control.node_count, self.layout.nodes)
            || !within(control.table_count, self.layout.tables)
            || !within(control.entry_count, self.layout.entries)
    }

    /// A new epoch: no nodes, tables and entries.
    pub fn empty_arena(&mut self) {
        self.give_back(self.layout.hash, size_of::<u32>());
        self.give_back(self.layout.nodes, size_of::<Node>());
        self.give_back(self.layout.entries, size_of::<u32>());
        self.give_back(self.layout.tables, size_of::<Table>());
        let control = self.control();
        control.node_count = 1;
        control.table_count = 0;
        control.entry_count = 0;
        control.epoch += 1;
    }

    /// No variables either.
    pub fn empty_variables(&mut self) {
        let control = self.control();
        control.variable_count = 0;
        control.name_bytes = 0;
    }

    /// Makes a region read as zero, giving its memory back.
    fn give_back(&mut self, region: Region, size: usize) {
        let bytes = (region.capacity * size as u64).next_multiple_of(PAGE);
        let how = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: a hole in our own file; on failure the same by hand.
        unsafe {
            if libc::fallocate(self.file.as_raw_fd(), how, region.at as i64, bytes as i64) != 0 {
                self.base.as_ptr().add(region.at as usize).write_bytes(0, bytes as usize);
            }
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: our own mapping, no longer used.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.layout.size as usize) };
    }
}
