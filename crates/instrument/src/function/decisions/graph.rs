//! A shape → a decision: which tests are one condition, and what follows each condition. Everything that a decision must be is checked here.

use super::layout::{Layout, Role, role};
use super::shape::{Shape, Test};
use super::{Decision, Mark, Sites, Step};
use crate::ir::{Block, Location};
use covet_sites::{ConditionInfo, Conditions, MOST_VECTORS, Next, Test as SiteTest, WhyLeftOut};

/// The tests of one condition: several for a `?:`.
type Condition = Vec<Test>;

struct Graph<'s> {
    shape: &'s Shape,
    layout: &'s Layout,
    /// Where all conditions but the first begin, in order.
    continuations: Vec<Block>,
    conditions: Vec<Condition>,
    /// Of a decision that control depends on: where it leads when true and when false.
    exits: Option<[Block; 2]>,
}

pub fn decision(shape: &Shape, layout: &Layout, sites: &Sites) -> Result<Decision, WhyLeftOut> {
    let graph = Graph::of(shape, layout)?;
    let ways = graph.ways()?;
    graph.check(&ways)?;
    let kept = Kept::of(&graph, &ways);
    let conditions = kept.conditions(sites)?;
    let marks = kept.marks(&conditions);
    Ok(Decision { place: shape.place(), conditions, marks })
}

impl<'s> Graph<'s> {
    fn of(shape: &'s Shape, layout: &'s Layout) -> Result<Graph<'s>, WhyLeftOut> {
        let targets: Vec<Block> = shape.tests.iter().filter_map(|test| test.targets()).flatten().collect();
        let mut continuations: Vec<Block> =
            targets.iter().copied().filter(|block| role(*block) == Role::Continuation).collect();
        continuations.sort_by_key(|block| layout.at(*block));
        continuations.dedup();
        let conditions = conditions(shape, layout, &continuations)?;
        let is_exit =
            |block: &Block| !continuations.contains(block) && !shape.ends.iter().any(|end| end.block == *block);
        let mut exits: Vec<Block> = targets.into_iter().filter(is_exit).collect();
        exits.sort_by_key(|block| layout.at(*block));
        exits.dedup();
        let exits = match (exits[..].try_into(), shape.ends.is_empty()) {
            (Ok(exits), true) => Some(exits),
            _ if exits.is_empty() && !shape.ends.is_empty() => None,
            _ => return Err(WhyLeftOut::Shape),
        };
        Ok(Graph { shape, layout, continuations, conditions, exits })
    }

    /// What directly follows each condition, when false and when true.
    fn ways(&self) -> Result<Vec<[Next; 2]>, WhyLeftOut> {
        let way = |condition: &Condition| {
            let mut ways = condition.iter().map(|test| {
                let first = condition[0].targets();
                let is_swapped = test.targets().zip(first).is_some_and(|(own, first)| own[0] != first[0]);
                let [yes, no] = [true, false].map(|value| self.next(*test, value));
                Some(if is_swapped { [yes?, no?] } else { [no?, yes?] })
            });
            let first = ways.next()??;
            ways.all(|way| way == Some(first)).then_some(first)
        };
        self.conditions.iter().map(|condition| way(condition).ok_or(WhyLeftOut::Shape)).collect()
    }

    /// What follows a test that was so.
    fn next(&self, test: Test, value: bool) -> Option<Next> {
        let Some(targets) = test.targets() else {
            return Some(Next::Outcome(value != self.shape.ends.last()?.is_negated));
        };
        let target = targets[usize::from(!value)];
        if let Some(at) = self.continuations.iter().position(|block| *block == target) {
            return Some(Next::Condition(at as u32 + 1));
        }
        if let Some(exits) = self.exits {
            return Some(Next::Outcome(target == exits[0]));
        }
        let end = self.shape.ends.iter().find(|end| end.block == target)?;
        let (kept, _) = end.phi.incoming().into_iter().find(|(_, from)| *from == test.block())?;
        Some(Next::Outcome((kept.as_constant()? == 1) != end.is_negated))
    }

    /// Control reaches each condition from earlier ones alone, and from its beginning its tests before anything else of the decision.
    fn check(&self, ways: &[[Next; 2]]) -> Result<(), WhyLeftOut> {
        let goes_on = |(at, ways): (usize, &[Next; 2])| {
            ways.iter().all(|next| match next {
                Next::Condition(next) => *next as usize > at,
                Next::Outcome(_) => true,
            })
        };
        let own: Vec<Block> = self.shape.tests.iter().map(|test| test.block()).collect();
        let ends = self.shape.ends.iter().map(|end| end.block);
        let landmarks: Vec<Block> = own
            .iter()
            .copied()
            .chain(self.continuations.iter().copied())
            .chain(self.exits.into_iter().flatten())
            .chain(ends)
            .collect();
        let is_closed = |(at, begin): (usize, &Block)| {
            let tests: Vec<Block> = self.conditions[at + 1].iter().map(|test| test.block()).collect();
            let entered = self.layout.entered(*begin, &tests);
            let is_reached = tests.iter().all(|test| entered.contains(test));
            let strays =
                landmarks.iter().any(|block| block != begin && !tests.contains(block) && entered.contains(block));
            is_reached && !strays && self.layout.predecessors(*begin).iter().all(|block| own.contains(block))
        };
        let is_sound = ways.iter().enumerate().all(goes_on) && self.continuations.iter().enumerate().all(is_closed);
        if is_sound { Ok(()) } else { Err(WhyLeftOut::Shape) }
    }
}

