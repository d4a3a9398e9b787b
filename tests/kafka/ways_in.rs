//! Every way into a secured cluster, as the documentation shows it, and what is said where a way is not open.

use crate::certificates::{CLIENT_FILES, PASSPHRASE};
use crate::runner::{Run, Workspace};
use crate::secured::{PASSWORD, Secured, secured};
use openssl::base64::encode_block;
use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const DOCUMENTATION: &str = include_str!("../../docs/connecting.md");

/// What is as it was created: one partition, one replica.
const TOPICS: &str = "defaults: {partitions: 1, replication_factor: 1}\ntopics: {orders: {}, clicks: {}, secret: {}}\n";

/// A workspace of one cluster, with all that the documentation's files and variables stand for.
pub(crate) fn workspace(yaml: &str, bootstrap: &str) -> Workspace {
    let files = CLIENT_FILES.map(|name| (format!("certs/{name}"), std::fs::read(secured().certificates.join(name)).unwrap()));
    let workspace = files.into_iter().fold(Workspace::new(), |workspace, (path, content)| workspace.file(&path, content));
    workspace
        .file("isotopic.yaml", yaml)
        .file("topics/a.yaml", TOPICS)
        .file("secrets/kafka-password", format!("{PASSWORD}\n"))
        .file("secrets/token.jwt", format!("{}\n", token("isotopic", 3600)))
        .env("KAFKA_BOOTSTRAP", bootstrap)
        .env("KAFKA_PASSWORD", PASSWORD)
        .env("KAFKA_KEY_PASSPHRASE", PASSPHRASE)
}

/// A workspace file with these lines of properties.
pub(crate) fn with(properties: &str) -> String {
    let properties: String = properties.lines().map(|line| format!("      {}\n", line.trim())).collect();
    format!("version: 1\nclusters:\n  primary:\n    bootstrap: ${{env:KAFKA_BOOTSTRAP}}\n    properties:\n{properties}")
}

/// A JWT that nobody signed (RFC 7519, section 6), as the broker's validator for development takes them: whose it is, and for how many seconds from now.
fn token(principal: &str, seconds: i64) -> String {
    let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap();
    let part = |json: String| encode_block(json.as_bytes()).replace('+', "-").replace('/', "_").replace('=', "");
    let claims = format!(r#"{{"sub":"{principal}","iat":{},"exp":{}}}"#, now - 7200, now + seconds);
    format!("{}.{}.", part(r#"{"alg":"none"}"#.to_owned()), part(claims))
}

/// The workspace files of the documentation, by their headings.
fn documented() -> BTreeMap<&'static str, String> {
    let mut found = BTreeMap::new();
    let mut heading = "";
    let mut lines = DOCUMENTATION.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("### ") {
            heading = title;
        } else if line == "```yaml isotopic.yaml" {
            let text = lines.by_ref().take_while(|line| *line != "```").flat_map(|line| [line, "\n"]).collect();
            assert!(found.insert(heading, text).is_none(), "{heading} has two");
        }
    }
    found
}

/// What the documentation's table says that isotopic says.
fn rows() -> impl Iterator<Item = &'static str> {
    DOCUMENTATION.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |")).map(|(says, _)| says)
}

#[track_caller]
fn reads_everything(run: &Run) {
    run.exits(0);
    let plan = run.json();
    assert_eq!((&plan["complete"], &plan["summary"]["unchanged"]), (&true.into(), &3.into()), "{plan}");
    assert!(!format!("{}{}", run.stdout, run.stderr).contains("canary"), "{plan}");
}

