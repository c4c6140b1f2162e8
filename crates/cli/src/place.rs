//! Where this process is and where it keeps things: what the library is told instead of asking itself.

use crate::failure::Failure;
use covet_budget::Deadline;
use covet_project::Config;
use std::path::PathBuf;

/// Projects are prepared from the current directory, with the user's cache, by tools that are stopped at the deadline.
pub fn config(deadline: &Deadline) -> Result<Config, Failure> {
    let config = Config::new(std::env::current_dir().map_err(Failure::file(".".as_ref()))?, cache_folder());
    Ok(Config { toolchain: config.toolchain.until(deadline), ..config })
}

pub fn cache_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = from("XDG_CACHE_HOME").or_else(|| from("HOME").map(|home| home.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir).join("covet")
}
