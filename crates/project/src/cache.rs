//! Instrumented programs by what goes into them, kept in the cache.

use crate::Config;
use covet_cache::{Cache, Key};
use covet_compile::Program;
use covet_instrument::{Error, Options, Times};
use covet_sites::SiteMap;
use std::path::PathBuf;

/// An instrumented program.
pub struct Instrumented {
    pub executable: PathBuf,
    pub map: SiteMap,
    /// How long it took; none when it was there.
    pub times: Option<Times>,
}

/// The instrumented program, from the cache when it is there.
pub fn instrument(cache: &Cache, config: &Config, program: &Program, options: &Options) -> Result<Instrumented, Error> {
    let mut built = None;
    let folder = cache.folder(&key("program", config, program, options), |folder| {
        let began = std::time::Instant::now();
        let made = covet_instrument::build(&program.bitcode, &program.models, folder, options)?;
        let (functions, sites) = (made.map.functions.len(), made.map.sites.len());
        tracing::info!(functions, sites, taken = ?began.elapsed(), times = ?made.times, "instrumented");
        built = Some((made.map, made.times));
        Ok::<(), Error>(())
    })?;
    let (executable, sites) = (folder.join("program"), folder.join("sites.json"));
    if let Some((map, times)) = built {
        return Ok(Instrumented { executable, map, times: Some(times) });
    }
    let map = SiteMap::read(&sites).map_err(|error| Error::Write { path: sites, reason: error.to_string() })?;
    Ok(Instrumented { executable, map, times: None })
}

/// Names what is made of a program by what goes into it, the build of Covet included.
pub fn key(purpose: &str, config: &Config, program: &Program, options: &Options) -> Key {
    let contents = [&program.bitcode, &program.models].map(|path| std::fs::read(path).unwrap_or_default());
    Key::new(purpose)
        .with(&options.checks.0.to_le_bytes())
        .with(&[u8::from(options.vectors)])
        .with(options.root.as_os_str().as_encoded_bytes())
        .with_all(contents)
        .with_all(&options.link_flags)
        .with(format!("{:?}", options.pure).as_bytes())
        .with(config.build_id.as_bytes())
}
