//! Which theories a term needs: floats, library calls. The walk is made for conditions over these. Known for each term once.

use covet_expr::{Op, Pool, Term};

/// What a term contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Contents {
    float: bool,
    call: bool,
}

/// The theories of every term of one pool, found as the pool grows.
#[derive(Clone, Debug, Default)]
pub struct Theories {
    known: Vec<Contents>,
}

impl Theories {
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Whether a term contains floating-point arithmetic.
    pub fn has_float(&mut self, pool: &Pool, t: Term) -> bool {
        self.fit(pool);
        self.known[t.index()].float
    }

    /// Whether a term contains a call that no SMT solver knows.
    pub fn has_call(&mut self, pool: &Pool, t: Term) -> bool {
        self.fit(pool);
        self.known[t.index()].call
    }

    fn fit(&mut self, pool: &Pool) {
        for index in self.known.len()..pool.len() {
            let t = pool.term_at(index);
            let op = pool.op(t);
            let mut contents = Contents { float: op >= Op::FAdd, call: matches!(op, Op::Call | Op::FRem) };
            let table = if op == Op::Select { pool.table_of(t) } else { None };
            let entries = table.map_or(&[][..], |table| pool.entries(table));
            for part in pool.children(t).iter().chain(entries) {
                let part = self.known[part.index()];
                contents.float |= part.float;
                contents.call |= part.call;
            }
            self.known.push(contents);
        }
    }
}
