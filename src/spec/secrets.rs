//! What excerpts of the workspace file show: names, and the values of keys that cannot hold a secret. Everything else is masked.
//!
//! Goes by lines and words and knows no YAML, so that it holds for a file that is none, for what was commented out, and for a misspelt `properties`. Topic files
//! hold no secrets, and are shown as they are.

use crate::finding::Code;
use crate::kafka::config;
use std::ops::Range;

/// Keys whose values cannot hold a secret, besides topic-level configs and codes.
const OPEN: [&str; 19] = [
    "version",
    "name",
    "bootstrap",
    "id",
    "simulated",
    "snapshot",
    "source",
    "target",
    "partitions",
    "replication_factor",
    "keys",
    "owner",
    "cluster",
    "mirror",
    "profiles",
    "replication.factor",
    "refresh.topics.interval.seconds",
    "sync.topic.configs.interval.seconds",
    "topics.exclude",
];

/// The ranges of a workspace file that no excerpt shows.
pub(super) fn masked(text: &str) -> Vec<Range<usize>> {
    let mut masked = Vec::new();
    // The column of a key whose value is masked: it goes on over all lines that are indented further.
    let mut inside: Option<usize> = None;
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end();
        let indent = line.len() - line.trim_start().len();
        if inside.is_some_and(|column| indent > column) {
            masked.push(start + indent..start + line.len());
        } else if !line.is_empty() {
            masked.extend(of_line(line).into_iter().map(|range| start + range.start..start + range.end));
            inside = keys(line).first().filter(|key| key.is_first && !key.is_open(line) && !key.is_header(line)).map(|key| key.word.start);
        }
        start += whole.len();
    }
    masked
}

/// A word with a colon behind it.
struct Key {
    word: Range<usize>,
    /// Where its value starts: behind the colon and what is blank.
    value: usize,
    /// Whether it is the first word of its line, which is no comment.
    is_first: bool,
    /// Whether it stands where a key may stand.
    is_placed: bool,
}

impl Key {
    fn is_known(&self, line: &str) -> bool {
        let key = &line[self.word.clone()];
        OPEN.contains(&key) || config::find(key).is_some() || Code::from_name(key).is_some()
    }

    /// Whether its value is shown. `user:password@host` is no address that Kafka knows, but people write it.
    fn is_open(&self, line: &str) -> bool {
        self.is_known(line) && !(&line[self.word.clone()] == "bootstrap" && line[self.value..].contains('@'))
    }

    /// Whether other keys are its value, as of `clusters`, or of a cluster's name. A setting's name has dots.
    fn is_header(&self, line: &str) -> bool {
        let value = &line[self.value..];
        !line[self.word.clone()].contains('.') && (value.is_empty() || value.starts_with(['{', '[', '#']))
    }

    fn is_shown(&self, line: &str) -> bool {
        self.is_placed && (self.is_known(line) || self.is_header(line) || line[self.word.clone()].contains('.'))
    }
}

fn keys(line: &str) -> Vec<Key> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let first = line.len() - line.trim_start_matches([' ', '\t', '-', '"', '\'']).len();
    let mut keys = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find(is_inside).map(|offset| at + offset) {
        let end = line[start..].find(|c| !is_inside(c)).map_or(line.len(), |length| start + length);
        at = end;
        // `- -key` has its hyphen outside.
        let start = start + line[start..end].len() - line[start..end].trim_start_matches('-').len();
        let rest = &line[end..];
        let unquoted = rest.trim_start_matches(['"', '\'']);
        let Some(value) = unquoted.strip_prefix(':') else { continue };
        if start < end && (value.is_empty() || value.starts_with([' ', '\t']) || unquoted.len() < rest.len()) {
            let before = line[..start].trim_end_matches([' ', '\t', '"', '\'']);
            let is_first = start == first;
            keys.push(Key {
                word: start..end,
                value: line.len() - value.trim_start().len(),
                is_first,
                is_placed: is_first || before.ends_with(['{', ',', '#']),
            });
        }
    }
    keys
}

