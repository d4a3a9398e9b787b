//! The shape of the house: which room may know which, and where the things that are dangerous in the wrong room may stand.
//!
//! Reads the sources as text, comments and strings taken out. Each check has a test that it can fail.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test reads the sources, and fails by panicking")]

#[path = "house/code.rs"]
mod code;

use code::{code, follows_word, words};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The rooms: each may know itself and those before it, and nothing after it.
const ROOMS: [&str; 17] =
    ["kafka", "finding", "yaml", "spec", "live", "mirror", "plan", "wire", "judge", "cluster", "apply", "render", "git", "cli", "run", "lib", "main"];

/// Where what reaches outside may stand: the imperative shell.
const SHELL: [&str; 4] = ["src/run/", "src/cluster/", "src/git.rs", "src/main.rs"];

/// The files of the shell that do reach outside, each with an `expect` of its own.
const REACHING_OUTSIDE: &[&str] = &[
    "src/cluster/kafka.rs",
    "src/cluster/observe.rs",
    "src/cluster/simulated.rs",
    "src/cluster/watch.rs",
    "src/git.rs",
    "src/main.rs",
    "src/run/credentials.rs",
    "src/run/files.rs",
    "src/run/output.rs",
    "src/run/save.rs",
    "src/run/targets.rs",
];

/// Crates that only one room may know, so that they can be replaced, or shut out. Tests may use what they like.
const CRATES: [(&str, &[&str]); 6] = [
    ("miette", &["src/render/"]),
    ("rdkafka", &["src/cluster/"]),
    ("rdkafka_sys", &["src/cluster/"]),
    ("git2", &["src/git.rs"]),
    ("granit_parser", &["src/yaml/"]),
    ("jiff", &SHELL),
];

/// Every source file: its path with `/` from the repository's top, its text, and the same without comments and strings.
struct File {
    path: String,
    text: String,
    code: String,
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), code: code(text) }
    }

    /// `src/kafka/name.rs` and `src/kafka/mod.rs` are of the room `kafka`, as `src/kafka.rs` would be.
    fn room(&self) -> &str {
        let inside = self.path.strip_prefix("src/").unwrap();
        inside.split(['/', '.']).next().unwrap()
    }

    /// The code in front of the tests at the end of the file, and the tests.
    fn halves(&self) -> (&str, &str) {
        self.code.split_at(self.code.find("\nmod tests {").unwrap_or(self.code.len()))
    }

    /// How many modules deep the file is: 0 for the crate's roots, 1 for a room.
    fn depth(&self) -> usize {
        match self.path.as_str() {
            "src/lib.rs" | "src/main.rs" => 0,
            path => path.matches('/').count() - usize::from(path.ends_with("/mod.rs")),
        }
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }
}

