//! Builds a [`Tree`] from granit-parser's events, without recursion, so that depth costs no stack.
//!
//! Refuses what a reviewer could not see: duplicate keys, merge keys, tags, control characters, keys that are no text, and aliases that swell a document.
//! Its messages repeat keys that look like names, and nothing else: anything may be half of a password that was not quoted.

use super::Problems;
use super::tree::{Content, Node, NodeId, Pair, Parsed, Tree};
use crate::finding::{Code, FileId, Finding, Place};
use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span};
use std::collections::HashMap;

/// How many nodes aliases may add to one document before it counts as an attack ("billion laughs").
const ALIASED_NODES: u64 = 1_000_000;

/// Reads a file. Whatever is wrong with it goes to `problems`; a document that is not YAML does not hide the next one.
pub fn parse(file: FileId, text: &str, problems: &Problems) -> Parsed {
    let options = granit_parser::options! { emit_unresolved_aliases: true, emit_comments: false };
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut builder = Builder { file, problems, tree: Tree::default(), sizes: Vec::new(), document: Document::default(), is_broken: false };
    let mut failed_at = None;
    while let Some(next) = parser.next_event() {
        match next {
            Ok((event, span)) => builder.event(event, span),
            Err(error) => {
                builder.syntax_error(text, &error);
                let at = error.marker().byte_offset();
                // Every error lies behind the one before; should the parser ever stand still, this does not loop.
                let moves_on = at > failed_at;
                failed_at = at;
                if !moves_on || !matches!(parser.proceed_next_document(), Ok(true)) {
                    break;
                }
            }
        }
    }
    Parsed { tree: builder.tree, is_broken: builder.is_broken }
}

struct Builder<'a> {
    file: FileId,
    problems: &'a Problems,
    tree: Tree,
    /// Of each node, how many nodes it has with every alias written out.
    sizes: Vec<u64>,
    document: Document,
    is_broken: bool,
}

/// What is known of the document that is being read.
#[derive(Default)]
struct Document {
    open: Vec<Frame>,
    anchors: HashMap<usize, NodeId>,
    aliased: u64,
}

/// A list or mapping whose end has not been seen.
struct Frame {
    node: NodeId,
    children: Children,
    size: u64,
    intact: bool,
    refused: bool,
    partial: bool,
    end: u32,
}

enum Children {
    Sequence(Vec<NodeId>),
    /// A key that waits for its value is `Some`; `Some(None)` where it was refused.
    Mapping {
        pairs: Vec<Pair>,
        key: Option<Option<NodeId>>,
    },
}

