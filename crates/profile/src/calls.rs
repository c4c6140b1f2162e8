//! A profile, put to a build: its functions become numbers, its runs graphs, beside the call graph of the source.
//!
//! Ids name files from the root of a project. A program that was recorded elsewhere (another folder, a build beside the sources) has
//! other files: then a function is the one of that name whose file ends in the most of the same folders, if there is only one.

use crate::{FunctionProfile, Graph, Profile};
use covet_sites::{FunctionId, FunctionNumber, SiteMap};
use std::collections::{BTreeMap, BTreeSet};

/// Who calls whom: in the source, and in every run that was seen.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Calls in the source, and those that only runs show (through pointers).
    pub graph: Graph,
    runs: Vec<SeenRun>,
    /// Places in the profile of the functions of this build.
    places: BTreeMap<FunctionNumber, Vec<u32>>,
}

/// One run, and how often it was made.
#[derive(Clone, Debug)]
pub(crate) struct SeenRun {
    pub graph: Graph,
    called: BTreeSet<FunctionNumber>,
    times: u64,
}

impl Calls {
    /// What a profile says of the functions of this build.
    pub fn of(profile: &Profile, map: &SiteMap) -> Calls {
        let known = Known::of(map);
        let numbers: Vec<Option<FunctionNumber>> =
            profile.functions().iter().map(|function| known.number(&function.id)).collect();
        let mut calls = Calls { graph: Graph::of(map), ..Calls::default() };
        for (place, number) in (0..).zip(&numbers) {
            if let Some(number) = number {
                calls.places.entry(*number).or_default().push(place);
            }
        }
        let number = |place: u32| numbers.get(place as usize).copied().flatten();
        for (run, times) in profile.runs() {
            let edges = run.edges.iter().filter_map(|(from, to)| Some((number(*from)?, number(*to)?)));
            calls.add(edges, run.called().filter_map(number), times);
        }
        calls
    }

    pub(crate) fn add(
        &mut self,
        edges: impl Iterator<Item = (FunctionNumber, FunctionNumber)>,
        called: impl Iterator<Item = FunctionNumber>,
        times: u64,
    ) {
        let edges: Vec<_> = edges.collect();
        self.graph.extend(edges.iter().copied());
        let called = called.collect();
        self.runs.push(SeenRun { graph: edges.into_iter().collect(), called, times });
    }

    /// The runs that call a function, with how often each was made.
    pub(crate) fn runs_of(&self, function: FunctionNumber) -> impl Iterator<Item = (&SeenRun, u64)> {
        self.runs.iter().filter(move |run| run.called.contains(&function)).map(|run| (run, run.times))
    }

    /// How many runs were seen.
    pub fn run_count(&self) -> u64 {
        self.runs.iter().map(|run| run.times).sum()
    }

    /// Whether a run has called the function.
    pub fn is_called(&self, function: FunctionNumber) -> bool {
        self.runs_of(function).next().is_some()
    }

    /// What the profile that this was made of says of a function. A program that was built in several places has several.
    pub fn seen<'p>(
        &self,
        profile: &'p Profile,
        function: FunctionNumber,
    ) -> impl Iterator<Item = &'p FunctionProfile> + use<'p> {
        let places = self.places.get(&function).cloned().unwrap_or_default();
        places.into_iter().filter_map(|place| profile.functions().get(place as usize))
    }
}

/// The functions of a build, by id and by name.
struct Known {
    exact: BTreeMap<FunctionId, FunctionNumber>,
    named: BTreeMap<String, Vec<(FunctionId, FunctionNumber)>>,
}

impl Known {
    fn of(map: &SiteMap) -> Known {
        let ids = map.ids();
        let mut known = Known { exact: BTreeMap::new(), named: BTreeMap::new() };
        for function in map.functions.iter().filter(|function| !function.is_model) {
            let Some(id) = ids.function_id(function.number) else { continue };
            known.exact.insert(id.clone(), function.number);
            known.named.entry(id.name.clone()).or_default().push((id.clone(), function.number));
        }
        known
    }

    fn number(&self, id: &FunctionId) -> Option<FunctionNumber> {
        if let Some(number) = self.exact.get(id) {
            return Some(*number);
        }
        let candidates = self.named.get(&id.name)?;
        let best = candidates.iter().map(|(other, _)| common_end(&other.file, &id.file)).max()?;
        let mut nearest = candidates.iter().filter(|(other, _)| common_end(&other.file, &id.file) == best);
        match (nearest.next(), nearest.next(), best) {
            (Some((_, number)), None, 1..) => Some(*number),
            (_, _, _) => None,
        }
    }
}

/// How many names two paths have in common at their end.
fn common_end(a: &str, b: &str) -> usize {
    a.rsplit('/').zip(b.rsplit('/')).take_while(|(a, b)| a == b).count()
}

