//! `covet cache`: how large the cache is, and emptying it.

use crate::arguments::cache::{CacheArgs, CacheName};
use crate::failure::Failure;
use crate::place;
use serde_json::json;
use std::process::ExitCode;

pub fn perform(args: &CacheArgs) -> Result<ExitCode, Failure> {
    let (folder, limit) = (place::cache_folder(), place::cache_limit()?);
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    match &args.name {
        CacheName::Info(how) => {
            let info = covet_cache::info(&folder).map_err(Failure::machine)?;
            if how.json {
                let object = json!({
                    "schema": "covet/cache/1", "folder": folder, "entries": info.entries, "bytes": info.bytes,
                    "limit_bytes": limit, "in_use": info.in_use,
                });
                say!("{object}");
            } else {
                let (used, most) = (mib(info.bytes), mib(limit));
                say!("{}: {} entries, {used:.1} MiB of at most {most:.0} MiB", folder.display(), info.entries);
            }
        }
        CacheName::Clear(how) => {
            let removed = covet_cache::clear(&folder).map_err(Failure::machine)?;
            if removed.in_use {
                return Err(Failure::Machine(format!(
                    "{}: in use by another command; try again later",
                    folder.display()
                )));
            }
            if how.json {
                let object = json!({
                    "schema": "covet/cache/1", "folder": folder, "removed": removed.entries, "removed_bytes": removed.bytes,
                });
                say!("{object}");
            } else {
                let size = mib(removed.bytes);
                say!("{}: {} entries removed, {size:.1} MiB", folder.display(), removed.entries);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
