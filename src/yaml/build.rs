//! Builds a [`Tree`] from granit-parser's events, without recursion, so that depth costs no stack.
//!
//! Refuses what a reviewer could not see: duplicate keys, merge keys, tags, control characters, keys that are no text, and aliases that swell a document.
//! Its messages repeat keys that look like names, and nothing else: anything may be half of a password that was not quoted.

use super::tree::{Content, IsSecret, Node, NodeId, Pair, Parsed, Tree, looks_like_a_name};
use super::{Problems, masks};
use crate::finding::{Code, FileId, Finding, Place};
use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span};
use std::collections::HashMap;

/// How many nodes aliases may add to one document before it counts as an attack ("billion laughs").
const ALIASED_NODES: u64 = 1_000_000;

/// Reads a file. Whatever is wrong with it goes to `problems`; a document that is not YAML does not hide the next one.
pub fn parse(file: FileId, text: &str, is_secret: IsSecret, problems: &Problems) -> Parsed {
    let options = granit_parser::options! { emit_unresolved_aliases: true, emit_comments: false };
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut builder = Builder {
        file,
        is_secret,
        problems,
        tree: Tree::default(),
        sizes: Vec::new(),
        document: Document::default(),
        secrets: Vec::new(),
        secret_mappings: Vec::new(),
        is_broken: false,
        may_leak: false,
    };
    let before = problems.count();
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
    builder.may_leak |= problems.count() > before;
    builder.finish(text)
}

struct Builder<'a> {
    file: FileId,
    is_secret: IsSecret,
    problems: &'a Problems,
    tree: Tree,
    /// Of each node, how many nodes it has with every alias written out.
    sizes: Vec<u64>,
    document: Document,
    secrets: Vec<Place>,
    /// The outermost secret mappings: those whose keys are names of settings.
    secret_mappings: Vec<NodeId>,
    is_broken: bool,
    may_leak: bool,
}

/// What is known of the document that is being read.
#[derive(Default)]
struct Document {
    open: Vec<Frame>,
    path: Vec<String>,
    anchors: HashMap<usize, NodeId>,
    aliased: u64,
    secret_targets: Vec<NodeId>,
}

/// A list or mapping whose end has not been seen.
struct Frame {
    node: NodeId,
    children: Children,
    size: u64,
    intact: bool,
    secret: bool,
    /// Where the range starts that may hold a secret, for the outermost such frame.
    masked_from: Option<u32>,
    refused: bool,
    partial: bool,
    has_path: bool,
    end: u32,
}

enum Children {
    Sequence(Vec<NodeId>),
    Mapping { pairs: Vec<Pair>, key: Option<Key> },
}

/// A key whose value has not been seen. `None` for one that was refused.
struct Key {
    node: Option<NodeId>,
    end: u32,
}

/// What kind of node comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Empty,
    Scalar,
    Collection,
}

