//! Flips and inputs as text, for the log.

use crate::state::{Flip, State};
use covet_input::{Input, Value};

impl State {
    /// `parse.c:12:9 to Number(1)`
    pub(crate) fn told(&self, flip: Flip) -> String {
        let edge = self.edges.get(flip.to);
        match self.map.sites.get(edge.site.index()) {
            Some(site) => format!("{}:{}:{} to {:?}", site.file, site.line, site.column, edge.direction),
            None => format!("site {} to {:?}", edge.site.0, edge.direction),
        }
    }

    /// `arg.a=3 arg.b=0`
    pub(crate) fn told_input(&self, input: &Input) -> String {
        let told = input.iter().map(|(id, bits)| {
            let variable = self.variables.get(id);
            format!("{}={}", variable.name, Value { bits, width: variable.width, kind: variable.kind })
        });
        told.collect::<Vec<_>>().join(" ")
    }
}
