//! Where this process is and where it keeps things: what the library is told instead of asking itself.

use crate::failure::Failure;
use covet_budget::Deadline;
use covet_project::Config;
use std::path::PathBuf;

/// Projects are prepared from the current directory, with the user's cache, which is kept to its size, by tools that are stopped at the
/// deadline.
pub fn config(deadline: &Deadline) -> Result<Config, Failure> {
    covet_cache::trim(&cache_folder(), cache_limit()?).map_err(Failure::machine)?;
    let config = Config::new(std::env::current_dir().map_err(Failure::file(".".as_ref()))?, cache_folder());
    Ok(Config { toolchain: config.toolchain.until(deadline), ..config })
}

pub fn cache_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = from("XDG_CACHE_HOME").or_else(|| from("HOME").map(|home| home.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir).join("covet")
}

/// Bytes that the cache may take.
pub fn cache_limit() -> Result<u64, Failure> {
    const USUAL: u64 = 2048;
    let megabytes = match std::env::var("COVET_CACHE_SIZE") {
        Ok(text) => text.parse().map_err(|_| {
            Failure::User(format!("COVET_CACHE_SIZE={text}: not a number of megabytes; unset it or write, say, 4096"))
        })?,
        Err(_) => USUAL,
    };
    Ok(u64::saturating_mul(megabytes, 1 << 20))
}
