//! A few lines around a place, for miette.
//!
//! miette walks a source from its start for every label; a window keeps a thousand findings in a long file cheap, and a line of a megabyte short.
//! Excerpts come from masked texts, and control characters in them show as `?`.

use crate::finding::{FileId, Place, Sources};
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::collections::BTreeMap;

/// Lines shown before and after.
const AROUND: usize = 2;
/// Two places at most so many lines apart share an excerpt.
const NEAR: usize = 5;
/// Characters of a line that are shown before and after the place.
const MARGIN: usize = 100;

/// The masked texts of files, made once each.
pub(super) struct Texts<'a> {
    sources: &'a Sources,
    shown: BTreeMap<FileId, Shown>,
}

struct Shown {
    text: String,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(sources: &'a Sources) -> Self {
        Self { sources, shown: BTreeMap::new() }
    }

    fn file(&mut self, file: FileId) -> &Shown {
        let sources = self.sources;
        self.shown.entry(file).or_insert_with(|| {
            let text = sources.shown(file);
            let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
            Shown { text, starts }
        })
    }

    /// Whether two places fit into one excerpt.
    pub(super) fn are_near(&mut self, a: Place, b: Place) -> bool {
        a.file == b.file && {
            let file = self.file(a.file);
            file.line_of(a.start as usize).abs_diff(file.line_of(b.start as usize)) <= NEAR
        }
    }

    /// The lines around a place, and around another that is near.
    pub(super) fn excerpt(&mut self, place: Place, other: Option<(Place, String)>) -> Excerpt {
        let sources = self.sources;
        let file = self.file(place.file);
        let lines: Vec<_> = [Some(place), other.as_ref().map(|(other, _)| *other)].into_iter().flatten().map(|at| file.line_of(at.start as usize)).collect();
        let first = lines.iter().min().copied().unwrap_or(0).saturating_sub(AROUND);
        let marked = lines.iter().max().copied().unwrap_or(0);
        // What follows the last line break is no line, unless the place is there.
        let lines_in_file = file.starts.len() - usize::from(file.starts.last() == Some(&file.text.len()));
        let last = (marked + AROUND).min(lines_in_file.saturating_sub(1)).max(marked);
        let mut excerpt = Excerpt { path: sources.path(place.file).to_owned(), text: String::new(), first_line: first, spans: Vec::new() };
        let marks: Vec<_> = std::iter::once((place, None)).chain(other.map(|(other, label)| (other, Some(label)))).collect();
        for line in first..=last {
            let here: Vec<_> = marks.iter().filter(|(at, _)| file.line_of(at.start as usize) == line).collect();
            let range = file.line(line);
            // A line with a place is cut around it, any other at its end.
            let (from, to) = match here.as_slice() {
                [] => (range.start, file.later(range.start, 2 * MARGIN, range.end)),
                marks => {
                    let start = marks.iter().map(|(at, _)| at.start as usize).min().unwrap_or(range.start).clamp(range.start, range.end);
                    (file.earlier(start, MARGIN, range.start), file.later(start, 2 * MARGIN, range.end))
                }
            };
            for (at, label) in here {
                let start = file.boundary((at.start as usize).clamp(from, to));
                let end = file.boundary((at.end as usize).clamp(start, to));
                let offset = excerpt.text.len() + visible(&file.text[from..start]).len();
                let position = sources.position(*at);
                excerpt.spans.push(Span {
                    at: (offset, visible(&file.text[start..end]).len()).into(),
                    label: label.clone(),
                    line: (position.line - 1) as usize,
                    column: (position.column - 1) as usize,
                });
            }
            excerpt.text.push_str(&visible(&file.text[from..to]));
            excerpt.text.push('\n');
        }
        excerpt
    }
}

impl Shown {
    fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// The bytes of a line, without its line break.
    fn line(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let end = start + self.text[start..end].trim_end_matches('\r').len();
        // A byte order mark is no character of the first line.
        if self.text[start..end].starts_with('\u{feff}') { start + '\u{feff}'.len_utf8()..end } else { start..end }
    }

    /// Up to so many characters before `at`, not before `start`.
    fn earlier(&self, at: usize, characters: usize, start: usize) -> usize {
        self.text[start..self.boundary(at)].char_indices().rev().take(characters).last().map_or(at, |(offset, _)| start + offset)
    }

    /// Up to so many characters after `at`, not after `end`.
    fn later(&self, at: usize, characters: usize, end: usize) -> usize {
        let from = self.boundary(at);
        self.text[from..end].char_indices().nth(characters).map_or(end, |(offset, _)| from + offset)
    }

    /// The start of the character that holds this byte.
    fn boundary(&self, at: usize) -> usize {
        (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }
}

/// The text with every character that could steer a terminal as `?`. A tab stays: miette turns it into blanks.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c != '\t' && super::clean::is_steering(c) { '?' } else { c }).collect()
}

/// A window of a file.
#[derive(Debug)]
pub(super) struct Excerpt {
    path: String,
    text: String,
    /// Counted from 0.
    first_line: usize,
    spans: Vec<Span>,
}

#[derive(Debug)]
struct Span {
    at: SourceSpan,
    label: Option<String>,
    /// Where it is in the file, counted from 0, whatever the window shows of it.
    line: usize,
    column: usize,
}

impl Excerpt {
    pub(super) fn labels(&self) -> impl Iterator<Item = LabeledSpan> {
        self.spans.iter().map(|span| match &span.label {
            None => LabeledSpan::new_primary_with_span(None, span.at),
            Some(label) => LabeledSpan::new_with_span(Some(label.clone()), span.at),
        })
    }
}

impl SourceCode for Excerpt {
    /// The whole window, whatever is asked for; asked without context, the exact place, which miette prints as `file:line:column`.
    fn read_span<'a>(&'a self, span: &SourceSpan, before: usize, after: usize) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let exact = self.spans.iter().find(|known| known.at == *span).filter(|_| before == 0 && after == 0);
        let (line, column) = exact.map_or((self.first_line, 0), |span| (span.line, span.column));
        let all = SourceSpan::from((0, self.text.len()));
        let lines = self.text.lines().count();
        Ok(Box::new(MietteSpanContents::new_named(self.path.clone(), self.text.as_bytes(), all, line, column, lines)))
    }
}
