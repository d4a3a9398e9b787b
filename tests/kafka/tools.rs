//! Kafka's own command line tools, and what they prepare: the tests' expected values are what was told to these tools.

use crate::brokers::{Brokers, KAFKA, class_path};
use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use std::future::Future;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

/// kafka-topics.sh.
pub(crate) const TOPICS: &str = "org.apache.kafka.tools.TopicCommand";
/// kafka-configs.sh.
pub(crate) const CONFIGS: &str = "kafka.admin.ConfigCommand";
/// kafka-acls.sh.
pub(crate) const ACLS: &str = "org.apache.kafka.tools.AclCommand";

/// Runs a tool, and gives what it prints.
pub(crate) fn tool(class: &str, bootstrap: &str, arguments: &str) -> String {
    tool_of(KAFKA, class, bootstrap, arguments)
}

/// Runs a tool of a version of Kafka.
pub(crate) fn tool_of(version: &str, class: &str, bootstrap: &str, arguments: &str) -> String {
    let (is_done, printed) = attempt(version, class, bootstrap, arguments);
    assert!(is_done, "{class} {arguments}: {printed}");
    printed
}

/// Runs a tool of a version of Kafka, and gives whether it did its work, and what it prints.
pub(crate) fn attempt(version: &str, class: &str, bootstrap: &str, arguments: &str) -> (bool, String) {
    let output = Command::new("java")
        .args(["-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", &class_path(version), class])
        .args(["--bootstrap-server", bootstrap])
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.success(), format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

/// A client for what Kafka's own tools cannot do, or not at once.
pub(crate) fn client(bootstrap: &str) -> AdminClient<DefaultClientContext> {
    ClientConfig::new().set("bootstrap.servers", bootstrap).create().unwrap()
}

/// What the tests look at. On primary: a dynamic value of the one broker, and one for the whole cluster; a user `reader` who may describe `orders` and not its
/// configs; topics, of which `in.step` and `in.step.too` have a copy on dr as MirrorMaker leaves it: it writes the source's overrides and dynamic broker values.
pub(crate) fn prepare(brokers: &Brokers) {
    let (primary, dr) = (&brokers.primary.bootstrap, &brokers.dr.bootstrap);
    let calls: [(&str, &str, &str); 10] = [
        (TOPICS, primary, "--create --topic orders --partitions 6 --config retention.ms=86400000 --config cleanup.policy=compact,delete"),
        (TOPICS, primary, "--create --topic clicks --partitions 3"),
        (CONFIGS, primary, "--alter --entity-type brokers --entity-name 1 --add-config log.cleaner.delete.retention.ms=77000"),
        (CONFIGS, primary, "--alter --entity-type brokers --entity-default --add-config message.max.bytes=2000000"),
        (ACLS, primary, "--add --allow-principal User:reader --operation Describe --topic orders"),
        (TOPICS, dr, "--create --topic us-east.orders --partitions 9"),
        (TOPICS, primary, "--create --topic in.step --partitions 3"),
        (TOPICS, dr, "--create --topic us-east.in.step --partitions 3 --config delete.retention.ms=77000 --config max.message.bytes=2000000"),
        (TOPICS, primary, "--create --topic in.step.too --partitions 2 --config retention.ms=604800000 --config max.message.bytes=1000000"),
        (
            TOPICS,
            dr,
            "--create --topic us-east.in.step.too --partitions 2 --config delete.retention.ms=77000 --config retention.ms=604800000 --config max.message.bytes=1000000",
        ),
    ];
    thread::scope(|scope| {
        for (class, bootstrap, arguments) in calls {
            scope.spawn(move || tool(class, bootstrap, arguments));
        }
    });
}

/// A topic to create, with one replica.
pub(crate) fn topic<'a>(name: &'a str, partitions: i32, configs: &[(&'a str, &'a str)]) -> NewTopic<'a> {
    configs.iter().fold(NewTopic::new(name, partitions, TopicReplication::Fixed(1)), |topic, (key, value)| topic.set(key, value))
}

/// Creates many topics at once, which Kafka's own tools cannot.
pub(crate) fn create<'a>(bootstrap: &str, topics: impl IntoIterator<Item = NewTopic<'a>>) {
    let topics: Vec<_> = topics.into_iter().collect();
    let options = AdminOptions::new().operation_timeout(Some(Duration::from_secs(30)));
    let results = wait_for(client(bootstrap).create_topics(&topics, &options)).unwrap();
    assert!(results.iter().all(Result::is_ok), "{results:?}");
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future in this thread.
pub(crate) fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
