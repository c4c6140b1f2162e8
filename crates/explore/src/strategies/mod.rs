//! The strategies, one file each.

mod arranged;
mod auto;
mod cfg;
mod deep;
mod dfs;
mod generational;
mod goals;
mod random_branch;
mod random_input;
mod rare;
mod sample;

pub use arranged::Arranged;
pub use auto::Auto;
pub use cfg::Cfg;
pub use deep::Deep;
pub use dfs::Dfs;
pub use generational::Generational;
pub use goals::Goals;
pub use random_branch::RandomBranch;
pub use random_input::RandomInput;
pub use rare::Rare;
