//! Tests of the whole solver: worked queries, the figures of the IPPC paper, random conjunctions through all tiers and through each.

mod figures;
mod random;
mod random_tiers;
mod worked;
