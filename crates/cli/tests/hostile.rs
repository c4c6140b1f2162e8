//! Hostile programs and projects, through the real binary, as this user and, where this is root, as an ordinary one too. From outside:
//! nothing happened, nothing is left, and the command ended in time with a result that makes sense.

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

const COVET: &str = env!("CARGO_BIN_EXE_covet");
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/hostile");
const NOBODY: u32 = 65534;
const LONGEST: Duration = Duration::from_secs(120);

/// Who runs the command.
#[derive(Clone, Copy, PartialEq, Debug)]
enum User {
    Same,
    Nobody,
}

fn users() -> Vec<User> {
    // A folder that we have made is ours.
    let is_root = std::os::unix::fs::MetadataExt::uid(&fs::metadata(tempfile::tempdir().unwrap()).unwrap()) == 0;
    if is_root { vec![User::Same, User::Nobody] } else { vec![User::Same] }
}

/// What the attacks aim at, and where the command runs.
struct Stage {
    folder: TempDir,
    user: User,
    listener: TcpListener,
    socket: UdpSocket,
    bystander: Child,
    daemon: String,
    state: Vec<(PathBuf, u64, u32, SystemTime)>,
}

impl Stage {
    fn new(user: User, name: &str) -> Stage {
        let folder = tempfile::Builder::new().prefix("hostile-").tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let socket = UdpSocket::bind(listener.local_addr().unwrap()).unwrap();
        socket.set_nonblocking(true).unwrap();
        let mut bystander = Command::new("sleep");
        bystander.arg("600").stdin(Stdio::null()).stdout(Stdio::null());
        if user == User::Nobody {
            bystander.uid(NOBODY).gid(NOBODY);
        }
        let bystander = bystander.spawn().unwrap();
        let daemon = format!("cvt-{}", listener.local_addr().unwrap().port());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for part in ["victim", "code", "home", "tmp"] {
            fs::create_dir(folder.path().join(part)).unwrap();
        }
        fs::copy(COVET, folder.path().join("covet")).unwrap();
        for file in ["file", "secret"] {
            fs::write(folder.path().join("victim").join(file), "precious").unwrap();
        }
        fs::copy(format!("{PROGRAMS}/{name}.c"), folder.path().join(format!("code/{name}.c"))).unwrap();
        let mut stage = Stage { folder, user, listener, socket, bystander, daemon, state: Vec::new() };
        stage.give_away();
        stage.state = stage.look();
        stage
    }

