//! What the schemas say of `config`: every topic-level config that Kafka has, so that editors complete them. Others may be a vendor's.

use super::ConfigValue;
use crate::kafka::config::TOPIC_CONFIGS;
use crate::kafka::version::Versions;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// Stands for a mapping of configs in schemas.
pub(super) struct Config;

impl JsonSchema for Config {
    fn schema_name() -> Cow<'static, str> {
        "Config".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let property = |key: &crate::kafka::config::TopicConfig| {
            let takes = key.limits(Versions::ANY).describe(key.kind);
            let mut value = ConfigValue::json_schema(generator);
            value.insert("description".to_owned(), format!("A {}: {takes}.", key.kind).into());
            if key.deprecated.is_some() {
                value.insert("deprecated".to_owned(), true.into());
            }
            (key.name.to_owned(), value.to_value())
        };
        let properties: serde_json::Map<_, _> = TOPIC_CONFIGS.iter().map(property).collect();
        json_schema!({ "type": "object", "properties": properties, "additionalProperties": generator.subschema_for::<ConfigValue>() })
    }
}
