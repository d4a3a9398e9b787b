//! Where findings gather while files are read: each once, however often an alias leads to the same place.

use crate::finding::{Code, Finding, Place};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};

/// How many findings of one file are told; a file with more has one cause, not fifty.
const TOLD_PER_FILE: usize = 50;

/// The findings so far.
#[derive(Debug, Default)]
pub struct Problems {
    findings: RefCell<Vec<Finding>>,
    seen: RefCell<HashSet<(Code, Option<Place>, String)>>,
    count: Cell<usize>,
}

impl Problems {
    /// Takes in a finding, unless the same one is already there.
    pub fn add(&self, finding: Finding) {
        self.count.set(self.count.get() + 1);
        if self.seen.borrow_mut().insert((finding.code, finding.place, finding.message.clone())) {
            self.findings.borrow_mut().push(finding);
        }
    }

    /// How many were added, repeated ones too: whether something went wrong in between shows by comparing two counts.
    pub fn count(&self) -> usize {
        self.count.get()
    }

    /// All findings in the order of files and places; of each file the first fifty, and then one that says how many more there are.
    pub fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.findings.into_inner();
        findings.sort_by(|a, b| (a.place, a.code, &a.message).cmp(&(b.place, b.code, &b.message)));
        let mut per_file = BTreeMap::new();
        for finding in &findings {
            *per_file.entry(finding.place.map(|place| place.file)).or_insert(0_usize) += 1;
        }
        let mut told = BTreeMap::new();
        findings.retain_mut(|finding| {
            let file = finding.place.map(|place| place.file);
            let so_far = told.entry(file).or_insert(0_usize);
            *so_far += 1;
            let more = per_file.get(&file).map_or(0, |all| all.saturating_sub(TOLD_PER_FILE));
            if file.is_some() && *so_far == TOLD_PER_FILE + 1 {
                finding.message = format!("{more} more problems in this file are not shown");
                finding.help = "correct those shown and run again".to_owned();
                finding.related = None;
            }
            file.is_none() || *so_far <= TOLD_PER_FILE + 1
        });
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Sources;

    #[test]
    fn a_file_tells_its_first_fifty_problems_and_how_many_more_there_are() {
        let (mut sources, problems) = (Sources::default(), Problems::default());
        let (a, b) = (sources.add("a.yaml", ""), sources.add("b.yaml", ""));
        for start in (0..70).rev() {
            problems.add(Finding::new(Code::Ym002, format!("problem {start}")).at(Place { file: a, start, end: start }));
        }
        problems.add(Finding::new(Code::Ym002, "other").at(Place { file: b, start: 0, end: 0 }));
        let messages: Vec<_> = problems.into_findings().into_iter().map(|finding| finding.message).collect();
        assert_eq!(messages.len(), 52);
        assert_eq!((messages[0].as_str(), messages[49].as_str()), ("problem 0", "problem 49"));
        assert_eq!((messages[50].as_str(), messages[51].as_str()), ("20 more problems in this file are not shown", "other"));
    }

    #[test]
    fn the_same_finding_counts_twice_and_is_told_once() {
        let problems = Problems::default();
        problems.add(Finding::new(Code::Ym002, "x"));
        problems.add(Finding::new(Code::Ym002, "x"));
        assert_eq!(problems.count(), 2);
        assert_eq!(problems.into_findings().len(), 1);
    }
}
