//! `isotopic plan`: read, judge, show. Sends nothing that could write.

use super::clock;
use super::exit::Exit;
use super::input::{Input, is_invalid};
use super::output::Output;
use super::targets::targets;
use crate::cli::{self, Format, Global};
use crate::cluster::{self, Observed};
use crate::finding::{Effect, Finding};
use crate::judge::{self, World};
use crate::live;
use crate::plan::Plan;
use crate::render::{self, text::Heading};
use crate::spec::Workspace;
use crate::wire::Context;
use crate::wire::plan::Document;

/// Runs the command.
pub(super) fn plan(global: &Global, args: &cli::Plan, output: &Output) -> Exit {
    let created_at = clock::now();
    let input = Input::read(global);
    let (source, unknown) = input.source();
    unknown.iter().for_each(|reason| output.tell_more(&format!("git: {reason}")));
    let context = Context { created_at, tool_version: env!("CARGO_PKG_VERSION").to_owned(), source, full: args.full };
    let show = Show { args, output, input: &input, context };

    let Some(workspace) = input.valid() else { return show.invalid(&[]) };
    let targets = match targets(workspace, judge::asked(workspace, &input.flows), &input.folder, global.timeout) {
        Ok(targets) => targets,
        Err(findings) => return show.invalid(&findings),
    };
    let judge = |clusters: &[live::Cluster]| judge::judge(&World { workspace, flows: &input.flows, clusters, today: clock::day(created_at) });
    let observed = cluster::observe(&targets, clock::now, |clusters| judge::ids_wanted(workspace, &input.flows, &judge(clusters)));
    for (cluster, requests) in &observed.requests {
        output.tell_more(&format!("{cluster}: {requests} requests"));
    }
    if observed.findings.iter().any(is_invalid) {
        return show.invalid(&observed.findings);
    }
    let mut plan = judge(&observed.clusters);
    add(&mut plan, workspace, &input, observed);
    show.plan(&plan, workspace)
}

/// Adds what was found before the judge was asked.
fn add(plan: &mut Plan, workspace: &Workspace, input: &Input, observed: Observed) {
    let stopped = workspace.rules.grade(observed.findings);
    let (refusals, notes): (Vec<_>, Vec<_>) = stopped.into_iter().partition(|finding| finding.effect != Effect::Note);
    plan.refusals.extend(refusals);
    plan.diagnostics.extend(notes);
    plan.diagnostics.extend(input.findings.iter().cloned());
}

/// Shows how a run ended.
struct Show<'a> {
    args: &'a cli::Plan,
    output: &'a Output,
    input: &'a Input,
    context: Context,
}

impl Show<'_> {
    fn plan(&self, plan: &Plan, workspace: &Workspace) -> Exit {
        let sources = &self.input.sources;
        let exit = Exit::of_plan(plan, self.args.detailed_exitcode);
        match self.args.format {
            Format::Text => {
                let heading =
                    Heading { workspace: &workspace.name, commit: self.context.source.commit.as_deref(), dirty: self.context.source.dirty == Some(true) };
                let text = render::text::text(plan, sources, heading, self.args.full);
                self.output.finished(self.output.plan(&text), exit)
            }
            Format::Json => {
                self.output.findings(plan.unobserved().chain(plan.blocking()).chain(plan.withholding()), sources);
                self.document(&Document::new(plan, sources, &self.context), exit)
            }
        }
    }

    /// The files cannot be judged: by what was found in them, and by `more`.
    fn invalid(&self, more: &[Finding]) -> Exit {
        let findings: Vec<_> = self.input.all_findings().chain(more).cloned().collect();
        self.output.findings(&findings, &self.input.sources);
        self.output.tell(&format!("{} No cluster was contacted.", super::validate::summary(&findings)));
        match self.args.format {
            Format::Text => Exit::Invalid,
            Format::Json => self.document(&Document::errored(&findings, &self.input.sources, &self.context), Exit::Invalid),
        }
    }

    fn document(&self, document: &Document, exit: Exit) -> Exit {
        match render::json(document) {
            Ok(text) => self.output.finished(self.output.data(&text), exit),
            Err(error) => self.output.failed(&error),
        }
    }
}
