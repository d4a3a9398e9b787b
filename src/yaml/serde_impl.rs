//! serde's side of reading: a [`Cursor`] on a node is a deserialiser.
//!
//! Texts are given exactly as written (`1.10`, `on`, `2019`), quoted or not; numbers are read from their text and never by YAML's own rules.

use super::error::{Error, instead, likely};
use super::problems::Problems;
use super::tree::{Content, NodeId, Pair, Tree};
use crate::finding::{Code, Finding, Place};
use crate::kafka::value::{Kind, integer};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};

/// The name by which a [`super::Field`] asks a cursor for its parts.
pub(super) const FIELD: &str = "isotopic::yaml::Field";

/// The name by which a [`super::Verbatim`] asks for a text as it stands.
pub(super) const VERBATIM: &str = "isotopic::yaml::Verbatim";

/// A place in a tree, to be read.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'de, 'p> {
    tree: &'de Tree,
    /// `None` for a field that is wrong and has a finding already.
    node: Option<NodeId>,
    label: Option<&'de str>,
    key: Option<Place>,
    problems: &'p Problems,
}

impl<'de, 'p> Cursor<'de, 'p> {
    pub(super) fn new(tree: &'de Tree, node: NodeId, problems: &'p Problems) -> Self {
        Self { tree, node: Some(node), label: None, key: None, problems }
    }

    fn content(&self) -> &'de Content {
        self.node.map_or(&Content::Refused, |node| &self.tree.node(node).content)
    }

    fn place(&self) -> Option<Place> {
        self.node.map(|node| self.tree.node(node).place)
    }

    /// Where a finding about this value points.
    fn pointed(&self) -> Option<Place> {
        match self.content() {
            Content::Empty => self.key.or(self.place()),
            Content::Null | Content::Scalar(_) | Content::Sequence(_) | Content::Mapping(_) | Content::Refused => self.place(),
        }
    }

    fn tell(&self, error: Error) {
        let message = match self.label {
            Some(label) => format!("`{label}`: {}", error.message),
            None => error.message,
        };
        if !error.told {
            self.problems.add(Finding::new(error.code, message).at(self.pointed()).help(error.help));
        }
    }

    /// The error for a node that is not what a visitor takes.
    fn mismatch(&self, expected: &dyn serde::de::Expected) -> Error {
        match self.content() {
            Content::Empty => {
                Error::new(Code::Ym003, "there is no value").help("write a value, or remove the line; in `config`, null means the cluster's default")
            }
            Content::Refused => Error::told(),
            Content::Null => Error::invalid_type(Unexpected::Unit, expected),
            Content::Scalar(_) => Error::invalid_type(Unexpected::Str(""), expected),
            Content::Sequence(_) => Error::invalid_type(Unexpected::Seq, expected),
            Content::Mapping(_) => Error::invalid_type(Unexpected::Map, expected),
        }
    }

    fn scalar(&self, expected: &dyn serde::de::Expected) -> Result<&'de str, Error> {
        self.node.and_then(|node| self.tree.text(node)).ok_or_else(|| self.mismatch(expected))
    }
}

impl<'de> Deserializer<'de> for Cursor<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.content() {
            Content::Scalar(_) => self.deserialize_str(visitor),
            Content::Null => visitor.visit_unit(),
            Content::Sequence(_) => self.deserialize_seq(visitor),
            Content::Mapping(_) => self.deserialize_map(visitor),
            Content::Empty | Content::Refused => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.scalar(&"true or false")?;
        match Kind::Boolean.stored(text) {
            Ok(stored) => visitor.visit_bool(stored == "true"),
            Err(why) => Err(Error::new(Code::Ym003, why.to_string()).help("write true or false")),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.scalar(&"a whole number")?;
        let number = integer(text).map_err(|why| Error::new(Code::Ym003, why.to_string()).help("write a whole number"))?;
        let number = u32::try_from(number).map_err(|_| Error::new(Code::Ym008, format!("{number} is out of range")).help("write a whole number above 0"));
        visitor.visit_u32(number?)
    }