fn sources() -> Vec<File> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![top.join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(top).unwrap().to_str().unwrap().replace('\\', "/");
                files.push(File::new(&relative, &std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(files.len() > 10, "too few sources to be all of them");
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn complaints(check: fn(&File) -> Vec<String>) -> String {
    sources().iter().flat_map(|file| check(file).into_iter().map(|what| format!("{}: {what}\n", file.path))).collect()
}

/// Rooms that a file names and may not know.
fn strangers(file: &File) -> Vec<String> {
    let place = |room: &str| ROOMS.iter().position(|known| *known == room);
    let Some(own) = place(file.room()) else { return vec![format!("the room {} has no place in the order of rooms", file.room())] };
    let mut known = BTreeSet::new();
    for rest in follows_word(&file.code, "crate") {
        known.extend(first_segments(rest));
    }
    let mut found: Vec<_> =
        known.iter().filter(|room| place(room).is_some_and(|at| at > own)).map(|room| format!("{} may not know {room}", file.room())).collect();
    if leaves_its_room(file) {
        found.push("names another room by `super`; say `crate::`".to_owned());
    }
    found
}

/// The first names in `::a::b` (a) and in `::{a::b, c}` (a, c).
fn first_segments(rest: &str) -> Vec<String> {
    let Some(rest) = rest.strip_prefix("::") else { return Vec::new() };
    let Some(group) = rest.strip_prefix('{') else { return words(rest).take(1).map(|(_, word)| word.to_owned()).collect() };
    let (mut depth, mut starts, mut from) = (0, Vec::new(), 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                starts.push(&group[from..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                starts.push(&group[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    starts.iter().filter_map(|part| words(part).next()).map(|(_, word)| word.to_owned()).collect()
}

/// Whether a chain of `super::` reaches the crate's root. A module of tests at the end of the file is one deeper.
fn leaves_its_room(file: &File) -> bool {
    let too_long = |code: &str, depth: usize| depth > 0 && code.contains(&"super::".repeat(depth));
    let (code, tests) = file.halves();
    too_long(code, file.depth()) || too_long(tests, file.depth() + 1)
}

/// Traits that make a type a format of files, derived or implemented where no format may be.
fn formats(file: &File) -> Vec<String> {
    let traits: &[&str] = match file.room() {
        "wire" => &[],
        "yaml" | "spec" => &["Serialize"],
        _ => &["Serialize", "JsonSchema"],
    };
    let derived = follows_word(&file.code, "derive").filter_map(|rest| rest.split_once(')')).map(|(list, _)| list);
    let implemented =
        follows_word(&file.code, "impl").filter_map(|rest| rest.split_once('{')).filter_map(|(head, _)| head.split_once(" for ")).map(|(head, _)| head);
    let named: BTreeSet<&str> = derived.chain(implemented).flat_map(words).map(|(_, word)| word).collect();
    traits.iter().filter(|name| named.contains(**name)).map(|name| format!("{name} outside of wire/")).collect()
}

fn unsafe_code(file: &File) -> Vec<String> {
    let here = words(&file.code).any(|(_, word)| word == "unsafe") && !file.is_in(&["src/cluster/ffi/"]);
    here.then(|| "unsafe outside of src/cluster/ffi/".to_owned()).into_iter().collect()
}

fn foreign_crates(file: &File) -> Vec<String> {
    let named: BTreeSet<&str> = words(file.halves().0).map(|(_, word)| word).collect();
    CRATES.iter().filter(|(name, places)| named.contains(name) && !file.is_in(places)).map(|(name, places)| format!("{name} belongs to {places:?}")).collect()
}

fn no_header(file: &File) -> Vec<String> {
    (!file.text.starts_with("//! ")).then(|| "begins without `//!`".to_owned()).into_iter().collect()
}

/// Whether a file lifts the ban of `clippy.toml`.
fn reaches_outside(file: &File) -> bool {
    file.code.contains("clippy::disallowed_")
}

/// A lifted ban must be one that is still needed (`expect`), and stand in the shell.
fn lifted_bans(file: &File) -> Vec<String> {
    if !reaches_outside(file) {
        return Vec::new();
    }
    let mut found = Vec::new();
    if !file.is_in(&SHELL) {
        found.push("reaches outside, and is not of the shell".to_owned());
    }
    if follows_word(&file.code, "allow").any(|rest| rest.split(')').next().is_some_and(|list| list.contains("clippy::disallowed_"))) {
        found.push("lifts a ban with `allow`; `expect` tells when it is no longer needed".to_owned());
    }
    found
}

#[test]
fn a_room_knows_only_rooms_above_it() {
    assert_eq!(complaints(strangers), "");
}

#[test]
fn only_wire_has_formats_of_files() {
    assert_eq!(complaints(formats), "");
}

#[test]
fn unsafe_stays_where_the_c_library_is_called() {
    assert_eq!(complaints(unsafe_code), "");
}

#[test]
fn crates_stay_in_their_rooms() {
    assert_eq!(complaints(foreign_crates), "");
}

#[test]
fn every_file_says_what_it_knows() {
    assert_eq!(complaints(no_header), "");
}

#[test]
fn only_listed_files_of_the_shell_reach_outside() {
    assert_eq!(complaints(lifted_bans), "");
    let found: Vec<String> = sources().into_iter().filter(reaches_outside).map(|file| file.path).collect();
    assert_eq!(found, REACHING_OUTSIDE);
}

/// What the checks find in a file that they must find something in.
fn found(check: fn(&File) -> Vec<String>, path: &str, text: &str) -> usize {
    check(&File::new(path, text)).len()
}

#[test]
fn a_stranger_is_found_however_it_is_named() {
    let path = "src/judge/owner.rs";
    assert_eq!(found(strangers, path, "use crate::cluster::Observe;"), 1);
    assert_eq!(found(strangers, path, "fn f() { crate::run::go() }"), 1);
    assert_eq!(found(strangers, path, "use crate::{kafka::{name, cluster}, render, git::Head};"), 2);
    assert_eq!(found(strangers, path, "use super::super::cluster;"), 1);
    assert_eq!(found(strangers, "src/live.rs", "use super::plan;"), 1);
    assert_eq!(found(strangers, "src/attic/mod.rs", ""), 1);
    assert_eq!(found(strangers, path, "//! Not [`crate::cluster`].\nuse crate::{kafka, plan};\nuse super::diff;\nmod tests {\n use super::super::diff; }"), 0);
    assert_eq!(found(strangers, "src/run/plan.rs", "use crate::judge;\nmod tests {\n use super::super::super::go; }"), 1);
    assert_eq!(found(strangers, "src/run/plan.rs", "use crate::judge;\nfn f() {}\nmod tests {\n use super::{self, super::report}; }"), 0);
}

#[test]
fn a_format_in_the_wrong_room_is_found() {
    assert_eq!(found(formats, "src/plan.rs", "#[derive(Clone, serde::Serialize)] struct A;"), 1);
    assert_eq!(found(formats, "src/plan.rs", "impl<T> serde::Serialize for A<T> {}"), 1);
    assert_eq!(found(formats, "src/spec/raw.rs", "#[derive(Deserialize, JsonSchema)] struct A;"), 0);
    assert_eq!(found(formats, "src/spec/raw.rs", "#[derive(Deserialize, Serialize)] struct A;"), 1);
    assert_eq!(found(formats, "src/wire/plan.rs", "#[derive(Serialize, JsonSchema)] struct A;"), 0);
}

#[test]
fn what_is_dangerous_in_the_wrong_place_is_found() {
    assert_eq!(found(unsafe_code, "src/cluster/kafka.rs", "fn f() { unsafe { g() } }"), 1);
    assert_eq!(found(unsafe_code, "src/cluster/ffi/raw.rs", "fn f() { unsafe { g() } }"), 0);
    assert_eq!(found(unsafe_code, "src/lib.rs", "#![deny(unsafe_code)] // unsafe\nconst A: &str = \"unsafe\";"), 0);
    assert_eq!(found(foreign_crates, "src/judge/mod.rs", "use rdkafka::client::Client;"), 1);
    assert_eq!(found(foreign_crates, "src/cluster/ffi/mod.rs", "use rdkafka::client::Client;"), 0);
    assert_eq!(found(foreign_crates, "src/wire/instant.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n use jiff::Timestamp; }"), 0);
    assert_eq!(found(no_header, "src/plan.rs", "use a;"), 1);
}

#[test]
fn a_lifted_ban_in_the_wrong_place_is_found() {
    let lifted = "#![expect(clippy::disallowed_methods, reason = \"reads files\")]";
    assert_eq!(found(lifted_bans, "src/judge/mod.rs", lifted), 1);
    assert_eq!(found(lifted_bans, "src/run/plan.rs", lifted), 0);
    assert_eq!(found(lifted_bans, "src/run/plan.rs", &lifted.replace("expect", "allow")), 1);
}
