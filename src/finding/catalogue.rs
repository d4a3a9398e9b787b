//! The catalogue of codes: what each is called, how bad it is, and which exit it leads to. `explain/` tells the story behind each.
//!
//! Codes are never renumbered; new ones go to the end of their family.

use super::Severity;
use std::fmt;

/// What a code's findings lead to, unless the finding itself says less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The files alone are wrong: found before any cluster is contacted.
    Input,
    /// A change is refused.
    Refusal,
    /// A cluster or topic could not be read, so there is no verdict.
    Unobserved,
    /// Told, and nothing more.
    Note,
}

macro_rules! codes {
    ($($variant:ident $code:literal $stage:ident $severity:ident $fixed:literal $title:literal;)*) => {
        /// A code of a finding, such as `PT001`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $title] $variant,)* }

        /// Every code that this version can report, in the order of the catalogue.
        pub const CODES: &[Code] = &[$(Code::$variant),*];

        impl Code {
            /// The code as users see it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// A few words that name the finding.
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// What its findings lead to.
            pub fn stage(self) -> Stage {
                match self { $(Self::$variant => Stage::$stage,)* }
            }

            /// How bad its findings are, unless `rules:` says otherwise.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// Whether `rules:` may not lower it.
            pub fn is_fixed(self) -> bool {
                match self { $(Self::$variant => $fixed,)* }
            }

            /// The story behind the code, in Markdown, with an example and the remedy.
            pub fn explanation(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("explain/", $code, ".md")),)* }
            }
        }
    };
}

codes! {
    Ym001 "YM001" Input Error true "the file is not YAML";
    Ym002 "YM002" Input Error true "unknown field";
    Ym003 "YM003" Input Error true "wrong type";
    Ym004 "YM004" Input Error true "duplicate key";
    Ym005 "YM005" Input Error true "topic declared twice";
    Ym006 "YM006" Input Error true "variable not set";
    Ym007 "YM007" Input Error true "reference to something unknown";
    Ym008 "YM008" Input Error true "value not understood";
    Ym009 "YM009" Input Error true "variable where none is read";
    Ym010 "YM010" Input Error true "declared outside the scope";
    Ym011 "YM011" Input Error true "property that loads code";
    Ym012 "YM012" Input Error true "missing field";
    Ym013 "YM013" Input Error true "fields that exclude each other";
    Ym014 "YM014" Input Error true "file missing, unreadable or of another version";
    Nm001 "NM001" Input Error true "illegal topic name";
    Nm002 "NM002" Refusal Error true "name collides with another";
    Nm003 "NM003" Input Error true "internal topic of Kafka or MirrorMaker";
    Pt001 "PT001" Refusal Error true "partitions cannot decrease";
    Pt002 "PT002" Note Error false "copy has more partitions than its source";
    Pt003 "PT003" Note Warning false "copy has fewer partitions than its source";
    Pt004 "PT004" Refusal Error false "co-partitioned topics differ";
    Rf001 "RF001" Refusal Error true "more replicas than brokers";
    Rf002 "RF002" Note Warning false "replication factor differs";
    Rf003 "RF003" Note Error false "too few replicas for min.insync.replicas";
    Rf004 "RF004" Refusal Error false "MirrorMaker cannot create the copy";
    Cf001 "CF001" Input Error true "not a topic-level config";
    Cf002 "CF002" Refusal Error true "config unknown to the cluster";
    Cf003 "CF003" Input Error true "value outside the key's range";
    Cf004 "CF004" Note Warning false "deprecated config";
    Cf005 "CF005" Note Warning false "configs contradict each other";
    Cf006 "CF006" Note Error false "retention shorter on the copy";
    Cf007 "CF007" Note Error false "message size smaller on the copy";
    Cf008 "CF008" Note Info false "default not reported";
    Cf009 "CF009" Note Warning false "override that nobody declared";
    Cf011 "CF011" Note Error false "cleanup.policy differs on the copy";
    Mr001 "MR001" Refusal Error true "edits what MirrorMaker owns";
    Mr002 "MR002" Refusal Error true "a copy declared as a topic of its own";
    Mr003 "MR003" Refusal Error false "should be mirrored, but is not selected";
    Mr004 "MR004" Refusal Error false "must not be mirrored, but is selected";
    Mr005 "MR005" Refusal Error false "name leads to a cycle or a blind copy";
    Mr009 "MR009" Note Error false "ownership unknown";
    Ak001 "AK001" Refusal Error false "change not acknowledged";
    Ak002 "AK002" Refusal Error false "acknowledgement of another change";
    Ak003 "AK003" Refusal Error false "acknowledgement expired";
    Ak004 "AK004" Note Info false "acknowledgement left over";
    Lm001 "LM001" Refusal Error false "more deletes than the limit";
    Lm002 "LM002" Refusal Error false "more partition increases than the limit";
    Lm003 "LM003" Refusal Error false "more changed topics than the limit";
    Dl001 "DL001" Refusal Error true "deletion not acknowledged with the topic's id";
    Dl002 "DL002" Refusal Error true "MirrorMaker would recreate the copy";
    Dl004 "DL004" Refusal Error true "MirrorMaker would resurrect the source topic";
    Po001 "PO001" Refusal Error false "policy broken";
    En001 "EN001" Unobserved Error true "cluster unreachable";
    En002 "EN002" Unobserved Error true "not authorised";
    En003 "EN003" Refusal Error true "another cluster than pinned";
    En004 "EN004" Refusal Error true "two names for one cluster";
    En005 "EN005" Unobserved Error false "topic not readable";
    En007 "EN007" Unobserved Error true "something needed is lacking";
    Mm014 "MM014" Note Error false "MirrorMaker version not given";
}

impl Code {
    /// The code of that name; case does not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        CODES.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