/// A graph without its constants, and without what they make impossible.
struct Kept<'g> {
    graph: &'g Graph<'g>,
    /// What directly follows each condition.
    ways: &'g [[Next; 2]],
    constants: Vec<Option<bool>>,
    /// The numbers that the conditions have without the others.
    numbers: Vec<Option<u32>>,
}

impl<'g> Kept<'g> {
    fn of(graph: &'g Graph<'g>, ways: &'g [[Next; 2]]) -> Kept<'g> {
        let constants = graph.conditions.iter().map(constant).collect();
        let mut kept = Kept { graph, ways, constants, numbers: vec![None; ways.len()] };
        let mut is_reached = vec![false; ways.len()];
        is_reached[0] = true;
        let mut next = 0;
        for at in 0..ways.len() {
            if !is_reached[at] {
                continue;
            }
            for value in [false, true].into_iter().filter(|value| kept.constants[at].is_none_or(|only| only == *value))
            {
                if let Next::Condition(to) = ways[at][usize::from(value)] {
                    is_reached[to as usize] = true;
                }
            }
            if kept.constants[at].is_none() {
                kept.numbers[at] = Some(next);
                next += 1;
            }
        }
        kept
    }

    /// What follows when constants are passed by.
    fn real(&self, next: Next) -> Next {
        match next {
            Next::Condition(at) => match (self.constants[at as usize], self.numbers[at as usize]) {
                (Some(value), _) => self.real(self.ways[at as usize][usize::from(value)]),
                (None, number) => Next::Condition(number.expect("what follows a condition is reached")),
            },
            Next::Outcome(_) => next,
        }
    }

    /// The conditions as the site map has them.
    fn conditions(&self, sites: &Sites) -> Result<Conditions, WhyLeftOut> {
        let mut conditions = Vec::new();
        let mut place = Location::default();
        for (at, tests) in self.graph.conditions.iter().enumerate().filter(|(at, _)| self.numbers[*at].is_some()) {
            // What has no place is near the one before.
            place = Some(tests[0].place()).filter(|place| place.line != 0).unwrap_or(place);
            let site_of = |test: &Test| match test.kept {
                Some(value) => sites.kept.get(&(test.block(), value)),
                None => sites.branches.get(&test.terminator),
            };
            let test = |test: &Test| Some(SiteTest { site: *site_of(test)?, is_true_on: is_true_on(tests, *test) });
            let tests: Option<Vec<SiteTest>> = tests.iter().map(test).collect();
            let [if_false, if_true] = self.ways[at].map(|next| self.real(next));
            let tests = tests.ok_or(WhyLeftOut::Shape)?;
            conditions.push(ConditionInfo { line: place.line, column: place.column, tests, if_true, if_false });
        }
        if conditions.len() < 2 || self.constants[0].is_some() {
            return Err(WhyLeftOut::Constant);
        }
        let conditions = Conditions(conditions);
        if conditions.vector_count() > MOST_VECTORS { Err(WhyLeftOut::TooManyVectors) } else { Ok(conditions) }
    }

    /// Where a program notes its way.
    fn marks(&self, conditions: &Conditions) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (at, tests) in self.graph.conditions.iter().enumerate() {
            let step = |value: bool| Step {
                adds: self.numbers[at].map_or(0, |number| conditions.step(number as usize, value)),
                is_first: self.numbers[at] == Some(0),
                is_last: matches!(self.ways[at][usize::from(value)], Next::Outcome(_)),
            };
            // Nobody takes the other way of a constant; what adds nothing in the middle needs no note.
            let is_noted = |value: bool| {
                let step = step(value);
                match self.constants[at] {
                    Some(only) => only == value && step.is_last,
                    None => step.is_last || step.is_first || step.adds != 0,
                }
            };
            for test in tests {
                match test.kept {
                    Some(_) if self.constants[at].is_some() => marks.push(Mark::Passed { at: test.terminator }),
                    Some(value) => {
                        let adds = [false, true].map(|value| step(value).adds);
                        marks.push(Mark::Kept { at: test.terminator, value, adds });
                    }
                    None => marks.extend([false, true].into_iter().filter(|value| is_noted(*value)).map(|value| {
                        let successor = usize::from(value != is_true_on(tests, *test));
                        Mark::Edge { terminator: test.terminator, successor, step: step(value) }
                    })),
                }
            }
        }
        marks
    }
}

