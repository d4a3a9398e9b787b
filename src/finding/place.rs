//! Places in files: which bytes of which file a thing was written in, and how to say that to a person.
//!
//! A place is twelve bytes and copied freely; line, column and excerpt are worked out on demand.

use std::ops::Range;

/// A file that was read, as a number in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The file's number, to carry it through a format that only knows numbers.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// The file of that number.
    pub(crate) fn from_number(number: u32) -> Self {
        Self(number)
    }
}

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

/// A place as people write it: `topics/payments.yaml:14:5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    /// The path, relative to the workspace's folder, with `/`.
    pub file: &'a str,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
}

#[derive(Debug)]
struct Source {
    path: String,
    text: String,
    line_starts: Vec<u32>,
    masked: Vec<Range<usize>>,
    /// Of a file whose text is not here: lines and columns, by the start of their place.
    positions: Vec<(u32, u32)>,
}

/// All files that were read, with their texts.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Takes in a file. `path` is relative to the workspace's folder, with `/`; a text over 4 GiB has no places beyond that.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| clamp(at + 1))).collect();
        let id = FileId(clamp(self.files.len()));
        self.files.push(Source { path: path.into(), text, line_starts, masked: Vec::new(), positions: Vec::new() });
        id
    }

    /// Takes in a file of which only some lines and columns are known, counted from 1: the place that starts at `n` is the n-th of them.
    pub fn add_positions(&mut self, path: impl Into<String>, positions: Vec<(u32, u32)>) -> FileId {
        let id = self.add(path, "");
        if let Some(source) = self.files.last_mut() {
            source.positions = positions;
        }
        id
    }

    /// Every file in the order of reading, with its path and text.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|source| (source.path.as_str(), source.text.as_str()))
    }

    /// The path of a file, relative to the workspace's folder.
    pub fn path(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |source| &source.path)
    }

    /// The whole text of a file, secrets included: not for output.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |source| &source.text)
    }

    /// From now on this range shows as asterisks in excerpts.
    pub fn mask(&mut self, place: Place) {
        if let Some(source) = self.files.get_mut(place.file.0 as usize) {
            source.masked.push(place.start as usize..place.end as usize);
        }
    }

    /// The text of a file for excerpts: the same bytes and lines, with masked ranges as asterisks.
    pub fn shown(&self, file: FileId) -> String {
        let Some(source) = self.files.get(file.0 as usize) else { return String::new() };
        let masked = |at: usize| source.masked.iter().any(|range| range.contains(&at));
        if source.masked.is_empty() {
            return source.text.clone();
        }
        let mut shown = String::with_capacity(source.text.len());
        for (at, c) in source.text.char_indices() {
            if masked(at) && !matches!(c, '\n' | '\r') {
                shown.extend(std::iter::repeat_n('*', c.len_utf8()));
            } else {
                shown.push(c);
            }
        }
        shown
    }

    /// File, line and column of the start of a place.
    pub fn position(&self, place: Place) -> Position<'_> {
        let Some(source) = self.files.get(place.file.0 as usize) else { return Position { file: "", line: 1, column: 1 } };
        if let Some((line, column)) = source.positions.get(place.start as usize) {
            return Position { file: &source.path, line: *line, column: *column };
        }
        let line = source.line_starts.partition_point(|start| *start <= place.start).max(1);
        let from = source.line_starts.get(line - 1).map_or(0, |start| *start as usize);
        let before = source.text.get(from..place.start as usize).unwrap_or("").trim_start_matches('\u{feff}');
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position { file: &source.path, line: count(line), column: count(before.chars().count() + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let mut sources = Sources::default();
        let file = sources.add("a.yaml", "x: 1\r\nü: ñ2\n");
        let at = |start| {
            let position = sources.position(Place { file, start, end: start });
            (position.line, position.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (1, 4));
        assert_eq!(at(6), (2, 1));
        assert_eq!(at(8), (2, 2));
        assert_eq!(at(12), (2, 5));
    }

    #[test]
    fn a_file_may_be_known_by_positions_alone() {
        let mut sources = Sources::default();
        let file = sources.add_positions("a.yaml", vec![(3, 5), (u32::MAX, 1)]);
        let at = |start| sources.position(Place { file, start, end: start });
        assert_eq!(at(0), Position { file: "a.yaml", line: 3, column: 5 });
        assert_eq!(at(1), Position { file: "a.yaml", line: u32::MAX, column: 1 });
    }

    #[test]
    fn a_masked_range_never_shows_and_keeps_its_length() {
        let mut sources = Sources::default();
        let file = sources.add("a.yaml", "k: sécret\nx: 1\n");
        sources.mask(Place { file, start: 3, end: 10 });
        assert_eq!(sources.shown(file), "k: *******\nx: 1\n");
    }
}
