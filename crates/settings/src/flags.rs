//! Flags for clang as written in a `covet.toml` → the same with paths that mean the same from everywhere.

use std::path::Path;

/// Flags whose value, in the same word or the next, is a path.
const WITH_PATHS: [&str; 8] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "--sysroot=", "-I", "-L"];

pub fn resolved(folder: &Path, flags: &[String]) -> Vec<String> {
    let mut done = Vec::new();
    let mut is_path = false;
    for flag in flags {
        let with_value = WITH_PATHS.iter().find_map(|name| Some((name, flag.strip_prefix(name)?)));
        done.push(match with_value {
            _ if is_path => within(folder, flag),
            Some((name, value)) if !value.is_empty() => format!("{name}{}", within(folder, value)),
            // An object or library file to link.
            None if !flag.starts_with('-') && folder.join(flag).exists() => within(folder, flag),
            Some(_) | None => flag.clone(),
        });
        is_path = !is_path && with_value.is_some_and(|(_, value)| value.is_empty());
    }
    done
}

fn within(folder: &Path, path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    folder.join(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::resolved;
    use std::path::Path;

    #[test]
    fn paths_are_those_of_the_folder() {
        let flags = ["-Iinclude", "-I", "./more", "-DX=1", "-isystem", "/usr/x", "-lfoo", "-Llib"].map(String::from);
        let expected = ["-I/p/include", "-I", "/p/more", "-DX=1", "-isystem", "/usr/x", "-lfoo", "-L/p/lib"];
        assert_eq!(resolved(Path::new("/p"), &flags), expected);
    }
}
