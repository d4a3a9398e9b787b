//! Findings in the text of a plan: what could not be read, what is refused, what is held back, and notes.

use super::Detail;
use crate::finding::{Code, Finding, Severity, Sources};
use crate::kafka::name::TopicName;
use crate::plan::{Plan, subjects};
use crate::render::words::{count, place};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many topics are listed before the rest is counted by code.
const LISTED: usize = 50;

pub(super) fn sections(plan: &Plan, sources: &Sources, detail: Detail) -> Vec<Vec<String>> {
    vec![
        section("Could not look", '?', plan.unobserved().collect(), sources, detail),
        section("Refused", 'x', plan.blocking().collect(), sources, detail),
        section("Held back: these topics only", 'x', plan.withholding().collect(), sources, detail),
    ]
}

fn section(title: &str, glyph: char, findings: Vec<&Finding>, sources: &Sources, detail: Detail) -> Vec<String> {
    if findings.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![title.to_owned()];
    let mut topics: BTreeMap<Option<&TopicName>, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        topics.entry(finding.subject.topic.as_ref()).or_default().push(finding);
    }
    let mut left: Vec<&Finding> = Vec::new();
    for (number, (topic, findings)) in topics.into_iter().enumerate() {
        if number >= LISTED && !detail.full {
            left.extend(findings);
            continue;
        }
        let first = findings.iter().find_map(|finding| finding.place);
        if let Some(topic) = topic {
            let at = first.map(|first| format!("  {}", place(first, sources))).unwrap_or_default();
            lines.push(format!("{glyph} {topic}{at}"));
        }
        for finding in findings {
            let indent = if topic.is_some() { "  " } else { "" };
            let cluster = finding.subject.cluster.as_ref().map(|cluster| format!("{cluster}  ")).unwrap_or_default();
            let elsewhere = finding.place.filter(|at| topic.is_none() || Some(*at) != first).map(|at| format!("  {}", place(at, sources))).unwrap_or_default();
            lines.push(format!("{indent}{glyph} {cluster}{}  {}{elsewhere}", finding.code, finding.message));
            lines.extend(advice(finding, sources, "      "));
        }
    }
    if !left.is_empty() {
        let topics = count(subjects(left.iter().copied()), "more topic");
        lines.push(format!("{glyph} {topics}: {}  (--full lists them)", by_code(&left)));
    }
    lines
}

fn advice(finding: &Finding, sources: &Sources, indent: &str) -> Vec<String> {
    let related = finding.related.as_ref().map(|(at, label)| format!("{indent}{label}: {}", place(*at, sources)));
    related.into_iter().chain((!finding.help.is_empty()).then(|| format!("{indent}{}", finding.help))).collect()
}

/// What is wrong with files, in the order given.
pub(super) fn invalid(findings: &[Finding], sources: &Sources) -> Vec<String> {
    let mut lines = Vec::new();
    for finding in findings {
        let at = finding.place.map(|at| format!("{}  ", place(at, sources))).unwrap_or_default();
        lines.push(format!("x {at}{}  {}", finding.code, finding.message));
        lines.extend(advice(finding, sources, "      "));
    }
    lines
}

/// `900 PT001, 50 AK001`.
fn by_code(findings: &[&Finding]) -> String {
    let mut codes: BTreeMap<Code, usize> = BTreeMap::new();
    for finding in findings {
        *codes.entry(finding.code).or_default() += 1;
    }
    codes.into_iter().map(|(code, number)| format!("{number} {code}")).collect::<Vec<_>>().join(", ")
}

pub(super) fn notes(plan: &Plan, sources: &Sources, detail: Detail) -> Vec<String> {
    let mut groups: BTreeMap<(Reverse<Severity>, Code), Vec<&Finding>> = BTreeMap::new();
    for finding in plan.notes() {
        groups.entry((Reverse(finding.severity), finding.code)).or_default().push(finding);
    }
    let mut lines = Vec::new();
    if !groups.is_empty() {
        lines.push("Notes".to_owned());
    }
    for ((severity, code), findings) in groups {
        lines.push(format!("- {} {code} {}{}", findings.len(), code.title(), word(severity.0)));
        let shown = if detail.full { findings.len() } else { detail.examples };
        for finding in findings.iter().take(shown) {
            let at = finding.place.map(|at| format!("{}  ", place(at, sources))).unwrap_or_default();
            lines.push(format!("    {at}{}", finding.message));
            if detail.full {
                lines.extend(advice(finding, sources, "      "));
            }
        }
        if findings.len() > shown && shown > 0 {
            lines.push(format!("    and {} more  (--full lists them)", findings.len() - shown));
        }
        if detail.advice && !detail.full {
            let first = advice(findings[0], sources, "      ");
            let is_the_same_for_all = findings.iter().all(|finding| advice(finding, sources, "      ") == first);
            lines.extend(if is_the_same_for_all { first } else { advice(findings[0], sources, "      the first: ") });
        }
    }
    lines
}

/// Errors and warnings are named; what is only worth knowing is not.
pub(super) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => " (error)",
        Severity::Warning => " (warning)",
        Severity::Info | Severity::Off => "",
    }
}
