//! Patterns of topic names: `*` stands for any characters.

use super::Patterns;
use super::shapes::NamePatterns;
use crate::finding::{Code, Finding, Place};
use crate::yaml::{Given, Problems};
use globset::{Glob, GlobSetBuilder};

/// Compiles what is written. `None` where a pattern is wrong, which a finding says.
pub(super) fn patterns(given: &Given<NamePatterns>, problems: &Problems) -> Option<Patterns> {
    let written: Vec<(&str, Place)> = match &given.value {
        NamePatterns::One(text) => vec![(text, given.place)],
        NamePatterns::Several(list) => list.0.iter().map(|item| (item.value.as_str(), item.place)).collect(),
    };
    let wrong = |place, message: String| {
        problems.add(Finding::new(Code::Ym008, message).at(place).help("write names of topics, with `*` for any characters"));
    };
    if written.is_empty() && given.intact {
        wrong(given.place, "an empty list of patterns matches no topic".to_owned());
    }
    let (mut set, mut right) = (GlobSetBuilder::new(), given.intact && !written.is_empty());
    for (text, place) in &written {
        match Glob::new(text) {
            Ok(glob) if !text.trim().is_empty() => {
                set.add(glob);
            }
            Ok(_) => {
                wrong(*place, "an empty pattern matches no topic".to_owned());
                right = false;
            }
            Err(error) => {
                wrong(*place, format!("{text:?} is no pattern: {}", error.kind()));
                right = false;
            }
        }
    }
    let set = set.build().map_err(|error| wrong(given.place, format!("the patterns are too large: {}", error.kind()))).ok()?;
    right.then(|| Patterns { written: written.into_iter().map(|(text, _)| text.to_owned()).collect(), set })
}
