//! `isotopic show FILE`: a saved plan, as `plan` showed it.

use super::exit::Exit;
use super::files;
use super::output::Output;
use crate::cli::{self, Format, Global};
use crate::finding::{Code, Finding, Sources};
use crate::plan::Plan;
use crate::render::{self, text::Heading};
use crate::wire::Saved;
use crate::wire::plan::Document;
use std::path::Path;

/// Runs the command. JSON is shown as it is in the file: a later minor version may have written more than this one knows.
pub(super) fn show(global: &Global, args: &cli::Show, output: &Output) -> Exit {
    let (text, document) = match read(global, &args.file) {
        Ok(read) => read,
        Err(finding) => {
            output.findings([&*finding], &Sources::default());
            return Exit::Invalid;
        }
    };
    let shown = match args.format {
        Format::Json => output.data(&text),
        Format::Text => {
            let Saved { plan, sources } = document.reopen();
            if document.errored {
                let verdict = format!("{} No cluster was contacted.", super::validate::summary(&plan.diagnostics));
                output.plan(&render::text::invalid(&verdict, &plan.diagnostics, &sources))
            } else {
                output.plan(&plan_text(&document, &plan, &sources, args.full))
            }
        }
    };
    output.finished(shown, Exit::Done)
}

fn read(global: &Global, file: &Path) -> Result<(String, Document), Box<Finding>> {
    let path = global.directory.as_deref().unwrap_or(Path::new("")).join(file);
    let text = files::read_text(&path, file)?;
    let document = Document::parse(&text).map_err(|why| {
        let message = format!("{}:{}:{} is no plan that can be shown: {}", file.display(), why.line, why.column, why.message);
        Box::new(Finding::new(Code::Ym014, message).help("`isotopic plan --out FILE` writes one"))
    })?;
    Ok((text, document))
}

/// The text of a plan, whose document tells what stands in its head.
pub(super) fn plan_text(document: &Document, plan: &Plan, sources: &Sources, full: bool) -> String {
    let heading = Heading {
        workspace: document.workspace.as_deref().unwrap_or_default(),
        commit: document.source.commit.as_deref(),
        dirty: document.source.dirty == Some(true),
        now: document.created_at.0,
    };
    render::text::text(plan, sources, heading, full)
}
