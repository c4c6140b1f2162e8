//! The shared file from the engine's side: laid out once, mapped, and read as typed slices.
//!
//! Invariant: every count read from the pages is cut to its region before it is used, because the program under test can
//! write anywhere in them.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;

use covet_abi::event::Event;
use covet_abi::input::{Assignment, Variable};
use covet_abi::logs::CallRecord;
use covet_abi::node::{Node, Table};
use covet_abi::plan::StepRecord;
use covet_abi::shared::{ArenaSizes, Control, MAGIC, Region, Regions, RunRequest, RunResult};

use crate::Error;

const PAGE: u64 = 4096;

/// How much of each table is in use, as it was when the worker handed the pages over: what a run writes later counts for nothing.
#[derive(Clone, Copy, Default)]
struct Counts {
    nodes: u64,
    tables: u64,
    entries: u64,
    variables: u64,
    name_bytes: u64,
}

pub struct Shared {
    file: File,
    base: NonNull<u8>,
    /// As laid out; the copy in the pages may be overwritten by a run.
    regions: Regions,
    size: u64,
    counts: Counts,
    epoch: u64,
}

// SAFETY: the mapping is owned by this value; access is handed over by the protocol.
unsafe impl Send for Shared {}

impl Shared {
    pub fn new(sizes: &ArenaSizes) -> Result<Shared, Error> {
        let (regions, size) = Regions::lay_out(sizes);
        let failed = |what| move |source| Error::Shared { what, source };
        // SAFETY: a fresh descriptor, owned by `file`.
        let file = unsafe {
            let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
            let descriptor = libc::memfd_create(c"covet".as_ptr(), flags);
            if descriptor < 0 {
                return Err(failed("memory file")(io::Error::last_os_error()));
            }
            File::from_raw_fd(descriptor)
        };
        file.set_len(size).map_err(failed("size"))?;
        // The worker has the descriptor: without this it could take the pages away under the engine.
        covet_launch::seal(&file, libc::F_SEAL_SHRINK | libc::F_SEAL_GROW).map_err(failed("seal"))?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (length, flags, descriptor) = (size as usize, libc::MAP_SHARED, file.as_raw_fd());
        // SAFETY: maps the file just made.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), length, access, flags, descriptor, 0) };
        if base == libc::MAP_FAILED {
            return Err(failed("mapping")(io::Error::last_os_error()));
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| failed("mapping")(io::Error::other("null")))?;
        let counts = Counts { nodes: 1, ..Counts::default() };
        let mut shared = Shared { file, base, regions, size, counts, epoch: 0 };
        shared.fill_in();
        Ok(shared)
    }

    /// Writes the layout and the counts into the control block (again).
    pub fn fill_in(&mut self) {
        let control = self.control();
        control.magic = MAGIC;
        control.size = self.size;
        control.regions = self.regions;
        control.epoch = self.epoch;
        control.node_count = self.counts.nodes;
        control.table_count = self.counts.tables;
        control.entry_count = self.counts.entries;
        control.variable_count = self.counts.variables;
        control.name_bytes = self.counts.name_bytes;
    }

