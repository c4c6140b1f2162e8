//! Expression nodes: one fixed-size record per distinct term, hash-consed by the runtime into shared memory.
//!
//! Every term is a bit-vector of 1 to 128 bits; floating-point operators read and give the IEEE bits of their width
//! (32 or 64). A node id is its index in the arena; id 0 means "concrete, no expression". Children always have smaller
//! ids than their parent, so one forward pass visits children first. Nodes never hold run-dependent values: the same
//! input names give the same nodes in every run, which is why the arena survives from run to run.

/// Index of a [`Node`] in the arena. 0 is "concrete".
pub type NodeId = u32;
/// The id that stands for "no expression: the value is concrete".
pub const CONCRETE: NodeId = 0;

/// One expression node, 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Node {
    /// An [`Op`] as its number.
    pub op: u8,
    /// Operator detail: a [`Rounding`] for [`Op::FRound`], otherwise 0.
    pub aux: u8,
    /// Width of the result in bits.
    pub width: u16,
    pub a: NodeId,
    pub b: NodeId,
    pub c: NodeId,
    /// Low 64 bits of a constant; low bit of an extract; otherwise 0.
    pub imm: u64,
}

impl Node {
    /// A constant of these bits, which must fit the width.
    pub const fn constant(width: u16, bits: u128) -> Node {
        let (a, b) = ((bits >> 64) as u32, (bits >> 96) as u32);
        Node { op: Op::Const as u8, aux: 0, width, a, b, c: 0, imm: bits as u64 }
    }

    /// The bits of a constant.
    pub const fn constant_bits(&self) -> u128 {
        self.imm as u128 | (self.a as u128) << 64 | (self.b as u128) << 96
    }
}

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $num:literal),* $(,)?) => {
        /// Operators. Operand widths equal the result width unless said otherwise.
        #[repr(u8)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Op { $($(#[$doc])* $name = $num),* }
        impl Op {
            pub const ALL: &'static [Op] = &[$(Op::$name),*];
            pub const fn from_u8(n: u8) -> Option<Op> {
                match n { $($num => Some(Op::$name),)* _ => None }
            }
            pub const fn name(self) -> &'static str {
                match self { $(Op::$name => stringify!($name)),* }
            }
        }
    };
}

ops! {
    /// Constant: `imm` holds bits 0..64, `a` bits 64..96, `b` bits 96..128.
    Const = 1,
    /// Input variable number `a` of the variable table.
    Var = 2,
    Add = 10, Sub = 11, Mul = 12,
    /// Division by zero: all ones (UDiv), 1 or -1 (SDiv), the dividend (URem, SRem), as in SMT-LIB. `INT_MIN / -1` wraps.
    UDiv = 13, SDiv = 14, URem = 15, SRem = 16,
    /// Shifts take their amount modulo the width (as the instrumented code does), for any width.
    Shl = 17, LShr = 18, AShr = 19,
    And = 20, Or = 21, Xor = 22,
    /// Bitwise complement of `a`.
    Not = 23,
    /// Comparisons: operands of equal width, result of width 1.
    Eq = 30, Ult = 31, Ule = 32, Slt = 33, Sle = 34,
    /// `a` zero- or sign-extended to the (larger) result width.
    ZExt = 40, SExt = 41,
    /// Bits `imm .. imm + width` of `a`.
    Extract = 42,
    /// `a` is the high part, `b` the low part.
    Concat = 43,
    /// `a` (width 1) chooses `b` or `c`.
    Ite = 44,
    /// Entry `a` (an unsigned index of any width) of table number `b`; 0 past its end.
    Select = 45,
    /// Bit counts of `a`, in the width of `a`. Of zero: `width` for the two zero counts.
    PopCount = 46, LeadingZeros = 47, TrailingZeros = 48,
    /// IEEE arithmetic, round to nearest even, on widths 32 and 64.
    FAdd = 60, FSub = 61, FMul = 62, FDiv = 63,
    /// C `fmod`.
    FRem = 64,
    FNeg = 65, FAbs = 66, FSqrt = 67,
    /// `a * b + c`, rounded once.
    FFma = 68,
    /// To an integral value, by the [`Rounding`] in `aux`.
    FRound = 69,
    /// C `fmin` / `fmax`: the other operand when one is NaN.
    FMin = 70, FMax = 71,
    /// Magnitude of `a` with the sign bit of `b`.
    FCopySign = 72,
    /// Ordered comparisons (false on NaN), result of width 1; `FUno` is true when either is NaN.
    FEq = 73, FLt = 74, FLe = 75, FUno = 76,
    /// Between widths 32 and 64.
    FToF = 80,
    /// Float to integer, toward zero. Out of range as x86-64 code does it: see `expr::eval`.
    FToS = 81, FToU = 82,
    /// Integer of any width to float, nearest even.
    SToF = 83, UToF = 84,
    /// A pure library function: `imm` is its number in [`crate::library::LIBRARY`], arguments `a`, `b`, `c` (0: absent).
    Call = 90,
}

impl Op {
    /// True for operators whose result has width 1 whatever the operand width.
    pub const fn is_comparison(self) -> bool {
        matches!(self, Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FEq | Op::FLt | Op::FLe | Op::FUno)
    }
}

/// How [`Op::FRound`] rounds.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// `rint`, `nearbyint`, `roundeven`
    NearestEven = 0,
    /// `round`
    NearestAway = 1,
    /// `floor`
    Down = 2,
    /// `ceil`
    Up = 3,
    /// `trunc`
    Zero = 4,
}

/// A table of constant or symbolic entries, read by [`Op::Select`]: `len` node ids from `start` in the entries region,
/// each a node of width `width` (concrete entries are `Const` nodes).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Table {
    pub start: u32,
    pub len: u32,
    pub width: u32,
    pub hash: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_survive_their_nodes() {
        for bits in [0, 1, u128::MAX, 1 << 64, 1 << 96, 0x0123_4567_89ab_cdef_0011_2233_4455_6677] {
            assert_eq!(Node::constant(128, bits).constant_bits(), bits);
        }
    }

    #[test]
    fn operators_survive_their_numbers() {
        assert!(Op::ALL.iter().all(|op| Op::from_u8(*op as u8) == Some(*op)));
    }
}
