//! Alarms → what a person is told of them: a fingerprint that outlives edits, one alarm for each cause, the worst first, and of each its story.

mod code;
mod culprit;
mod deciding;
mod fingerprint;
mod guards;
mod rank;
mod same;
mod story;
mod tokens;
mod wrong;

pub use deciding::deciding;

use code::Texts;
use covet_project::Prepared;
use covet_results::{Alarm, Record};
use std::path::Path;

/// Tells the alarms of a record, whose results go to `out`. For a `reader` of alarms those of one cause become one, and the worst come first;
/// a suite of tests keeps each of its own.
pub fn tell(prepared: &Prepared, record: &mut Record, out: &Path, has_reader: bool) {
    let files = |alarm: &Alarm| {
        let frames = alarm.stack.iter().map(|frame| frame.file.clone());
        let steps = alarm.told.chain.iter().map(|step| step.file.clone());
        std::iter::once(alarm.file.clone()).chain(frames).chain(steps).collect::<Vec<_>>()
    };
    let files: Vec<String> = record.alarms.iter().flat_map(files).collect();
    let texts = Texts::of(files.iter().map(String::as_str));
    let code = texts.code(&prepared.map);
    for alarm in &mut record.alarms {
        alarm.told.fingerprint = fingerprint::fingerprint(alarm, code.of(alarm).as_ref());
    }
    if has_reader {
        rank::sort(record, &code, &prepared.map);
        same::join(record, &code);
    }
    let out = out.strip_prefix(&prepared.config.directory).unwrap_or(out);
    let stories: Vec<_> = record.alarms.iter().map(|alarm| story::story(alarm, record, &code, out)).collect();
    for (alarm, (chain, story)) in record.alarms.iter_mut().zip(stories) {
        alarm.told.chain = chain;
        alarm.told.story = story;
    }
}