#[test]
fn every_way_in_of_the_documentation_leads_in() {
    let secured = secured();
    let ways = [
        ("Neither TLS nor login", &secured.plaintext),
        ("TLS", &secured.ssl),
        ("TLS with a client certificate", &secured.mtls),
        ("User and password, PLAIN", &secured.sasl_ssl),
        ("User and password, SCRAM-SHA-256", &secured.sasl_ssl),
        ("User and password, SCRAM-SHA-512", &secured.sasl_ssl),
        ("A token, OAUTHBEARER", &secured.sasl_ssl),
        ("A token that nobody signed, for development", &secured.sasl_plaintext),
    ];
    let documented = documented();
    assert_eq!(documented.keys().copied().collect::<BTreeSet<_>>(), ways.iter().map(|(title, _)| *title).collect());
    for (title, bootstrap) in ways {
        // From another folder, because paths are relative to the workspace's.
        let workspace = workspace(&documented[title], bootstrap);
        reads_everything(&workspace.run_in("topics", &["plan", "--format", "json"]));
        if documented[title].contains("SASL_SSL") {
            let without_tls = documented[title].replace("SASL_SSL", "SASL_PLAINTEXT").replace("ssl.ca.location: certs/ca.pem", "");
            let workspace = workspace.file("isotopic.yaml", without_tls).env("KAFKA_BOOTSTRAP", &secured.sasl_plaintext);
            reads_everything(&workspace.run(&["plan", "--format", "json"]));
        }
    }
}

/// A way that is not open.
struct Closed<'a> {
    what: &'a str,
    bootstrap: &'a str,
    properties: String,
    exit: i32,
    code: &'a str,
    /// The whole sentence, with `BROKER` for the address.
    message: &'a str,
    /// Whether it must be said without any waiting.
    at_once: bool,
}

/// The sentence's end where a cluster was not read.
const END: &str = "so nothing of cluster primary was read";

/// Runs all of them at the same time, because some wait.
fn all_are_told(ways: Vec<Closed<'_>>) {
    thread::scope(|scope| {
        for way in &ways {
            scope.spawn(move || is_told(way));
        }
    });
}

fn is_told(way: &Closed<'_>) {
    let workspace = workspace(&with(&way.properties), way.bootstrap);
    let start = Instant::now();
    let run = workspace.run(&["plan", "--format", "json"]);
    let took = start.elapsed();
    let plan = run.json();
    let findings: Vec<_> = ["diagnostics", "refusals"].iter().flat_map(|list| plan[list].as_array().unwrap()).collect();
    let what = way.what;
    assert_eq!(findings.len(), 1, "{what}: {plan}");
    let text = |field: &str| findings[0][field].as_str().unwrap_or_default().to_owned();
    let message = way.message.replace("BROKER", way.bootstrap);
    assert_eq!((text("code"), text("message")), (way.code.to_owned(), message), "{what}");
    assert!(findings[0]["line"].is_number() && text("file") == "isotopic.yaml", "{what}: {plan}");
    assert!(!text("help").is_empty() && !format!("{}{}", run.stdout, run.stderr).contains("canary"), "{what}: {plan}");
    run.exits(way.exit);
    assert!(way.exit == 3 || rows().any(|row| row.split('…').all(|part| way.message.contains(part))), "{what} is not in the documentation");
    assert_eq!(plan["steps"].as_array().unwrap().len(), 0, "{what}");
    // The timeout is 30 s. Generous, because all run at once on few processors.
    let most = Duration::from_secs(if way.at_once { 5 } else { 15 });
    assert!(took < most, "{what} took {took:?}");
}

/// A wrong way that is told with a cluster that could not be read.
fn closed<'a>(what: &'a str, bootstrap: &'a str, properties: impl Into<String>, code: &'a str, message: &'a str) -> Closed<'a> {
    assert!(message.ends_with(END), "{message}");
    Closed { what, bootstrap, properties: properties.into(), exit: 7, code, message, at_once: true }
}

/// One that may pass, so that it is tried for a while.
fn patient(way: Closed<'_>) -> Closed<'_> {
    Closed { at_once: false, ..way }
}

/// One that is seen before anybody is contacted.
fn invalid<'a>(what: &'a str, properties: impl Into<String>, code: &'a str, message: &'a str) -> Closed<'a> {
    Closed { what, bootstrap: "127.0.0.1:1", properties: properties.into(), exit: 3, code, message, at_once: true }
}

const TLS: &str = "security.protocol: SSL\nssl.ca.location: certs/ca.pem\n";

