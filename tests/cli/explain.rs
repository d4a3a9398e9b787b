//! Every explanation is true: the files of its example bring up its code, and those of its remedy make it go.
//!
//! An explanation's example is the fenced blocks whose info string names a file, as in "```yaml topics/a.yaml". Those after the heading "## Remedy" replace
//! files of the same name. What an example leaves out is taken from the defaults below.

use crate::runner::Workspace;
use crate::voice::complaint;
use isotopic::finding::catalogue::CODES;
use isotopic::finding::{Code, Stage};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// All of a cluster's file but its id. The defaults are those of a fresh 4.3.1 broker, for the keys that examples use.
macro_rules! cluster {
    () => {
        r#""format_version": "1.0", "kind": "simulated", "taken_at": "2026-11-30T12:00:00Z", "kafka_version": "4.3.1",
"brokers": [{"id": 1}, {"id": 2}, {"id": 3}],
"defaults": {
  "cleanup.policy": {"value": "delete", "origin": "DEFAULT_CONFIG"},
  "max.message.bytes": {"value": "1048588", "origin": "DEFAULT_CONFIG"},
  "min.insync.replicas": {"value": "1", "origin": "DYNAMIC_DEFAULT_BROKER_CONFIG"},
  "retention.ms": {"value": "604800000", "origin": "DEFAULT_CONFIG"}
},
"topics": {}}"#
    };
}

