//! Colours for a plan's text: by the glyph that a line starts with, so that nothing is said by colour alone.

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const CYAN: &str = "\u{1b}[36m";
const BOLD: &str = "\u{1b}[1m";
const RESET: &str = "\u{1b}[0m";

/// The text with escape sequences for a terminal that takes them.
pub fn coloured(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for (number, line) in text.lines().enumerate() {
        let style = if number == 0 { Some(BOLD) } else { style(line) };
        match style {
            Some(style) => out.extend([style, line, RESET, "\n"]),
            None => out.extend([line, "\n"]),
        }
    }
    out
}

fn style(line: &str) -> Option<&'static str> {
    let mut chars = line.trim_start_matches("  ").chars();
    match (chars.next()?, chars.next()) {
        ('x' | '?', Some(' ')) => Some(RED),
        ('+', Some(' ')) => Some(GREEN),
        ('~' | '!', Some(' ')) => Some(YELLOW),
        ('=', Some(' ')) => Some(CYAN),
        (first, Some(second)) if first.is_ascii_uppercase() && second.is_ascii_lowercase() && !line.contains("  ") => Some(BOLD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_add_nothing_but_escape_sequences() {
        let text = "REFUSED: 1 topic.\nname | none\nRefused\nx a\n  + primary  6 partitions\nplain\n";
        let mut bare = coloured(text);
        for code in [RED, GREEN, YELLOW, CYAN, BOLD, RESET] {
            bare = bare.replace(code, "");
        }
        assert_eq!(bare, text);
        assert!(coloured(text).contains("\u{1b}[32m  + primary"));
    }
}
