//! A report as a picture: coverage of each program by each way, and by lines of code, as SVG.

use super::Report;
use std::fmt::Write as _;

const COLOURS: [&str; 6] = ["#b0b0b0", "#8c96c6", "#f4a582", "#92c5de", "#4393c3", "#2166ac"];
/// Of the variations.
const FURTHER: [&str; 9] =
    ["#1b7837", "#5aae61", "#a6dba0", "#8c510a", "#bf812d", "#dfc27d", "#762a83", "#9970ab", "#c2a5cf"];
const BAR: f64 = 12.0;
const GAP: f64 = 18.0;
const HEIGHT: f64 = 220.0;
/// Room for a program's name, and for the title.
const NAME: f64 = 50.0;
const TITLE: f64 = 440.0;
const LEFT: f64 = 46.0;
/// A legend entry, and how many stand in a row.
const ENTRY: f64 = 150.0;
const ROW: usize = 6;
const LINE: f64 = 16.0;

/// Bars by program; whiskers span lowest to highest of the seeds.
pub fn svg(report: &Report) -> String {
    let top = 40.0 + LINE * report.ways.len().div_ceil(ROW) as f64;
    let at = |percent: f64| top + HEIGHT * (1.0 - percent / 100.0);
    let group = (BAR * report.ways.len() as f64 + GAP).max(NAME);
    let legend = LEFT + (ENTRY * report.ways.len().min(ROW) as f64).max(TITLE);
    let width = legend.max(LEFT + group * (report.programs.len() + 1) as f64 + GAP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"13\">Covered of what is feasible: median of the seeds, lowest and highest</text>\n",
        HEIGHT + top + 40.0
    );
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let y = at(percent);
        let _ = writeln!(out, "<line x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>");
        let (x, y) = (LEFT - 6.0, y + 4.0);
        let _ = writeln!(out, "<text x=\"{x:.0}\" y=\"{y:.1}\" text-anchor=\"end\">{percent:.0} %</text>");
    }
    for (w, way) in report.ways.iter().enumerate() {
        let (x, y) = (LEFT + ENTRY * (w % ROW) as f64, 30.0 + LINE * (w / ROW) as f64);
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"10\" height=\"10\" fill=\"{}\"/>",
            colour(report, w)
        );
        let _ = writeln!(out, "<text x=\"{:.0}\" y=\"{:.0}\">{way}</text>", x + 14.0, y + 9.0);
    }
    let bar = |out: &mut String, x: f64, w: usize, percent: f64| {
        let (y, height, width) = (at(percent), HEIGHT * percent / 100.0, BAR - 2.0);
        let colour = colour(report, w);
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
        );
    };
    for (p, program) in report.programs.iter().chain([&"by lines"]).enumerate() {
        let left = LEFT + GAP / 2.0 + group * p as f64;
        for (w, way) in report.ways.iter().enumerate() {
            let x = left + BAR * w as f64;
            let Some(row) = report.row(program, way) else {
                bar(&mut out, x, w, report.average(way));
                continue;
            };
            bar(&mut out, x, w, row.coverage);
            let (middle, low, high) = (x + BAR / 2.0 - 1.0, at(row.lowest), at(row.highest));
            let _ = writeln!(
                out,
                "<line x1=\"{middle:.1}\" x2=\"{middle:.1}\" y1=\"{low:.1}\" y2=\"{high:.1}\" stroke=\"#333\"/>"
            );
        }
        let centre = left + BAR * report.ways.len() as f64 / 2.0;
        let below = top + HEIGHT + 18.0;
        let _ = writeln!(out, "<text x=\"{centre:.0}\" y=\"{below:.0}\" text-anchor=\"middle\">{program}</text>");
    }
    out.push_str("</svg>\n");
    out
}

/// The main ways keep their colours whichever are measured.
fn colour(report: &Report, w: usize) -> &'static str {
    let name = report.ways[w];
    let main = super::WAYS.iter().position(|way| way.name == name);
    let further = super::VARIATIONS.iter().position(|way| way.name == name).unwrap_or(0);
    main.map_or(FURTHER[further % FURTHER.len()], |at| COLOURS[at])
}
