//! A state that a call began in: its arguments, and the memory that could be reached from them and from the program's variables, byte
//! by byte.
//!
//! Addresses are those of the process that was recorded and mean something within one state alone. What the bytes are, types say: who has
//! them turns a state into an input.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The arguments as they were passed, each in 64 bits.
    pub arguments: Vec<u64>,
    /// Objects, in the order of their addresses; none overlap.
    pub memory: Vec<Region>,
    /// The program's variables that were kept.
    #[serde(default)]
    pub globals: Vec<Global>,
    /// Functions that something pointed at.
    #[serde(default)]
    pub functions: Vec<(u64, String)>,
}

/// An object, or as much of it as was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    pub address: u64,
    #[serde(with = "hex")]
    pub bytes: Vec<u8>,
    /// Whether this is the whole object, so that nothing is behind it.
    pub is_whole: bool,
}

/// A variable of the program, whose bytes are in the region at its address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Global {
    pub name: String,
    pub address: u64,
}

impl State {
    /// How much memory is kept.
    pub fn bytes(&self) -> usize {
        self.memory.iter().map(|region| region.bytes.len()).sum()
    }

    /// The region that an address is in, or just behind.
    pub fn region(&self, address: u64) -> Option<&Region> {
        let is_in =
            |region: &&Region| address >= region.address && address - region.address < region.bytes.len() as u64;
        let is_end = |region: &&Region| address.checked_sub(region.address) == Some(region.bytes.len() as u64);
        self.memory.iter().find(is_in).or_else(|| self.memory.iter().find(is_end))
    }

    /// The bytes at an address, as many as were kept.
    pub fn read(&self, address: u64, count: usize) -> Option<&[u8]> {
        let region = self.region(address)?;
        let start = (address - region.address) as usize;
        region.bytes.get(start..start.checked_add(count)?)
    }
}

/// Bytes as text.
mod hex {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::fmt::Write as _;

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(pair).collect();
        bytes.ok_or_else(|| D::Error::custom("these are no bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_it_was_kept() {
        let region = |address, bytes: &[u8]| Region { address, bytes: bytes.to_vec(), is_whole: true };
        let state = State { memory: vec![region(16, &[1, 2, 3, 4]), region(20, &[5])], ..State::default() };
        assert_eq!(state.read(17, 2), Some(&[2, 3][..]));
        assert_eq!(state.read(20, 1), Some(&[5][..]), "where one ends another begins");
        assert_eq!((state.read(18, 3), state.read(15, 1), state.read(u64::MAX, 9)), (None, None, None));
        assert_eq!(state.region(21).map(|region| region.address), Some(20));
        let text = serde_json::to_string(&state).unwrap();
        assert!(text.contains("\"01020304\""));
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
        assert!(serde_json::from_str::<State>(&text.replace("0102", "01g2")).is_err());
    }
}
