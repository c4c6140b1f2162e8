//! Arguments of `covet cache`.

use clap::{Args, Subcommand};

#[derive(Args, Debug)]
pub struct CacheArgs {
    #[command(subcommand)]
    pub name: CacheName,
}

#[derive(Subcommand, Debug)]
pub enum CacheName {
    /// Where the cache is and how large.
    #[command(after_help = "Example:\n  covet cache info --json")]
    Info(Shown),
    /// Remove everything in it, unless another command uses it.
    #[command(after_help = "Example:\n  covet cache clear")]
    Clear(Shown),
}

#[derive(Args, Debug)]
pub struct Shown {
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}
