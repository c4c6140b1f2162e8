//! The functions a run has asked to be called at its exit: registered per run, called in reverse order.
//!
//! Invariant: each handler is taken off the list before it is called, so a handler that calls `exit` goes on with the rest.

use core::ffi::{c_int, c_void};

use crate::sys::state::Static;

const ROOM: usize = 1024;

#[derive(Clone, Copy)]
pub enum Handler {
    Plain(extern "C" fn()),
    WithCode(extern "C" fn(c_int, *mut c_void), *mut c_void),
}

struct List {
    handlers: [Option<Handler>; ROOM],
    count: usize,
}

static AT_EXIT: Static<List> = Static::new(List { handlers: [None; ROOM], count: 0 });
static AT_QUICK_EXIT: Static<List> = Static::new(List { handlers: [None; ROOM], count: 0 });

impl List {
    fn push(&mut self, handler: Handler) -> bool {
        if self.count == ROOM {
            return false;
        }
        self.handlers[self.count] = Some(handler);
        self.count += 1;
        true
    }
}

pub fn at_exit(handler: Handler) -> bool {
    AT_EXIT.get().push(handler)
}

pub fn at_quick_exit(handler: Handler) -> bool {
    AT_QUICK_EXIT.get().push(handler)
}

/// Calls what `atexit` and `on_exit` registered.
pub fn call_all(code: c_int) {
    call_list(&AT_EXIT, code);
}

/// Calls what `at_quick_exit` registered.
pub fn call_quick(code: c_int) {
    call_list(&AT_QUICK_EXIT, code);
}

fn call_list(list: &Static<List>, code: c_int) {
    loop {
        let handler = {
            let list = list.get();
            if list.count == 0 {
                return;
            }
            list.count -= 1;
            list.handlers[list.count]
        };
        match handler {
            Some(Handler::Plain(function)) => function(),
            Some(Handler::WithCode(function, argument)) => function(code, argument),
            None => {}
        }
    }
}

/// Forgets them all, for the next run.
pub fn reset() {
    AT_EXIT.get().count = 0;
    AT_QUICK_EXIT.get().count = 0;
}