    /// Takes over the counts as the worker left them. True when a run has written nonsense into them: then they stay as they were.
    pub fn take_over(&mut self) -> bool {
        let control = self.control();
        let counts = Counts {
            nodes: control.node_count,
            tables: control.table_count,
            entries: control.entry_count,
            variables: control.variable_count,
            name_bytes: control.name_bytes,
        };
        let damaged = control.magic != MAGIC
            || counts.variables < self.counts.variables
            || counts.variables > self.regions.variables.capacity
            || counts.name_bytes > self.regions.names.capacity
            || counts.nodes > self.regions.nodes.capacity
            || counts.tables > self.regions.tables.capacity
            || counts.entries > self.regions.entries.capacity;
        if !damaged {
            self.counts = counts;
        }
        damaged
    }

    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Bytes of all pages.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Changes when nodes, tables and entries are emptied.
    pub fn epoch(&self) -> u64 {
        self.epoch
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

    fn slice<T>(&self, region: Region<T>, at: u64, count: u64) -> &[T] {
        let at = at.min(region.capacity);
        let count = count.min(region.capacity - at);
        // SAFETY: inside the region; all types are plain data.
        unsafe {
            let first = self.base.as_ptr().add(region.at as usize).cast::<T>().add(at as usize);
            std::slice::from_raw_parts(first, count as usize)
        }
    }

    #[expect(clippy::mut_from_ref, reason = "pages shared with the worker; the protocol says who owns them")]
    fn whole<T>(&self, region: Region<T>) -> &mut [T] {
        // SAFETY: inside the region; all types are plain data.
        unsafe {
            let first = self.base.as_ptr().add(region.at as usize).cast::<T>();
            std::slice::from_raw_parts_mut(first, region.capacity as usize)
        }
    }

    pub fn requests(&mut self) -> &mut [RunRequest] {
        self.whole(self.regions.requests)
    }

    pub fn results(&self) -> &mut [RunResult] {
        self.whole(self.regions.results)
    }

    pub fn steps(&mut self) -> &mut [StepRecord] {
        self.whole(self.regions.steps)
    }

    pub fn values(&mut self) -> &mut [Assignment] {
        self.whole(self.regions.values)
    }

    pub fn stubs(&mut self) -> &mut [u64] {
        self.whole(self.regions.stubs)
    }

    /// Adds a variable, whose name is still to be placed, to the table. Its number; none when the table is full.
    pub fn add_variable(&mut self, mut variable: Variable, name: &[u8]) -> Option<u32> {
        let (index, at) = (self.counts.variables, self.counts.name_bytes);
        let end = at + name.len() as u64;
        self.whole(self.regions.names).get_mut(at as usize..end as usize)?.copy_from_slice(name);
        (variable.name_at, variable.name_len) = (at as u32, name.len() as u32);
        *self.whole(self.regions.variables).get_mut(index as usize)? = variable;
        (self.counts.variables, self.counts.name_bytes) = (index + 1, end);
        let control = self.control();
        (control.variable_count, control.name_bytes) = (index + 1, end);
        Some(index as u32)
    }

    pub fn variables(&self) -> &[Variable] {
        self.slice(self.regions.variables, 0, self.counts.variables)
    }

    pub fn name(&self, variable: &Variable) -> &[u8] {
        self.slice(self.regions.names, u64::from(variable.name_at), u64::from(variable.name_len))
    }

    pub fn nodes(&self) -> &[Node] {
        self.slice(self.regions.nodes, 0, self.counts.nodes)
    }

    pub fn tables(&self) -> &[Table] {
        self.slice(self.regions.tables, 0, self.counts.tables)
    }

    pub fn entries(&self) -> &[u32] {
        self.slice(self.regions.entries, 0, self.counts.entries)
    }

    pub fn events(&self, at: u32, count: u32) -> &[Event] {
        self.slice(self.regions.events, u64::from(at), u64::from(count))
    }

    pub fn list(&self, at: u32, count: u64) -> &[u64] {
        self.slice(self.regions.lists, u64::from(at), count)
    }

    pub fn control_flow(&self, at: u32, count: u32) -> &[u32] {
        self.slice(self.regions.control_flow, u64::from(at), u64::from(count))
    }

    pub fn calls(&self, at: u32, count: u32) -> &[CallRecord] {
        self.slice(self.regions.calls, u64::from(at), u64::from(count))
    }

    pub fn externals(&self) -> &[u64] {
        self.slice(self.regions.externals, 0, self.regions.externals.capacity)
    }

    /// True when nodes, tables or entries are more than three quarters full.
    pub fn nearly_full(&self) -> bool {
        let full = |count: u64, capacity: u64| count > capacity / 4 * 3;
        full(self.counts.nodes, self.regions.nodes.capacity)
            || full(self.counts.tables, self.regions.tables.capacity)
            || full(self.counts.entries, self.regions.entries.capacity)
    }

    /// True when the table of variables is more than three quarters full.
    pub fn variables_nearly_full(&self) -> bool {
        self.counts.variables > self.regions.variables.capacity / 4 * 3
            || self.counts.name_bytes > self.regions.names.capacity / 4 * 3
    }

    /// A new epoch: no nodes, tables and entries.
    pub fn empty_arena(&mut self) {
        self.give_back(self.regions.hash);
        self.give_back(self.regions.nodes);
        self.give_back(self.regions.entries);
        self.give_back(self.regions.tables);
        self.counts = Counts { nodes: 1, tables: 0, entries: 0, ..self.counts };
        self.epoch += 1;
        self.fill_in();
    }

    /// No variables either.
    pub fn empty_variables(&mut self) {
        self.counts = Counts { variables: 0, name_bytes: 0, ..self.counts };
        self.fill_in();
    }

    /// Makes a region read as zero, giving its memory back.
    fn give_back<T>(&mut self, region: Region<T>) {
        let bytes = (region.capacity * size_of::<T>() as u64).next_multiple_of(PAGE);
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
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.size as usize) };
    }
}
