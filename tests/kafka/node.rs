//! One process of Kafka, of a given version and with given settings, gone when it is dropped or the test process is.

use crate::brokers::{WATCHER, class_path};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// A broker, a controller, or both.
pub(crate) struct Node {
    folder: PathBuf,
    pid: String,
    /// While this pipe is open the process lives.
    _life: ChildStdin,
}

impl Node {
    /// Starts a node with these lines of `server.properties`; where its data lie is added.
    pub(crate) fn start(kafka: &str, cluster_id: &str, settings: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("isotopic-kafka-").tempdir().unwrap().keep();
        fs::write(folder.join("server.properties"), format!("{settings}\nlog.dirs={}\n", folder.join("data").display())).unwrap();
        let mut watcher = Command::new("sh")
            .args(["-c", WATCHER])
            .env("JARS", class_path(kafka))
            .env("HEAP", "512m")
            .env("ID", cluster_id)
            .env("FOLDER", &folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C ends the tests; the watcher ends by itself thereafter.
            .process_group(0)
            .spawn()
            .unwrap();
        let life = watcher.stdin.take().unwrap();
        let mut pid = String::new();
        BufReader::new(watcher.stdout.take().unwrap()).read_line(&mut pid).unwrap();
        Self { folder, pid: pid.trim().to_owned(), _life: life }
    }

    /// Waits until it serves.
    pub(crate) fn wait(&self) {
        let deadline = Instant::now() + Duration::from_secs(90);
        let log = || String::from_utf8_lossy(&fs::read(self.folder.join("kafka.log")).unwrap_or_default()).into_owned();
        let is_alive = || Path::new("/proc").join(&self.pid).exists() || !Path::new("/proc").exists();
        while !log().contains("Kafka Server started") {
            assert!(is_alive(), "Kafka did not start:\n{}", log());
            assert!(Instant::now() < deadline, "Kafka did not start in time:\n{}", log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}
