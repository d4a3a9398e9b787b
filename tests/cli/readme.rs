//! What the README shows is what the program prints.

use crate::runner::program;
use std::path::Path;

/// A plan with the commit taken out of its second line, which no text that is committed can know.
fn without_commit(plan: &str) -> String {
    let line = |(at, line): (usize, &str)| {
        if at != 1 {
            return line.to_owned();
        }
        let parts: Vec<_> = line.split(" | ").enumerate().map(|(at, part)| if at == 1 { "COMMIT" } else { part }).collect();
        parts.join(" | ")
    };
    plan.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_readme_shows_the_plan_of_the_example() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(top.join("README.md")).unwrap();
    let output = std::process::Command::new(program()).args(["plan", "--color", "never"]).current_dir(top).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let (_, rest) = readme.split_once("cargo run --release -- plan\n\n```text\n").unwrap();
    let (shown, _) = rest.split_once("\n```\n").unwrap();
    assert_eq!(without_commit(shown), without_commit(&String::from_utf8(output.stdout).unwrap()), "the README shows another plan than the program");
}
