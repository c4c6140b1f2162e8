//! Undefined symbols → those that no library defines either, and which of them do not return.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use covet_abi::symbols::OURS;
use covet_cache::Key;

use crate::Error;
use crate::clang::{Tools, succeed};

/// Of `symbols`, those that are still missing when a program is linked with `link_flags`.
pub fn missing(
    tools: &Tools<'_>,
    symbols: &BTreeSet<String>,
    link_flags: &[String],
) -> Result<BTreeSet<String>, Error> {
    let plain = |name: &&String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let asked: BTreeSet<&String> = symbols.iter().filter(plain).filter(|name| !name.starts_with(OURS)).collect();
    if asked.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut text = String::new();
    for (number, name) in asked.iter().enumerate() {
        text += &format!("extern char s{number} __asm__(\"{name}\");\n");
    }
    let uses: Vec<String> = (0..asked.len()).map(|number| format!("&s{number}")).collect();
    text += &format!("char *all[] = {{ {} }};\nint main(void) {{ return all[0] == 0; }}\n", uses.join(", "));
    let source = tools.cache.bytes("undefined", "c", text.as_bytes())?;
    // Libraries may change without us: asked every time, which takes no longer than a link.
    let folder = covet_scratch::Scratch::new()?;
    let mut command = Command::new(tools.config.toolchain.program("clang"));
    command.args(["-w", "-O0"]).arg(&source).arg("-o").arg(folder.path().join("program")).args(link_flags);
    command.args(["-lm", "-lpthread", "-ldl"]);
    let output = tools.config.toolchain.run(command)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let found = stderr.lines().filter_map(|line| line.split_once("undefined reference to `")?.1.split_once('\''));
    Ok(found.map(|(name, _)| name.to_owned()).filter(|name| symbols.contains(name)).collect())
}

/// The functions that `module` only declares and that do not return.
pub fn endings(tools: &Tools<'_>, module: &Path) -> Result<BTreeSet<String>, Error> {
    let key = Key::new("endings").with(module.as_os_str().as_encoded_bytes());
    let list = tools.cache.file(&key, "txt", |out| {
        let program = tools.config.toolchain.program("llvm-dis");
        let mut command = Command::new(program);
        command.arg(module).args(["-o", "-"]);
        let output = succeed(&tools.config.toolchain, command, module)?;
        let names = declared_endings(&String::from_utf8_lossy(&output.stdout));
        std::fs::write(out, names.join("\n")).map_err(Error::io(out))
    })?;
    let text = std::fs::read_to_string(&list).map_err(Error::io(&list))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn declared_endings(text: &str) -> Vec<String> {
    let groups: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("attributes "))
        .filter(|line| line.split_whitespace().any(|word| word == "noreturn"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let ends = |line: &str| line.split_whitespace().any(|word| word == "noreturn" || groups.contains(word));
    let declared = text.lines().filter(|line| line.starts_with("declare ") && ends(line));
    declared.filter_map(|line| Some(line.split_once('@')?.1.split_once('(')?.0.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::declared_endings;

    #[test]
    fn attributes_say_what_does_not_return() {
        let text = "declare void @die(ptr) #2\ndeclare i32 @g(i32) #1\ndefine void @f() #2 {\n}\n\
            attributes #1 = { nounwind }\nattributes #2 = { noreturn nounwind }\n";
        assert_eq!(declared_endings(text), ["die"]);
    }
}
