//! Findings for people, through miette: code, sentence, excerpt, help.

use super::clean;
use super::excerpt::{Excerpt, Texts};
use crate::finding::{Finding, Severity, Sources};
use crate::wire::findings::by_place;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::fmt;

/// More than this is never printed: a file that is wrong everywhere must not flood a log.
const LIMIT: usize = 1_000_000;

/// All findings, sorted by file and line, up to a megabyte; then how many were left out.
pub fn report<'a>(findings: impl IntoIterator<Item = &'a Finding>, sources: &Sources, coloured: bool) -> String {
    let theme = if coloured { GraphicalTheme::ascii() } else { GraphicalTheme::none() };
    let printer = GraphicalReportHandler::new_themed(theme).with_wrap_lines(false).with_urls(false).with_show_related_as_nested(true);
    let findings = by_place(findings, sources);
    let mut texts = Texts::new(sources);
    let mut out = String::new();
    for (number, finding) in findings.iter().enumerate() {
        let mut one = String::new();
        // Writing to a String cannot fail, and an excerpt that miette cannot show leaves the sentence standing.
        if printer.render_report(&mut one, &Report::new(finding, &mut texts)).is_err() {
            one = format!("{} {}\n", finding.code, clean::line(&finding.message));
        }
        if out.len() + one.len() > LIMIT {
            out.push_str(&format!("... and {} more findings, not shown\n", findings.len() - number));
            break;
        }
        out.extend([&one, "\n"]);
    }
    out
}

/// A finding as miette wants it.
#[derive(Debug)]
struct Report {
    severity: Severity,
    code: String,
    message: String,
    help: String,
    excerpt: Option<Excerpt>,
    related: Option<Box<Report>>,
}

impl Report {
    fn new(finding: &Finding, texts: &mut Texts<'_>) -> Self {
        let label = |text: &str| clean::line(text).into_owned();
        let (excerpt, related) = match (finding.place, &finding.related) {
            (Some(place), Some((other, name))) if texts.are_near(place, *other) => (Some(texts.excerpt(place, Some((*other, label(name))))), None),
            (place, related) => (place.map(|place| texts.excerpt(place, None)), related.as_ref().map(|(other, name)| (*other, label(name)))),
        };
        let related = related.map(|(other, message)| {
            let excerpt = Some(texts.excerpt(other, None));
            Box::new(Self { severity: Severity::Info, code: String::new(), message, help: String::new(), excerpt, related: None })
        });
        Self {
            severity: finding.severity,
            code: format!("{} {}", finding.code, finding.code.title()),
            message: label(&finding.message),
            help: label(&finding.help),
            excerpt,
            related,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Report {}

impl Diagnostic for Report {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.code.is_empty()).then(|| Box::new(&self.code) as _)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info | Severity::Off => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.excerpt.as_ref().map(|excerpt| Box::new(excerpt.labels()) as _)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        self.related.as_ref().map(|related| Box::new(std::iter::once(&**related as &dyn Diagnostic)) as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Place};

    fn place(file: crate::finding::FileId, text: &str, what: &str) -> Place {
        let start = text.find(what).unwrap();
        Place { file, start: u32::try_from(start).unwrap(), end: u32::try_from(start + what.len()).unwrap() }
    }

    #[test]
    fn an_excerpt_points_at_the_place_and_at_the_other_one() {
        let first = "# orders\ntopics:\n  payments.orders: {partitions: 6}\n";
        let second = "topics:\n  payments.audit: {}\n  payments.orders:\n    partitions: 12\n    partitions: 13\n";
        let mut sources = Sources::default();
        let (a, b) = (sources.add("topics/a.yaml", first), sources.add("topics/b.yaml", second));
        let findings = [
            Finding::new(Code::Ym005, "payments.orders is declared twice, and only one of the two can hold")
                .at(place(b, second, "payments.orders"))
                .and_at(place(a, first, "payments.orders"), "declared here as well")
                .help("keep one of the two"),
            Finding::new(Code::Ym004, "partitions is there twice")
                .at(place(b, second, "partitions: 13"))
                .and_at(place(b, second, "partitions: 12"), "the first one"),
            Finding::new(Code::En001, "no place at all"),
        ];
        insta::assert_snapshot!(report(&findings, &sources, false));
    }

    #[test]
    fn nothing_masked_and_nothing_that_steers_a_terminal_shows() {
        let text = "clusters:\n\u{1b}[2J  sasl.password: hunter2  # \u{1b}]0;\u{7}\n  retention: 1\u{0}";
        let mut sources = Sources::default();
        let file = sources.add("isotopic.yaml", text);
        sources.mask(place(file, text, "hunter2"));
        let finding = Finding::new(Code::Ym011, "a\u{1b}[1mb\nc").at(place(file, text, "sasl.password")).help("\u{1b}c");
        let shown = report([&finding], &sources, false);
        assert!(!shown.contains("hunter2") && shown.contains("sasl.password: *******"), "{shown}");
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
        assert!(shown.contains("isotopic.yaml:2:7"), "{shown}");
    }

    #[test]
    fn a_place_deep_in_a_long_line_or_after_wide_characters_keeps_its_column() {
        let text = format!("\u{feff}x: \u{fc}\r\n{}bad{}\n", "y".repeat(50_000), "z".repeat(50_000));
        let mut sources = Sources::default();
        let file = sources.add("a.yaml", text.as_str());
        let bad = Finding::new(Code::Ym008, "bad").at(place(file, &text, "bad"));
        let shown = report([&bad], &sources, false);
        assert!(shown.contains("[a.yaml:2:50001]"), "{shown}");
        assert!(shown.lines().all(|line| line.len() < 400), "{shown}");
        let umlaut = Finding::new(Code::Ym008, "bad").at(place(file, &text, "\u{fc}"));
        assert!(report([&umlaut], &sources, false).contains("[a.yaml:1:4]"));
        let end = Finding::new(Code::Ym001, "ends here").at(Place { file, start: u32::try_from(text.len()).unwrap(), end: u32::try_from(text.len()).unwrap() });
        assert!(report([&end], &sources, false).contains("[a.yaml:3:1]"));
    }

    #[test]
    fn a_file_that_is_wrong_everywhere_is_reported_up_to_a_limit() {
        let text = "  wrong: value\n".repeat(10_000);
        let mut sources = Sources::default();
        let file = sources.add("topics/all.yaml", text.as_str());
        let findings: Vec<_> = (0..10_000u32)
            .map(|line| Finding::new(Code::Ym002, format!("finding {line}")).at(Place { file, start: line * 15 + 2, end: line * 15 + 7 }))
            .collect();
        let shown = report(&findings, &sources, false);
        assert!(shown.len() < LIMIT + 100 && shown.contains("more findings, not shown"));
        assert!(shown.contains("[topics/all.yaml:1000:3]"));
    }
}
