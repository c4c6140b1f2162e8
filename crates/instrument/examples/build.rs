//! Instruments bitcode files from the command line: `build USER.bc MODELS.bc FOLDER`.
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, user, models, folder] = &arguments[..] else { panic!("build USER.bc MODELS.bc FOLDER") };
    let options = covet_instrument::Options { jobs: 2, ..Default::default() };
    match covet_instrument::build(Path::new(user), Path::new(models), Path::new(folder), &options) {
        Ok(built) => println!("{} with {} sites: {:?}", built.executable.display(), built.map.sites.len(), built.times),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
