//! Access paths and pointees are written down as their text, whatever the format.

use crate::{AccessPath, Pointee};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for AccessPath {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for AccessPath {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AccessPath, D::Error> {
        String::deserialize(from).map(|text| text.as_str().into())
    }
}

impl Serialize for Pointee {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pointee {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Pointee, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
