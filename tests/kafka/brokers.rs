//! Real one-node clusters, each started once for all tests that want it, and gone when the test process is, however it ends.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The version that expected values are from, where no other is named.
pub(crate) const KAFKA: &str = "4.3.1";
/// The last version before 4, with ZooKeeper's times still in it.
pub(crate) const KAFKA_3: &str = "3.9.1";

/// One broker that is a cluster.
pub(crate) struct Broker {
    /// Its plain listener, as `host:port`.
    pub(crate) bootstrap: String,
    /// The port of the plain listener.
    pub(crate) port: u16,
    /// Its listener with SASL/PLAIN, as `host:port`.
    pub(crate) sasl: String,
    /// The cluster's id, as it was formatted.
    pub(crate) id: &'static str,
    _life: Life,
}

/// While this pipe is open a broker lives.
pub(crate) struct Life(#[expect(dead_code, reason = "it is held, not used")] ChildStdin);

impl Broker {
    fn start(name: &'static str, id: &'static str, ports: &[u16], own: &str) -> Starting {
        let ports = [ports[0], ports[1], ports[2]];
        let start = Start::new(name, id, KAFKA, &[], |folder| settings(ports, folder, own));
        Starting { start, ports, id }
    }
}

/// A [`Broker`] that is starting.
struct Starting {
    start: Start,
    ports: [u16; 3],
    id: &'static str,
}

impl Starting {
    fn wait(self) -> Broker {
        let [plain, sasl, _] = self.ports;
        Broker { bootstrap: address(plain), port: plain, sasl: address(sasl), id: self.id, _life: self.start.wait() }
    }
}

/// A port of this machine, as `host:port`.
pub(crate) fn address(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// The two clusters.
pub(crate) struct Brokers {
    /// With a coarse retention, a static segment size, and dynamic values (see [`settings`] and [`crate::tools`]).
    pub(crate) primary: Broker,
    /// With other settings.
    pub(crate) dr: Broker,
}

/// The clusters, started on the first call and prepared by Kafka's own tools.
pub(crate) fn brokers() -> &'static Brokers {
    static BROKERS: OnceLock<Brokers> = OnceLock::new();
    BROKERS.get_or_init(|| {
        let ports = free_ports(6);
        // Both at once, then wait for both.
        let primary = Broker::start("primary", "AAAAAAAAAAAAAAAAAAAAAQ", &ports[..3], PRIMARY);
        let dr = Broker::start("dr", "AAAAAAAAAAAAAAAAAAAAAg", &ports[3..], DR);
        let brokers = Brokers { primary: primary.wait(), dr: dr.wait() };
        crate::tools::prepare(&brokers);
        crate::planning::prepare(&brokers);
        brokers
    })
}

/// `retention.ms` is 100 h as a changed *default*, because hours are a coarse unit; `segment.bytes` is static.
const PRIMARY: &str = "
log.retention.hours=100
log.segment.bytes=104857600
broker.rack=us-east-1a
auto.create.topics.enable=true
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:admin
";

/// `retention.ms` is static.
const DR: &str = "
log.retention.ms=123000
auto.create.topics.enable=false
";

fn settings([plain, sasl, controller]: [u16; 3], folder: &Path, own: &str) -> String {
    let data = folder.join("data");
    format!(
        "process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{plain},SASL_PLAINTEXT://127.0.0.1:{sasl},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{plain},SASL_PLAINTEXT://127.0.0.1:{sasl}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
sasl.enabled.mechanisms=PLAIN
listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_admin=\"admin-canary\" user_reader=\"reader-canary\";
log.dirs={}
log.index.size.max.bytes=65536
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
{own}",
        data.display()
    )
}

/// Kafka's jars of a version, as a class path.
pub(crate) fn class_path(version: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/kafka").join(version);
    let is_there =
        fs::read_dir(&folder).is_ok_and(|mut files| files.any(|file| file.is_ok_and(|file| file.path().extension().is_some_and(|end| end == "jar"))));
    assert!(is_there, "Kafka's jars are not in {}: run tests/run, which fetches them by Maven and then runs these tests", folder.display());
    folder.join("*").display().to_string()
}

/// Ports that nobody listens on. All are held until the last is found, so that they differ.
pub(crate) fn free_ports(count: usize) -> Vec<u16> {
    let held: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    held.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

/// A port that nobody listens on.
pub(crate) fn free_port() -> u16 {
    free_ports(1)[0]
}

/// Formats the storage, starts the broker, and kills it (by its process id) and removes its folder once the test process closes the pipe: by ending in
/// whatever way. It prints the broker's process id.
pub(crate) const WATCHER: &str = r#"
trap '' INT TERM HUP
java -Xmx256m -XX:TieredStopAtLevel=1 -cp "$JARS" kafka.tools.StorageTool format -t "$ID" -c "$FOLDER/server.properties" "$@" </dev/null >"$FOLDER/format.log" 2>&1
java -Xmx${HEAP:-1g} -XX:TieredStopAtLevel=1 -cp "$JARS" kafka.Kafka "$FOLDER/server.properties" </dev/null >"$FOLDER/kafka.log" 2>&1 &
broker=$!
echo "$broker"
cat >/dev/null
kill -9 "$broker"
wait "$broker"
rm -rf "$FOLDER"
"#;

/// A broker that is starting.
pub(crate) struct Start {
    name: &'static str,
    /// Its folder, which goes when it does.
    pub(crate) folder: PathBuf,
    pid: String,
    life: Life,
}

impl Start {
    /// Starts one of a version, with these settings (which are told its folder), its storage formatted with these arguments.
    pub(crate) fn new(name: &'static str, id: &str, version: &str, format: &[&str], settings: impl FnOnce(&Path) -> String) -> Self {
        let jars = class_path(version);
        let folder = tempfile::Builder::new().prefix("isotopic-kafka-").tempdir().unwrap().keep();
        fs::write(folder.join("server.properties"), settings(&folder)).unwrap();
        let mut watcher = Command::new("sh")
            .args(["-c", WATCHER, "watcher"])
            .args(format)
            .env("JARS", jars)
            .env("ID", id)
            .env("FOLDER", &folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C ends the tests; the watcher ends by itself thereafter.
            .process_group(0)
            .spawn()
            .unwrap();
        let life = Life(watcher.stdin.take().unwrap());
        let mut pid = String::new();
        BufReader::new(watcher.stdout.take().unwrap()).read_line(&mut pid).unwrap();
        Self { name, folder, pid: pid.trim().to_owned(), life }
    }

    /// Waits until it serves. It lives as long as what comes back.
    pub(crate) fn wait(self) -> Life {
        let deadline = Instant::now() + Duration::from_secs(90);
        let log = || fs::read_to_string(self.folder.join("kafka.log")).unwrap_or_default();
        let is_alive = || Path::new("/proc").join(&self.pid).exists() || !Path::new("/proc").exists();
        while !log().contains("Kafka Server started") {
            let format = fs::read_to_string(self.folder.join("format.log")).unwrap_or_default();
            assert!(is_alive(), "the broker {} did not start:\n{format}\n{}", self.name, log());
            assert!(Instant::now() < deadline, "the broker {} did not start in time:\n{}", self.name, log());
            std::thread::sleep(Duration::from_millis(100));
        }
        self.life
    }
}
