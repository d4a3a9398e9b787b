//! No output ever shows a secret: whatever a connection holds, however it is written, and whatever is wrong around it.

use crate::pair::TOPICS;
use crate::runner::Workspace;

/// The secret. Long enough that no word of ours holds it by chance.
const CANARY: &str = "CaNaRy-4711";

/// Cluster `primary` as it stands beneath `clusters:`, with CANARY for the secret, and how a plan of it ends.
const CLUSTERS: &[(&str, i32)] = &[
    // Nobody answers, or the client cannot be made: a secret in every kind of property.
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.username: CANARY\n", 7),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {client.id: CANARY}\n", 7),
    (
        "  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.username: me, sasl.password: CANARY}\n",
        7,
    ),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.username: \"${env:PLAIN_SECRET}\"}\n", 7),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.username: \"${env:NOT_SET:-CANARY}\"}\n", 7),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.username: \"x${file:secret.txt}\"}\n", 7),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {\"sasl.username\": \"CANARY\"}\n", 7),
    ("  primary: {bootstrap: \"127.0.0.1:1\", properties: &shared {sasl.username: &secret CANARY, sasl.password: *secret}}\n", 7),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {ssl.ca.location: /CANARY, security.protocol: SSL}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {ssl.ca.pem: CANARY, security.protocol: SSL}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {ssl.key.password: CANARY, ssl.key.pem: CANARY, security.protocol: SSL}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.mechanism: CANARY, security.protocol: SASL_PLAINTEXT}\n", 3),
    // librdkafka takes no such value, or knows no such property.
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      security.protocol: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {socket.timeout.ms: \"${env:PLAIN_SECRET}\"}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.pasword: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {debug: CANARY}\n", 3),
    // The address.
    ("  primary: {bootstrap: \"me:CANARY@127.0.0.1:1\"}\n", 3),
    ("  primary:\n    bootstrap: SASL_SSL://me:CANARY@127.0.0.1:1\n", 3),
    ("  primary: {bootstrap: \"${env:ADDRESS}\"}\n", 3),
    ("  primary: {bootstrap: \"127.0.0.1:1,CANARY@127.0.0.1:1\", properties: {x: y}}\n", 3),
    ("  primary: {bootstrap: \"me:${env:PLAIN_SECRET}@127.0.0.1:1\", properties: {x: y}}\n", 3),
    ("  primary: {bootstrap: \"127.0.0.1:1/${env:NOT_SET:-me:CANARY@h}\", simulated: x}\n", 3),
    // What is wrong stands beside the secret.
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: CANARY\n      sasl.username: ${env:NOT_SET}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: CANARY${env:NOT_SET}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: CANARY${env:\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: ${CANARY}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: ${env:CANARY}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: CANARY\n      plugin.library.paths: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: CANARY\n      bootstrap.servers: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: CANARY\n      sasl.password: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.password: CANARY}\n    simulated: x\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: [CANARY]\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.password: [CANARY], x: {CANARY: CANARY}}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    propertys:\n      sasl.password: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    password: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    sasl.password: CANARY\n    sasl.jaas.config: |\n      id: CANARY\n", 3),
    // What is wrong is the secret's own spelling.
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: @CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: %CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: &CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: *CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: !CANARY x\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: !CANARY!x y\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: a: CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: \"CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: \"CANARY\\q\"\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password: |CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password:CANARY\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties:\n      sasl.password CANARY: x\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.password: ab,CANARY}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.password: ab, CANARY: x}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.password: ab, x CANARY: \"${env:NOT_SET}\"}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.password: \"CANARY\\u0007\"}\n", 3),
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {sasl.password: CANARY\n", 3),
    // Commented out, beside something wrong.
    ("  primary:\n    bootstrap: 127.0.0.1:1\n    # sasl.password: CANARY\n    wrong: x # CANARY\n    #CANARY\n", 3),
];

fn workspace(clusters: &str) -> Workspace {
    let clusters = clusters.replace("CANARY", CANARY);
    let text = format!(
        "version: 1\nname: pair\nclusters:\n{clusters}  dr: {{simulated: clusters/dr.json}}\nmirrors:\n  - {{source: primary, target: dr, mm2: {{version: \"4.0\"}}}}\n\
         defaults: {{partitions: 1, replication_factor: 1}}\n"
    );
    let cluster = r#"{"format_version": "1.0", "kind": "simulated", "cluster_id": "dr", "brokers": [{"id": 1}]}"#;
    let workspace = Workspace::of([("isotopic.yaml", text.as_str()), ("topics/a.yaml", TOPICS), ("clusters/dr.json", cluster)]);
    let address = format!("me:{CANARY}@127.0.0.1:1");
    workspace.file("secret.txt", format!("{CANARY}\n")).env("PLAIN_SECRET", CANARY).env("ADDRESS", &address)
}

/// Runs every command on it that reads a connection. Exit codes of `validate` do not matter here.
fn told(workspace: &Workspace, exit: i32) -> String {
    let text = workspace.run(&["plan", "-v", "--full", "--timeout", "1s"]);
    let json = workspace.run(&["plan", "-v", "--timeout", "1s", "--format", "json"]);
    let runs = [text, json, workspace.run(&["validate", "-v"]), workspace.run(&["validate", "-v", "--format", "json"])];
    for run in &runs[..2] {
        run.exits(exit);
    }
    runs.iter().map(|run| format!("{}{}", run.stdout, run.stderr)).collect()
}

#[test]
fn no_output_shows_a_secret() {
    let next = std::sync::atomic::AtomicUsize::new(0);
    // Most of the time is spent in waiting for a port that nobody listens on.
    let test = || {
        while let Some((clusters, exit)) = CLUSTERS.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let told = told(&workspace(clusters), *exit);
            assert!(!told.contains(CANARY), "{clusters}{told}");
        }
    };
    std::thread::scope(|scope| (0..8).map(|_| scope.spawn(test)).collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap()));
}

#[test]
fn a_value_that_an_alias_brings_from_elsewhere_is_masked_there() {
    let workspace = workspace("  primary: {simulated: clusters/primary.json}\n").file(
        "isotopic.yaml",
        format!(
            "version: 1\nprofiles:\n  logs: {{owner: &pw {CANARY}, oops: 1}}\nclusters:\n  primary:\n    bootstrap: 127.0.0.1:1\n    properties: {{sasl.password: *pw}}\n"
        ),
    );
    let told = told(&workspace, 3);
    assert!(told.contains("isotopic.yaml:3:") && !told.contains(CANARY), "{told}");
}

#[test]
fn a_topics_file_holds_no_secrets_and_is_shown_as_it_is() {
    let topics = "# password: none\ntopics:\n  auth.tokens: {partitions: 1, replication_factor: 1, config: {retention.ms: 7x}}\n";
    let run = Workspace::of([("isotopic.yaml", "version: 1\nclusters: {a: {simulated: a.json}}\n"), ("topics/a.yaml", topics)]).run(&["validate"]);
    run.exits(3).says("# password: none").says("auth.tokens: {partitions: 1, replication_factor: 1, config: {retention.ms: 7x}}");
}
