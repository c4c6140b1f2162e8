//! What `covet profile` can be told.

use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct ProfileArgs {
    /// Where the profile goes; what is there already is added to.
    #[arg(long, value_name = "P", default_value = "covet-profile")]
    pub out: PathBuf,
    /// C files, folders or a compile_commands.json of one program: it is built and runs in place of the command's own.
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<PathBuf>,
    /// The program that the one made of SOURCE takes the place of while the command runs [default: the command itself]. It is put back afterwards.
    #[arg(long, value_name = "PATH", requires = "sources")]
    pub program: Option<PathBuf>,
    /// Flags for clang, for SOURCE. Example: `--flags "-Iinclude -lm"`
    #[arg(long, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub flags: String,
    /// Begin a new profile, whatever is there.
    #[arg(long)]
    pub fresh: bool,
    /// Print one summary object on standard output, after what the command prints.
    #[arg(long)]
    pub json: bool,
    /// The command to run.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Args, Debug)]
pub struct ProfileCompilerArgs {
    /// The folder of the recording.
    #[arg(long)]
    pub session: PathBuf,
    /// The compiler that was asked for.
    #[arg(long)]
    pub compiler: PathBuf,
    #[arg(last = true)]
    pub arguments: Vec<OsString>,
}
