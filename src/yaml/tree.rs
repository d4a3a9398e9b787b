//! The tree of a YAML file: nodes with the bytes they were written in, aliases resolved and shared.
//!
//! Data only; `build` makes it.

use crate::finding::Place;

/// A node of a [`Tree`], as its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(pub(super) u32);

/// A piece of YAML.
#[derive(Debug)]
pub struct Node {
    /// Where it was written. An alias leads to the node that it stands for, so this is where that one was written.
    pub place: Place,
    /// What it is.
    pub content: Content,
    /// Whether nothing in it was refused.
    pub intact: bool,
    /// Whether keys are missing in it that a refused merge key would have brought.
    pub partial: bool,
}

/// What a [`Node`] is.
#[derive(Debug)]
pub enum Content {
    /// Nothing was written, as after the colon of `retention.ms:`.
    Empty,
    /// `null` or `~`, unquoted.
    Null,
    /// A text, exactly as written; quotes and escapes are resolved.
    Scalar(String),
    /// A list.
    Sequence(Vec<NodeId>),
    /// Keys with values, each key once.
    Mapping(Vec<Pair>),
    /// Something that was refused, with a finding.
    Refused,
}

/// A key with its value.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The key: always a [`Content::Scalar`].
    pub key: NodeId,
    /// The value.
    pub value: NodeId,
}

/// The documents of a file.
#[derive(Debug, Default)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) documents: Vec<NodeId>,
}

/// A file that was read.
#[derive(Debug)]
pub struct Parsed {
    /// Its documents, without those that are not YAML.
    pub tree: Tree,
    /// Whether a document is missing because it is not YAML.
    pub is_broken: bool,
}

impl Tree {
    /// The root of each document that is not empty.
    pub fn documents(&self) -> &[NodeId] {
        &self.documents
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The text of a scalar.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        match &self.node(id).content {
            Content::Scalar(text) => Some(text),
            Content::Empty | Content::Null | Content::Sequence(_) | Content::Mapping(_) | Content::Refused => None,
        }
    }

    /// The key of a pair for messages, where it is a name and has a value. What is neither may be a piece of a password that lost its quotes, or the space
    /// behind its colon.
    pub fn shown_key(&self, pair: Pair) -> Option<&str> {
        let is_name = |key: &&str| !key.is_empty() && key.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-'));
        self.text(pair.key).filter(is_name).filter(|_| !matches!(self.node(pair.value).content, Content::Empty))
    }
}
