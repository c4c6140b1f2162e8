//! The tables as text: ours with the paper's underneath, then the ratios of Table 4, then what was expected.

use super::{Row, Technique, expectations, paper};
use std::fmt::Write;

pub fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "Table 2: means over the seeds; the paper's figures in the line below ours");
    for (title, ours, theirs) in columns() {
        let _ = writeln!(text, "\n{title}");
        let _ = write!(text, "{:<9}{:>7}  ", "program", "bound");
        cells(&mut text, Technique::ALL.map(|technique| technique.name().to_string()));
        for row in rows {
            let _ = write!(text, "{:<9}{:>7}  ", row.program, row.bound);
            cells(&mut text, Technique::ALL.map(|technique| short(ours(row, technique))));
            if let Some(paper) = paper::row(row.program, row.bound) {
                let _ = write!(text, "{:<16}  ", "  paper");
                cells(&mut text, theirs(paper).map(short));
            }
        }
    }
    ratios(&mut text, rows);
    let _ = writeln!(text, "\nExpected");
    for (what, met) in expectations(rows) {
        let _ = writeln!(text, "  {}  {what}", if met { "yes" } else { "NO " });
    }
    let late: u64 = rows.iter().flat_map(|row| &row.cells).map(|cell| cell.out_of_time).sum();
    if late > 0 {
        let _ = writeln!(text, "  ({late} runs were ended by the time limit before their iterations were up)");
    }
    text
}

fn cells<const N: usize>(text: &mut String, values: [String; N]) {
    for value in values {
        let _ = write!(text, "{value:>10}");
    }
    text.push('\n');
}

type Ours = fn(&Row, Technique) -> f64;
type Theirs = fn(&paper::Paper) -> [f64; 4];

fn columns() -> [(&'static str, Ours, Theirs); 4] {
    [
        ("total solver calls", |row, technique| row.cell(technique).calls, |paper| paper.calls),
        ("mean constraint size", |row, technique| row.cell(technique).mean_size, |paper| paper.sizes),
        ("branch coverage (%)", |row, technique| row.cell(technique).coverage, |paper| paper.coverage),
        ("time (s)", |row, technique| row.cell(technique).seconds, |paper| paper.seconds),
    ]
}

fn ratios(text: &mut String, rows: &[Row]) {
    let _ = writeln!(text, "\nTable 4: DFS against IPPC, and against auto");
    let _ = writeln!(
        text,
        "{:<9}{:>7}{:>12}{:>9}{:>14}{:>9}{:>13}",
        "program", "bound", "size ratio", "paper", "IPPC speedup", "paper", "auto speedup"
    );
    for row in rows {
        let theirs = paper::RATIOS.iter().find(|(name, ..)| *name == row.program);
        let (size, speed) = theirs.map_or((f64::NAN, f64::NAN), |(_, size, speed)| (*size, *speed));
        let _ = writeln!(
            text,
            "{:<9}{:>7}{:>11}x{:>8}x{:>13}x{:>8}x{:>12}x",
            row.program,
            row.bound,
            short(row.size_ratio()),
            short(size),
            short(row.speedup(Technique::Ippc)),
            short(speed),
            short(row.speedup(Technique::Auto)),
        );
    }
}

fn short(value: f64) -> String {
    if value.is_nan() {
        "n/a".into()
    } else if value >= 1000.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}
