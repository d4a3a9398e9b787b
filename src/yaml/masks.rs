//! What to mask of a file: the ranges that may hold secrets, without the names of the settings in them.

use super::tree::{Content, NodeId, Pair, Tree};
use crate::finding::Place;

/// Takes out of secret ranges the keys that are names such as `sasl.password` and have a text as value, so that an excerpt shows which setting it is about.
pub(super) fn without_names(text: &str, tree: &Tree, mappings: &[NodeId], secrets: Vec<Place>) -> Vec<Place> {
    let mut names: Vec<Place> = Vec::new();
    for mapping in mappings {
        if let Content::Mapping(pairs) = &tree.node(*mapping).content {
            let is_name = |pair: &&Pair| tree.text(pair.value).is_some() && tree.shown_key(**pair).is_some_and(|key| key.contains('.'));
            names.extend(pairs.iter().filter(is_name).map(|pair| with_layout(text, tree.node(pair.key).place)));
        }
    }
    names.sort_unstable();
    let mut masked = Vec::new();
    for range in secrets {
        // The end of a block lies behind the empty lines and the indent that follow it.
        let end = text.get(..range.end as usize).map_or(range.end, |text| length(text.trim_end()).max(range.start));
        let mut range = Place { start: range.start + u32::from(is_colon(text, range.start)), end, ..range };
        let from = names.partition_point(|name| name.start < range.start);
        for name in names[from..].iter().take_while(|name| name.end <= range.end) {
            masked.push(Place { end: name.start, ..range });
            range.start = name.end;
        }
        masked.push(range);
    }
    masked
}

/// A key with the indent before it and the colon behind it.
fn with_layout(text: &str, key: Place) -> Place {
    let before = text.get(..key.start as usize).unwrap_or("");
    let line = before.trim_end_matches(' ');
    let start = if line.ends_with('\n') { length(line) } else { key.start };
    Place { start, end: key.end + u32::from(is_colon(text, key.end)), ..key }
}

fn is_colon(text: &str, at: u32) -> bool {
    text.as_bytes().get(at as usize) == Some(&b':')
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