/// What a place in a document means for the node there.
struct Position {
    secret: bool,
    masked_from: Option<u32>,
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
            Event::DocumentEnd => self.end_document(),
            Event::Scalar(text, style, anchor, tagged) => {
                let written = !(place.start == place.end && style == ScalarStyle::Plain);
                let (text_lines, text_pairs) = (text.contains('\n'), text.contains(": "));
                let content = match (&*text, style) {
                    _ if tagged.is_some() => self.refuse_tag(tag.unwrap_or(place)),
                    _ if !written => Content::Empty,
                    ("~" | "null" | "Null" | "NULL", ScalarStyle::Plain) => Content::Null,
                    _ => match text.chars().find(|c| is_hidden(*c)) {
                        Some(c) => {
                            let message = format!("a text contains the invisible character U+{:04X}, which no review would show", u32::from(c));
                            self.problem(Code::Ym008, place, message, "Remove the character.");
                            Content::Refused
                        }
                        None => Content::Scalar(text.into_owned()),
                    },
                };
                let position = self.position(if written { Next::Scalar } else { Next::Empty });
                let plain = style == ScalarStyle::Plain;
                let id = self.add(place, content, position.secret, anchor);
                if let Some(start) = position.masked_from {
                    self.secrets.push(Place { start, ..place });
                }
                // What looks like YAML inside of a text was meant as YAML, and lost to a stray quote or `|`.
                let swallows = !position.secret && (text_lines || text_pairs);
                self.may_leak |= !written || swallows;
                self.attach(id, place, plain);
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
                    "Define the anchor with `&` first, or quote the text.",
                );
                self.add_refused(place);
            }
            // Neither is asked for; and whatever event a later parser brings is no node.
            Event::StreamStart | Event::StreamEnd | Event::Anchor(..) | Event::Comment(..) | _ => {}
        }
    }

    /// What the node that comes next inherits from where it stands.
    fn position(&self, next: Next) -> Position {
        let Some(frame) = self.document.open.last() else { return Position { secret: false, masked_from: None } };
        if frame.secret {
            return Position { secret: true, masked_from: None };
        }
        let Children::Mapping { key: Some(Key { node: Some(node), end }), .. } = &frame.children else {
            return Position { secret: false, masked_from: None };
        };
        let key = self.tree.text(*node).unwrap_or_default();
        let secret = (self.is_secret)(&self.document.path, key, next != Next::Collection);
        // A key without a value, or one that is no name, may be both: a name and a secret that lost the colon or the space between them.
        let start = if next == Next::Empty || !looks_like_a_name(key) { self.tree.node(*node).place.start } else { *end };
        Position { secret, masked_from: secret.then_some(start) }
    }

    fn add(&mut self, place: Place, content: Content, secret: bool, anchor: usize) -> NodeId {
        let id = NodeId(clamp(self.tree.nodes.len()));
        let intact = !matches!(content, Content::Refused);
        self.tree.nodes.push(Node { place, content, intact, partial: false, secret });
        self.sizes.push(1);
        if anchor != 0 {
            self.document.anchors.insert(anchor, id);
        }
        id
    }

    fn add_refused(&mut self, place: Place) {
        let position = self.position(Next::Scalar);
        let id = self.add(place, Content::Refused, position.secret, 0);
        if let Some(start) = position.masked_from {
            self.secrets.push(Place { start, ..place });
        }
        self.attach(id, place, false);
    }

    fn open(&mut self, place: Place, children: Children, anchor: usize, tag: Option<Place>) {
        let Position { secret, masked_from } = self.position(Next::Collection);
        let tagged = tag.is_some();
        if let Some(tag) = tag {
            self.refuse_tag(tag);
        }
        let key = self.document.open.last().and_then(|frame| match &frame.children {
            Children::Mapping { key: Some(Key { node: Some(node), .. }), .. } => self.tree.text(*node),
            Children::Mapping { .. } | Children::Sequence(_) => None,
        });
        let key = key.map(str::to_owned);
        let has_path = key.is_some();
        self.document.path.extend(key);
        // Refused until it is closed: an alias from inside would be endless.
        let node = self.add(place, Content::Refused, secret, anchor);
        self.document.open.push(Frame {
            node,
            children,
            size: 1,
            intact: !tagged,
            secret,
            masked_from,
            refused: tagged,
            partial: false,
            has_path,
            end: place.end,
        });
    }

    fn close(&mut self, end: Place) {
        let Some(frame) = self.document.open.pop() else { return };
        if frame.has_path {
            self.document.path.pop();
        }
        if let Some(start) = frame.masked_from {
            self.secrets.push(Place { start, ..end });
            self.secret_mappings.push(frame.node);
        }
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
            self.problem(Code::Ym001, place, "an alias stands inside of what it refers to, so the value would be endless", "Write the value out.");
            return self.add_refused(place);
        }
        self.document.aliased = self.document.aliased.saturating_add(self.sizes[target.0 as usize]);
        if self.document.aliased > ALIASED_NODES {
            let message = format!("aliases swell this document by more than {ALIASED_NODES} values");
            // One finding is enough: at the alias that went too far.
            if self.document.aliased - self.sizes[target.0 as usize] <= ALIASED_NODES {
                self.problem(Code::Ym001, place, message, "Nest fewer aliases.");
            }
            return self.add_refused(place);
        }
        let is_collection = matches!(self.tree.node(target).content, Content::Mapping(_) | Content::Sequence(_));
        let position = self.position(if is_collection { Next::Collection } else { Next::Scalar });
        if position.secret {
            self.document.secret_targets.push(target);
        }
        if let Some(start) = position.masked_from {
            self.secrets.push(Place { start, ..place });
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
                            Some((Code::Ym008, "the merge key `<<` is refused", "Put shared fields into a profile, or repeat them."))
                        }
                        Content::Scalar(_) | Content::Refused => None,
                        Content::Null | Content::Empty | Content::Sequence(_) | Content::Mapping(_) => {
                            Some((Code::Ym003, "a key must be a text", "Write a name before the colon; a name such as \"null\" needs quotes."))
                        }
                    };
                    let usable = refused.is_none() && matches!(node.content, Content::Scalar(_));
                    frame.intact &= usable;
                    frame.partial |= !usable;
                    *pending = Some(Key { node: usable.then_some(id), end: place.end });
                }
                Some(Key { node: Some(key), .. }) => pairs.push(Pair { key, value: id }),
                Some(Key { node: None, .. }) => {}
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
                found.push((place, *before, format!("{told} stands twice in one mapping, and only one of them could count")));
            } else {
                first.insert(key, place);
                kept.push(pair);
            }
        }
        for (place, before, message) in found {
            self.problems.add(Finding::new(Code::Ym004, message).at(place).and_at(before, "first here").help("Remove or rename one of the two."));
        }
        kept
    }

    fn refuse_tag(&self, place: Place) -> Content {
        self.problem(
            Code::Ym008,
            place,
            "YAML tags (`!…`) are refused, because they change what a value means",
            "Remove the tag, or quote a text that starts with an exclamation mark.",
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
        let help = "Mend the syntax; what else is wrong in this document shows only then.";
        self.problem(Code::Ym001, place, format!("this is not YAML: {}", error.info()), help);
        self.document = Document::default();
        self.is_broken = true;
    }

    /// Marks what aliases in secret places lead to.
    fn end_document(&mut self) {
        let mut open = std::mem::take(&mut self.document.secret_targets);
        for target in &open {
            self.secrets.push(self.tree.node(*target).place);
            self.secret_mappings.push(*target);
        }
        while let Some(id) = open.pop() {
            let node = &mut self.tree.nodes[id.0 as usize];
            if node.secret {
                continue;
            }
            node.secret = true;
            match &node.content {
                Content::Sequence(items) => open.extend(items),
                Content::Mapping(pairs) => open.extend(pairs.iter().flat_map(|pair| [pair.key, pair.value])),
                Content::Empty | Content::Null | Content::Scalar(_) | Content::Refused => {}
            }
        }
    }

    fn finish(self, text: &str) -> Parsed {
        let secrets = masks::without_names(text, &self.tree, &self.secret_mappings, self.secrets);
        Parsed { tree: self.tree, secrets, is_broken: self.is_broken, may_leak: self.may_leak }
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
        let parsed = parse(file, text, |_, key, _| key == "secret", &problems);
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

    #[test]
    fn an_alias_in_a_secret_place_makes_a_secret_of_what_it_leads_to() {
        let text = "a: &a {x: y}\nsecret: *a\n";
        let (parsed, _) = parsed(text);
        let masked: Vec<_> = parsed.secrets.iter().map(|place| &text[place.start as usize..place.end as usize]).collect();
        assert_eq!(masked, [" *a", "{x: y}"]);
    }
}
