//! `COVET_LOG` → what is told on standard error of the work inside. Without it nothing is, and nothing is paid for it.

use tracing_subscriber::EnvFilter;

/// The variable that says what to tell: `debug`, or `covet_solve=debug,covet_explore=info`.
const VARIABLE: &str = "COVET_LOG";

/// Listens to what the crates tell, as far as the variable asks for it.
pub fn start() {
    let Some(wanted) = std::env::var(VARIABLE).ok().filter(|wanted| !wanted.is_empty()) else { return };
    match EnvFilter::try_new(&wanted) {
        Ok(filter) => tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .with_ansi(false)
            .log_internal_errors(false)
            .init(),
        Err(error) => tell!("note: {VARIABLE}={wanted}: {error}"),
    }
}
