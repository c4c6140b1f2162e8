//! Access paths (`arg.p->next[2].x`) → one tree of values per test.
//!
//! `p->x`, `(*p).x` and `p[0].x` are the same place. A path that does not parse, or that nobody asks for, is told by [`Tree::unused`], so
//! no input is dropped in silence.

use covet_input::Value;
use std::cell::Cell;
use std::collections::BTreeMap;

/// One step down from an object to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Field(String),
    /// An element of an array, or of the object a pointer points at.
    Index(u64),
}

/// A place and all places below it that the input names.
#[derive(Debug, Default)]
pub struct Node {
    pub value: Option<Value>,
    fields: Vec<(String, Node)>,
    elements: BTreeMap<u64, Node>,
    used: Cell<bool>,
}

impl Node {
    /// The part of this place one step down, if the input names it or anything in it.
    pub fn field(&self, name: &str) -> Option<&Node> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, node)| node)
    }

    pub fn element(&self, index: u64) -> Option<&Node> {
        self.elements.get(&index)
    }

    /// One more than the highest element named.
    pub fn extent(&self) -> u64 {
        self.elements.last_key_value().map_or(0, |(index, _)| index + 1)
    }

    pub fn fields(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.fields.iter().map(|(name, node)| (name.as_str(), node))
    }

    /// The value here; the place counts as printed.
    pub fn take(&self) -> Option<Value> {
        self.used.set(true);
        self.value
    }

    /// The bytes of the elements below `length`, zero where the input says nothing.
    pub fn bytes(&self, length: u64) -> Vec<u8> {
        (0..length).map(|index| self.element(index).and_then(Node::take).map_or(0, |value| value.bits as u8)).collect()
    }

    /// Everything at and below this place counts as printed.
    pub fn take_all(&self) {
        self.used.set(true);
        self.fields.iter().for_each(|(_, node)| node.take_all());
        self.elements.values().for_each(Node::take_all);
    }

    fn insert(&mut self, steps: &[Step], value: Value) {
        let Some((first, rest)) = steps.split_first() else {
            self.value = Some(value);
            return;
        };
        match first {
            Step::Index(index) => self.elements.entry(*index).or_default().insert(rest, value),
            Step::Field(name) => {
                let at = self.fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                    self.fields.push((name.clone(), Node::default()));
                    self.fields.len() - 1
                });
                self.fields[at].1.insert(rest, value);
            }
        }
    }

    fn unused(&self, path: &str, into: &mut Vec<(String, Value)>) {
        if let (Some(value), false) = (self.value, self.used.get()) {
            into.push((path.to_string(), value));
        }
        self.fields.iter().for_each(|(name, node)| node.unused(&format!("{path}.{name}"), into));
        self.elements.iter().for_each(|(index, node)| node.unused(&format!("{path}[{index}]"), into));
    }
}

/// All inputs of a test.
#[derive(Debug, Default)]
pub struct Tree {
    /// `arg`, `global`, `stdin`, ... are its fields.
    root: Node,
    unparsed: Vec<(String, Value)>,
}

impl Tree {
    pub fn new(inputs: &[(String, Value)]) -> Tree {
        let mut tree = Tree::default();
        for (name, value) in inputs {
            match parse(name) {
                Some(steps) => tree.root.insert(&steps, *value),
                None => tree.unparsed.push((name.clone(), *value)),
            }
        }
        tree
    }

    /// The place `arg`, `global`, `stdin`, `argv`, ...
    pub fn root(&self, name: &str) -> Option<&Node> {
        self.root.field(name)
    }

    /// The inputs no one has printed.
    pub fn unused(&self) -> Vec<(String, Value)> {
        let mut left = self.unparsed.clone();
        for (name, node) in self.root.fields() {
            node.unused(name, &mut left);
        }
        left
    }
}

/// The one spelling of a place: `arg.p[0].x` for `arg.p->x`. A path that does not parse is its own spelling.
pub fn canonical(path: &str) -> String {
    let Some(steps) = parse(path) else { return path.to_string() };
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Field(name) if text.is_empty() => text = name,
            Step::Field(name) => text += &format!(".{name}"),
            Step::Index(index) => text += &format!("[{index}]"),
        }
    }
    text
}

/// `arg.p->x[2]` → `arg`, `p`, element 0, `x`, element 2.
pub fn parse(path: &str) -> Option<Vec<Step>> {
    if let Some(rest) = path.strip_prefix("file.") {
        return parse_file(rest);
    }
    let mut steps = Vec::new();
    let mut rest = path;
    let mut expects_name = true;
    if let Some(inside) = path.strip_prefix("(*") {
        let end = closing(inside)?;
        steps = parse(&inside[..end])?;
        steps.push(Step::Index(0));
        rest = &inside[end + 1..];
        expects_name = false;
    }
    while !rest.is_empty() {
        if expects_name {
            let end = rest.find(['.', '[', '-']).unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            steps.push(Step::Field(rest[..end].to_string()));
            rest = &rest[end..];
            expects_name = false;
        } else if let Some(after) = rest.strip_prefix("->") {
            steps.push(Step::Index(0));
            (rest, expects_name) = (after, true);
        } else if let Some(after) = rest.strip_prefix('.') {
            (rest, expects_name) = (after, true);
        } else {
            let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            rest = after;
        }
    }
    (!expects_name).then_some(steps)
}

/// Where the parenthesis that was opened before `text` is closed.
fn closing(text: &str) -> Option<usize> {
    let mut open = 1;
    text.char_indices().find_map(|(at, c)| {
        open += i32::from(c == '(') - i32::from(c == ')');
        (open == 0).then_some(at)
    })
}

/// `NAME[3]` or `NAME.size`, where the name may hold anything.
fn parse_file(rest: &str) -> Option<Vec<Step>> {
    let file = Step::Field("file".to_string());
    if let Some(name) = rest.strip_suffix(".size") {
        return Some(vec![file, Step::Field(name.to_string()), Step::Field("size".to_string())]);
    }
    let (name, index) = rest.strip_suffix(']')?.rsplit_once('[')?;
    Some(vec![file, Step::Field(name.to_string()), Step::Index(index.parse().ok()?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::ValueKind;

    #[test]
    fn paths_are_places() {
        let field = |name: &str| Step::Field(name.to_string());
        assert_eq!(
            parse("arg.p->next[2].x"),
            Some(vec![field("arg"), field("p"), Step::Index(0), field("next"), Step::Index(2), field("x")])
        );
        assert_eq!(parse("argv[1][0]"), Some(vec![field("argv"), Step::Index(1), Step::Index(0)]));
        assert_eq!(parse("file.a.b[c].txt[7]"), Some(vec![field("file"), field("a.b[c].txt"), Step::Index(7)]));
        assert_eq!(parse("file.in.size"), Some(vec![field("file"), field("in"), field("size")]));
        assert_eq!(parse("(*arg.m)[2]"), parse("arg.m[0][2]"));
        assert_eq!(parse("(*(*arg.m)[1])"), parse("arg.m[0][1][0]"));
        assert_eq!(parse("(*arg.m"), None);
        assert_eq!(parse("arg."), None);
        assert_eq!(parse("arg.x["), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn what_is_not_printed_is_told() {
        let value = Value { bits: 1, width: 8, kind: ValueKind::Char };
        let tree = Tree::new(&[("arg.a".into(), value), ("arg.p->x".into(), value), ("[".into(), value)]);
        assert!(tree.root("arg").unwrap().field("a").unwrap().take().is_some());
        let names: Vec<String> = tree.unused().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["[", "arg.p[0].x"]);
    }
}