fn clamp(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        let range = span.byte_range().unwrap_or(0..0);
        let place = Place { file: self.file, start: clamp(range.start), end: clamp(range.end) };
        let tag = span.tag_start().and_then(|tag| tag.byte_offset()).map(|start| Place { start: clamp(start), ..place });
        match event {
            Event::DocumentStart(..) => self.document = Document::default(),
            Event::Scalar(text, style, anchor, tagged) => {
                let written = !(place.start == place.end && style == ScalarStyle::Plain);
                let content = match (&*text, style) {
                    _ if tagged.is_some() => self.refuse_tag(tag.unwrap_or(place)),
                    _ if !written => Content::Empty,
                    ("~" | "null" | "Null" | "NULL", ScalarStyle::Plain) => Content::Null,
                    _ => match text.chars().find(|c| is_hidden(*c)) {
                        Some(c) => {
                            let message = format!("a text contains the invisible character U+{:04X}, which nobody sees in a review", u32::from(c));
                            self.problem(Code::Ym008, place, message, "remove the character");
                            Content::Refused
                        }
                        None => Content::Scalar(text.into_owned()),
                    },
                };
                let id = self.add(place, content, anchor);
                self.attach(id, place, style == ScalarStyle::Plain);
            }
            Event::SequenceStart(_, anchor, tagged) => self.open(place, Children::Sequence(Vec::new()), anchor, tagged.map(|_| tag.unwrap_or(place))),
            Event::MappingStart(_, anchor, tagged) => {
                self.open(place, Children::Mapping { pairs: Vec::new(), key: None }, anchor, tagged.map(|_| tag.unwrap_or(place)))
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(place),
            Event::Alias(anchor) => self.alias(anchor, place),
            Event::UnresolvedAlias(_) => {
                self.problem(
                    Code::Ym001,
                    place,
                    "an alias refers to an anchor that this document does not define before it",
                    "define the anchor with `&` first, or quote the text",
                );
                self.add_refused(place);
            }
            // None of these is a node; nor is whatever event a later parser brings.
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Anchor(..) | Event::Comment(..) | _ => {}
        }
    }

    fn add(&mut self, place: Place, content: Content, anchor: usize) -> NodeId {
        let id = NodeId(clamp(self.tree.nodes.len()));
        let intact = !matches!(content, Content::Refused);
        self.tree.nodes.push(Node { place, content, intact, partial: false });
        self.sizes.push(1);
        if anchor != 0 {
            self.document.anchors.insert(anchor, id);
        }
        id
    }

    fn add_refused(&mut self, place: Place) {
        let id = self.add(place, Content::Refused, 0);
        self.attach(id, place, false);
    }

    fn open(&mut self, place: Place, children: Children, anchor: usize, tag: Option<Place>) {
        let tagged = tag.is_some();
        if let Some(tag) = tag {
            self.refuse_tag(tag);
        }
        // Refused until it is closed: an alias from inside would be endless.
        let node = self.add(place, Content::Refused, anchor);
        self.document.open.push(Frame { node, children, size: 1, intact: !tagged, refused: tagged, partial: false, end: place.end });
    }

    fn close(&mut self, end: Place) {
        let Some(frame) = self.document.open.pop() else { return };
        let (mut intact, content) = match frame.children {
            Children::Sequence(items) => (frame.intact, Content::Sequence(items)),
            Children::Mapping { pairs, key: _ } => {
                let all = pairs.len();
                let pairs = self.without_duplicates(pairs);
                (frame.intact && pairs.len() == all, Content::Mapping(pairs))
            }
        };
        intact &= !frame.refused;
        // The end event of a block lies where the next thing starts, behind comments and empty lines.
        let last = if end.start < end.end { end.end } else { frame.end };
        let place = {
            let node = &mut self.tree.nodes[frame.node.0 as usize];
            node.place.end = last.max(node.place.start);
            node.content = if frame.refused { Content::Refused } else { content };
            node.intact = intact;
            node.partial = frame.partial;
            node.place
        };
        self.sizes[frame.node.0 as usize] = frame.size;
        self.attach(frame.node, place, false);
    }

    fn alias(&mut self, anchor: usize, place: Place) {
        let Some(&target) = self.document.anchors.get(&anchor) else { return self.add_refused(place) };
        if self.document.open.iter().any(|frame| frame.node == target) {
            self.problem(Code::Ym001, place, "an alias stands inside the value it refers to, so the value would be endless", "write the value out");
            return self.add_refused(place);
        }
        self.document.aliased = self.document.aliased.saturating_add(self.sizes[target.0 as usize]);
        if self.document.aliased > ALIASED_NODES {
            let message = format!("aliases make this document larger by more than {ALIASED_NODES} values");
            // One finding is enough: at the alias that went too far.
            if self.document.aliased - self.sizes[target.0 as usize] <= ALIASED_NODES {
                self.problem(Code::Ym001, place, message, "write the values out, or nest fewer aliases");
            }
            return self.add_refused(place);
        }
        self.attach(target, place, false);
    }

    /// Hands a complete node to whatever it stands in. `place` is where it stands there, which for an alias is not where it was written.
    fn attach(&mut self, id: NodeId, place: Place, plain: bool) {
        let size = self.sizes[id.0 as usize];
        let node = self.tree.node(id);
        let intact = node.intact;
        let Some(frame) = self.document.open.last_mut() else {
            // An empty document ends where it starts, and is no document.
            if !matches!(node.content, Content::Empty) {
                self.tree.documents.push(id);
            }
            return;
        };
        frame.size = frame.size.saturating_add(size);
        frame.intact &= intact;
        frame.end = frame.end.max(place.end);
        let mut refused = None;
        match &mut frame.children {
            Children::Sequence(items) => items.push(id),
            Children::Mapping { pairs, key: pending } => match pending.take() {
                None => {
                    refused = match &node.content {
                        Content::Scalar(text) if text == "<<" && plain => {
                            Some((Code::Ym008, "the merge key `<<` is not supported", "put shared fields into a profile, or repeat them"))
                        }
                        Content::Scalar(_) | Content::Refused => None,
                        Content::Null | Content::Empty | Content::Sequence(_) | Content::Mapping(_) => {
                            Some((Code::Ym003, "a key must be a text, and this is none", "write a name before the colon; a name such as \"null\" needs quotes"))
                        }
                    };
                    let usable = refused.is_none() && matches!(node.content, Content::Scalar(_));
                    frame.intact &= usable;
                    frame.partial |= !usable;
                    *pending = Some(usable.then_some(id));
                }
                Some(Some(key)) => pairs.push(Pair { key, value: id }),
                Some(None) => {}
            },
        }
        if let Some((code, message, help)) = refused {
            self.problem(code, place, message, help);
        }
    }

    fn without_duplicates(&mut self, pairs: Vec<Pair>) -> Vec<Pair> {
        // Most mappings have a handful of keys, for which comparing is faster than hashing.
        let text = |pair: &Pair| self.tree.text(pair.key).unwrap_or("");
        if pairs.len() <= 8 && pairs.iter().enumerate().all(|(at, pair)| pairs[..at].iter().all(|before| text(before) != text(pair))) {
            return pairs;
        }
        let mut first: HashMap<&str, Place> = HashMap::with_capacity(pairs.len());
        let mut kept = Vec::with_capacity(pairs.len());
        let mut found = Vec::new();
        for pair in pairs {
            let (key, place) = (self.tree.text(pair.key).unwrap_or(""), self.tree.node(pair.key).place);
            if let Some(before) = first.get(key) {
                let told = self.tree.shown_key(pair).map_or_else(|| "a key".to_owned(), |key| format!("the key `{key}`"));
                found.push((place, *before, format!("{told} stands twice in one mapping, and YAML keeps only one of them")));
            } else {
                first.insert(key, place);
                kept.push(pair);
            }
        }
        for (place, before, message) in found {
            self.problems.add(Finding::new(Code::Ym004, message).at(place).and_at(before, "first here").help("remove or rename one of the two"));
        }
        kept
    }

    fn refuse_tag(&self, place: Place) -> Content {
        self.problem(
            Code::Ym008,
            place,
            "YAML tags (`!`) are not supported, because they change what a value means",
            "remove the tag, or quote a text that starts with an exclamation mark",
        );
        Content::Refused
    }

    fn problem(&self, code: Code, place: Place, message: impl Into<String>, help: &str) {
        self.problems.add(Finding::new(code, message).at(place).help(help));
    }

    fn syntax_error(&mut self, text: &str, error: &ScanError) {
        let start = error.marker().byte_offset().unwrap_or(0).min(text.len());
        let length = text.get(start..).and_then(|rest| rest.chars().next()).filter(|c| !matches!(c, '\n' | '\r')).map_or(0, char::len_utf8);
        let place = Place { file: self.file, start: clamp(start), end: clamp(start + length) };
        let help = "correct the syntax and run again; the rest of this document was not checked";
        self.problem(Code::Ym001, place, format!("this is not YAML: {}", error.info()), help);
        self.document = Document::default();
        self.is_broken = true;
    }
}

