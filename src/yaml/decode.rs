//! Reads shapes from a tree: what to put around a value to get its place, and to go on where it is wrong.
//!
//! serde stops at the first error. A [`Field`] does not: what is wrong in it becomes a finding, the field counts as wrong, and reading goes on behind it.
//! So one pass finds every problem of a file.

use super::problems::Problems;
use super::serde_impl::{Cursor, FIELD, VERBATIM};
use super::tree::{NodeId, Tree};
use crate::finding::{FileId, Place};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A value that was read.
#[derive(Clone, Debug)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// Where the value stands.
    pub place: Place,
    /// Where its key stands; for values without one, where the value stands.
    pub key: Place,
    /// Whether nothing in it was left out because it was wrong.
    pub intact: bool,
}

/// A field of a mapping.
#[derive(Clone, Debug, Default)]
pub enum Field<T> {
    /// It is not there.
    #[default]
    Missing,
    /// It is there, perhaps under a misspelt name, and wrong: a finding says so.
    Wrong,
    /// It is there.
    Given(Given<T>),
}

impl<T> Field<T> {
    /// The value with its place, where there is one.
    pub fn given(&self) -> Option<&Given<T>> {
        match self {
            Self::Given(given) => Some(given),
            Self::Missing | Self::Wrong => None,
        }
    }

    /// The value, where there is one.
    pub fn value(&self) -> Option<&T> {
        self.given().map(|given| &given.value)
    }

    /// The value as its own, where there is one.
    pub fn into_given(self) -> Option<Given<T>> {
        match self {
            Self::Given(given) => Some(given),
            Self::Missing | Self::Wrong => None,
        }
    }

    /// Whether it is not there.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }
}

/// Reads a document. `None` where it is nothing of this shape.
pub fn decode<'t, T: Deserialize<'t>>(tree: &'t Tree, document: NodeId, problems: &Problems) -> Option<Given<T>> {
    Field::deserialize(Cursor::new(tree, document, problems)).ok().and_then(Field::into_given)
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple_struct(FIELD, 7, FieldVisitor(PhantomData))
    }
}

struct FieldVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for FieldVisitor<T> {
    type Value = Field<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    /// Reads what a [`Cursor`] says of a value: the value, its file, two ranges, and whether it is intact. No value: it was wrong.
    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let Some(value) = parts.next_element::<T>()? else { return Ok(Field::Wrong) };
        let mut next = || parts.next_element::<u32>().map(Option::unwrap_or_default);
        let file = FileId::from_number(next()?);
        let place = Place { file, start: next()?, end: next()? };
        let key = Place { file, start: next()?, end: next()? };
        Ok(Field::Given(Given { value, place, key, intact: next()? == 1 }))
    }
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for Field<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// A text exactly as it stands: it may have several lines, and hold what elsewhere would be a variable.
#[derive(Clone)]
pub struct Verbatim(pub String);

impl fmt::Debug for Verbatim {
    /// Shows nothing of the text, which may be a secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Verbatim(…)")
    }
}

impl<'de> Deserialize<'de> for Verbatim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(VERBATIM, VerbatimVisitor)
    }
}

struct VerbatimVisitor;

impl Visitor<'_> for VerbatimVisitor {
    type Value = Verbatim;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text")
    }

    fn visit_str<E>(self, text: &str) -> Result<Verbatim, E> {
        Ok(Verbatim(text.to_owned()))
    }
}

impl schemars::JsonSchema for Verbatim {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Verbatim".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["string", "number", "boolean"] })
    }
}
