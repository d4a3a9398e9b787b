//! `isotopic plan`: read, judge, show. Sends nothing that could write.

use super::clock;
use super::exit::Exit;
use super::input::{Input, is_invalid};
use super::output::Output;
use super::save;
use super::show::plan_text;
use super::targets::targets;
use crate::cli::{self, Format, Global};
use crate::cluster::{self, Observed};
use crate::finding::{Effect, Finding};
use crate::judge::{self, World};
use crate::live;
use crate::plan::Plan;
use crate::render;
use crate::spec::Workspace;
use crate::wire::Context;
use crate::wire::plan::Document;
use std::path::{Path, PathBuf};

/// Runs the command.
pub(super) fn plan(global: &Global, args: &cli::Plan, output: &Output) -> Exit {
    let created_at = clock::now();
    let out = args.out.as_ref().map(|file| global.directory.as_deref().unwrap_or(Path::new("")).join(file));
    if let Some(Err(why)) = out.as_deref().map(|out| save::is_free(out, Document::is_one, "no plan")) {
        output.tell(&format!("error: {why}\n\nhelp: name another file with --out"));
        return Exit::Usage;
    }
    let input = Input::read(global);
    let (source, unknown) = input.source();
    unknown.iter().for_each(|reason| output.tell_more(&format!("git: {reason}")));
    let context = Context {
        created_at,
        workspace: input.workspace.as_ref().map(|workspace| workspace.name.clone()),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        source,
        full: args.full,
    };
    let show = Show { args, output, input: &input, context, out };

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
    show.plan(&plan)
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
    out: Option<PathBuf>,
}

impl Show<'_> {
    fn plan(&self, plan: &Plan) -> Exit {
        let sources = &self.input.sources;
        let exit = Exit::of_plan(plan, self.args.detailed_exitcode);
        let document = Document::new(plan, sources, &self.context);
        match self.args.format {
            Format::Text => {
                let text = plan_text(&document, plan, sources, self.args.full);
                self.save(&document, self.output.finished(self.output.plan(&text), exit))
            }
            Format::Json => {
                self.output.findings(plan.unobserved().chain(plan.blocking()).chain(plan.withholding()), sources);
                self.save(&document, self.document(&document, exit))
            }
        }
    }

    /// The files cannot be judged: by what was found in them, and by `more`.
    fn invalid(&self, more: &[Finding]) -> Exit {
        let findings: Vec<_> = self.input.all_findings().chain(more).cloned().collect();
        self.output.findings(&findings, &self.input.sources);
        self.output.tell(&format!("{} No cluster was contacted.", super::validate::summary(&findings)));
        let document = Document::errored(&findings, &self.input.sources, &self.context);
        let exit = match self.args.format {
            Format::Text => Exit::Invalid,
            Format::Json => self.document(&document, Exit::Invalid),
        };
        self.save(&document, exit)
    }

    /// Writes the document to the file that was asked for.
    fn save(&self, document: &Document, exit: Exit) -> Exit {
        let Some(out) = &self.out else { return exit };
        match render::json(document) {
            Ok(text) => save::save(out, &text).map_or_else(|error| self.output.failed(&error), |()| exit),
            Err(error) => self.output.failed(&error),
        }
    }

    fn document(&self, document: &Document, exit: Exit) -> Exit {
        match render::json(document) {
            Ok(text) => self.output.finished(self.output.data(&text), exit),
            Err(error) => self.output.failed(&error),
        }
    }
}