fn sasl(protocol: &str, mechanism: &str, user: &str, password: &str) -> String {
    format!("security.protocol: {protocol}\nsasl.mechanism: {mechanism}\nsasl.username: {user}\nsasl.password: {password}\n")
}

#[test]
fn a_wrong_login_is_told_at_once() {
    let Secured { sasl_plaintext, sasl_ssl, plain_only, plaintext, ssl, .. } = secured();
    let over_tls = |login: String| format!("{login}ssl.ca.location: certs/ca.pem\n");
    let scram_256 = "BROKER does not authorise us (Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-256), so nothing of cluster primary was read";
    let scram_512 = "BROKER does not authorise us (Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-512), so nothing of cluster primary was read";
    let plain = "BROKER does not authorise us (Authentication failed: Invalid username or password), so nothing of cluster primary was read";
    let plain_listener =
        "BROKER does not authorise us (its listener has no SASL login, and security.protocol is SASL_PLAINTEXT), so nothing of cluster primary was read";
    let tls_listener =
        "BROKER does not authorise us (its listener has no SASL login, and security.protocol is SASL_SSL), so nothing of cluster primary was read";
    let mechanism = "BROKER does not authorise us (it does not offer the mechanism SCRAM-SHA-256, but PLAIN), so nothing of cluster primary was read";
    all_are_told(vec![
        closed("password, PLAIN", sasl_plaintext, sasl("SASL_PLAINTEXT", "PLAIN", "isotopic", "wrong-canary"), "EN002", plain),
        closed("user, PLAIN", sasl_ssl, over_tls(sasl("SASL_SSL", "PLAIN", "stranger", PASSWORD)), "EN002", plain),
        closed("password, SCRAM", sasl_ssl, over_tls(sasl("SASL_SSL", "SCRAM-SHA-512", "isotopic", "wrong-canary")), "EN002", scram_512),
        closed("user, SCRAM", sasl_plaintext, sasl("SASL_PLAINTEXT", "SCRAM-SHA-256", "stranger", PASSWORD), "EN002", scram_256),
        closed("mechanism", plain_only, sasl("SASL_PLAINTEXT", "SCRAM-SHA-256", "isotopic", PASSWORD), "EN002", mechanism),
        closed("no login there", plaintext, sasl("SASL_PLAINTEXT", "PLAIN", "isotopic", PASSWORD), "EN002", plain_listener),
        closed("no login there, TLS", ssl, over_tls(sasl("SASL_SSL", "PLAIN", "isotopic", PASSWORD)), "EN002", tls_listener),
    ]);
}

#[test]
fn a_wrong_certificate_is_told_at_once_with_what_is_wrong_about_it() {
    let Secured { ssl, mtls, expired, elsewhere, renamed, .. } = secured();
    let untrusted = "BROKER cannot be reached (its certificate, /CN=server, is signed by /CN=Isotopic Test CA, which is not trusted here), so nothing of cluster primary was read";
    let has_expired = "BROKER cannot be reached (its certificate, /CN=expired, has expired), so nothing of cluster primary was read";
    let is_elsewhere = "BROKER cannot be reached (its certificate, /CN=elsewhere, is for another host), so nothing of cluster primary was read";
    let no_certificate =
        "BROKER does not authorise us (it wants a client certificate and there is none: TLS alert 42, bad certificate), so nothing of cluster primary was read";
    let stranger =
        "BROKER does not authorise us (it does not accept the client certificate: TLS alert 42, bad certificate), so nothing of cluster primary was read";
    // The bootstrap address is fine. It is the next one, which the broker advertises, that is not.
    let advertised = renamed.replace("127.0.0.1", "localhost");
    let is_renamed = format!("{advertised} cannot be reached (its certificate, /CN=server, is for another host), {END}");
    let client = |name: &str| format!("{TLS}ssl.certificate.location: certs/{name}.pem\nssl.key.location: certs/{name}.key\n");
    all_are_told(vec![
        closed("other authority", ssl, TLS.replace("ca.pem", "other-ca.pem"), "EN001", untrusted),
        closed("the system's authorities", ssl, "security.protocol: SSL", "EN001", untrusted),
        closed("expired", expired, TLS, "EN001", has_expired),
        closed("another host", elsewhere, TLS, "EN001", is_elsewhere),
        patient(closed("an advertised name", renamed, TLS, "EN001", &is_renamed)),
        closed("no client certificate", mtls, TLS, "EN002", no_certificate),
        closed("client certificate of another authority", mtls, client("stranger"), "EN002", stranger),
    ]);
}

