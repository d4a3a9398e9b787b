//! `isotopic schema [NAME]`: the JSON Schemas that `schemas/` holds as well.

use super::exit::Exit;
use super::output::Output;
use crate::{render, spec, wire};
use schemars::Schema;

type Named = (&'static str, &'static str, fn() -> Schema);

/// Every schema: its name, what it describes, and how it is made.
const SCHEMAS: [Named; 5] = [
    ("overlay", "the files that `overlays:` names", spec::overlay_schema),
    ("plan", "what isotopic plan --out and --format json write", wire::schema::<wire::plan::Document>),
    ("snapshot", "a cluster in a file: what `simulated:` and `snapshot:` name", snapshot),
    ("topics", "the files that `files:` matches: topics/**/*.yaml", spec::topics_schema),
    ("workspace", "isotopic.yaml", spec::workspace_schema),
];

/// As it is read: what may be left out is not required.
fn snapshot() -> Schema {
    schemars::schema_for!(wire::snapshot::Snapshot)
}

/// Prints a schema, or the names of all. An unknown name is wrong usage.
pub(super) fn schema(name: Option<&str>, output: &Output) -> Exit {
    let Some(name) = name else {
        let width = SCHEMAS.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
        let list: String = SCHEMAS.iter().map(|(name, what, _)| format!("{name:<width$}  {what}\n")).collect();
        return output.finished(output.data(&list), Exit::Done);
    };
    let Some((_, _, make)) = SCHEMAS.iter().find(|(known, ..)| *known == name) else {
        let names = SCHEMAS.map(|(name, ..)| name).join(", ");
        output.tell(&format!("error: there is no schema {name:?}\n\nhelp: there are {names}"));
        return Exit::Usage;
    };
    match render::json(&make()) {
        Ok(text) => output.finished(output.data(&text), Exit::Done),
        Err(error) => output.failed(&error),
    }
}
