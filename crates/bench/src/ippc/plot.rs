//! The experiment as a picture: for each program, mean constraint size and time of the five techniques as bars on a
//! logarithmic scale, the paper's values as ticks beside them.

use super::{Row, Technique, paper};
use std::fmt::Write;

const COLOURS: [&str; 5] = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756"];
const PANEL: f64 = 230.0;
const LEFT: f64 = 70.0;
const BAR: f64 = 14.0;
const GAP: f64 = 26.0;
const TOP: f64 = 56.0;

type Ours = fn(&Row, Technique) -> f64;
type Theirs = fn(&paper::Paper) -> [f64; 4];

/// An SVG document of the largest bound measured for each program.
pub fn svg(rows: &[Row]) -> String {
    let mut shown: Vec<&Row> = Vec::new();
    for row in rows {
        match shown.last_mut() {
            Some(last) if last.program == row.program => *last = row,
            _ => shown.push(row),
        }
    }
    let group = 5.0 * BAR + GAP;
    let width = LEFT + group * shown.len() as f64 + 20.0;
    let height = TOP + 2.0 * (PANEL + 70.0);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    );
    legend(&mut out);
    let panels: [(&str, Ours, Theirs); 2] = [
        ("mean constraint size", |row, technique| row.cell(technique).mean_size, |paper| paper.sizes),
        ("time (s)", |row, technique| row.cell(technique).seconds, |paper| paper.seconds),
    ];
    for (number, (title, ours, theirs)) in panels.into_iter().enumerate() {
        panel(&mut out, &shown, title, TOP + number as f64 * (PANEL + 70.0), group, ours, theirs);
    }
    out.push_str("</svg>\n");
    out
}

fn legend(out: &mut String) {
    for (at, technique) in Technique::ALL.iter().enumerate() {
        let x = LEFT + at as f64 * 80.0;
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"14\" width=\"12\" height=\"12\" fill=\"{}\"/>", COLOURS[at]);
        let _ = writeln!(out, "<text x=\"{}\" y=\"24\">{}</text>", x + 17.0, technique.name());
    }
    let x = LEFT + 5.0 * 80.0;
    let _ =
        writeln!(out, "<line x1=\"{x}\" x2=\"{}\" y1=\"20\" y2=\"20\" stroke=\"black\" stroke-width=\"2\"/>", x + 12.0);
    let _ = writeln!(out, "<text x=\"{}\" y=\"24\">paper</text>", x + 17.0);
}

fn panel(out: &mut String, rows: &[&Row], title: &str, top: f64, group: f64, ours: Ours, theirs: Theirs) {
    let values = rows.iter().flat_map(|row| {
        let paper = paper::row(row.program, row.bound).map_or([f64::NAN; 4], theirs);
        Technique::ALL.map(|technique| ours(row, technique)).into_iter().chain(paper)
    });
    let positive: Vec<f64> = values.filter(|value| value.is_finite() && *value > 0.0).collect();
    if positive.is_empty() {
        return;
    }
    let least = positive.iter().copied().fold(f64::INFINITY, f64::min).log10().floor();
    let most = positive.iter().copied().fold(f64::NEG_INFINITY, f64::max).log10().ceil().max(least + 1.0);
    let height = |value: f64| ((value.max(1e-9).log10() - least) / (most - least)).clamp(0.0, 1.0) * PANEL;
    let bottom = top + PANEL;
    let right = LEFT + group * rows.len() as f64;
    let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{title}</text>", top - 8.0);
    let mut decade = least;
    while decade <= most {
        let y = bottom - height(10f64.powf(decade));
        let _ = writeln!(out, "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/>");
        let label = 10f64.powf(decade);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>", LEFT - 6.0, y + 4.0);
        decade += 1.0;
    }
    for (at, row) in rows.iter().enumerate() {
        let start = LEFT + at as f64 * group + GAP / 2.0;
        let paper = paper::row(row.program, row.bound).map_or([f64::NAN; 4], theirs);
        for (number, technique) in Technique::ALL.into_iter().enumerate() {
            let (x, tall) = (start + number as f64 * BAR, height(ours(row, technique)));
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{tall}\" fill=\"{}\"/>",
                bottom - tall,
                BAR - 2.0,
                COLOURS[number]
            );
            if let Some(value) = paper.get(number).filter(|value| value.is_finite()) {
                let y = bottom - height(*value);
                let (from, to) = (x - 1.0, x + BAR - 1.0);
                let _ = writeln!(
                    out,
                    "<line x1=\"{from}\" x2=\"{to}\" y1=\"{y}\" y2=\"{y}\" stroke=\"black\" stroke-width=\"2\"/>"
                );
            }
        }
        let middle = start + 2.5 * BAR;
        let _ =
            writeln!(out, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>", bottom + 16.0, row.program);
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" fill=\"#777\">{} iterations</text>",
            bottom + 30.0,
            row.bound
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ippc::Cell;

    #[test]
    fn nothing_measured_is_an_empty_picture() {
        let empty = svg(&[]);
        assert!(empty.ends_with("</svg>\n") && !empty.contains("iterations"));
        let row = Row { program: "gcd", bound: 1, cells: vec![Cell::default(); Technique::ALL.len()] };
        assert!(svg(&[row]).ends_with("</svg>\n"));
    }
}
