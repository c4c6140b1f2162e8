//! A sequence of calls as data: what is done in which order, which values are inputs. Its text, with inputs that are sought or with those
//! that were found, is made of it elsewhere.

use covet_source::TypeId;

/// One sequence of calls of exported functions.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The name of the C function that performs it.
    pub name: String,
    /// The exported function that it is for.
    pub target: String,
    /// The functions it may call, in the order in which they are met.
    pub calls: Vec<String>,
    /// Functions of its own that others call back: whole definitions.
    pub helpers: Vec<String>,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub enum Step {
    /// A number that is input, in a variable of its own or in a member.
    Number {
        input: String,
        ty: TypeId,
        place: Place,
        within: Option<(i128, i128)>,
    },
    /// Elements that are input, in a block of memory of their own.
    Elements(Elements),
    /// How many of the elements called `of` are told of: any number up to all.
    Length {
        input: String,
        ty: TypeId,
        spelled: String,
        of: String,
    },
    /// The same whatever the inputs are.
    Line(String),
    Call {
        declares: Option<String>,
        function: String,
        arguments: Vec<Argument>,
    },
    /// The sequence ends unless this holds.
    Unless(String),
    /// So many times at most one of these is done, or the rest of the times is left out.
    Repeat {
        input: String,
        most: u32,
        choices: Vec<Vec<Step>>,
    },
}

#[derive(Clone, Debug)]
pub enum Place {
    /// A variable of this type, as spelled.
    Variable(String),
    Member(String),
}

#[derive(Clone, Debug)]
pub struct Elements {
    pub input: String,
    /// Their type, as spelled.
    pub spelled: String,
    /// Bytes of one.
    pub size: u64,
    /// A zero follows, and they are characters.
    pub is_text: bool,
    /// Zeros that follow, for functions that write there.
    pub room: u64,
}

#[derive(Clone, Debug)]
pub enum Argument {
    /// The value of an input.
    Input(String),
    Text(String),
}

/// How many elements there may be: few are soon through, and some mistakes take many.
pub const COUNTS: [u64; 3] = [4, 16, 64];

/// The name of the inputs that choose among [`COUNTS`].
pub fn count_input(input: &str) -> String {
    format!("{input}_count")
}