    /// All of it belongs to the one who runs the command: only the sandbox keeps the victims.
    fn give_away(&self) {
        if self.user == User::Nobody {
            for part in ["victim", "victim/file", "victim/secret", "code", "home", "tmp"] {
                chown(self.folder.path().join(part), Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
    }

    fn path(&self, part: &str) -> PathBuf {
        self.folder.path().join(part)
    }

    fn look(&self) -> Vec<(PathBuf, u64, u32, SystemTime)> {
        let mut seen: Vec<_> = fs::read_dir(self.path("victim"))
            .unwrap()
            .map(|entry| {
                let about = entry.as_ref().unwrap().metadata().unwrap();
                (entry.unwrap().path(), about.len(), about.permissions().mode(), about.modified().unwrap())
            })
            .collect();
        seen.sort();
        seen
    }

    fn defines(&self) -> Vec<String> {
        let port = self.listener.local_addr().unwrap().port();
        vec![
            format!("-DVICTIM=\"{}\"", self.path("victim").display()),
            format!("-DPROCESS={}", self.bystander.id()),
            format!("-DPORT={port}"),
            format!("-DDAEMON=\"{}\"", self.daemon),
            "-DADDR_NO_RANDOMIZE_BIT=0x40000".to_owned(),
        ]
    }

    /// The attacking object, to be linked.
    fn object(&self) -> PathBuf {
        let object = self.path("code/attack.o");
        let mut compile = Command::new("cc");
        compile
            .args(["-c", "-O1", "-fPIC", "-o"])
            .arg(&object)
            .args(self.defines())
            .arg(format!("{PROGRAMS}/attack.c"));
        assert!(compile.status().unwrap().success());
        object
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.path("covet"));
        command.current_dir(self.path("code")).env("HOME", self.path("home")).env("TMPDIR", self.path("tmp"));
        command.env_remove("XDG_CACHE_HOME").env("COVET_HOSTILE_SECRET", "hunter2").process_group(0);
        if self.user == User::Nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    /// Runs a command to its end, which comes in time.
    fn covet(&self, arguments: &[&str]) -> Output {
        let start = Instant::now();
        let output = self.command().args(arguments).output().unwrap();
        assert!(start.elapsed() < LONGEST, "{:?} {arguments:?}: {:?}", self.user, start.elapsed());
        output
    }

    /// Explores a program that is linked with the attacks.
    fn explored(&self, source: &str, more: &[&str]) -> (Value, String) {
        let object = self.object();
        let mut arguments = vec!["cover", source, "--json", "--run-time", "300"];
        arguments.extend(more);
        let defines = self.defines();
        arguments.push("--");
        arguments.push(object.to_str().unwrap());
        arguments.extend(defines.iter().map(String::as_str));
        let output = self.covet(&arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{:?} {:?}: {errors}", self.user, output.status);
        (serde_json::from_slice(&output.stdout).unwrap(), errors)
    }

    /// Nothing has happened outside, and nothing is left.
    fn unharmed(mut self) {
        let user = self.user;
        assert_eq!(self.look(), self.state, "{user:?}");
        assert_eq!(self.listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "{user:?}: a connection");
        assert_eq!(self.socket.recv(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock, "{user:?}: a packet");
        assert!(self.bystander.try_wait().unwrap().is_none(), "{user:?}: the bystander was hurt");
        for place in ["/dev/shm/covet-hostile", "/tmp/covet-hostile"] {
            assert!(!Path::new(place).exists(), "{user:?}: {place}");
        }
        assert!(gone_soon(&self.daemon), "{user:?}: {:?}", alive(&self.daemon));
        let here = self.folder.path().to_string_lossy().into_owned();
        assert!(gone_soon(&here), "{user:?}: {:?}", alive(&here));
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
    }
}

/// Processes whose name or command line holds the mark.
fn alive(mark: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let told = processes.filter_map(|process| {
        let line = fs::read(process.join("cmdline")).ok()?;
        Some(format!("{} {}", fs::read_to_string(process.join("comm")).ok()?, String::from_utf8_lossy(&line)))
    });
    told.filter(|told| told.contains(mark)).collect()
}

fn gone_soon(mark: &str) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        alive(mark).is_empty()
    })
}

#[test]
fn nothing_is_reached_from_any_build() {
    for user in users() {
        let stage = Stage::new(user, "reaches");
        let (summary, errors) = stage.explored("reaches.c", &["--time", "30"]);
        let tests = summary["tests"].as_array().unwrap();
        assert!(tests.len() >= 3, "{user:?}: {summary} {errors}");
        let ended_itself = |test: &&Value| test["exit_code"] == 99;
        assert_eq!(tests.iter().find(ended_itself), None, "{user:?}: an attack says that it succeeded");
        let confirmed = |alarm: &Value| alarm["sanitizer"]["confirmed"] == true && alarm["kind"] == "out-of-bounds";
        assert!(summary["alarms"].as_array().unwrap().iter().any(confirmed), "{user:?}: no sanitizer build: {summary}");
        assert!(summary["totals"]["official"].is_object(), "{user:?}: no coverage build: {errors}");
        let replayed = stage.covet(&["replay", "covet-out"]);
        assert_eq!(replayed.status.code(), Some(0), "{user:?}: {replayed:?}");
        stage.unharmed();
    }
}

#[test]
fn what_is_used_up_or_spoilt_is_its_own() {
    for user in users() {
        let stage = Stage::new(user, "bombs");
        let (summary, _) = stage.explored("bombs.c", &["--time", "40"]);
        assert!(!summary["tests"].as_array().unwrap().is_empty(), "{user:?}: {summary}");
        let left: u64 = fs::read_dir(stage.path("tmp")).unwrap().count() as u64;
        assert_eq!(left, 0, "{user:?}: the temporary folder is not empty");
        stage.unharmed();
    }
}

/// Killed at once, without a chance to clear up.
#[test]
fn nothing_outlives_a_command_that_is_killed() {
    for user in users() {
        let stage = Stage::new(user, "bombs");
        let object = stage.object();
        let mut command = stage.command();
        command.args([
            "cover",
            "bombs.c",
            "--quiet",
            "--function",
            "spoils",
            "--time",
            "60",
            "--run-time",
            "300",
            "--",
        ]);
        command.arg(&object).args(stage.defines()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let here = stage.folder.path().to_string_lossy().into_owned();
        let runs = || alive(&here).iter().any(|told| told.contains("covet-warden"));
        assert!((0..600).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            runs()
        }));
        std::thread::sleep(Duration::from_secs(2));
        child.kill().unwrap();
        child.wait().unwrap();
        stage.unharmed();
    }
}

#[test]
fn functions_that_tests_rely_on_may_be_replaced() {
    for user in users() {
        let stage = Stage::new(user, "overrides");
        let object = stage.object();
        let mut arguments = vec!["cover", "overrides.c", "--json", "--time", "10", "--", object.to_str().unwrap()];
        let defines = stage.defines();
        arguments.extend(defines.iter().map(String::as_str));
        // Whether tests can be run at all without these functions is not what matters here.
        stage.covet(&arguments);
        stage.unharmed();
    }
}

/// A project whose files want more than to be compiled.
fn project(stage: &Stage, settings: &str) {
    let victim = stage.path("victim");
    let flags = [
        "cc".to_owned(),
        "-DKEPT=1".to_owned(),
        format!("-ftime-trace={}/trace.json", victim.display()),
        format!("--output={}/out.o", victim.display()),
        "-fplugin=./evil.so".to_owned(),
        "-Xclang".to_owned(),
        "-load".to_owned(),
        "-Xclang".to_owned(),
        "./evil.so".to_owned(),
        "@evil.rsp".to_owned(),
        format!("-fcrash-diagnostics-dir={}", victim.display()),
        format!("-Wp,-MD,{}/deps", victim.display()),
        "-MF".to_owned(),
        format!("{}/more-deps", victim.display()),
        format!("-save-temps={}", victim.display()),
        "-B.".to_owned(),
        "-c".to_owned(),
        "unit.c".to_owned(),
    ];
    let code = stage.path("code");
    let database = serde_json::json!([{ "directory": code, "file": "unit.c", "arguments": flags }]);
    fs::write(code.join("compile_commands.json"), database.to_string()).unwrap();
    fs::write(code.join("evil.rsp"), format!("-o {}/response", victim.display())).unwrap();
    fs::write(code.join("evil.so"), "no library").unwrap();
    fs::write(code.join("unit.c"), "int f(int x) { return x > KEPT ? 1 : 2; }\n").unwrap();
    fs::write(code.join("covet.toml"), settings).unwrap();
}

#[test]
fn a_projects_files_only_say_how_to_compile_it() {
    for user in users() {
        let stage = Stage::new(user, "reaches");
        fs::remove_file(stage.path("code/reaches.c")).unwrap();
        let victim = stage.path("victim").display().to_string();
        project(&stage, &format!("flags = [\"-ftime-trace={victim}/t\", \"-Wl,-Map={victim}/map\"]\n"));
        let output = stage.covet(&["cover", ".", "--json", "--time", "60", "--no-official"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{user:?}: {errors}");
        for flag in ["-ftime-trace=", "--output=", "-fplugin=", "-Xclang -load", "@evil.rsp", "-B.", "-Wl,-Map="] {
            assert!(errors.contains(&format!("`{flag}")), "{user:?}: no note of {flag}: {errors}");
        }
        let refused = [
            (
                "[options]\nno-sandbox = true\n",
                "covet.toml:2:1: error: a project's own file may not choose `no-sandbox`",
            ),
            ("[options]\nsmt-command = \"touch x\"\n", "may not choose `smt-command`"),
            ("[options]\nout = \"/tmp/x\"\n", "may not choose `out`"),
            ("[pure]\nf = \"int(int)\"\n", "may not load `f`"),
        ];
        for (text, message) in refused {
            fs::write(stage.path("code/covet.toml"), text).unwrap();
            let output = stage.covet(&["cover", ".", "--time", "10"]);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{user:?} {text}: {errors}");
            assert!(errors.contains(message) && errors.contains("--trust-project"), "{user:?}: {errors}");
        }
        stage.unharmed();
    }
}

/// Flags that nobody lists, given by the user himself: clang is walled in all the same.
#[test]
fn a_compiler_writes_nowhere_else() {
    for user in users() {
        let stage = Stage::new(user, "reaches");
        fs::write(stage.path("code/unit.c"), "int f(int x) { return x > 1 ? 1 : 2; }\n").unwrap();
        let flag = format!("-ftime-trace={}/trace.json", stage.path("victim").display());
        stage.covet(&["cover", "unit.c", "--time", "5", "--no-official", "--", &flag]);
        stage.unharmed();
    }
}
