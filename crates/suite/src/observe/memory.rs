//! The memory that a recording test program reports, piece by piece.

use serde::Deserialize;

/// What one run of a test left behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// What is watched, in that order; then what pointers in it lead to. Empty when the test did not come back, or left too much.
    pub regions: Vec<Region>,
    pub printed: Printed,
    /// None when the program has a heap of its own, or did not come back.
    pub heap: Option<Heap>,
}

/// What was done with the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Heap {
    /// Made and left, less given back.
    pub blocks: i64,
    pub uses: i64,
}

/// The first of what was printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    pub bytes: Vec<u8>,
    /// There was more.
    pub is_cut: bool,
}

/// Bytes of output that a report holds.
const MOST_PRINTED: usize = 2048;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub kind: Kind,
    pub at: u64,
    pub size: u64,
    /// The tested code has given it back.
    pub is_freed: bool,
    /// It is as it was before the call; then its bytes are not told.
    pub is_kept: bool,
    /// The first of them.
    pub bytes: Vec<u8>,
    pub before: Option<Vec<u8>>,
    /// Of all bytes, where not all are told.
    pub digest: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Kind {
    #[serde(rename = "o")]
    Object,
    #[serde(rename = "g")]
    Global,
    #[serde(rename = "r")]
    Result,
    #[serde(rename = "h")]
    Heap,
    /// Constants and code of the program.
    #[serde(rename = "i")]
    Image,
}

/// A region as it is reported.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRegion {
    kind: Kind,
    at: String,
    size: u64,
    freed: bool,
    kept: bool,
    bytes: Option<String>,
    before: Option<String>,
    digest: Option<String>,
}

impl Observed {
    /// None for what is no report.
    pub fn new(regions: Vec<RawRegion>, printed: &str, heap: Option<Heap>) -> Option<Observed> {
        let regions = regions.into_iter().map(RawRegion::region).collect::<Option<_>>()?;
        let bytes = bytes(printed)?;
        let is_cut = bytes.len() > MOST_PRINTED;
        Some(Observed { regions, printed: Printed { bytes, is_cut }, heap })
    }

    /// The region that an address points into, or else just behind.
    pub fn find(&self, address: u64) -> Option<(usize, u64)> {
        let inside = |region: &Region| address >= region.at && address - region.at < region.size.max(1);
        let behind = |region: &Region| address >= region.at && address - region.at == region.size;
        let found = self.regions.iter().position(inside).or_else(|| self.regions.iter().position(behind))?;
        Some((found, address - self.regions[found].at))
    }
}

impl RawRegion {
    fn region(self) -> Option<Region> {
        let optional = |text: Option<String>| text.map_or(Some(None), |text| bytes(&text).map(Some));
        Some(Region {
            kind: self.kind,
            at: u64::from_str_radix(&self.at, 16).ok()?,
            size: self.size,
            is_freed: self.freed,
            is_kept: self.kept,
            bytes: optional(self.bytes)?.unwrap_or_default(),
            before: optional(self.before)?,
            digest: self.digest.map_or(Some(None), |digits| u64::from_str_radix(&digits, 16).ok().map(Some))?,
        })
    }
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
    pairs.1.is_empty().then_some(())?;
    pairs.0.iter().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_inside_before_behind() {
        let region = |at: &str, size| format!(r#"{{"kind":"h","at":"{at}","size":{size},"freed":false,"kept":true}}"#);
        let text = format!("[{},{}]", region("1000", 16), region("1010", 8));
        let observed = Observed::new(serde_json::from_str(&text).unwrap(), "6f6b", None).unwrap();
        assert_eq!(observed.printed.bytes, b"ok");
        assert_eq!(
            [0x1000, 0x100f, 0x1010, 0x1018, 0x1019].map(|at| observed.find(at)),
            [Some((0, 0)), Some((0, 15)), Some((1, 0)), Some((1, 8)), None]
        );
        assert!(["abc", "zz"].iter().all(|digits| Observed::new(Vec::new(), digits, None).is_none()));
    }
}
