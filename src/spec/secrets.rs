//! Which parts of a file may hold secrets, so that no excerpt shows them.
//!
//! Errs on the safe side: a misspelt `properties`, or a password beside it, is masked like the real thing.

use std::ops::Range;

/// Whether the value of a key may hold a secret; see [`crate::yaml::tree::IsSecret`].
pub(super) fn is_secret(path: &[String], key: &str, scalar: bool) -> bool {
    let in_cluster = path.len() == 2 && resembles(&path[0], "clusters");
    is_properties(key) || (in_cluster && !matches!(key, "bootstrap" | "id" | "simulated" | "snapshot")) || (scalar && names_secret(key))
}

fn is_properties(key: &str) -> bool {
    resembles(key, "properties")
}

fn resembles(word: &str, name: &str) -> bool {
    word == name || (word.len().abs_diff(name.len()) <= 2 && letters_apart(word, name) <= 2 && strsim::damerau_levenshtein(word, name) <= 2)
}

/// How many letters one word has that the other has not, at least: never more than their edit distance, and cheap, because every key of every topic is asked.
fn letters_apart(a: &str, b: &str) -> u32 {
    let set = |word: &str| word.bytes().fold(0_u32, |set, byte| set | 1 << (byte & 31));
    let (a, b) = (set(a), set(b));
    (a & !b).count_ones().max((b & !a).count_ones())
}

/// Whether a setting's name says that its value is a secret.
fn names_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["password", "passwd", "secret", "credential", "token", "jaas", "passphrase", ".pem", "private"].iter().any(|word| key.contains(word))
        || ["sasl.", "ssl."].iter().any(|prefix| key.starts_with(prefix))
}

/// The ranges that may hold secrets in a text that is not YAML: there are only lines and indents to go by.
pub(super) fn in_text(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut block: Option<Block> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        let indent = line.len() - line.trim_start().len();
        if let Some(open) = &mut block {
            if indent > open.indent || open.goes_on() || !starts_with_key(line) {
                found.push(start..end);
                open.read(line);
                start += line.len();
                continue;
            }
            block = None;
        }
        if let Some(after) = secret_from(line) {
            found.push(start + after..end.max(start + after));
            let indent = line.len() - line.trim_start_matches([' ', '\t', '-']).len();
            let mut open = Block { indent, quote: None, open: Vec::new() };
            open.read(&line[after..]);
            block = Some(open);
        }
        start += line.len();
    }
    found
}

/// The ranges that may hold secrets behind a `#`: a setting that was commented out still has its value.
pub(super) fn in_comments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(from) = line.find('#').and_then(|at| secret_from(&line[at..]).map(|after| at + after)) {
            found.push(start + from..start + line.trim_end().len().max(from));
        }
        start += line.len();
    }
    found
}

/// A value that goes on over several lines.
struct Block {
    indent: usize,
    quote: Option<char>,
    /// Brackets without their closing ones. One of the wrong kind closes nothing.
    open: Vec<char>,
}

impl Block {
    fn goes_on(&self) -> bool {
        self.quote.is_some() || !self.open.is_empty()
    }

    fn read(&mut self, text: &str) {
        let mut before = ' ';
        for c in text.chars() {
            match (self.quote, c) {
                (Some(quote), c) if c == quote && !(quote == '"' && before == '\\') => self.quote = None,
                (Some(_), _) => {}
                // An apostrophe in the middle of a word opens nothing.
                (None, '"') => self.quote = Some(c),
                (None, '\'') if !before.is_alphanumeric() => self.quote = Some(c),
                (None, '{') => self.open.push('}'),
                (None, '[') => self.open.push(']'),
                (None, '}' | ']') => {
                    self.open.pop_if(|awaited| *awaited == c);
                }
                (None, _) => {}
            }
            before = c;
        }
    }
}

/// Where in a line the first word ends that names a secret. The colon behind it may be what is missing.
fn secret_from(line: &str) -> Option<usize> {
    let mut start = 0;
    line.split_inclusive(is_delimiter).find_map(|word| {
        let key = word.trim_end_matches(is_delimiter);
        let end = start + key.len();
        start += word.len();
        (is_properties(key) || names_secret(key)).then_some(end)
    })
}

/// Whether a line starts with a key, and so ends a value that was less indented. What else stands there may be the rest of the value.
fn starts_with_key(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '-']);
    let word = line.split(is_delimiter).next().unwrap_or_default();
    word.starts_with(|c: char| c.is_alphanumeric()) && line[word.len()..].starts_with(':')
}

fn is_delimiter(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '{' | '}' | '[' | ']' | ',' | ':' | '"' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let masked = in_text(text);
        text.char_indices().map(|(at, c)| if c != '\n' && masked.iter().any(|range| range.contains(&at)) { '*' } else { c }).collect()
    }

    #[test]
    fn in_a_text_that_is_no_yaml_the_block_beneath_properties_is_masked() {
        let text = "clusters:\n  a:\n    properties:\n      sasl.password: hunter2\n\n      # old: hunter1\n    id: x\n  b: {properties: {sasl.password: hunter2}}\n  c: [\n";
        let masked = shown(text);
        assert!(!masked.contains("hunter"), "{masked}");
        assert!(masked.contains("\n    id: x\n") && masked.contains("\n  c: [\n"), "{masked}");
    }

    #[test]
    fn a_value_that_lost_its_quote_or_brace_is_masked_to_its_end() {
        for text in [
            "sasl.password: \"hunter\nhunter2\n",
            "properties: {a: b,\nsasl.password: hunter2\n",
            "- propertie:\n    x:hunter2\n",
            "\"ssl.key.password\":hunter2\n",
        ] {
            assert!(!shown(text).contains("hunter"), "{}", shown(text));
        }
        assert_eq!(shown("a: it's\nb: 1\n"), "a: it's\nb: 1\n");
    }

    #[test]
    fn names_tell_secrets_apart() {
        let path = ["clusters".to_owned(), "a".to_owned()];
        assert!(is_secret(&path, "properties", false));
        assert!(is_secret(&path, "propertys", false));
        assert!(is_secret(&path, "x", true));
        assert!(is_secret(&["mirrors".to_owned()], "source.cluster.sasl.jaas.config", true));
        assert!(!is_secret(&path, "bootstrap", true));
        assert!(!is_secret(&["topics".to_owned()], "auth.tokens", false), "a topic's name is no setting's");
        assert!(!is_secret(&["topics".to_owned()], "partitions", true));
    }
}
