//! Limits: how much one run may change, over all clusters. A slip of a profile must not reach a whole estate.

use crate::finding::{Code, Finding};
use crate::plan::{Action, LimitsSeen, Plan, Step};
use crate::spec::Workspace;
use std::collections::BTreeSet;

/// Below this number of existing managed topics a share of them means nothing.
const ENOUGH_FOR_PERCENT: usize = 50;

/// What the plan's steps use up of the limits. `existing` counts the managed topics that exist.
pub(super) fn seen(plan: &Plan, workspace: &Workspace, existing: usize) -> LimitsSeen {
    let of = |action| plan.steps.iter().filter(|step| step.action == action).count();
    let managed = |step: &&Step| {
        let topic = (step.cluster.clone(), step.topic.clone());
        workspace.topics.contains_key(&topic) || workspace.absent.contains_key(&topic)
    };
    let changed: BTreeSet<_> =
        plan.steps.iter().filter(|step| step.action != Action::Create).filter(managed).map(|step| (&step.cluster, &step.topic)).collect();
    let limits = workspace.limits;
    LimitsSeen { limits, deletes: of(Action::Delete), partition_increases: of(Action::Grow), changed: changed.len(), existing }
}

/// LM001 to LM003, for what goes beyond a limit. A limit itself is still allowed.
pub(super) fn findings(seen: &LimitsSeen) -> Vec<Finding> {
    let LimitsSeen { limits, deletes, partition_increases, changed, existing } = seen;
    let over = |used: usize, limit: u32| usize::try_from(limit).is_ok_and(|limit| used > limit);
    let mut findings = Vec::new();
    if over(*deletes, limits.deletes) {
        findings.push(
            Finding::new(Code::Lm001, format!("{} would be deleted, and limits.deletes is {}", topics(*deletes), limits.deletes))
                .help("delete fewer at a time, or raise limits.deletes for this change"),
        );
    }
    if over(*partition_increases, limits.partition_increases) {
        findings.push(
            Finding::new(Code::Lm002, format!("{} would grow, and limits.partition_increases is {}", topics(*partition_increases), limits.partition_increases))
                .help("grow fewer at a time, because growth cannot be undone, or raise limits.partition_increases for this change"),
        );
    }
    // In whole numbers, so that exactly the limit passes.
    let share = changed * 100;
    let allowed = usize::try_from(limits.changed_percent).unwrap_or(usize::MAX).saturating_mul(*existing);
    if *existing >= ENOUGH_FOR_PERCENT && share > allowed {
        findings.push(
            Finding::new(
                Code::Lm003,
                format!("{changed} of {existing} existing topics would change, and limits.changed_percent is {}", limits.changed_percent),
            )
            .help("change fewer at a time, or raise limits.changed_percent for this change"),
        );
    }
    findings
}

fn topics(count: usize) -> String {
    if count == 1 { "1 topic".to_owned() } else { format!("{count} topics") }
}