/// Two simulated clusters of three brokers, mirrored by an MM2 4.0 with the default configuration.
const DEFAULTS: [(&str, &str); 4] = [
    (
        "isotopic.yaml",
        r#"
version: 1
name: example
clusters:
  primary: {simulated: clusters/primary.json}
  dr: {simulated: clusters/dr.json}
mirrors:
  - {source: primary, target: dr, mm2: {version: "4.0"}}
defaults: {replication_factor: 1, partitions: 1}
"#,
    ),
    ("topics/a.yaml", "topics:\n  orders: {}\n"),
    ("clusters/primary.json", concat!(r#"{"cluster_id": "sim-primary", "#, cluster!())),
    ("clusters/dr.json", concat!(r#"{"cluster_id": "sim-dr", "#, cluster!())),
];

/// What no file can show: a cluster that refuses a login, and the way out of a cluster that does not answer.
const WITHOUT_EXAMPLE: [Code; 1] = [Code::En002];
const WITHOUT_REMEDY: [Code; 2] = [Code::En001, Code::En002];

/// Whose remedied workspace still leads to the closed port 127.0.0.1:1, where no cluster can be seen.
const STILL_UNREACHABLE: [Code; 3] = [Code::Ym006, Code::Ym011, Code::En007];

type Files = BTreeMap<String, String>;

#[derive(Debug, Default, PartialEq)]
struct Story {
    example: Files,
    remedy: Files,
}

/// The files of an explanation, by the fences that name one.
fn story(markdown: &str) -> Story {
    let mut story = Story::default();
    let mut in_remedy = false;
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        in_remedy |= line == "## Remedy";
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: String = lines.by_ref().take_while(|line| *line != "```").flat_map(|line| [line, "\n"]).collect();
        if let Some((_, path)) = info.split_once(' ') {
            let files = if in_remedy { &mut story.remedy } else { &mut story.example };
            assert!(files.insert(path.to_owned(), text).is_none(), "{path} stands twice");
        }
    }
    story
}

struct Outcome {
    exit: i32,
    codes: BTreeSet<String>,
    document: Value,
}

/// A workspace of these files, laid over the defaults. Topics of the defaults are left out where the example brings its own.
fn workspace(files: &Files) -> Workspace {
    let brings_topics = files.keys().any(|path| path.starts_with("topics/"));
    let defaults = DEFAULTS.iter().filter(|(path, _)| !(brings_topics && path.starts_with("topics/"))).map(|(path, text)| (*path, *text));
    Workspace::of(defaults.chain(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))))
}

fn plan(files: &Files) -> Outcome {
    let run = workspace(files).run(&["plan", "--format", "json", "--timeout", "3s"]);
    let document = run.json();
    let codes = said(&document).filter_map(|entry| entry["code"].as_str().map(str::to_owned)).collect();
    Outcome { exit: run.code().unwrap(), codes, document }
}

/// Everything that a document has to say: refusals, diagnostics and drift.
fn said(document: &Value) -> impl Iterator<Item = &Value> {
    ["refusals", "diagnostics", "drift"].iter().flat_map(move |list| document[list].as_array().unwrap_or_else(|| panic!("no list {list}: {document}")))
}

/// The exit that DESIGN section 8 gives a run with nothing but this code's finding.
fn exit(code: Code) -> i32 {
    match code.stage() {
        Stage::Input => 3,
        Stage::Refusal => 4,
        Stage::Unobserved => 7,
        Stage::Note => 0,
    }
}

#[test]
fn every_explanation_has_a_title_and_only_known_ones_lack_files() {
    for code in CODES {
        let text = code.explanation();
        let title = format!("# {code}: {}\n", code.title());
        assert!(text.starts_with(&title), "{code} should begin with {title:?}");
        assert!(text.contains("\n## Example\n") && text.contains("\n## Remedy\n"), "{code}");
        let story = story(text);
        assert_eq!(story.example.is_empty(), WITHOUT_EXAMPLE.contains(code), "example of {code}");
        assert_eq!(story.remedy.is_empty(), WITHOUT_REMEDY.contains(code), "remedy of {code}");
    }
}

#[test]
fn every_example_brings_up_its_code_and_every_remedy_makes_it_go() {
    let mut wrong = Vec::new();
    for code in CODES.iter().filter(|code| !WITHOUT_EXAMPLE.contains(code)) {
        let Story { example, remedy } = story(code.explanation());
        let shown = plan(&example);
        if !shown.codes.contains(code.as_str()) || shown.exit != exit(*code) {
            wrong.push(format!("the example of {code} should exit {} and has exit {}, codes {:?}\n{}", exit(*code), shown.exit, shown.codes, shown.document));
        }
        if WITHOUT_REMEDY.contains(code) {
            continue;
        }
        let mut mended = example;
        mended.extend(remedy);
        let after = plan(&mended);
        let expected = if STILL_UNREACHABLE.contains(code) { 7 } else { 0 };
        if after.codes.contains(code.as_str()) || after.exit != expected {
            wrong.push(format!("the remedy of {code} should exit {expected} and has exit {}, codes {:?}\n{}", after.exit, after.codes, after.document));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn everything_that_is_said_has_one_voice() {
    let mut wrong = Vec::new();
    for code in CODES.iter().filter(|code| !WITHOUT_EXAMPLE.contains(code)) {
        let document = plan(&story(code.explanation()).example).document;
        let predictions = document["predictions"].as_array().unwrap();
        for entry in said(&document).chain(predictions) {
            let sentences: Vec<_> = ["message", "help", "consequence", "remedy", "because"].iter().filter_map(|field| entry[field].as_str()).collect();
            assert!(!sentences.is_empty(), "{entry}");
            let complaints = sentences.into_iter().filter_map(|sentence| complaint(sentence, entry["topic"].as_str()));
            wrong.extend(complaints.map(|complaint| format!("{code}: {complaint}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a person sees of each example. A golden text is accepted only after somebody has read it as the one who is called at night.
#[test]
fn every_example_reads_well() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    for code in CODES.iter().filter(|code| !WITHOUT_EXAMPLE.contains(code)) {
        let workspace = workspace(&story(code.explanation()).example);
        let run = workspace.run(&["plan", "--timeout", "3s"]);
        let shown = format!("exit {}\n--- stdout\n{}--- stderr\n{}", run.code().unwrap(), run.stdout, run.stderr);
        insta::assert_snapshot!(code.as_str(), scrubbed(&shown, &workspace.folder_name()));
    }
}

/// Without the folder's name, and without the fingerprint, which is the hash of what the text shows anyway.
fn scrubbed(text: &str, folder: &str) -> String {
    let scrub = |line: &str| line.split_once("fingerprint sha256:").map_or_else(|| line.to_owned(), |(before, _)| format!("{before}fingerprint sha256:..."));
    text.replace(folder, "FOLDER").lines().map(|line| scrub(line) + "\n").collect()
}

#[test]
fn fences_that_name_a_file_are_files_and_others_are_not() {
    let found = story("# X\n```sh\nls\n```\n## Example\n```yaml a.yaml\nx: 1\ny: 2\n```\n## Remedy\n```yaml a.yaml\nx: 3\n```\n");
    let files = |text: &str| Files::from([("a.yaml".to_owned(), text.to_owned())]);
    assert_eq!(found, Story { example: files("x: 1\ny: 2\n"), remedy: files("x: 3\n") });
}
