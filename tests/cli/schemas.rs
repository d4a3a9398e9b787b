//! The schemas in `schemas/` are what the program makes.

use super::runner::Workspace;
use std::collections::BTreeSet;
use std::path::Path;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas"))
}

fn names() -> BTreeSet<String> {
    let list = Workspace::new().run(&["schema"]);
    list.exits(0).says_nothing();
    list.stdout.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn every_schema_is_checked_in_and_current() {
    for name in names() {
        let made = Workspace::new().run(&["schema", &name]);
        made.exits(0).says_nothing();
        let held = std::fs::read_to_string(folder().join(format!("{name}.json"))).unwrap_or_default();
        assert!(held == made.stdout, "schemas/{name}.json is stale; write it anew: cargo run -- schema {name} > schemas/{name}.json");
    }
}

#[test]
fn nothing_else_is_checked_in() {
    let held: BTreeSet<_> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let made: BTreeSet<_> = names().into_iter().map(|name| format!("{name}.json")).collect();
    assert_eq!(held, made);
}
