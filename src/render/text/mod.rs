//! The plan as text: ASCII, readable without colour, the verdict first because whoever quotes it cuts the end.
//!
//! One line is one string until the very end, where each is cleaned: a value with a line break or an escape sequence cannot pass for a line of ours.

mod changes;
mod copies;
mod drift;
mod head;
mod refusals;

use super::clean;
use crate::finding::{Finding, Sources};
use crate::live::Instant;
use crate::plan::{Outcome, Plan};

/// What the head of the text tells beyond the plan.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// The workspace's name.
    pub workspace: &'a str,
    /// The commit that is checked out.
    pub commit: Option<&'a str>,
    /// Whether a tracked file that was read differs from it.
    pub dirty: bool,
    /// When the plan was made: snapshots have an age.
    pub now: Instant,
}

/// How much is spelled out.
#[derive(Clone, Copy)]
struct Detail {
    /// Everything, as long as it may be.
    full: bool,
    /// How many examples a group shows.
    examples: usize,
    /// Whether groups say what they mean and what to do.
    advice: bool,
}

/// A plan with nothing to do prints no more than this, so that a scheduled run stays readable.
const NOTHING_TO_DO: usize = 2000;

/// The text of a plan. `full` lists what is otherwise grouped and counted.
pub fn text(plan: &Plan, sources: &Sources, heading: Heading<'_>, full: bool) -> String {
    let usual = Detail { full, examples: 5, advice: true };
    let whole = page(plan, sources, heading, usual);
    if full || plan.outcome() != Outcome::Nothing || plan.withholding().next().is_some() || whole.len() <= NOTHING_TO_DO {
        return whole;
    }
    let shorter = [(3, true), (1, true), (1, false), (0, false)].into_iter().map(|(examples, advice)| Detail { full, examples, advice });
    let mut shorter = shorter.map(|detail| page(plan, sources, heading, detail));
    shorter.find(|page| page.len() <= NOTHING_TO_DO).unwrap_or_else(|| cut(&page(plan, sources, heading, Detail { full, examples: 0, advice: false })))
}

/// The text of files that could not be judged: what was found in them, and where. For whoever has the files there are excerpts instead.
pub fn invalid(verdict: &str, findings: &[Finding], sources: &Sources) -> String {
    lines_of(std::iter::once(verdict.to_owned()).chain(refusals::invalid(findings, sources)))
}

fn page(plan: &Plan, sources: &Sources, heading: Heading<'_>, detail: Detail) -> String {
    let mut lines = vec![head::verdict(plan, sources), head::subject(plan, heading)];
    let mut sections = refusals::sections(plan, sources, detail);
    sections.push(changes::section(plan, sources, detail));
    sections.push(drift::section(plan, sources, detail));
    sections.push(refusals::notes(plan, sources, detail));
    sections.push(head::unmanaged(plan, detail));
    sections.push(vec![head::counts(plan)]);
    for section in sections.into_iter().filter(|section| !section.is_empty()) {
        lines.push(String::new());
        lines.extend(section);
    }
    lines_of(lines)
}

fn lines_of(lines: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    for line in lines {
        text.extend([&clean::line(line.trim_end()), "\n"]);
    }
    text
}

/// The last resort for a plan with nothing to do: the first lines, each cut, and the last one.
fn cut(page: &str) -> String {
    let shortened = |line: &str| match line.char_indices().nth(240) {
        Some((at, _)) => format!("{}...\n", &line[..at]),
        None => format!("{line}\n"),
    };
    let lines: Vec<_> = page.lines().collect();
    let Some((last, lines)) = lines.split_last() else { return String::new() };
    let last = shortened(last);
    let mut kept = String::new();
    let mut left = lines.len();
    for line in lines {
        let line = shortened(line);
        if kept.len() + line.len() + last.len() + 60 > NOTHING_TO_DO {
            break;
        }
        kept.push_str(&line);
        left -= 1;
    }
    if left > 0 {
        kept.push_str(&format!("... and {left} more lines (--full shows them)\n"));
    }
    kept + &last
}

#[cfg(test)]
mod tests;