#[test]
fn what_is_not_verified_cannot_be_wrong() {
    let yaml = with("security.protocol: SSL\nenable.ssl.certificate.verification: false");
    reads_everything(&workspace(&yaml, &secured().expired).run(&["plan", "--format", "json"]));
    let yaml = with(&format!("{TLS}ssl.endpoint.identification.algorithm: none"));
    reads_everything(&workspace(&yaml, &secured().elsewhere).run(&["plan", "--format", "json"]));
}

#[test]
fn a_listener_that_speaks_otherwise_is_told_as_such_in_seconds() {
    let Secured { plaintext, ssl, sasl_plaintext, sasl_ssl, .. } = secured();
    let wants_tls = "BROKER cannot be reached (it closed the connection at once, as a listener with TLS does, and security.protocol is PLAINTEXT), so nothing of cluster primary was read";
    let wants_tls_too = "BROKER cannot be reached (it closed the connection at once, as a listener with TLS does, and security.protocol is SASL_PLAINTEXT), so nothing of cluster primary was read";
    let wants_login = "BROKER cannot be reached (it closed the connection at once, as a listener with a SASL login does, and security.protocol is PLAINTEXT), so nothing of cluster primary was read";
    let wants_login_too = "BROKER cannot be reached (it closed the connection at once, as a listener with a SASL login does, and security.protocol is SSL), so nothing of cluster primary was read";
    let no_tls = "BROKER cannot be reached (it does not speak TLS, and security.protocol is SSL), so nothing of cluster primary was read";
    let no_tls_either = "BROKER cannot be reached (it does not speak TLS, and security.protocol is SASL_SSL), so nothing of cluster primary was read";
    let login = |protocol| sasl(protocol, "PLAIN", "isotopic", PASSWORD);
    let nothing = "client.id: test";
    all_are_told(vec![
        patient(closed("plaintext to TLS", ssl, nothing, "EN001", wants_tls)),
        patient(closed("plaintext to SASL and TLS", sasl_ssl, nothing, "EN001", wants_tls)),
        patient(closed("SASL without TLS to SASL and TLS", sasl_ssl, login("SASL_PLAINTEXT"), "EN001", wants_tls_too)),
        patient(closed("plaintext to SASL", sasl_plaintext, nothing, "EN001", wants_login)),
        patient(closed("login without the protocol", sasl_plaintext, login("PLAINTEXT"), "EN001", wants_login)),
        patient(closed("TLS to SASL and TLS", sasl_ssl, TLS, "EN001", wants_login_too)),
        patient(closed("TLS to plaintext", plaintext, TLS, "EN001", no_tls)),
        patient(closed("SASL and TLS to SASL", sasl_plaintext, login("SASL_SSL"), "EN001", no_tls_either)),
    ]);
}

