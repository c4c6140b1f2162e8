//! A report as a picture: coverage of each program by each way, as SVG.

use super::Report;
use std::fmt::Write as _;

const COLOURS: [&str; 6] = ["#b0b0b0", "#8c96c6", "#f4a582", "#92c5de", "#4393c3", "#2166ac"];
const BAR: f64 = 12.0;
const GAP: f64 = 18.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 40.0;

/// Bars by program; whiskers span lowest to highest of the seeds.
pub fn svg(report: &Report) -> String {
    let group = BAR * report.ways.len() as f64 + GAP;
    let width = LEFT + group * report.programs.len() as f64 + GAP;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        HEIGHT + TOP + 40.0
    );
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let y = TOP + HEIGHT * (1.0 - percent / 100.0);
        let _ = writeln!(out, "<line x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{percent:.0} %</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (w, way) in report.ways.iter().enumerate() {
        let (x, colour) = (LEFT + 110.0 * w as f64, COLOURS[w % COLOURS.len()]);
        let _ = writeln!(out, "<rect x=\"{x:.0}\" y=\"12\" width=\"10\" height=\"10\" fill=\"{colour}\"/>");
        let _ = writeln!(out, "<text x=\"{:.0}\" y=\"21\">{way}</text>", x + 14.0);
    }
    for (p, program) in report.programs.iter().enumerate() {
        let left = LEFT + GAP / 2.0 + group * p as f64;
        for (w, way) in report.ways.iter().enumerate() {
            let Some(row) = report.row(program, way) else { continue };
            let x = left + BAR * w as f64;
            let (top, colour) = (HEIGHT * row.coverage / 100.0, COLOURS[w % COLOURS.len()]);
            let y = TOP + HEIGHT - top;
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{top:.1}\" fill=\"{colour}\"/>",
                BAR - 2.0
            );
            let at = |percent: f64| TOP + HEIGHT * (1.0 - percent / 100.0);
            let middle = x + BAR / 2.0 - 1.0;
            let _ = writeln!(
                out,
                "<line x1=\"{middle:.1}\" x2=\"{middle:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#333\"/>",
                at(row.lowest),
                at(row.highest)
            );
        }
        let centre = left + (group - GAP) / 2.0;
        let _ = writeln!(
            out,
            "<text x=\"{centre:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{program}</text>",
            TOP + HEIGHT + 18.0
        );
    }
    out.push_str("</svg>\n");
    out
}