fn of_line(line: &str) -> Vec<Range<usize>> {
    let mut masked = Vec::new();
    // From the start to the first key nothing says what it is.
    let mut from = line.len() - line.trim_start_matches([' ', '\t', '-', '#']).len();
    let mut is_open = false;
    let mut quoted_until = 0;
    let keys = keys(line);
    for key in &keys {
        if key.word.start < quoted_until {
            continue;
        }
        close(line, &mut masked, from..key.word.start, is_open);
        if !key.is_shown(line) {
            masked.push(key.word.clone());
        }
        is_open = key.is_open(line);
        from = key.value;
        quoted_until = if is_open { 0 } else { end_of_quotes(line, from) };
    }
    close(line, &mut masked, from..line.len(), is_open);
    masked
}

/// Masks what stands before the next key: all of it, or of an open value the comment behind it.
fn close(line: &str, masked: &mut Vec<Range<usize>>, range: Range<usize>, is_open: bool) {
    let Some(text) = line.get(range.clone()) else { return };
    let shown = if is_open { text.find(" #").map_or(text.len(), |at| at + 2) } else { 0 };
    let hidden = text.len() - text[shown..].trim_start_matches([' ', '{']).len();
    let end = range.start + text.trim_end_matches([' ', ',', '{', '"', '\'', '#']).len();
    if range.start + hidden < end {
        masked.push(range.start + hidden..end);
    }
}

/// Where a quoted value ends; one that is never closed takes the rest of the line.
fn end_of_quotes(line: &str, start: usize) -> usize {
    let mut chars = line[start..].char_indices();
    let Some((_, quote @ ('"' | '\''))) = chars.next() else { return start };
    let mut escaped = false;
    for (at, c) in chars {
        if c == quote && !escaped {
            return start + at;
        }
        escaped = quote == '"' && c == '\\' && !escaped;
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let masked = masked(text);
        text.char_indices().map(|(at, c)| if c != '\n' && masked.iter().any(|range| range.contains(&at)) { '*' } else { c }).collect()
    }

    #[test]
    fn names_and_open_values_are_shown_and_all_else_is_masked() {
        let text = "\
clusters:
  primary:
    bootstrap: a:1,b:2   # note
    id: x
    properties:
      sasl.password: hunter2
      ssl.key.pem: |
        name: hunter2
      # sasl.password: hunter2, id: x
  dr: {simulated: dr.json}
mirrors:
  - {source: primary, target: dr, mm2: {version: \"4.0\"}}
profiles:
  logs: {partitions: 3, config: {retention.ms: 7d}}
rules: {PT002: off}
";
        let expected = "\
clusters:
  primary:
    bootstrap: a:1,b:2   # ****
    id: x
    properties:
      sasl.password: *******
      ssl.key.pem: *
        *************
      # sasl.password: *******, id: x
  dr: {simulated: dr.json}
mirrors:
  - {source: primary, target: dr, mm2: {version: \"4.0\"}}
profiles:
  logs: {partitions: 3, config: {retention.ms: 7d}}
rules: {PT002: off}
";
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn a_secret_is_masked_however_it_is_written() {
        for text in [
            "sasl.password: \"hunter\nhunter2\n",
            "sasl.password:\n  hunter2: x\n",
            "sasl.password:hunter2\n",
            "\"ssl.key.password\":\"hunter2\"\n",
            "\"sasl.password\":hunter2\n",
            "sasl.password: hunter2: x\n",
            "sasl.password: 'a, name: hunter2'\n",
            "sasl.password: \"a\\\", name: hunter2\n",
            "properties: {a: b,\nsasl.password: hunter2\n",
            "properties: hunter2\n",
            "properties: {sasl.password: ab,hunter2}\n",
            "properties: {hunter2: hunter2}\n",
            "- propertie:\n    x:hunter2\n",
            "pasword: hunter2\n",
            "name: x # old: hunter2\n",
            "# hunter2\n",
            "bootstrap: me:hunter2@kafka:9092\n",
            "bootstrap: ${env:X:-me:hunter2@kafka:9092}, id: x\n",
            "bootstrap: b:1 sasl.password: hunter2\n",
            "- hunter2\n",
            "clusters: {a: {bootstrap: b:1, properties: {sasl.password: hunter2}, id: x}}\n",
        ] {
            assert!(!shown(text).contains("hunter"), "{}", shown(text));
        }
    }
}
