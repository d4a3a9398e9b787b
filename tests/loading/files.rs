//! `files` and `overlays`: what is wrong with them.

use super::{WORKSPACE, load_files, told};
use isotopic::finding::{Code, Finding};
use isotopic::spec::{Inputs, load};

#[test]
fn patterns_and_paths_stay_beneath_the_workspace_and_are_read_once() {
    for (line, expected) in [
        ("files: ['topics/*.yaml', 'topics/**']", &[][..]),
        ("files: [topics/b.yaml]", &["YM014 11:9"]),
        ("files: ['topics/*.yaml', 'prod/*']", &["YM014 11:26"]),
        ("files: [../x.yaml, /x.yaml, '']", &["YM008 11:9", "YM008 11:20", "YM008 11:29"]),
        ("files: ['topics/[.yaml']", &["YM008 11:9"]),
        ("files: []", &["YM008 11:8"]),
        ("files: topics/a.yaml", &["YM003 11:8"]),
        ("overlays: [../x.yaml]", &["YM008 11:12"]),
        ("overlays: [a.yaml, ./a.yaml]", &["YM008 11:20"]),
        ("overlays: ['${env:E}.yaml']", &["YM009 11:12"]),
    ] {
        let loaded = load_files(&format!("{WORKSPACE}{line}\n"), &[("topics/a.yaml", "")]);
        assert_eq!(told(&loaded), expected, "{line}: {:#?}", loaded.findings);
    }
}

#[test]
fn the_default_pattern_may_match_nothing() {
    assert_eq!(told(&load_files(WORKSPACE, &[])), [""; 0]);
}

#[test]
fn an_overlay_that_cannot_be_read_is_told_where_it_is_named() {
    let loaded = load(Inputs {
        workspace_file: ("isotopic.yaml".to_owned(), format!("{WORKSPACE}overlays: [env/a.yaml]\n")),
        overlays: vec![("env/a.yaml".to_owned(), Err(Box::new(Finding::new(Code::Ym014, "env/a.yaml cannot be read"))))],
        ..Inputs::default()
    });
    assert_eq!(told(&loaded), ["YM014 11:12"]);
}
