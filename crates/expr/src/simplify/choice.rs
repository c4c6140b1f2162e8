//! Rules for choices: if-then-else and table reads.
//!
//! Left behind: the condition of a choice is not a complement; boolean choices are connectives; `c ? 1 : 0` is the
//! extension of `c`.

use crate::bits::mask;
use crate::simplify::build::Shape;
use crate::term::pool::Pool;
use crate::term::{Record, TableId, Term};
use covet_abi::node::Op;

impl Pool {
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        if yes == no {
            return yes;
        }
        match self.constant(condition) {
            Some(0) => return no,
            Some(_) => return yes,
            None => {}
        }
        if self.op(condition) == Op::Not {
            let inner = self.first(condition);
            return self.ite(inner, no, yes);
        }
        let width = self.width(yes);
        if width == 1 {
            return self.boolean_choice(condition, yes, no);
        }
        match (self.constant(yes), self.constant(no)) {
            (Some(1), Some(0)) => return self.zext(condition, width),
            (Some(y), Some(0)) if y == mask(width) => return self.sext(condition, width),
            (Some(0), Some(1)) => {
                let negated = self.not(condition);
                return self.zext(negated, width);
            }
            _ => {}
        }
        if let Some(shorter) = self.same_condition(condition, yes, no) {
            return shorter;
        }
        self.raw(Shape::new(Op::Ite, width), &[condition, yes, no])
    }

    fn boolean_choice(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        match (self.constant(yes), self.constant(no)) {
            (Some(1), Some(_)) => condition,
            (Some(_), Some(_)) => self.not(condition),
            (Some(1), None) => self.or(condition, no),
            (Some(_), None) => {
                let negated = self.not(condition);
                self.and(negated, no)
            }
            (None, Some(0)) => self.and(condition, yes),
            (None, Some(_)) => {
                let negated = self.not(condition);
                self.or(negated, yes)
            }
            (None, None) => self.raw(Shape::new(Op::Ite, 1), &[condition, yes, no]),
        }
    }

    /// A choice inside an arm on the same condition is decided.
    fn same_condition(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        let decided = |pool: &Pool, arm: Term, taken: usize| {
            if pool.op(arm) != Op::Ite {
                return None;
            }
            let children = pool.children(arm);
            (children[0] == condition).then(|| children[taken])
        };
        let inner_yes = decided(self, yes, 1);
        let inner_no = decided(self, no, 2);
        if inner_yes.is_none() && inner_no.is_none() {
            return None;
        }
        let (yes, no) = (inner_yes.unwrap_or(yes), inner_no.unwrap_or(no));
        if yes == no {
            return Some(yes);
        }
        let width = self.width(yes);
        Some(self.raw(Shape::new(Op::Ite, width), &[condition, yes, no]))
    }

    /// Entry `index` of a table, 0 past its end.
    pub fn select(&mut self, table: TableId, index: Term) -> Term {
        let width = self.table_width(table);
        let entries = self.entries(table);
        let reach = mask(self.width(index));
        if let Some(at) = self.constant(index) {
            return match usize::try_from(at).ok().and_then(|i| entries.get(i)) {
                Some(&entry) => entry,
                None => self.bits(width, 0),
            };
        }
        if let Some(&first) = entries.first()
            && reach < entries.len() as u128
            && entries[..=reach as usize].iter().all(|entry| *entry == first)
        {
            return first;
        }
        let index = if self.op(index) == Op::ZExt { self.first(index) } else { index };
        self.intern(Record { op: Op::Select, aux: 0, width, a: index.0, b: table.0, c: 0, imm: 0 })
    }

    /// `t == c` for a selection among a few constants: which of them it must be.
    pub(crate) fn select_is(&mut self, t: Term, c: u128) -> Option<Term> {
        let (index, entries) = self.few_constants(t)?;
        let fitting: Vec<usize> = (0..entries.len()).filter(|&at| entries[at] == c).collect();
        Some(self.one_of(index, &fitting))
    }

    /// `a == b` for two such selections: the pairs of entries that are equal.
    pub(crate) fn selects_agree(&mut self, a: Term, b: Term) -> Option<Term> {
        let (left, left_entries) = self.few_constants(a)?;
        let (right, right_entries) = self.few_constants(b)?;
        let mut same = Pool::FALSE;
        for (at, &value) in left_entries.iter().enumerate() {
            // Equal entries are taken together, at the first of them.
            if left_entries[..at].contains(&value) {
                continue;
            }
            let here: Vec<usize> = (at..left_entries.len()).filter(|&at| left_entries[at] == value).collect();
            let there: Vec<usize> = (0..right_entries.len()).filter(|&at| right_entries[at] == value).collect();
            let (here, there) = (self.one_of(left, &here), self.one_of(right, &there));
            let both = self.and(here, there);
            same = self.or(same, both);
        }
        Some(same)
    }

    /// Index and entries of a selection whose index is short and whose entries are constants, all that it can name.
    fn few_constants(&self, t: Term) -> Option<(Term, Vec<u128>)> {
        let index = self.first(t);
        let entries = self.entries(self.table_of(t)?);
        let width = self.width(index);
        if width > 4 || entries.len() != 1 << width {
            return None;
        }
        let constants = entries.iter().map(|&entry| self.constant(entry)).collect::<Option<_>>()?;
        Some((index, constants))
    }

    fn one_of(&mut self, index: Term, values: &[usize]) -> Term {
        let width = self.width(index);
        if values.len() == 1 << width {
            return Pool::TRUE;
        }
        let mut any = Pool::FALSE;
        for &value in values {
            let constant = self.bits(width, value as u128);
            let same = self.eq(index, constant);
            any = self.or(any, same);
        }
        any
    }
}
