//! Exit codes: what each means, and which one a run ends with.

use crate::plan::{Outcome, Plan};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, or nothing to do.
    Done,
    /// Something that is nobody's input went wrong.
    Unexpected,
    /// There are changes, and `--detailed-exitcode` asked for that.
    Changes,
    /// The files cannot be judged.
    Invalid,
    /// Something blocks every step.
    Refused,
    /// Something that was asked for could not be read, so there is no verdict.
    Unobserved,
    /// The command line is wrong.
    Usage,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unexpected => 1,
            Self::Changes => 2,
            Self::Invalid => 3,
            Self::Refused => 4,
            Self::Unobserved => 7,
            Self::Usage => 64,
        }
    }

    /// How a run ends that made a plan. [`Outcome`] says which of several verdicts holds.
    pub fn of_plan(plan: &Plan, detailed: bool) -> Self {
        match plan.outcome() {
            Outcome::CannotTell => Self::Unobserved,
            Outcome::Refused => Self::Refused,
            Outcome::Changes if detailed => Self::Changes,
            Outcome::Changes | Outcome::Nothing => Self::Done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Finding, Severity};
    use crate::plan::fixture;

    #[test]
    fn the_strongest_verdict_decides() {
        let (sources, _, topics) = fixture::sources();
        let at = fixture::place(&sources, topics, "payments.audit");
        let unread = || Finding::new(Code::En001, "no answer");
        let mut plan = fixture::empty();
        let code = |plan: &Plan, detailed| Exit::of_plan(plan, detailed).code();
        assert_eq!((code(&plan, false), code(&plan, true)), (0, 0));

        plan.steps = fixture::changes(&sources, topics).steps;
        assert_eq!((code(&plan, false), code(&plan, true)), (0, 2));

        plan.refusals = vec![fixture::shrink("payments.audit", at).withholding()];
        assert_eq!((code(&plan, false), code(&plan, true)), (0, 2), "a topic that is held back is shown, no more");

        plan.refusals = vec![fixture::shrink("payments.audit", at).noting(Severity::Warning)];
        assert_eq!(code(&plan, true), 2, "lowered to a note");

        plan.refusals = vec![fixture::shrink("payments.audit", at)];
        assert_eq!(code(&plan, true), 4);

        plan.diagnostics = vec![unread()];
        assert_eq!(code(&plan, true), 7, "what could not be read outweighs what is refused");

        plan.refusals = vec![Finding::new(Code::En005, "not authorised").topic(&"dr".into(), &"a".into()).withholding()];
        plan.diagnostics.clear();
        assert_eq!(code(&plan, true), 7, "a declared topic that could not be read leaves no verdict");
    }

    #[test]
    fn a_pinned_id_that_does_not_match_is_a_refusal() {
        let mut plan = fixture::empty();
        plan.diagnostics = vec![Finding::new(Code::En003, "another cluster")];
        plan.clusters[0].coverage = crate::plan::Coverage::Unreachable;
        assert_eq!(Exit::of_plan(&plan, false), Exit::Refused);
    }
}