/// The tests as conditions: one between two continuations.
fn conditions(shape: &Shape, layout: &Layout, continuations: &[Block]) -> Result<Vec<Condition>, WhyLeftOut> {
    let at = |test: &Test| layout.at(test.block());
    let mut conditions: Vec<Condition> = shape.tests.iter().map(|test| vec![*test]).collect();
    join_choices(&mut conditions, layout, continuations);
    let segment = |test: &Test| continuations.partition_point(|block| layout.at(*block) <= at(test));
    let is_one_each = conditions.len() == continuations.len() + 1
        && conditions.iter().enumerate().all(|(number, tests)| tests.iter().all(|test| segment(test) == number));
    if is_one_each {
        return Ok(conditions);
    }
    let (first, last) = (shape.tests.first().map_or(0, at), shape.tests.last().map_or(0, at));
    let has_choice = layout.blocks()[first..=last].iter().any(|block| matches!(role(*block), Role::Chosen(_)));
    Err(if has_choice { WhyLeftOut::Choice } else { WhyLeftOut::Shape })
}

/// `c ? x : y` as a condition: the tests of `x` and `y`, one behind the other, lead to the same places. The inner ones first.
fn join_choices(conditions: &mut Vec<Condition>, layout: &Layout, continuations: &[Block]) {
    let targets = |condition: &Condition| {
        let mut targets = condition[0].targets()?.map(|block| layout.at(block));
        targets.sort_unstable();
        Some(targets)
    };
    for no in layout.blocks().iter().rev().filter(|block| role(**block) == Role::Chosen(false)) {
        let chooser = layout.predecessors(*no).iter().flat_map(|block| block.successors());
        let Some(yes) = chooser.into_iter().find(|block| role(*block) == Role::Chosen(true)) else { continue };
        let (yes, no) = (layout.at(yes), layout.at(*no));
        let at = |condition: &Condition| layout.at(condition[0].block());
        let first = conditions.partition_point(|condition| at(condition) < yes);
        let second = conditions.partition_point(|condition| at(condition) < no);
        if second != first + 1 || second >= conditions.len() {
            continue;
        }
        let end = at(&conditions[second]);
        let is_cut = continuations.iter().any(|block| (yes + 1..=end).contains(&layout.at(*block)));
        let (x, y) = (targets(&conditions[first]), targets(&conditions[second]));
        if !is_cut && x.is_some() && x == y {
            let tests = conditions.remove(second);
            conditions[first].extend(tests);
        }
    }
}

/// The outcome of a test that makes its condition true: that of the first test, or what leads to the same place.
fn is_true_on(condition: &Condition, test: Test) -> bool {
    match (condition[0].targets(), test.targets()) {
        (Some(first), Some(own)) => first[0] == own[0],
        _ => true,
    }
}

/// The value of a condition that never is another.
fn constant(condition: &Condition) -> Option<bool> {
    match condition[..] {
        [only] => only.value().as_constant().map(|number| number == 1),
        _ => None,
    }
}
