//! Symbolic files: the plan's File steps to what the models' `open`, `read` and `fopen` ask for.
//!
//! Invariant: file 0 is standard input; the others are known by name, or by the address of the stream that the input has over
//! them, and numbered in the order of the plan. The contents are
//! marked symbolic by the plan; the length carries its own expression when it is symbolic.

use core::ffi::{c_char, c_int};

use crate::libc::stand_in::returns;
use crate::sys::state::Static;
use crate::term::build;
use crate::trace::{progress, run, tracking, values, variables};

const ROOM: usize = 64;

#[derive(Clone, Copy)]
struct File {
    /// A C string; 0 for standard input and files behind streams.
    name: u64,
    /// Address of the stream that is open over it; 0 when none is.
    stream: u64,
    data: u64,
    capacity: u64,
    /// Variable of its length; without one it is as long as its capacity.
    length: Option<u32>,
}

const NO_FILE: File = File { name: 0, stream: 0, data: 0, capacity: 0, length: None };

struct Files {
    /// Slot 0 is standard input, whether or not it is symbolic.
    all: [File; ROOM],
    count: usize,
    stdin: bool,
    /// What the system tells the entry is input.
    surrounded: bool,
}

static FILES: Static<Files> = Static::new(Files { all: [NO_FILE; ROOM], count: 1, stdin: false, surrounded: false });

/// No symbolic files.
pub fn reset() {
    let files = FILES.get();
    files.count = 1;
    files.stdin = false;
    files.surrounded = false;
}

/// What the system tells the entry is input.
pub fn surround() {
    FILES.get().surrounded = true;
}

/// Makes `capacity` bytes at `data` the file `name` (0: standard input). False when there are too many.
pub fn add(name: u64, data: u64, capacity: u64, length: Option<u32>) -> bool {
    let file = File { name, stream: 0, data, capacity, length };
    if name == 0 {
        let files = FILES.get();
        files.all[0] = file;
        files.stdin = true;
        return true;
    }
    push(file)
}

/// Makes `capacity` bytes at `data` the file that the stream at `stream` is open over. False when there are too many.
pub fn add_stream(stream: u64, data: u64, capacity: u64, length: Option<u32>) -> bool {
    push(File { name: 0, stream, data, capacity, length })
}

fn push(file: File) -> bool {
    let files = FILES.get();
    if files.count == ROOM {
        return false;
    }
    files.all[files.count] = file;
    files.count += 1;
    true
}

fn file(index: c_int) -> Option<&'static File> {
    let files = FILES.get();
    let known = if index == 0 { files.stdin } else { (1..files.count as c_int).contains(&index) };
    if known { Some(&files.all[index as usize]) } else { None }
}

/// The name of a symbolic file, empty when it has none; NULL when there is no such file. The models compare it: what the program opens may be input.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_file_name(index: c_int) -> *const c_char {
    returns(0);
    match file(index) {
        Some(File { name: 0, .. }) => c"".as_ptr(),
        Some(file) => file.name as *const c_char,
        None => core::ptr::null(),
    }
}

/// Number of the symbolic file that the stream at this address is open over, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_file_of_stream(stream: u64) -> c_int {
    returns(0);
    let files = FILES.get();
    let found = files.all[1..files.count].iter().position(|file| file.stream == stream && stream != 0);
    found.map_or(-1, |index| index as c_int + 1)
}

/// 1 when what the system tells the entry is input.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_surrounded() -> c_int {
    returns(0);
    c_int::from(run::is_on() && FILES.get().surrounded)
}

/// 1 when standard input is symbolic.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_stdin_symbolic() -> c_int {
    c_int::from(FILES.get().stdin)
}

/// The program asks for more of standard input than there is, as a server does that waits for the next request.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_input_ended() {
    if run::is_on() {
        progress::asked();
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_file_data(index: c_int) -> *const u8 {
    file(index).map_or(core::ptr::null(), |file| file.data as *const u8)
}

#[unsafe(no_mangle)]
pub extern "C" fn __covet_file_capacity(index: c_int) -> u64 {
    file(index).map_or(0, |file| file.capacity)
}

/// Its length; the expression of it goes the way of returned values.
#[unsafe(no_mangle)]
pub extern "C" fn __covet_file_size(index: c_int) -> u64 {
    returns(0);
    let Some(file) = file(index) else { return 0 };
    let Some(number) = file.length else { return file.capacity };
    let value = values::value(number) as u64;
    if tracking::active() {
        returns(build::fit(variables::variable_node(number), 64));
    }
    value.min(file.capacity)
}
