//! `covet show`: any stage of one run as text, from the linked bitcode to the solver's answer.

mod query;
mod unit;

use crate::arguments::show::{ShowArgs, Stage};
use crate::arguments::typed;
use crate::failure::Failure;
use crate::place;
use crate::running::Running;
use covet_abi::check::Checks;
use covet_campaign::{Job, Probe};
use covet_explore::BaseRun;
use covet_expr::Pool;
use covet_input::{Value, Variables};
use covet_path::PathCondition;
use covet_project::interface::{self, Exports, Interface};
use covet_project::{Entry, Parts, Prepared, Request, Symbols, entries, names};
use covet_settings::Settings;
use covet_sites::{FunctionNumber, Next, SiteKind, SiteMap, SiteNumber};
use std::fmt::Write as _;
use std::process::{Command, ExitCode};
use std::sync::Arc;

pub fn perform(args: &ShowArgs, settings: &Settings, running: &Running) -> Result<ExitCode, Failure> {
    let flags = [&settings.flags[..], &args.flags].concat();
    let config = place::config(&running.deadline)?;
    let request = Request {
        program: None,
        config: &config,
        sources: &args.sources,
        flags: &flags,
        parts: Parts::Some,
        jobs: 1,
        settings,
        checks: Checks::usual(),
    };
    if args.stage == Stage::Interface {
        // Nothing is run.
        let compiled = running.unkept("compiling", || covet_project::compile(&request))?;
        let exports = args.exports.as_deref().map(Exports::read).transpose()?;
        say_part!("{}", interface::describe(&Interface::of(&compiled, exports.as_ref())?));
        return Ok(ExitCode::SUCCESS);
    }
    let prepared = running.unkept("compiling", || covet_project::prepare(&request))?;
    names::check(&prepared, &request)?;
    let text = match args.stage {
        Stage::Bitcode => bitcode(&prepared)?,
        Stage::Sites => sites(&prepared.map),
        Stage::Invariants => invariants(&prepared),
        Stage::Trace => {
            let shown = OneRun::make(args, settings, &prepared)?;
            covet_path::text::trace(&shown.probe.run.events, |site| place(&prepared.map, site))
                + &shown.ending(&prepared)
        }
        Stage::Path => OneRun::make(args, settings, &prepared)?.path(&prepared)?,
        Stage::Query => OneRun::make(args, settings, &prepared)?.query(&prepared, args.flip, args.smt2)?,
        Stage::Input => OneRun::make(args, settings, &prepared)?.input(),
        Stage::Unit => unit::text(args, &prepared, entry(args, &prepared)?.number)?,
        Stage::Interface => String::new(),
    };
    say_part!("{text}");
    Ok(ExitCode::SUCCESS)
}

