//! Topic configs that only products compatible with Kafka have. They are text to isotopic: compared as they stand, and never checked.

/// A family of keys that one vendor's brokers know.
#[derive(Debug, PartialEq, Eq)]
pub struct Vendor {
    /// What the keys start with.
    pub prefix: &'static str,
    /// Whose brokers know them.
    pub product: &'static str,
}

const fn family(prefix: &'static str, product: &'static str) -> Vendor {
    Vendor { prefix, product }
}

/// Sorted by prefix; none is the start of another.
pub const VENDORS: [Vendor; 8] = [
    family("automq.", "AutoMQ"),
    family("confluent.", "Confluent"),
    family("diskless.", "Aiven"),
    family("initial.retention.local.target.", "Redpanda"),
    family("redpanda.", "Redpanda"),
    family("remote.log.msk.", "Amazon MSK"),
    family("retention.local.target.", "Redpanda"),
    family("write.caching", "Redpanda"),
];

/// Whose key this is, or `None` where it is nobody's own.
pub fn vendor(key: &str) -> Option<&'static Vendor> {
    VENDORS.iter().find(|vendor| key.starts_with(vendor.prefix))
}

impl Vendor {
    /// What a reader should know of such a key, one sentence.
    pub fn note(&self, key: &str) -> String {
        format!("{key} is a config of {}'s brokers: isotopic compares its value as text and does not check it, and Apache Kafka refuses it", self.product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::config::TOPIC_CONFIGS;

    #[test]
    fn vendors_are_told_by_prefix() {
        assert_eq!(vendor("confluent.tier.enable").map(|vendor| vendor.product), Some("Confluent"));
        assert_eq!(vendor("remote.log.msk.disable.policy").map(|vendor| vendor.product), Some("Amazon MSK"));
        assert_eq!(vendor("redpanda.remote.write").map(|vendor| vendor.product), Some("Redpanda"));
        assert_eq!(vendor("remote.log.copy.disable"), None);
        assert_eq!(vendor("confluentish"), None);
    }

    #[test]
    fn no_vendor_claims_a_key_of_kafkas() {
        assert!(TOPIC_CONFIGS.iter().all(|key| vendor(key.name).is_none()));
    }

    #[test]
    fn prefixes_are_sorted_and_apart() {
        assert!(VENDORS.windows(2).all(|pair| pair[0].prefix < pair[1].prefix && !pair[1].prefix.starts_with(pair[0].prefix)));
    }
}
