//! `covet bench bugs`: which real bugs are found, and what is said of code that is right; a table, Markdown or one JSON object.

use crate::arguments::bench::BugsArgs;
use crate::failure::{FOUND, Failure};
use crate::place::cache_folder;
use covet_bench::bugs::{self, ABLATIONS, Bug, Config, OURS, PUBLISHED, Row, Way};
use covet_budget::Deadline;
use std::process::ExitCode;

/// The first bugs of packages that compile in seconds.
const QUICK: [&str; 3] = ["cjson", "unace", "libcue"];
/// One of so many bugs is hunted in other ways than ours.
const SAMPLE: usize = 3;

pub fn perform(args: &BugsArgs, deadline: &Deadline) -> Result<ExitCode, Failure> {
    let wanted = wanted(args)?;
    let cache = cache_folder();
    let folder = args.folder.clone().unwrap_or_else(|| cache.join("bugs"));
    let folder = std::path::absolute(&folder).map_err(Failure::file(&folder))?;
    let config = Config {
        covet: std::env::current_exe().map_err(Failure::tool)?,
        apt: folder.join("apt"),
        folder,
        seconds: args.time,
        jobs: args.jobs,
        again: args.again,
    };
    let rows = bugs::measure(&wanted, &config, deadline, tell);
    if args.json {
        say!("{}", bugs::json(&rows, config.seconds));
    } else if args.markdown {
        say_part!("{}", bugs::markdown(&rows));
    } else {
        say_part!("{}", bugs::text(&rows));
    }
    let ours = bugs::totals(&rows).into_iter().find(|totals| totals.way == OURS);
    let is_fine = ours.is_some_and(|totals| totals.demands().iter().all(|(_, met)| *met));
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::from(FOUND) })
}

/// The bugs asked for, each in the ways asked for; ours come first.
fn wanted(args: &BugsArgs) -> Result<Vec<(Bug, Way)>, Failure> {
    let all = bugs::bugs();
    if let Some(unknown) = args.packages.iter().find(|name| all.iter().all(|bug| bug.package != **name)) {
        let mut names: Vec<&str> = all.iter().map(|bug| bug.package.as_str()).collect();
        names.dedup();
        return Err(Failure::User(format!("no package `{unknown}` here; there are {}", names.join(", "))));
    }
    if let Some(unknown) = args.rows.iter().find(|row| !(1..=all.len()).contains(*row)) {
        return Err(Failure::User(format!("no row {unknown} here; there are {} from 1 on", all.len())));
    }
    let quick: Vec<usize> =
        QUICK.iter().filter_map(|name| Some(all.iter().find(|bug| bug.package == *name)?.number)).collect();
    let is_wanted = |bug: &&Bug| {
        (args.packages.is_empty() || args.packages.contains(&bug.package))
            && (args.rows.is_empty() || args.rows.contains(&bug.number))
            && (!args.quick || quick.contains(&bug.number))
    };
    let chosen: Vec<&Bug> = all.iter().filter(is_wanted).collect();
    let published = PUBLISHED.iter().filter(|_| args.all_ways);
    let others = published.chain(ABLATIONS.iter().filter(|_| args.ablate));
    let mut wanted: Vec<(Bug, Way)> = chosen.iter().map(|bug| ((*bug).clone(), OURS)).collect();
    for way in others {
        // Rows that were asked for by number are taken whatever their number is.
        let sample = chosen.iter().filter(|bug| !args.rows.is_empty() || bug.number % SAMPLE == 1);
        wanted.extend(sample.map(|bug| ((*bug).clone(), *way)));
    }
    Ok(wanted)
}

fn tell(row: &Row) {
    let Row { bug, way, judged } = row;
    let found = match judged {
        Ok(judged) => judged.found.map_or("missed", |verdict| verdict.text()),
        Err(_) => "failed",
    };
    tell!("row {} {} {} {}: {found}", bug.number, bug.package, bug.functions.join(","), way.name);
}
