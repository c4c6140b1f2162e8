//! A call graph → the calling contexts of a function: the maximal call paths to it over functions that it depends on.

use crate::Graph;
use covet_sites::FunctionNumber;

/// Paths that are gone at most: graphs can have more than anybody could ask about.
pub const MOST_CONTEXTS: usize = 64;

/// Call paths that end in the function, the shortest first, then in the order of their functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contexts {
    /// Each from its outermost caller to the function itself; none when it depends on nobody who calls it.
    pub all: Vec<Vec<FunctionNumber>>,
    /// There are more.
    pub is_cut: bool,
}

/// All of them: backwards from `function` as long as there is a caller that is relevant and not on the path yet.
pub fn calling_contexts(
    graph: &Graph,
    function: FunctionNumber,
    is_relevant: &dyn Fn(FunctionNumber) -> bool,
) -> Contexts {
    let mut contexts = Contexts::default();
    // Breadth first: what is cut off are the longest.
    let mut waiting = std::collections::VecDeque::from([vec![function]]);
    while let Some(path) = waiting.pop_front() {
        let first = path[0];
        let callers = graph.callers(first).filter(|caller| !path.contains(caller) && is_relevant(*caller));
        let longer: Vec<Vec<FunctionNumber>> =
            callers.map(|caller| std::iter::once(caller).chain(path.iter().copied()).collect()).collect();
        if longer.is_empty() && path.len() > 1 {
            contexts.all.push(path);
        } else if waiting.len() + longer.len() + contexts.all.len() > MOST_CONTEXTS {
            // No room for all ways on: it ends here.
            contexts.is_cut = true;
            contexts.all.extend((path.len() > 1).then_some(path));
        } else {
            waiting.extend(longer);
        }
    }
    contexts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::testing::{Figure1, Figure4};
    use crate::{Dependency, extended_unit};

    #[test]
    fn figure_3_has_one_context_and_figure_4_two() {
        let Figure1 { calls, b, f, .. } = Figure1::profiled();
        let dependency = Dependency::of(f, &calls);
        let contexts = calling_contexts(&calls.graph, f, &|other| dependency.is_high(other, 0.7));
        assert_eq!(contexts.all, [vec![b, f]]);
        let Figure4 { graph, f, n, dependency } = Figure4::drawn();
        let is_high = |other: FunctionNumber| dependency[&other] >= 0.7;
        let contexts = calling_contexts(&graph, f, &is_high);
        assert_eq!(contexts.all, [vec![n(5), n(8), f], vec![n(3), n(6), n(9), f]]);
        assert!(!contexts.is_cut);
        assert_eq!(extended_unit(&graph, f, &is_high), [f, n(12), n(13), n(14)].into());
    }

    #[test]
    fn circles_end_and_too_many_paths_are_cut() {
        let number = FunctionNumber;
        let circle: Graph =
            [(number(1), number(0)), (number(2), number(1)), (number(1), number(2))].into_iter().collect();
        let contexts = calling_contexts(&circle, number(0), &|_| true);
        assert_eq!(contexts.all, [vec![number(2), number(1), number(0)]]);
        // Ten layers of three functions each: 3^10 paths.
        let layers = (0..10).flat_map(|layer| {
            let pair = move |at: u32| (number(3 * (layer + 1) + at / 3), number(3 * layer + at % 3));
            (0..9).map(pair)
        });
        let wide: Graph = layers.collect();
        let contexts = calling_contexts(&wide, number(0), &|_| true);
        assert!(contexts.is_cut && contexts.all.len() <= MOST_CONTEXTS && !contexts.all.is_empty());
        assert!(calling_contexts(&wide, number(0), &|_| false).all.is_empty());
    }
}
