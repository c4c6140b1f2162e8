//! A `covet.toml` from its text: what it says and, where it is wrong, what the message says.

use covet_settings::{Chosen, Scalar, Settings, Size, parse};
use std::path::Path;

fn settings(text: &str) -> Settings {
    parse(Path::new("/p/covet.toml"), text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_part_is_read_with_its_place() {
    let settings = settings(
        r#"
flags = ["-Iinclude"]
skip = ["test_*"]
stubs = ["read_sensor"]
symbolic-globals = ["mode"]

[options]
time-each = 2.5
no-check = ["all"]
symbolic-globals = true

[pure]
mix = "double(double, int)"

[stub.read_sensor]
assume = ["result >= 0"]
outputs = ["level", "buffer[count + 1]"]

[function.parse]
assume = ["length <= 64",
          "mode != 0"]
sizes = { buffer = 16, items = "count" }
time = 3
iterations = 10

[function."util.c:helper"]
skip = true
"#,
    );
    assert_eq!(settings.flags, ["-I/p/include"]);
    let chosen: Vec<_> = settings.options.iter().map(|choice| (choice.name.value.as_str(), &choice.value)).collect();
    assert!(chosen.contains(&("time-each", &Chosen::One("2.5".into()))));
    assert!(chosen.contains(&("no-check", &Chosen::Many(vec!["all".into()]))));
    assert!(chosen.contains(&("symbolic-globals", &Chosen::Switch(true))));
    assert_eq!(settings.pure[0].value.parameters[1], Scalar::Integer { width: 32, signed: true });
    let outputs = settings.made_up[0].outputs.as_ref().unwrap();
    assert_eq!((outputs[0].count.as_deref(), outputs[1].count.as_deref()), (None, Some("count + 1")));
    let parse = settings.function(Path::new("/p/src/a.c"), "parse").unwrap();
    assert_eq!(parse.assume[1].origin.to_string(), "/p/covet.toml:21:12");
    assert_eq!(parse.sizes[0].1, Size::Fixed(16));
    assert_eq!(parse.sizes[1].1, Size::Parameter("count".into()));
    assert_eq!((parse.time, parse.iterations), (Some(3.0), Some(10)));
    assert!(settings.skips(Path::new("/p/x.c"), "test_all") && !settings.skips(Path::new("/p/x.c"), "parse"));
    assert!(settings.skips(Path::new("/p/util.c"), "helper") && !settings.skips(Path::new("/p/x.c"), "helper"));
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_what_to_do() {
    for (text, place, words) in [
        ("[function.f]\nasume = [\"x > 0\"]\n", "2:1", &["asume", "did you mean `assume`"][..]),
        ("[functions.f]\n", "1:2", &["functions", "`function`"]),
        ("[function.f]\nassume = \"x > 0\"\n", "2:10", &["list"]),
        ("[function.f]\nassume = [\" \"]\n", "2:11", &["C expression"]),
        ("[function.f]\ntime = -1\n", "2:8", &["above 0"]),
        ("[function.f]\niterations = \"many\"\n", "2:14", &["many"]),
        ("[function.f]\nsizes = { p = -1 }\n", "2:15", &["number of elements"]),
        ("[stub.g]\noutputs = [\"*p\"]\n", "2:12", &["pointer parameter"]),
        ("[pure]\nmix = \"double(char *)\"\n", "2:7", &["char *", "type of numbers"]),
        ("[options]\ntime = { a = 1 }\n", "2:8", &["expected a number"]),
        ("flags = [\"-DX\"\nskip = []\n", "2:1", &[]),
        ("skip = []\nskip = []\n", "2:1", &["duplicate"]),
    ] {
        let error = parse(Path::new("covet.toml"), text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("covet.toml:{place}: error: ")), "{text}: {error}");
        assert!(words.iter().all(|word| error.contains(word)) && error.contains('^'), "{text}: {error}");
    }
}