/// Characters that do not show, or turn the text around them: what a file says would not be what a reviewer reads.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Sources;

    fn parsed(text: &str) -> (Parsed, Vec<Code>) {
        let problems = Problems::default();
        let file = Sources::default().add("a.yaml", text);
        let parsed = parse(file, text, &problems);
        (parsed, problems.into_findings().iter().map(|finding| finding.code).collect())
    }

    /// The text of every node of a kind, as its place says.
    fn written<'t>(text: &'t str, parsed: &Parsed, kind: fn(&Content) -> bool) -> Vec<&'t str> {
        parsed.tree.nodes.iter().filter(|node| kind(&node.content)).map(|node| &text[node.place.start as usize..node.place.end as usize]).collect()
    }

    #[test]
    fn a_place_is_what_was_written_without_what_stands_behind_it() {
        let text = "a:\n  - \"x \\u00e9\" # one\n  - {b: 'c', d: ü}\n\n# two\ne: |\n  f\n  g\n";
        let (parsed, problems) = parsed(text);
        assert_eq!(problems, []);
        assert_eq!(written(text, &parsed, |content| matches!(content, Content::Sequence(_))), ["- \"x \\u00e9\" # one\n  - {b: 'c', d: ü}"]);
        assert_eq!(written(text, &parsed, |content| matches!(content, Content::Mapping(_))).last(), Some(&"{b: 'c', d: ü}"));
        let scalars = written(text, &parsed, |content| matches!(content, Content::Scalar(_)));
        assert_eq!(scalars[..7], ["a", "\"x \\u00e9\"", "b", "'c'", "d", "ü", "e"]);
    }

    #[test]
    fn a_broken_document_hides_neither_those_before_nor_those_behind() {
        let (parsed, problems) = parsed("a: 1\n---\nb: [\n---\nc: 'x\n---\nd: 1\n");
        assert_eq!(problems, [Code::Ym001, Code::Ym001]);
        assert!(parsed.is_broken);
        let documents = parsed.tree.documents().iter().filter_map(|document| match &parsed.tree.node(*document).content {
            Content::Mapping(pairs) => parsed.tree.text(pairs[0].key),
            Content::Empty | Content::Null | Content::Scalar(_) | Content::Sequence(_) | Content::Refused => None,
        });
        assert_eq!(documents.collect::<Vec<_>>(), ["a", "d"]);
    }

    #[test]
    fn only_what_was_left_empty_is_empty() {
        let text = "a:\nb: ~\nc: ''\nd: null\ne: 'null'\nf: &x\n";
        let (parsed, _) = parsed(text);
        let Content::Mapping(pairs) = &parsed.tree.node(parsed.tree.documents()[0]).content else { panic!("a mapping") };
        let values: Vec<_> = pairs
            .iter()
            .map(|pair| match &parsed.tree.node(pair.value).content {
                Content::Empty => "empty",
                Content::Null => "null",
                Content::Scalar(text) => text,
                Content::Sequence(_) | Content::Mapping(_) | Content::Refused => "other",
            })
            .collect();
        assert_eq!(values, ["empty", "null", "", "null", "null", "empty"]);
    }
}
