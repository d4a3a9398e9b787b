//! Values that are not of one YAML type: a text or a list, a text or a number.

use crate::yaml::List;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A text on one line that people also write as a number, such as a version.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::spec) struct Name(pub(in crate::spec) String);

/// A count from 1 on.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::spec) struct Count(pub(in crate::spec) u32);

/// Words: a list, or a text with commas.
#[derive(Clone, Debug)]
pub(in crate::spec) enum Items {
    Text(String),
    List(List<Name>),
}

/// A pattern for names of topics, or a list of patterns.
#[derive(Clone, Debug)]
pub(in crate::spec) enum NamePatterns {
    One(String),
    Several(List<String>),
}

/// A config's value as written.
#[derive(Clone, Debug)]
pub(in crate::spec) enum ConfigValue {
    Null,
    Text(String),
    List(List<Name>),
}

/// A name, or a list of names.
#[derive(Clone, Debug)]
pub(in crate::spec) enum Names {
    One(String),
    Several(List<String>),
}

/// `mirror` as written.
#[derive(Clone, Debug)]
pub(in crate::spec) enum MirrorWish {
    Every,
    Never,
    Only(List<String>),
}

/// Deserialises what is a text, a list, or null.
macro_rules! mixed {
    ($type:ident, $visitor:ident, $expecting:literal, $schema:tt, $($visit:item)*) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($visitor)
            }
        }

        struct $visitor;

        impl<'de> Visitor<'de> for $visitor {
            type Value = $type;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str($expecting)
            }

            $($visit)*
        }

        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

mixed! {
    ConfigValue, ConfigValueVisitor, "a value, a list of values or null",
    { "type": ["string", "number", "boolean", "null", "array"], "items": { "type": ["string", "number", "boolean"] } },
    fn visit_unit<E>(self) -> Result<ConfigValue, E> {
        Ok(ConfigValue::Null)
    }

    fn visit_str<E>(self, text: &str) -> Result<ConfigValue, E> {
        Ok(ConfigValue::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<ConfigValue, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(ConfigValue::List)
    }
}

mixed! {
    Names, NamesVisitor, "a cluster's name or a list of them",
    { "type": ["string", "array"], "items": { "type": "string" } },
    fn visit_str<E>(self, text: &str) -> Result<Names, E> {
        Ok(Names::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Names, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(Names::Several)
    }
}

mixed! {
    MirrorWish, MirrorWishVisitor, "true, false or a list of clusters",
    { "type": ["boolean", "array"], "items": { "type": "string" } },
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<MirrorWish, E> {
        match text.to_ascii_lowercase().as_str() {
            "true" => Ok(MirrorWish::Every),
            "false" => Ok(MirrorWish::Never),
            _ => Err(E::custom(format!("{text:?} is not true, false or a list of clusters; write [{text}] for a flow to that cluster"))),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<MirrorWish, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(MirrorWish::Only)
    }
}

mixed! {
    Items, ItemsVisitor, "a list, or a text with commas",
    { "type": ["string", "array"], "items": { "type": ["string", "number", "boolean"] } },
    fn visit_str<E>(self, text: &str) -> Result<Items, E> {
        Ok(Items::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Items, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(Items::List)
    }
}

mixed! {
    NamePatterns, NamePatternsVisitor, "a pattern or a list of patterns",
    { "type": ["string", "array"], "items": { "type": "string", "minLength": 1 }, "minLength": 1, "minItems": 1 },
    fn visit_str<E>(self, text: &str) -> Result<NamePatterns, E> {
        Ok(NamePatterns::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<NamePatterns, A::Error> {
        List::deserialize(SeqAccessDeserializer::new(seq)).map(NamePatterns::Several)
    }
}

impl JsonSchema for Count {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": i32::MAX })
    }
}

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}