#[test]
fn tokens_are_handed_over_and_what_is_wrong_with_one_is_told_at_once() {
    let bootstrap = &secured().sasl_plaintext;
    let bearer = |more: &str| format!("security.protocol: SASL_PLAINTEXT\nsasl.mechanism: OAUTHBEARER\n{more}\n");
    let with_token = |token: String| bearer(&format!("isotopic.oauthbearer.token: {token}"));
    let none = "the mechanism OAUTHBEARER needs a token, and none is given, so nothing of cluster primary was read";
    let oidc = "fetching tokens by OIDC is not built in, so nothing of cluster primary was read";
    let kerberos = "the mechanism GSSAPI (Kerberos) is not built in, so nothing of cluster primary was read";
    let opaque = "BROKER does not authorise us ({\"status\":\"invalid_token\"}), so nothing of cluster primary was read";
    let illegal = "the token in isotopic.oauthbearer.token is none: it has characters that no token has, so nothing of cluster primary was read";
    all_are_told(vec![
        closed("no token", bootstrap, bearer(""), "EN007", none),
        closed("OIDC", bootstrap, bearer("sasl.oauthbearer.method: oidc"), "EN007", oidc),
        closed("Kerberos", bootstrap, "security.protocol: SASL_PLAINTEXT\nsasl.mechanism: GSSAPI", "EN007", kerberos),
        closed("no JWT", bootstrap, with_token("opaque-canary".to_owned()), "EN002", opaque),
        closed("no token's characters", bootstrap, with_token("müll-canary".to_owned()), "EN002", illegal),
        invalid(
            "a token for nothing",
            "isotopic.oauthbearer.token: canary",
            "YM013",
            "cluster primary has isotopic.oauthbearer.token, which only the mechanism OAUTHBEARER takes",
        ),
    ]);
    let run = workspace(&with(&with_token(token("isotopic", -60))), bootstrap).run(&["plan"]);
    run.exits(7).shows("EN002  the token in isotopic.oauthbearer.token expired (20").shows(END);
    // The principal of the token is the one whose rights count.
    let yaml = with(&bearer("isotopic.oauthbearer.token: ${env:KAFKA_TOKEN}"));
    workspace(&yaml, bootstrap).env("KAFKA_TOKEN", &token("nobody", 3600)).run(&["plan"]).exits(7).shows("3 topics could not be read");
    reads_everything(&workspace(&yaml, bootstrap).env("KAFKA_TOKEN", &token("isotopic", 3600)).run(&["plan", "--format", "json"]));
}

#[test]
fn what_the_files_cannot_give_is_told_before_anybody_is_contacted() {
    let client = |more: &str| format!("{TLS}ssl.certificate.location: certs/client.pem\n{more}\n");
    let encrypted = "ssl.key.location: certs/client-encrypted.key";
    let wrong_passphrase =
        "what ssl.key.location of cluster primary gives cannot be used: it holds no private key in PEM, or ssl.key.password is not its passphrase";
    all_are_told(vec![
        invalid(
            "encrypted key without passphrase",
            client(encrypted),
            "YM012",
            "the key that ssl.key.location of cluster primary names is encrypted, and there is no ssl.key.password",
        ),
        invalid("wrong passphrase", client(&format!("{encrypted}\nssl.key.password: wrong-canary")), "YM008", wrong_passphrase),
        invalid(
            "another certificate's key",
            client("ssl.key.location: certs/stranger.key"),
            "YM008",
            "what ssl.key.location of cluster primary gives cannot be used: it is not the key of the certificate",
        ),
        invalid(
            "a certificate without its key",
            client(""),
            "YM012",
            "cluster primary has ssl.certificate.location and no ssl.key.location, the key to that certificate",
        ),
        invalid(
            "no such file",
            "security.protocol: SSL\nssl.ca.location: certs/canary.pem",
            "YM014",
            "the file that ssl.ca.location of cluster primary names cannot be read: No such file or directory (os error 2)",
        ),
        invalid(
            "no certificate in the file",
            "security.protocol: SSL\nssl.ca.location: certs/client.key",
            "YM008",
            "what ssl.ca.location of cluster primary gives cannot be used: it holds no certificate in PEM",
        ),
        invalid(
            "no mechanism",
            "security.protocol: SASL_SSL",
            "YM012",
            "cluster primary has the security.protocol SASL_SSL and no sasl.mechanism, so nothing says how to log in",
        ),
        invalid(
            "no password",
            "security.protocol: SASL_PLAINTEXT\nsasl.mechanism: PLAIN\nsasl.username: isotopic",
            "YM012",
            "cluster primary logs in by PLAIN and has no sasl.password",
        ),
    ]);
}
