//! Rust sources without their comments and the insides of their strings, and the words that are left. No parser: tokens are enough.

/// The code of a source: comments, strings and characters become blanks, lines stay lines.
pub(crate) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = comment(rest).or_else(|| string(rest)).or_else(|| character(rest));
        match length {
            Some(length) => {
                let (skipped, after) = rest.split_at(length);
                code.extend(skipped.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
                rest = after;
            }
            None => {
                // A whole word at once, so that the `r` at its end begins no raw string.
                let length = words(rest).next().filter(|(at, _)| *at == 0).map_or(c.len_utf8(), |(_, word)| word.len());
                let (kept, after) = rest.split_at(length);
                code.push_str(kept);
                rest = after;
            }
        }
    }
    code
}

fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(rest.len())
}

fn string(rest: &str) -> Option<usize> {
    let quoted = ["", "b", "c", "r", "br", "cr"].into_iter().find_map(|prefix| {
        let after = rest.strip_prefix(prefix)?;
        let hashes = if prefix.ends_with('r') { after.len() - after.trim_start_matches('#').len() } else { 0 };
        after[hashes..].starts_with('"').then_some((prefix, hashes))
    });
    let (prefix, hashes) = quoted?;
    let start = prefix.len() + hashes + 1;
    if prefix.ends_with('r') {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
    }
    Some(start + closing(&rest[start..], '"').unwrap_or(rest.len() - start))
}

/// `'a'`, `'\n'`, `'\u{1f}'`, but not the lifetime `'a`.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    if first == '\\' {
        return Some(1 + closing(inside, '\'')?);
    }
    inside[first.len_utf8()..].starts_with('\'').then_some(first.len_utf8() + 2)
}

/// The length up to and with the closing quote, behind which escapes end.
fn closing(inside: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if c == quote && !escaped {
            return Some(at + 1);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// The words of a text, each with its place.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_inside)?;
        let end = text[start..].find(|c| !is_inside(c)).map_or(text.len(), |length| start + length);
        at = end;
        Some((start, &text[start..end]))
    })
}

/// What stands behind each place of a word.
pub(crate) fn follows_word<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    words(text).filter(move |(_, found)| *found == word).map(|(at, found)| &text[at + found.len()..])
}

#[test]
fn comments_strings_and_characters_are_no_code() {
    let blanked = |text: &str| code(text).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(blanked("a // b\nc /* d /* e */ f */ g"), "a c g");
    assert_eq!(blanked(r####"a "b \" c" d r#"e " f"# g b"h" i"####), "a d g i");
    assert_eq!(blanked("'x' '\\'' a '\\u{1f}' <'b> '\"' c"), "a <'b> c");
    assert_eq!(blanked("your\"x\" a"), "your a");
    assert_eq!(code("a // b\n\"c\nd\"").lines().count(), 3);
}

#[test]
fn words_are_whole() {
    let found: Vec<_> = words("unsafe_code crate::{a}").map(|(_, word)| word).collect();
    assert_eq!(found, ["unsafe_code", "crate", "a"]);
    assert_eq!(follows_word("crate::a crates::b", "crate").count(), 1);
}