fn bitcode(prepared: &Prepared) -> Result<String, Failure> {
    let tool = prepared.config.toolchain.program("llvm-dis");
    let output = Command::new(&tool).arg(&prepared.program.bitcode).args(["-o", "-"]).output();
    let output = output.map_err(|error| Failure::Machine(format!("{}: {error}; install llvm-19", tool.display())))?;
    if !output.status.success() {
        return Err(Failure::tool(String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the members of structures keep, record by record, each with its evidence.
fn invariants(prepared: &Prepared) -> String {
    let mut text = String::new();
    let mut last = String::new();
    for covet_unit::Invariant { record, text: kept, evidence } in
        covet_unit::invariants(&prepared.program.types, &entries::beliefs(prepared))
    {
        if record != last {
            let _ = writeln!(text, "{record}");
            last = record;
        }
        let _ = writeln!(text, "  {kept}  ({evidence})");
    }
    if text.is_empty() { "nothing is known of the members of structures here\n".into() } else { text }
}

fn sites(map: &SiteMap) -> String {
    let mut text = String::new();
    for function in map.functions.iter().filter(|function| !function.is_model) {
        let _ = writeln!(text, "{} ({}:{}), function {}", function.name, function.file, function.line, function.number);
        for site in map.sites.iter().filter(|site| site.function == function.number) {
            let kind = match site.kind {
                SiteKind::Branch => "branch",
                SiteKind::Condition => "condition",
                SiteKind::Decided => "decision",
                SiteKind::Switch => "switch",
                SiteKind::Indirect => "indirect",
                SiteKind::Check => "check",
            };
            let _ = write!(text, "  site {:<5} {kind:<10} line {}:{}", site.number, site.line, site.column);
            if let Some(last) = site.counters().next_back() {
                let _ = write!(text, "  counters {}..{last}", site.counter);
            }
            if !site.cases.is_empty() {
                let _ = write!(text, "  cases {:?}", site.cases);
            }
            text.push('\n');
        }
        decisions(map, function.number, &mut text);
    }
    text
}

/// The decisions of a function: for each condition its site, and what follows when it is true and when it is false.
fn decisions(map: &SiteMap, function: FunctionNumber, text: &mut String) {
    for decision in map.decisions.iter().filter(|decision| decision.function == function) {
        let conditions = &decision.conditions;
        let sites = |at: usize| -> String {
            let tests = conditions.0[at].tests.iter().map(|test| test.site.to_string());
            tests.collect::<Vec<_>>().join("|")
        };
        let next = |next: Next| match next {
            Next::Condition(at) => sites(at as usize),
            Next::Outcome(outcome) => outcome.to_string(),
        };
        let ways = conditions.0.iter().enumerate();
        let ways = ways.map(|(at, condition)| {
            format!("{} ? {} : {}", sites(at), next(condition.if_true), next(condition.if_false))
        });
        let _ = writeln!(
            text,
            "  decision {:<12} line {}:{}  {} vectors  {}",
            decision.number,
            decision.line,
            decision.column,
            conditions.vector_count(),
            ways.collect::<Vec<_>>().join(", ")
        );
    }
    for left in map.decisions_left_out.iter().filter(|left| left.function == function) {
        let _ = writeln!(text, "  decision left out     line {}:{}  {}", left.line, left.column, left.why);
    }
}

fn place(map: &SiteMap, site: SiteNumber) -> String {
    match map.sites.get(site.index()) {
        Some(site) => {
            let name = site.file.rsplit('/').next().unwrap_or(&site.file);
            format!("{name}:{}:{}", site.line, site.column)
        }
        None => format!("site {site}"),
    }
}

/// One run of one input.
struct OneRun<'a> {
    probe: Probe<'a>,
}

impl<'a> OneRun<'a> {
    fn make(args: &ShowArgs, settings: &Settings, prepared: &'a Prepared) -> Result<OneRun<'a>, Failure> {
        let entry = entry(args, prepared)?;
        let own = settings.function(&entry.function.file, &entry.function.name);
        let mut job = Job {
            environment: args.environment.environment()?,
            inputs: args.input.inputs().with(settings, own),
            ..Job::new(prepared.id_of(entry))
        };
        job.config.runs.sandbox = !args.no_sandbox;
        let typed = |variables: &Variables, is_complete: bool| typed::input(variables, &args.values, is_complete);
        Ok(OneRun { probe: Probe::run(prepared, &job, typed)? })
    }

    fn condition(&mut self, pool: &mut Pool) -> Result<PathCondition, Failure> {
        self.probe.path(pool)
    }

    fn path(&mut self, prepared: &Prepared) -> Result<String, Failure> {
        let mut pool = Pool::with_library(Arc::clone(&prepared.library));
        let path = self.condition(&mut pool)?;
        Ok(covet_path::text::path(&pool, &self.probe.variables, &path, |site| place(&prepared.map, site))
            + &self.ending(prepared))
    }

    /// How the run ended, with the call stack when it ended early.
    fn ending(&self, prepared: &Prepared) -> String {
        let mut text = format!(
            "{:?} (code {}), {} counters, {} ns\n",
            self.probe.run.termination,
            self.probe.run.code,
            self.probe.run.covered.len(),
            self.probe.run.nanoseconds
        );
        for frame in Symbols::of(prepared).stack(&self.probe.run.frames) {
            let _ = writeln!(text, "  at {} ({}:{})", frame.function, frame.file, frame.line);
        }
        text
    }

    fn input(&self) -> String {
        let mut text = String::new();
        for id in &self.probe.run.order {
            let variable = self.probe.variables.get(*id);
            let bits = self.probe.run.input.get(*id).unwrap_or_default();
            let value = Value { bits, width: variable.width, kind: variable.kind };
            let _ = writeln!(text, "{:<24} {value}  ({} bits)", variable.name, variable.width);
        }
        text
    }

    /// What the engine would ask to flip condition `number` (from 1), and the answers.
    fn query(&mut self, prepared: &Prepared, number: Option<usize>, script_only: bool) -> Result<String, Failure> {
        let mut pool = Pool::with_library(Arc::clone(&prepared.library));
        let path = self.condition(&mut pool)?;
        let Probe { variables, run, .. } = &self.probe;
        let run = BaseRun { map: &prepared.map, variables, path: &path, input: &run.input };
        query::text(&run, &mut pool, number, script_only)
    }
}

/// The function named, else the program's entry, else the only function there is.
fn entry<'a>(args: &ShowArgs, prepared: &'a Prepared) -> Result<Entry<'a>, Failure> {
    if let Some(name) = &args.function {
        return entries::function(prepared, name);
    }
    entries::program(prepared).or_else(|failure| {
        match entries::functions(prepared, &[], &Settings::default())?.as_slice() {
            [only] => Ok(*only),
            _ => Err(match failure {
                Failure::User(_) => Failure::user("several functions could be meant; choose one with --function NAME"),
                other @ (Failure::Tool(_) | Failure::Machine(_) | Failure::Cut(_)) => other,
            }),
        }
    })
}
