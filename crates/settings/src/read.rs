//! The text of a `covet.toml` → [`Settings`], or where it is wrong and what to do about it.

use crate::file::{self, File};
use crate::{
    Choice, Chosen, Error, FunctionSettings, Origin, Output, Pattern, Said, Settings, Signature, Size, StubSettings,
    flags, near,
};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use toml::{Spanned, Value};

/// Reads the settings in `path`.
pub fn read(path: &Path) -> Result<Settings, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::Unreadable { path: path.to_owned(), source })?;
    parse(path, &text)
}

/// The settings in `text`, as if it were in `path`.
pub fn parse(path: &Path, text: &str) -> Result<Settings, Error> {
    let file: File = toml::from_str(text).map_err(|error| {
        let message = explained(error.message());
        Error::at(path, text, error.span().unwrap_or(0..0), message)
    })?;
    Reader { path, text }.settings(file)
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn settings(&self, file: File) -> Result<Settings, Error> {
        let folder = std::path::absolute(self.path).unwrap_or_default();
        let folder = folder.parent().unwrap_or(Path::new("/"));
        let settings = Settings {
            file: Some(self.path.to_owned()),
            text: self.text.to_owned(),
            trusted: false,
            flags: flags::resolved(folder, &file.flags),
            skip: self.patterns(&file.skip),
            stubs: self.patterns(&file.stubs),
            stubs_beside_all: false,
            symbolic_globals: self.said_all(file.symbolic_globals),
            options: self.each(file.options, |name, value| self.choice(name, &value))?,
            pure: self.each(file.pure, |name, signature| self.signature(&name, &signature))?,
            made_up: self.each(file.stub, |name, stub| self.stub(name, stub))?,
            functions: self.each(file.function, |name, function| self.function(name, function))?,
        };
        Ok(settings)
    }

    fn each<V, T>(
        &self,
        table: BTreeMap<Spanned<String>, V>,
        read: impl Fn(Spanned<String>, V) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        table.into_iter().map(|(name, value)| read(name, value)).collect()
    }

    fn choice(&self, name: Spanned<String>, value: &Spanned<Value>) -> Result<Choice, Error> {
        let wrong = || self.wrong(value.span(), "expected a number, a text, true or false, or a list of such");
        let one = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Integer(number) => Some(number.to_string()),
            Value::Float(number) => Some(number.to_string()),
            Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
        };
        let chosen = match value.get_ref() {
            Value::Boolean(is_on) => Chosen::Switch(*is_on),
            Value::Array(values) => {
                Chosen::Many(values.iter().map(one).collect::<Option<Vec<String>>>().ok_or_else(wrong)?)
            }
            value => Chosen::One(one(value).ok_or_else(wrong)?),
        };
        Ok(Choice { name: self.said(name), value: chosen })
    }

    fn signature(&self, name: &Spanned<String>, text: &Spanned<String>) -> Result<Said<Signature>, Error> {
        let signature = Signature::parse(name.get_ref(), text.get_ref());
        let value = signature.map_err(|reason| self.wrong(text.span(), reason))?;
        Ok(Said { value, origin: self.origin(&name.span()) })
    }

    fn stub(&self, name: Spanned<String>, stub: file::Stub) -> Result<StubSettings, Error> {
        let outputs = stub.outputs.map(|words| words.into_iter().map(|word| self.output(word)).collect());
        Ok(StubSettings { name: self.said(name), assume: self.conditions(stub.assume)?, outputs: outputs.transpose()? })
    }

    /// `"out"`, or `"buffer[count]"`.
    fn output(&self, word: Spanned<String>) -> Result<Output, Error> {
        let text = word.get_ref().trim();
        let (name, count) = match text.split_once('[') {
            Some((name, rest)) => (name.trim(), rest.strip_suffix(']')),
            None => (text, None),
        };
        let is_whole = count.is_some() || !text.contains('[');
        if !is_whole || !is_identifier(name) || count.is_some_and(|count| count.trim().is_empty()) {
            let message = "expected the name of a pointer parameter, perhaps with a number of elements: \"out\", \
                 \"buffer[count]\"";
            return Err(self.wrong(word.span(), message));
        }
        let parameter = Said { value: name.to_owned(), origin: self.origin(&word.span()) };
        Ok(Output { parameter, count: count.map(str::to_owned) })
    }

    fn function(&self, name: Spanned<String>, function: file::Function) -> Result<FunctionSettings, Error> {
        let time = match function.time {
            Some(time) if !(time.get_ref().is_finite() && *time.get_ref() > 0.0) => {
                return Err(self.wrong(time.span(), "expected a number of seconds above 0"));
            }
            time => time.map(Spanned::into_inner),
        };
        Ok(FunctionSettings {
            name: self.said(name),
            assume: self.conditions(function.assume)?,
            sizes: self.each(function.sizes, |name, size| Ok((self.said(name), self.size(&size)?)))?,
            nullable: self.said_all(function.nullable),
            nonnull: self.said_all(function.nonnull),
            stubs: self.patterns(&function.stubs),
            symbolic_globals: self.said_all(function.symbolic_globals),
            skip: function.skip,
            time,
            iterations: function.iterations,
        })
    }

    fn size(&self, size: &Spanned<Value>) -> Result<Size, Error> {
        match size.get_ref() {
            Value::Integer(count @ 0..=65536) => Ok(Size::Fixed(*count as u64)),
            Value::String(name) if is_identifier(name) => Ok(Size::Parameter(name.clone())),
            _ => {
                let message = "expected a number of elements (up to 65536) or the name of the parameter that holds it";
                Err(self.wrong(size.span(), message))
            }
        }
    }

    /// C expressions. What they say is for the compiler to check.
    fn conditions(&self, words: Vec<Spanned<String>>) -> Result<Vec<Said<String>>, Error> {
        if let Some(empty) = words.iter().find(|word| word.get_ref().trim().is_empty()) {
            return Err(self.wrong(empty.span(), "expected a C expression, for example \"length <= 64\""));
        }
        Ok(self.said_all(words))
    }

    fn patterns(&self, words: &[Spanned<String>]) -> Vec<Said<Pattern>> {
        let said =
            |word: &Spanned<String>| Said { value: Pattern::new(word.get_ref()), origin: self.origin(&word.span()) };
        words.iter().map(said).collect()
    }

    fn said_all(&self, words: Vec<Spanned<String>>) -> Vec<Said<String>> {
        words.into_iter().map(|word| self.said(word)).collect()
    }

    fn said(&self, word: Spanned<String>) -> Said<String> {
        let origin = self.origin(&word.span());
        Said { value: word.into_inner(), origin }
    }

    /// Where a word begins, after its quote if it has one.
    fn origin(&self, span: &Range<usize>) -> Origin {
        let quote = self.text[span.start..].bytes().take_while(|byte| matches!(byte, b'"' | b'\'')).count().min(1);
        Origin::of(self.path, self.text, span.start + quote)
    }

    fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> Error {
        Error::at(self.path, self.text, span, message)
    }
}

fn is_identifier(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(is_part) && !text.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty()
}

/// A message of the parser with what to do about it.
fn explained(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((unknown, known)) if message.starts_with("unknown field") => {
            let near = near(unknown, known.iter().copied());
            format!("there is no key `{unknown}` here{near} (known: {})", known.join(", "))
        }
        Some(_) | None if message.contains("expected a sequence") => {
            format!("{message}; write a list: [\"...\", \"...\"]")
        }
        Some(_) | None => message.to_owned(),
    }
}
