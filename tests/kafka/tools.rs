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
    let output = Command::new("java")
        .args(["-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", &class_path(version), class])
        .args(["--bootstrap-server", bootstrap])
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{class} {arguments}: {printed}");
    printed
}

/// What the tests look at. On primary: two topics, one with overrides; a dynamic value of the one broker, and one for the whole cluster; a user `reader` who may
/// describe `orders` and not its configs.
pub(crate) fn prepare(brokers: &Brokers) {
    let primary = &brokers.primary.bootstrap;
    let calls: [(&str, &str, &str); 6] = [
        (TOPICS, primary, "--create --topic orders --partitions 6 --config retention.ms=86400000 --config cleanup.policy=compact,delete"),
        (TOPICS, primary, "--create --topic clicks --partitions 3"),
        (CONFIGS, primary, "--alter --entity-type brokers --entity-name 1 --add-config log.cleaner.delete.retention.ms=77000"),
        (CONFIGS, primary, "--alter --entity-type brokers --entity-default --add-config message.max.bytes=2000000"),
        (ACLS, primary, "--add --allow-principal User:reader --operation Describe --topic orders"),
        (TOPICS, &brokers.dr.bootstrap, "--create --topic us-east.orders --partitions 9"),
    ];
    thread::scope(|scope| {
        for (class, bootstrap, arguments) in calls {
            scope.spawn(move || tool(class, bootstrap, arguments));
        }
    });
}

/// Creates many topics at once, which Kafka's own tools cannot.
pub(crate) fn create(bootstrap: &str, names: &[String]) {
    let client: AdminClient<DefaultClientContext> = ClientConfig::new().set("bootstrap.servers", bootstrap).create().unwrap();
    let topics: Vec<_> = names.iter().map(|name| NewTopic::new(name, 1, TopicReplication::Fixed(1))).collect();
    let options = AdminOptions::new().operation_timeout(Some(Duration::from_secs(30)));
    let results = wait_for(client.create_topics(&topics, &options)).unwrap();
    assert!(results.iter().all(Result::is_ok), "{results:?}");
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future in this thread.
fn wait_for<T>(future: impl Future<Output = T>) -> T {
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
