//! Keeps what comes from files and clusters from steering the terminal that it is shown on.

use std::borrow::Cow;

/// One line of text with control characters spelled out (`\u{1b}`), line breaks among them: no value can clear the screen, or pass for a line of ours.
/// Characters that turn the direction of writing are spelled out too, because they make a text read as another one.
pub(super) fn line(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_steering) { Cow::Owned(text.chars().map(spelled).collect()) } else { Cow::Borrowed(text) }
}

fn spelled(c: char) -> String {
    if is_steering(c) { c.escape_default().to_string() } else { c.to_string() }
}

/// Whether a character does something to a terminal, or to how the characters around it read.
pub(super) fn is_steering(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_gets_through() {
        assert_eq!(line("plain, ümlaut"), "plain, ümlaut");
        assert_eq!(line("a\u{1b}[2Jb\nc\r\u{9b}1m\u{7f}"), "a\\u{1b}[2Jb\\nc\\r\\u{9b}1m\\u{7f}");
        assert_eq!(line("\u{202e}txt"), "\\u{202e}txt");
    }
}
