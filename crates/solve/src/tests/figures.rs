//! Figures 2 and 3 of the IPPC paper: isSorted(a, b, c), step by step.

use crate::*;
use covet_expr::query::{Answer, Query};
use covet_expr::{Pool, Term};
use covet_input::{Input, VarId};

struct Sorted {
    pool: Pool,
    vars: [Term; 3],
}

impl Sorted {
    fn new() -> Sorted {
        let mut pool = Pool::new();
        let vars = [0, 1, 2].map(|i| pool.var_with(VarId(i), 32, 0));
        Sorted { pool, vars }
    }

    /// The path of isSorted: compares (a, b), (a, c), (b, c) and stops at the first pair that is out of order.
    fn run(&mut self, input: [i32; 3]) -> Vec<Term> {
        let mut path = Vec::new();
        for (x, y) in [(0, 1), (0, 2), (1, 2)] {
            let in_order = self.pool.sle(self.vars[x], self.vars[y]);
            if input[x] > input[y] {
                path.push(self.pool.not(in_order));
                break;
            }
            path.push(in_order);
        }
        path
    }
}

fn input_of(values: [i32; 3]) -> Input {
    let mut input = Input::default();
    for (i, value) in values.iter().enumerate() {
        input.set(VarId(i as u32), u128::from(*value as u32));
    }
    input
}

/// Depth-first search as Algorithm 1: the inputs after the first, in order.
fn explore(mode: Mode) -> (Vec<[i32; 3]>, Statistics) {
    let mut world = Sorted::new();
    let mut solver = Solver::new(Config { mode, ..Config::default() });
    let mut values = [0, 0, 0];
    let mut found = Vec::new();
    let mut open = 3;
    while open > 0 {
        let path = world.run(values);
        open = open.min(path.len());
        let goal = world.pool.not(path[open - 1]);
        let base = input_of(values);
        let query = Query { prefix: &path[..open - 1], concretizations: &[], goal, base: &base };
        let answer = solver.solve(&world.pool, &query);
        let Answer::Sat { input, .. } = answer else { panic!("every path of isSorted is feasible") };
        values = [0, 1, 2].map(|i| input.get(VarId(i)).expect("set") as u32 as i32);
        found.push(values);
        open -= 1;
    }
    (found, solver.statistics)
}

#[test]
fn figure_2_full_path_constraints() {
    let (inputs, statistics) = explore(Mode::Full);
    assert_eq!(inputs, [[0, 1, 0], [0, 1, -1], [2, 1, -1]]);
    assert_eq!((statistics.calls, statistics.mean_constraints(), statistics.max_constraints), (3, 2.0, 3));
    assert_eq!(statistics.smt_calls, 0);
}

#[test]
fn figure_3_partial_path_constraints() {
    let (inputs, statistics) = explore(Mode::Ippc);
    assert_eq!(inputs, [[0, 1, 0], [1, 1, 0], [2, 1, 0]]);
    assert_eq!((statistics.calls, statistics.mean_constraints(), statistics.max_constraints), (3, 1.0, 1));
}
