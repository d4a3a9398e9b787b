//! Runs the program in a workspace made for the test, with nothing of the surrounding environment.

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A folder with files, gone at the end of the test.
pub(crate) struct Workspace {
    folder: TempDir,
    environment: BTreeMap<String, String>,
}

impl Workspace {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), environment: BTreeMap::new() }
    }

    /// A folder with these files, by paths with `/`.
    pub(crate) fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        files.into_iter().fold(Self::new(), |workspace, (path, text)| workspace.file(path, text))
    }

    /// With a file more, or another text in it.
    #[must_use]
    pub(crate) fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// With an environment variable, which the program would not see otherwise.
    #[must_use]
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Where a file of it is.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// What the folder is called.
    pub(crate) fn folder_name(&self) -> String {
        self.folder.path().file_name().unwrap().to_str().unwrap().to_owned()
    }

    /// Runs the program in the folder. It may take a minute; no test waits for ever.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.run_in("", args)
    }

    /// Runs the program in a folder beneath. Every plan is saved as well, and must show as it was shown.
    pub(crate) fn run_in(&self, folder: &str, args: &[&str]) -> Run {
        let is_plan = args.contains(&"plan") && !["schema", "explain", "man", "--help", "--out"].iter().any(|other| args.contains(other));
        if is_plan { self.run_and_show(folder, args) } else { self.start(folder, args) }
    }

    fn run_and_show(&self, folder: &str, args: &[&str]) -> Run {
        let beside = tempfile::tempdir().unwrap();
        let file = beside.path().join("plan.json");
        let saved = file.to_str().unwrap();
        let out = |args: &[&str]| self.start(folder, &[args, &["--out", saved]].concat());
        let show = |args: &[&str]| self.start(folder, &[&["show", saved], args].concat());
        let run = out(args);
        let Ok(document) = std::fs::read_to_string(&file) else {
            assert!(matches!(run.code, Some(1 | 64)), "a plan is saved whatever it says\n{}", run.everything());
            return run;
        };
        let options: Vec<_> = args.iter().copied().filter(|arg| ["--full", "--color", "always", "never"].contains(arg)).collect();
        assert_eq!(show(&["--format", "json"]).stdout, document);
        if run.code == Some(3) {
            show(&options).exits(0).shows("INVALID: ").says_nothing();
        } else if args.contains(&"json") {
            assert_eq!(document, run.stdout);
            // A cluster that does not answer takes its time.
            if !args.contains(&"--timeout") {
                let text: Vec<_> = args.iter().copied().filter(|arg| !["--format", "json"].contains(arg)).collect();
                let text = out(&text);
                assert_eq!(show(&options).exits(0).says_nothing().stdout, text.stdout);
            }
        } else {
            assert_eq!(show(&options).exits(0).says_nothing().stdout, run.stdout);
        }
        run
    }

    fn start(&self, folder: &str, args: &[&str]) -> Run {
        let mut command = Command::new(program());
        command.args(args).current_dir(self.path(folder)).timeout(Duration::from_secs(60));
        // HOME: git must not read the settings of whoever runs the tests.
        command.env_clear().env("HOME", self.folder.path()).envs(&self.environment);
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { args: args.join(" "), code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// The built program.
pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_isotopic"))
}

/// What a run left behind.
pub(crate) struct Run {
    args: String,
    code: Option<i32>,
    /// All that was written to stdout.
    pub(crate) stdout: String,
    /// All that was written to stderr.
    pub(crate) stderr: String,
}

impl Run {
    /// The code that it ended with; `None` where a signal ended it.
    pub(crate) fn code(&self) -> Option<i32> {
        self.code
    }

    /// It ended with this code.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}", self.everything());
        self
    }

    /// stdout holds this text.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> &Self {
        assert!(self.stdout.contains(text), "stdout should hold {text:?}\n{}", self.everything());
        self
    }

    /// stderr holds this text.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "stderr should hold {text:?}\n{}", self.everything());
        self
    }

    /// stdout is empty.
    #[track_caller]
    pub(crate) fn shows_nothing(&self) -> &Self {
        assert!(self.stdout.is_empty(), "stdout should be empty\n{}", self.everything());
        self
    }

    /// stderr is empty.
    #[track_caller]
    pub(crate) fn says_nothing(&self) -> &Self {
        assert!(self.stderr.is_empty(), "stderr should be empty\n{}", self.everything());
        self
    }

    /// stdout as the JSON document that it must be.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("stdout should be JSON: {error}\n{}", self.everything()))
    }

    fn everything(&self) -> String {
        format!("$ isotopic {}\n[exit {:?}]\n--- stdout\n{}--- stderr\n{}", self.args, self.code, self.stdout, self.stderr)
    }
}
