//! Any SMT-LIB 2 solver as a process: queries go in as text, each in a scope of its own, answers come back by line.
//!
//! A solver that does not answer in time is ended and started afresh; one that dies over and over is given up. Either way the
//! query is left without an answer, nothing worse.

use crate::backends::Verdict;
use covet_expr::query::UnknownReason;
use covet_expr::{Pool, Term, smtlib};
use covet_input::{VarId, Variables};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Deaths in a row after which the command is given up.
const MAX_DEATHS: u32 = 3;

#[derive(Debug, Default)]
pub(crate) struct Process {
    running: Option<Running>,
    deaths: u32,
}

#[derive(Debug)]
struct Running {
    /// Ends with us.
    _tool: covet_launch::Kept,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Why there was no line.
enum Trouble {
    Late,
    Dead,
}

impl Process {
    /// Whether all `conditions` can hold together, as `command` sees it.
    pub fn check(
        &mut self,
        command: &str,
        pool: &Pool,
        conditions: &[Term],
        variables: &[VarId],
        limit: Duration,
    ) -> Verdict {
        if self.deaths >= MAX_DEATHS {
            return Verdict::Unknown(UnknownReason::Failed);
        }
        let script = smtlib::assertions(pool, &Variables::default(), conditions);
        match self.ask(command, &script, pool, variables, Instant::now() + limit) {
            Ok(verdict) => {
                self.deaths = 0;
                verdict
            }
            Err(trouble) => {
                self.end();
                match trouble {
                    Trouble::Late => Verdict::Unknown(UnknownReason::Limit),
                    Trouble::Dead => {
                        self.deaths += 1;
                        Verdict::Unknown(UnknownReason::Failed)
                    }
                }
            }
        }
    }

    fn ask(
        &mut self,
        command: &str,
        script: &str,
        pool: &Pool,
        variables: &[VarId],
        until: Instant,
    ) -> Result<Verdict, Trouble> {
        if self.running.is_none() {
            self.running = Some(Running::start(command).ok_or(Trouble::Dead)?);
        }
        let solver = self.running.as_mut().ok_or(Trouble::Dead)?;
        solver.send(&format!("(push 1)\n{script}(check-sat)\n"))?;
        let verdict = match solver.line(until)?.as_str() {
            "sat" => Verdict::Sat(solver.values(pool, variables, until)?),
            "unsat" => Verdict::Unsat,
            "unknown" | "timeout" => Verdict::Unknown(UnknownReason::Limit),
            // An error about one query leaves the state of the next in doubt.
            _ => return Err(Trouble::Dead),
        };
        solver.send("(pop 1)\n")?;
        Ok(verdict)
    }

    fn end(&mut self) {
        self.running = None;
    }
}

impl Running {
    /// The command, split at spaces, with a thread that reads its lines.
    fn start(command: &str) -> Option<Running> {
        let mut words = command.split_whitespace();
        let mut process = Command::new(words.next()?);
        process.args(words);
        let mut tool = covet_launch::keep(process).ok()?;
        let (input, output) = tool.pipes()?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let read = BufReader::new(output).lines().map_while(Result::ok);
            read.take_while(|line| send.send(line.clone()).is_ok()).for_each(drop);
        });
        let mut running = Running { _tool: tool, input, lines };
        running.send("(set-option :produce-models true)\n(set-logic ALL)\n").ok()?;
        Some(running)
    }

    fn send(&mut self, text: &str) -> Result<(), Trouble> {
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()).map_err(|_| Trouble::Dead)
    }

    /// The next line that says something.
    fn line(&self, until: Instant) -> Result<String, Trouble> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => Trouble::Late,
                RecvTimeoutError::Disconnected => Trouble::Dead,
            })?;
            if !line.trim().is_empty() && line.trim() != "success" {
                return Ok(line.trim().to_string());
            }
        }
    }

    /// Values of the variables that were declared, in the model just found.
    fn values(&mut self, pool: &Pool, variables: &[VarId], until: Instant) -> Result<Vec<(VarId, u128)>, Trouble> {
        let known: Vec<VarId> = variables.iter().copied().filter(|id| pool.term_of(*id).is_some()).collect();
        let mut values = Vec::new();
        for id in known {
            self.send(&format!("(get-value (v{}))\n", id.0))?;
            values.extend(bits_in(&self.line(until)?).map(|bits| (id, bits)));
        }
        Ok(values)
    }
}

/// The bit-vector literal in `((name #b0101))`.
fn bits_in(text: &str) -> Option<u128> {
    let literal = text.trim_end_matches([')', ' ']);
    if let Some(at) = literal.rfind("#x") {
        return u128::from_str_radix(&literal[at + 2..], 16).ok();
    }
    if let Some(at) = literal.rfind("#b") {
        return u128::from_str_radix(&literal[at + 2..], 2).ok();
    }
    let number = literal.rsplit_once("(_ bv")?.1;
    number.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_every_spelling() {
        assert_eq!(bits_in("((v0 #b0101))"), Some(5));
        assert_eq!(bits_in("((v0 #xff))"), Some(255));
        assert_eq!(bits_in("((v0 (_ bv12 32)))"), Some(12));
        assert_eq!(bits_in("(error \"no\")"), None);
    }

    fn query(pool: &mut Pool) -> Vec<Term> {
        let x = pool.var_with(VarId(0), 8, 0);
        let seven = pool.bits(8, 7);
        vec![pool.eq(x, seven)]
    }

    #[test]
    fn a_solver_that_dies_or_hangs_leaves_the_question_open() {
        let mut pool = Pool::new();
        let conditions = query(&mut pool);
        let ids = [VarId(0)];
        let limit = Duration::from_millis(200);
        let mut dead = Process::default();
        for _ in 0..5 {
            assert_eq!(dead.check("false", &pool, &conditions, &ids, limit), Verdict::Unknown(UnknownReason::Failed));
        }
        let mut absent = Process::default();
        let verdict = absent.check("covet-no-such-solver", &pool, &conditions, &ids, limit);
        assert_eq!(verdict, Verdict::Unknown(UnknownReason::Failed));
        let mut slow = Process::default();
        assert_eq!(slow.check("sleep 30", &pool, &conditions, &ids, limit), Verdict::Unknown(UnknownReason::Limit));
    }

    #[test]
    fn answers_are_read() {
        // A stand-in that says what a solver would: it answers the first query and the one about the value.
        let mut pool = Pool::new();
        let conditions = query(&mut pool);
        let folder = std::env::temp_dir().join(format!("covet-solve-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let script = folder.join("solver.sh");
        let text = "while read line; do case \"$line\" in \
                    *check-sat*) echo sat;; *get-value*) echo '((v0 #x07))';; esac; done";
        std::fs::write(&script, text).expect("a script");
        let command = format!("sh {}", script.display());
        let mut solver = Process::default();
        for _ in 0..2 {
            let verdict = solver.check(&command, &pool, &conditions, &[VarId(0)], Duration::from_secs(20));
            assert_eq!(verdict, Verdict::Sat(vec![(VarId(0), 7)]));
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
}
