//! One broker with every kind of listener, and principals of different rights.

use crate::brokers::{KAFKA, Life, Start, address, free_ports};
use crate::certificates;
use crate::tools::{self, ACLS, tool};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

/// The password of every user. Who may do what is in [`prepare`].
pub(crate) const PASSWORD: &str = "password-canary";

/// The addresses of its listeners, as `host:port`.
pub(crate) struct Secured {
    /// Nothing at all.
    pub(crate) plaintext: String,
    /// TLS.
    pub(crate) ssl: String,
    /// TLS, and wants a client certificate.
    pub(crate) mtls: String,
    /// SASL with every mechanism.
    pub(crate) sasl_plaintext: String,
    /// The same over TLS.
    pub(crate) sasl_ssl: String,
    /// SASL with the mechanism PLAIN only.
    pub(crate) plain_only: String,
    /// TLS with a certificate that has expired.
    pub(crate) expired: String,
    /// TLS with a certificate for another host.
    pub(crate) elsewhere: String,
    /// TLS; the broker advertises it by a name that its certificate has not.
    pub(crate) renamed: String,
    /// The folder of the certificates.
    pub(crate) certificates: PathBuf,
    _life: Life,
}

/// The broker, started on the first call.
pub(crate) fn secured() -> &'static Secured {
    static SECURED: OnceLock<Secured> = OnceLock::new();
    SECURED.get_or_init(|| {
        let ports = free_ports(LISTENERS.len() + 1);
        let scram: Vec<_> = USERS
            .iter()
            .flat_map(|user| ["SCRAM-SHA-256", "SCRAM-SHA-512"].map(|mechanism| format!("{mechanism}=[name={user},password={PASSWORD}]")))
            .collect();
        let format: Vec<&str> = scram.iter().flat_map(|user| ["--add-scram", user]).collect();
        let start = Start::new("secured", "AAAAAAAAAAAAAAAAAAAAAw", KAFKA, &format, |folder| {
            certificates::write(folder);
            settings(&ports, folder)
        });
        let certificates = start.folder.clone();
        let life = start.wait();
        let at = |name: &str| address(ports[LISTENERS.iter().position(|(listener, _)| *listener == name).unwrap()]);
        let secured = Secured {
            plaintext: at("PLAINTEXT"),
            ssl: at("SSL"),
            mtls: at("MTLS"),
            sasl_plaintext: at("SASL_PLAINTEXT"),
            sasl_ssl: at("SASL_SSL"),
            plain_only: at("PLAINONLY"),
            expired: at("EXPIRED"),
            elsewhere: at("ELSEWHERE"),
            renamed: at("RENAMED"),
            certificates,
            _life: life,
        };
        prepare(&secured.plaintext);
        secured
    })
}

/// Each with the protocol it speaks.
const LISTENERS: [(&str, &str); 9] = [
    ("PLAINTEXT", "PLAINTEXT"),
    ("SSL", "SSL"),
    ("MTLS", "SSL"),
    ("SASL_PLAINTEXT", "SASL_PLAINTEXT"),
    ("SASL_SSL", "SASL_SSL"),
    ("PLAINONLY", "SASL_PLAINTEXT"),
    ("EXPIRED", "SSL"),
    ("ELSEWHERE", "SSL"),
    ("RENAMED", "SSL"),
];

/// They differ in their rights.
const USERS: [&str; 5] = ["admin", "isotopic", "half", "named", "nobody"];

fn settings(ports: &[u16], folder: &Path) -> String {
    let controller = ports[LISTENERS.len()];
    let listeners: Vec<_> = LISTENERS.iter().zip(ports).map(|((name, _), port)| format!("{name}://127.0.0.1:{port}")).collect();
    let protocols: Vec<_> = LISTENERS.iter().map(|(name, protocol)| format!("{name}:{protocol}")).collect();
    let advertised =
        listeners.iter().map(|listener| if listener.starts_with("RENAMED") { listener.replace("127.0.0.1", "localhost") } else { listener.clone() });
    let advertised = advertised.collect::<Vec<_>>().join(",");
    let (listeners, protocols, data) = (listeners.join(","), protocols.join(","), folder.join("data"));
    let (data, certificates) = (data.display(), folder.display());
    let plain: Vec<_> = USERS.iter().map(|user| format!("user_{user}=\"{PASSWORD}\"")).collect();
    let plain = format!("org.apache.kafka.common.security.plain.PlainLoginModule required {};", plain.join(" "));
    let scram = "org.apache.kafka.common.security.scram.ScramLoginModule required;";
    let bearer = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"broker\";";
    let mut text = format!(
        "process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners={listeners},CONTROLLER://127.0.0.1:{controller}
advertised.listeners={advertised}
controller.listener.names=CONTROLLER
listener.security.protocol.map={protocols},CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER
listener.name.plainonly.sasl.enabled.mechanisms=PLAIN
listener.name.plainonly.plain.sasl.jaas.config={plain}
ssl.keystore.type=PEM
ssl.keystore.location={certificates}/server.pem
ssl.truststore.type=PEM
ssl.truststore.location={certificates}/ca.pem
ssl.principal.mapping.rules=RULE:^CN=([^,]+).*$/$1/,DEFAULT
listener.name.mtls.ssl.client.auth=required
listener.name.expired.ssl.keystore.type=PEM
listener.name.expired.ssl.keystore.location={certificates}/expired.pem
listener.name.elsewhere.ssl.keystore.type=PEM
listener.name.elsewhere.ssl.keystore.location={certificates}/elsewhere.pem
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:admin
connection.failed.authentication.delay.ms=100
auto.create.topics.enable=true
log.dirs={data}
log.index.size.max.bytes=65536
offsets.topic.replication.factor=1
"
    );
    for listener in ["sasl_plaintext", "sasl_ssl"] {
        text += &format!("listener.name.{listener}.plain.sasl.jaas.config={plain}\n");
        text += &format!("listener.name.{listener}.scram-sha-256.sasl.jaas.config={scram}\n");
        text += &format!("listener.name.{listener}.scram-sha-512.sasl.jaas.config={scram}\n");
        text += &format!("listener.name.{listener}.oauthbearer.sasl.jaas.config={bearer}\n");
    }
    text
}

/// Topics and rights. `admin` may do everything; `isotopic` may Describe and DescribeConfigs every topic; `half` may Describe `orders` and `clicks` and
/// DescribeConfigs only `orders`; `named` both on `orders` alone; `client`, the holder of the certificate, as `isotopic`; `nobody` nothing at all.
fn prepare(bootstrap: &str) {
    tools::create(bootstrap, ["orders", "clicks", "secret"].map(|name| tools::topic(name, 1, &[])));
    let rights = [
        "--add --allow-principal User:isotopic --allow-principal User:client --operation Describe --operation DescribeConfigs --topic *",
        "--add --allow-principal User:half --operation Describe --topic orders --topic clicks",
        "--add --allow-principal User:half --allow-principal User:named --operation DescribeConfigs --topic orders",
        "--add --allow-principal User:named --operation Describe --topic orders",
    ];
    thread::scope(|scope| {
        for arguments in rights {
            scope.spawn(move || tool(ACLS, bootstrap, arguments));
        }
    });
}