/// The examples of the paper.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A call graph and runs by their calls. A run begins where nobody calls.
    pub fn calls(graph: &[(u32, u32)], runs: &[&[(u32, u32)]]) -> Calls {
        let number = |(from, to): &(u32, u32)| (FunctionNumber(*from), FunctionNumber(*to));
        let mut calls = Calls { graph: graph.iter().map(number).collect(), ..Calls::default() };
        for run in runs {
            let ends = run.iter().map(number).flat_map(|(from, to)| [from, to]);
            calls.add(run.iter().map(number), ends, 1);
        }
        calls
    }

    /// Figure 1, with the three system tests of section 3.1.
    pub struct Figure1 {
        pub calls: Calls,
        pub main: FunctionNumber,
        pub a1: FunctionNumber,
        pub a2: FunctionNumber,
        pub b: FunctionNumber,
        pub f: FunctionNumber,
        pub g: FunctionNumber,
        pub h: FunctionNumber,
    }

    impl Figure1 {
        pub fn profiled() -> Figure1 {
            let [main, a1, a2, b, f, g, h] = [0, 1, 2, 3, 4, 5, 6];
            let graph = [(main, a1), (main, a2), (a1, b), (a2, b), (b, f), (f, g), (f, h)];
            let runs: [&[(u32, u32)]; 3] = [
                &[(main, a2), (a2, b), (b, f), (f, g)],
                &[(main, a1), (a1, b), (b, f), (f, g)],
                &[(main, a1), (a1, b), (b, f), (f, g), (f, h)],
            ];
            let [main, a1, a2, b, f, g, h] = [main, a1, a2, b, f, g, h].map(FunctionNumber);
            Figure1 { calls: calls(&graph, &runs), main, a1, a2, b, f, g, h }
        }
    }

    /// Figure 4: a call graph with dependencies drawn in. What the text does not say of it is as low as it needs to be.
    pub struct Figure4 {
        pub graph: Graph,
        pub f: FunctionNumber,
        pub n: fn(u32) -> FunctionNumber,
        pub dependency: BTreeMap<FunctionNumber, f64>,
    }

    impl Figure4 {
        pub fn drawn() -> Figure4 {
            let f = 0;
            let edges = [
                (1, 5),
                (2, 5),
                (2, 6),
                (5, 8),
                (8, f),
                (4, 3),
                (3, 6),
                (6, 9),
                (9, f),
                (7, 10),
                (10, f),
                (f, 11),
                (11, 15),
                (f, 12),
                (f, 13),
                (12, 14),
                (13, 14),
                (14, 16),
            ];
            let high = [(3, 0.9), (5, 0.8), (6, 0.8), (8, 0.8), (9, 0.9), (12, 0.9), (13, 0.8), (14, 0.7)];
            let low = [(1, 0.5), (2, 0.6), (4, 0.4), (7, 0.9), (10, 0.3), (11, 0.2), (15, 0.9), (16, 0.1)];
            Figure4 {
                graph: edges.iter().map(|(from, to)| (FunctionNumber(*from), FunctionNumber(*to))).collect(),
                f: FunctionNumber(f),
                n: FunctionNumber,
                dependency: high.into_iter().chain(low).map(|(n, p)| (FunctionNumber(n), p)).collect(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_sites::FunctionInfo;
    use covet_sites::testing::{block, function, program};

    fn map(functions: &[(&str, &str, &[u32])]) -> SiteMap {
        let all = (0..).zip(functions).map(|(number, (name, file, calls))| FunctionInfo {
            name: name.to_string(),
            file: file.to_string(),
            unit: file.to_string(),
            ..function(number, 0, vec![block(&[], calls)])
        });
        SiteMap { root: "/p".into(), ..program(all.collect(), &[]) }
    }

    #[test]
    fn functions_are_found_again_where_files_have_moved() {
        let map = map(&[("main", "/p/src/m.c", &[1]), ("f", "/p/src/a.c", &[]), ("f", "/p/lib/a.c", &[])]);
        let id = |text: &str| text.parse::<FunctionId>().unwrap();
        let (main, near, far, odd) = (id("/tmp/build/src/m.c:main"), id("../src/a.c:f"), id("a.c:f"), id("x.c:main"));
        let mut profile = Profile::default();
        profile.add_run([(None, &main), (Some(&main), &near)]);
        profile.add_run([(None, &main), (Some(&main), &far), (Some(&main), &odd)]);
        let calls = Calls::of(&profile, &map);
        let number = FunctionNumber;
        assert_eq!((calls.run_count(), calls.is_called(number(1)), calls.is_called(number(2))), (2, true, false));
        assert_eq!(calls.graph.callees(number(0)).collect::<Vec<_>>(), [number(1)]);
        assert_eq!(calls.seen(&profile, number(1)).map(|seen| seen.calls).collect::<Vec<_>>(), [1]);
    }
}