    /// An ordinary text: one line, and no variable, because a variable could print a secret into a review.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.scalar(&"a text")?;
        if text.contains("${") {
            return Err(Error::new(Code::Ym009, "a variable (`${`) stands where none is read")
                .help("write the value itself; variables are read only in `bootstrap` and `properties` of a cluster"));
        }
        if text.contains(['\n', '\t']) {
            return Err(Error::new(Code::Ym008, "the text contains a line break or a tab").help("write the text on one line"));
        }
        visitor.visit_borrowed_str(text)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _name: &'static str, words: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        let text = self.scalar(&format!("one of {}", words.join(", ")).as_str())?;
        visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(text))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.content() {
            Content::Sequence(items) => visitor.visit_seq(Items { of: self, items: items.iter() }),
            Content::Empty | Content::Null | Content::Scalar(_) | Content::Mapping(_) | Content::Refused => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.content() {
            Content::Mapping(pairs) => visitor.visit_map(Pairs::new(self, pairs, None)),
            Content::Empty | Content::Null | Content::Scalar(_) | Content::Sequence(_) | Content::Refused => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(self, name: &'static str, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        match self.content() {
            Content::Mapping(pairs) => visitor.visit_map(Pairs::new(self, pairs, Some((name, fields)))),
            Content::Null | Content::Scalar(_) | Content::Sequence(_) => {
                Err(self.mismatch(&"a mapping").help(format!("write `field: value` lines; the fields are {}", fields.join(", "))))
            }
            Content::Empty | Content::Refused => Err(self.mismatch(&"a mapping")),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, name: &'static str, _len: usize, visitor: V) -> Result<V::Value, Error> {
        if name == FIELD { visitor.visit_seq(Parts { of: self, next: 0, intact: false }) } else { self.deserialize_seq(visitor) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        if name != VERBATIM {
            return visitor.visit_newtype_struct(self);
        }
        let text = self.scalar(&visitor)?;
        visitor.visit_borrowed_str(text)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 f64 char bytes byte_buf option unit unit_struct tuple identifier
    }
}

/// The items of a list. They carry the list's label.
struct Items<'de, 'p> {
    of: Cursor<'de, 'p>,
    items: std::slice::Iter<'de, NodeId>,
}

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.items.next().map(|node| seed.deserialize(Cursor { node: Some(*node), key: None, ..self.of })).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The entries of a mapping; of a struct's, those whose key is one of its fields. The others become findings.
struct Pairs<'de, 'p> {
    of: Cursor<'de, 'p>,
    all: &'de [Pair],
    pairs: std::slice::Iter<'de, Pair>,
    known: Option<(&'static str, &'static [&'static str])>,
    /// Fields that count as wrong, not as missing: what was meant by misspelt keys, and after a refused merge key whatever is not there.
    wrong: Vec<&'static str>,
    pair: Option<Pair>,
}

impl<'de, 'p> Pairs<'de, 'p> {
    fn new(of: Cursor<'de, 'p>, all: &'de [Pair], known: Option<(&'static str, &'static [&'static str])>) -> Self {
        let partial = of.node.is_some_and(|node| of.tree.node(node).partial);
        let mut pairs = Self { of, all, pairs: all.iter(), known, wrong: Vec::new(), pair: None };
        if let Some((_, fields)) = known.filter(|_| partial) {
            pairs.wrong = fields.iter().copied().filter(|field| !pairs.has(field)).collect();
        }
        pairs
    }

    fn has(&self, field: &str) -> bool {
        self.all.iter().any(|pair| self.of.tree.text(pair.key) == Some(field))
    }

    fn unknown_field(&mut self, pair: Pair, key: &str, name: &str, fields: &'static [&'static str]) {
        let tree = self.of.tree;
        let shown = tree.shown_key(pair).map_or_else(|| "what stands here".to_owned(), |key| format!("`{key}`"));
        let finding = Finding::new(Code::Ym002, format!("{shown} is not a field of {name}")).at(tree.node(pair.key).place);
        self.of.problems.add(finding.help(instead(key, fields)));
        if let Some(meant) = likely(key, fields.iter().copied()).filter(|meant| !self.has(meant) && !self.wrong.contains(meant)) {
            self.wrong.push(meant);
        }
    }
}

impl<'de> MapAccess<'de> for Pairs<'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        while let Some(pair) = self.pairs.next() {
            self.pair = Some(*pair);
            let key = self.of.tree.text(pair.key).unwrap_or_default();
            match self.known {
                None => return seed.deserialize(Cursor { node: Some(pair.key), label: None, key: None, ..self.of }).map(Some),
                Some((_, fields)) if fields.contains(&key) => return seed.deserialize(IntoDeserializer::<Error>::into_deserializer(key)).map(Some),
                Some((name, fields)) => self.unknown_field(*pair, key, name, fields),
            }
        }
        self.pair = None;
        self.wrong.pop().map(|field| seed.deserialize(IntoDeserializer::<Error>::into_deserializer(field))).transpose()
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let Some(pair) = self.pair.take() else { return seed.deserialize(Cursor { node: None, label: None, key: None, ..self.of }) };
        let tree = self.of.tree;
        // The key of a struct is one of its fields, and no secret.
        let shown = if self.known.is_some() { tree.text(pair.key) } else { tree.shown_key(pair) };
        seed.deserialize(Cursor { node: Some(pair.value), label: shown, key: Some(tree.node(pair.key).place), ..self.of })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.pairs.len())
    }
}

/// A value and what is known of it, one after the other; see `FieldVisitor`.
struct Parts<'de, 'p> {
    of: Cursor<'de, 'p>,
    next: usize,
    intact: bool,
}

impl<'de> SeqAccess<'de> for Parts<'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.next += 1;
        let number = match self.next {
            1 => {
                let before = self.of.problems.count();
                return match seed.deserialize(self.of) {
                    Ok(value) => {
                        self.intact = self.of.node.is_some_and(|node| self.of.tree.node(node).intact) && self.of.problems.count() == before;
                        Ok(Some(value))
                    }
                    Err(error) => {
                        self.of.tell(error);
                        Ok(None)
                    }
                };
            }
            2 => self.of.place().map(|place| place.file.number()),
            3 => self.of.place().map(|place| place.start),
            4 => self.of.place().map(|place| place.end),
            5 => self.of.key.or(self.of.place()).map(|key| key.start),
            6 => self.of.key.or(self.of.place()).map(|key| key.end),
            7 => Some(u32::from(self.intact)),
            _ => None,
        };
        let Some(number) = number else { return Ok(None) };
        seed.deserialize(IntoDeserializer::<Error>::into_deserializer(number)).map(Some)
    }
}
