//! The costly solvers at the top of the ladder: who is asked first, and for how long, by what each has answered so far.
//!
//! For every kind of query the portfolio keeps what each solver was granted and how often it answered. Queries over floats are put
//! in the order of answers per time granted; every eighth goes the ladder's way, so that a solver which had bad luck is heard again. One that
//! found nothing gets half the time at the next query, all again when it finds something, and never more than is left of
//! the query's budget. Time granted, not time taken: the same seed must give the same order on any machine.

use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::TierName;
use covet_expr::Pool;
use covet_walk::Theories;

/// What a query can contain that decides who can answer it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Library calls: any value to SMT.
    Calls,
    Floats,
    /// The ladder's order is the cheapest one for these.
    Integers,
}

/// The tiers that are put in order, as the ladder has them.
pub(crate) const MEMBERS: [TierName; 4] = [TierName::Walk, TierName::Linear, TierName::Smt, TierName::LongWalk];
/// Milliseconds, about, that one query may be granted in all.
const BUDGET: u32 = 2_048;
/// Every solver counts as if it had answered once within this time: nobody is judged by a single query.
const HEAD_START: f64 = 4_096.0;
/// One of so many queries goes the ladder's way.
const EXPLORED: u64 = 8;
/// An answer is found in a part of the time granted.
const ANSWERED: f64 = 0.125;
/// A grant is halved this often at most.
const MOST_HALVINGS: u32 = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    answers: u32,
    granted: f64,
    /// Queries in a row without an answer.
    vain: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Portfolio {
    theories: Theories,
    queries: [u64; 3],
    records: [[Record; MEMBERS.len()]; 3],
}

/// What is left to be granted for one query.
#[derive(Debug)]
pub(crate) struct Budget {
    kind: Kind,
    left: u32,
}

impl Portfolio {
    /// Forgets what belongs to another pool.
    pub fn forget(&mut self) {
        *self = Portfolio::default();
    }

    pub fn open(&mut self, pool: &Pool, query: &SliceQuery<'_>) -> Budget {
        let (mut float, mut call) = (false, false);
        for t in query.conditions.iter().chain([&query.goal]) {
            float |= self.theories.has_float(pool, *t);
            call |= self.theories.has_call(pool, *t);
        }
        let kind = match (call, float) {
            (true, _) => Kind::Calls,
            (false, true) => Kind::Floats,
            (false, false) => Kind::Integers,
        };
        Budget { kind, left: BUDGET }
    }

    /// The members in the order in which they are asked.
    pub fn order(&mut self, budget: &Budget, seed: u32) -> [TierName; MEMBERS.len()] {
        let mut order = MEMBERS;
        let count = &mut self.queries[budget.kind as usize];
        *count += 1;
        let explores = (*count + u64::from(seed)).is_multiple_of(EXPLORED);
        if budget.kind != Kind::Integers && !explores {
            order.sort_by(|a, b| self.merit(budget.kind, *b).total_cmp(&self.merit(budget.kind, *a)));
        }
        order
    }

    fn merit(&self, kind: Kind, name: TierName) -> f64 {
        let record = self.record(kind, name);
        (f64::from(record.answers) + 1.0) / (record.granted + HEAD_START)
    }

    fn record(&self, kind: Kind, name: TierName) -> Record {
        place(name).map_or_else(Record::default, |at| self.records[kind as usize][at])
    }

    /// How often the usual effort of a member is halved this time.
    pub fn halvings(&self, budget: &Budget, name: TierName) -> u32 {
        let vain = self.record(budget.kind, name).vain.min(MOST_HALVINGS);
        let fits = |halvings: &u32| usual(budget.kind, name) >> halvings <= budget.left;
        (vain..MOST_HALVINGS).find(fits).unwrap_or(MOST_HALVINGS)
    }

    /// Takes note of what a member found; nothing when it was not its query.
    pub fn learn(&mut self, budget: &mut Budget, name: TierName, found: Option<&TierAnswer>) {
        let (Some(at), Some(found)) = (place(name), found) else { return };
        let grant = usual(budget.kind, name) >> self.halvings(budget, name);
        let record = &mut self.records[budget.kind as usize][at];
        budget.left = budget.left.saturating_sub(grant);
        if matches!(found, TierAnswer::Unknown(_)) {
            record.vain += 1;
            record.granted += f64::from(grant);
        } else {
            record.vain = 0;
            record.answers += 1;
            record.granted += f64::from(grant) * ANSWERED;
        }
    }
}

fn place(name: TierName) -> Option<usize> {
    MEMBERS.iter().position(|member| *member == name)
}

/// Milliseconds, about, that a member takes when nothing is halved.
fn usual(kind: Kind, name: TierName) -> u32 {
    match (name, kind) {
        (TierName::Walk, _) => 32,
        (TierName::LongWalk, _) => 512,
        (TierName::Smt, Kind::Floats) => 1_500,
        // The quick check alone.
        (TierName::Smt, Kind::Calls) => 64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_expr::query::UnknownReason;

    const IN_VAIN: Option<&TierAnswer> = Some(&TierAnswer::Unknown(UnknownReason::Limit));

    fn budget(kind: Kind) -> Budget {
        Budget { kind, left: BUDGET }
    }

    /// The order at a query that does not explore.
    fn order(portfolio: &mut Portfolio, kind: Kind) -> [TierName; 4] {
        portfolio.queries[kind as usize] = 0;
        portfolio.order(&budget(kind), 0)
    }

    #[test]
    fn who_answers_comes_first() {
        let mut portfolio = Portfolio::default();
        assert_eq!(order(&mut portfolio, Kind::Floats), MEMBERS);
        for _ in 0..3 {
            portfolio.learn(&mut budget(Kind::Floats), TierName::Smt, IN_VAIN);
            portfolio.learn(&mut budget(Kind::Floats), TierName::LongWalk, Some(&TierAnswer::Sat(vec![])));
        }
        assert_eq!(order(&mut portfolio, Kind::Floats)[0], TierName::LongWalk);
        assert_eq!(order(&mut portfolio, Kind::Floats)[3], TierName::Smt);
        assert_eq!(order(&mut portfolio, Kind::Calls), MEMBERS, "kinds are apart");
        assert_eq!(order(&mut portfolio, Kind::Integers), MEMBERS);
        portfolio.queries[Kind::Floats as usize] = EXPLORED - 1;
        assert_eq!(portfolio.order(&budget(Kind::Floats), 0), MEMBERS, "the eighth query explores");
    }

    #[test]
    fn grants_shrink_in_vain_and_stay_within_the_budget() {
        let mut portfolio = Portfolio::default();
        let mut one = budget(Kind::Floats);
        assert_eq!(portfolio.halvings(&one, TierName::Smt), 0);
        portfolio.learn(&mut one, TierName::Smt, IN_VAIN);
        assert_eq!(one.left, BUDGET - 1_500);
        assert_eq!(portfolio.halvings(&one, TierName::LongWalk), 0, "there is enough for all");
        assert_eq!(portfolio.halvings(&budget(Kind::Floats), TierName::Smt), 1);
        let poor = Budget { kind: Kind::Floats, left: 300 };
        assert_eq!(portfolio.halvings(&poor, TierName::LongWalk), 1);
        portfolio.learn(&mut budget(Kind::Floats), TierName::Smt, Some(&TierAnswer::Unsat));
        assert_eq!(portfolio.halvings(&budget(Kind::Floats), TierName::Smt), 0);
    }
}
