//! The programs that try to break promises: written ones from `benchmarks/promises`, and giants that a generator writes.

use super::Config;
use crate::build::programs::KINDS;

/// A program: its name, and its text with a head that says what is run on it.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: &'static str,
    pub text: String,
}

macro_rules! program {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../benchmarks/promises/", $name, ".c")))
    };
}

/// By what they try to break.
const WRITTEN: [(&str, &str); 32] = [
    program!("chatty"),
    program!("children"),
    program!("deaf"),
    program!("depths"),
    program!("digest"),
    program!("factors"),
    program!("loaded"),
    program!("paths"),
    program!("sleeper"),
    program!("slow"),
    program!("spin"),
    program!("waves"),
    program!("filter"),
    program!("hog"),
    program!("list"),
    program!("million"),
    program!("tables"),
    program!("trace"),
    program!("bounded"),
    program!("capped"),
    program!("concrete"),
    program!("controller"),
    program!("hang"),
    program!("idle"),
    program!("patient"),
    program!("reactive"),
    program!("server"),
    program!("late_check"),
    program!("late_equal"),
    program!("late_never"),
    program!("late_sorted"),
    program!("late_sum"),
];

/// Giants by the name of their kind, and how many seconds the command has.
const GIANTS: [(&str, u32); 6] =
    [("nested", 15), ("functions", 30), ("sum", 15), ("machine", 15), ("parser", 15), ("straight", 15)];

/// What `--quick` takes: of each promise those that end soonest.
const QUICK: [&str; 8] = ["spin", "factors", "children", "hog", "idle", "capped", "late_check", "nested"];

/// The names of all programs.
pub fn names() -> Vec<&'static str> {
    let moments = super::moments::KINDS.iter().map(|(name, _)| *name);
    all().iter().map(|subject| subject.name).chain(moments).collect()
}

pub fn chosen(config: &Config) -> Vec<Subject> {
    let is_wanted = |name: &str| match config.names.as_slice() {
        [] => !config.quick || QUICK.contains(&name),
        names => names.iter().any(|wanted| wanted == name),
    };
    all().into_iter().filter(|subject| is_wanted(subject.name)).collect()
}

fn all() -> Vec<Subject> {
    let written = WRITTEN.iter().map(|(name, text)| Subject { name, text: (*text).to_owned() });
    let giants = GIANTS.iter().filter_map(|(name, seconds)| {
        let kind = KINDS.iter().find(|kind| kind.name == *name)?;
        let head =
            format!("// {}: {}.\n// promise: giants\n// covet: cover % --time {seconds}\n", kind.size, kind.what);
        Some(Subject { name: kind.name, text: head + &(kind.text)(kind.size) })
    });
    written.chain(giants).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promises::demands::Demands;

    #[test]
    fn every_program_says_what_is_run_on_it() {
        assert_eq!(names().len(), WRITTEN.len() + GIANTS.len() + 2);
        assert_eq!(names().len(), 40);
        for subject in all() {
            assert!(Demands::of(&subject.text).is_ok(), "{}", subject.name);
        }
        assert!(QUICK.iter().all(|name| names().contains(name)));
    }
}
