//! Pieces → the name of a variable, in a buffer on the stack.
//!
//! Invariant: never longer than its buffer; what does not fit is cut.

const ROOM: usize = 256;

pub struct Label {
    bytes: [u8; ROOM],
    length: usize,
}

impl Label {
    pub fn new(name: &[u8]) -> Label {
        let mut label = Label { bytes: [0; ROOM], length: 0 };
        // Leave room for what numbers it.
        label.push(&name[..name.len().min(ROOM - 64)]);
        label
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// Drops what was pushed since the label had this length.
    pub fn cut(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.length < ROOM {
                self.bytes[self.length] = byte;
                self.length += 1;
            }
        }
    }

    pub fn push_number(&mut self, number: u64) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push(&digits[at..]);
    }

    /// `[number]`
    pub fn push_index(&mut self, number: u64) {
        self.push(b"[");
        self.push_number(number);
        self.push(b"]");
    }
}
