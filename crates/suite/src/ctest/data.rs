//! Long initializers, and what else is too long, → files beside the tests, which include them: a test stays something to read.

/// Initializers longer than this are data, and shorter ones too once a test has this much of them.
const LONGEST: usize = 1 << 11;
const SHORT: usize = 128;
const MOST: usize = 16 << 10;
/// Statements that a test has itself; those of a longer one are in a file.
const LONGEST_BODY: usize = 32 << 10;

/// The data of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// What its files begin with, folder included.
    prefix: String,
    /// Bytes of initializers in the test itself.
    inside: usize,
    /// Names and texts.
    pub files: Vec<(String, String)>,
}

impl Data {
    pub fn new(prefix: String) -> Data {
        Data { prefix, inside: 0, files: Vec::new() }
    }

    /// An initializer as it is to be written between `=` and `;`.
    pub fn initializer(&mut self, text: String) -> String {
        let is_long = text.len() > LONGEST || (self.inside > MOST && text.len() > SHORT);
        if !is_long {
            self.inside += text.len();
            return text;
        }
        self.file(text + "\n")
    }

    /// The statements of a test as they are to be written between its braces.
    pub fn statements(&mut self, text: String) -> String {
        if text.len() <= LONGEST_BODY {
            return text;
        }
        // A file finds what it includes beside itself.
        let folder = self.prefix.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text = text.replace(&format!("#include \"{folder}/"), "#include \"");
        self.file(text)
    }

    /// The line that includes `text`, which goes to a file.
    fn file(&mut self, text: String) -> String {
        let name = format!("{}-{}.inc", self.prefix, self.files.len() + 1);
        let include = format!("\n#include \"{name}\"\n");
        self.files.push((name, text));
        include
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_initializers_go_to_files() {
        let mut data = Data::new("tests.data/f_001".to_string());
        assert_eq!(data.initializer("{ 1 }".to_string()), "{ 1 }");
        let long = format!("{{ {} }}", "1, ".repeat(1000));
        assert_eq!(data.initializer(long.clone()), "\n#include \"tests.data/f_001-1.inc\"\n");
        assert_eq!(data.files, [("tests.data/f_001-1.inc".to_string(), long + "\n")]);
        assert_eq!(data.statements("f();\n".to_string()), "f();\n");
        let body = "int a[] = \n#include \"tests.data/f_001-1.inc\"\n;\n".repeat(1000);
        assert_eq!(data.statements(body), "\n#include \"tests.data/f_001-2.inc\"\n");
        assert!(data.files[1].1.starts_with("int a[] = \n#include \"f_001-1.inc\"\n;\n"));
    }
}
