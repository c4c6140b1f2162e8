//! Benchmarks and soaks of Covet itself, run by hand through `covet bench NAME` (the lead is writing `semantics` and `speed` here).
