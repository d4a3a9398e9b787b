//! `isotopic explain CODE`.

use super::exit::Exit;
use super::output::Output;
use crate::finding::Code;
use crate::finding::catalogue::CODES;

/// Prints the story behind a code. An unknown one is wrong usage, answered with the likely one.
pub(super) fn explain(name: &str, output: &Output) -> Exit {
    let Some(code) = Code::from_name(name.trim()) else {
        output.tell(&unknown(name.trim()));
        return Exit::Usage;
    };
    output.finished(output.data(code.explanation()), Exit::Done)
}

fn unknown(name: &str) -> String {
    let upper = name.to_ascii_uppercase();
    let near = CODES.iter().map(|code| (strsim::damerau_levenshtein(code.as_str(), &upper), code)).min().filter(|(distance, _)| *distance <= 2);
    let family: Vec<_> = CODES.iter().map(|code| code.as_str()).filter(|code| upper.get(..2) == code.get(..2)).collect();
    let help = match (near, family.is_empty()) {
        // Of two codes that differ in a digit neither is the likely one.
        (Some((1, code)), _) if code.as_str().len() != upper.len() => format!("did you mean {code} ({})?", code.title()),
        (_, false) => format!("codes of this family: {}", family.join(", ")),
        (Some((_, code)), true) => format!("did you mean {code} ({})?", code.title()),
        (None, true) => format!("a code is two letters and three digits, such as {}", CODES[0]),
    };
    format!("error: there is no code {name:?}\n\nhelp: {help}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_code_is_answered_with_the_likely_one() {
        assert!(unknown("PT01").contains("did you mean PT001 (partitions cannot decrease)?"));
        assert!(unknown("pt0001").contains("did you mean PT001"));
        assert!(unknown("PT999").contains("codes of this family: PT001, PT002, PT003"));
        assert!(unknown("partition").contains("such as YM001"));
        assert!(unknown("\u{1b}[2J").contains("\\u{1b}"));
    }
}
