//! Texts with variables: `${env:NAME}`, `${env:NAME:-default}` and `${file:PATH}`.
//!
//! Reads no variable itself: the shell hands in what it finds. No message repeats the text around a variable, which may be a secret.

use super::{Connection, Part, Template, Workspace};
use crate::finding::{Code, Finding};

/// A variable of a [`Template`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable<'a> {
    /// An environment variable's name.
    Environment(&'a str),
    /// A file's path, relative to the workspace's folder.
    File(&'a str),
}

impl Variable<'_> {
    /// As it is written.
    fn written(self) -> String {
        match self {
            Self::Environment(name) => format!("${{env:{name}}}"),
            Self::File(path) => format!("${{file:{path}}}"),
        }
    }
}

/// What to do about a text that [`Template::parse`] refused.
pub(super) const FORMS: &str = "write ${env:NAME}, ${env:NAME:-default} or ${file:PATH}";

impl Template {
    /// Reads a text. The error is a sentence that repeats nothing of the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            if at > 0 {
                parts.push(Part::Text(rest[..at].to_owned()));
            }
            let inside = &rest[at + 2..];
            let Some(end) = inside.find('}') else { return Err("a variable starts with `${` and has no closing brace".to_owned()) };
            parts.push(variable(&inside[..end])?);
            rest = &inside[end + 1..];
        }
        if !rest.is_empty() || parts.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self { parts })
    }

    /// The text with its variables filled in. `lookup` gives a variable's value, or a file's content, and `None` for one that is not there.
    /// An empty one counts as not there. The error is the variable, as written.
    pub fn resolve(&self, lookup: impl Fn(Variable<'_>) -> Option<String>) -> Result<String, String> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Environment { name, default } => {
                    let variable = Variable::Environment(name);
                    let value = lookup(variable).filter(|value| !value.is_empty()).or_else(|| default.clone());
                    text.push_str(&value.ok_or_else(|| variable.written())?);
                }
                Part::File { path } => {
                    let variable = Variable::File(path);
                    let content = lookup(variable).ok_or_else(|| variable.written())?;
                    let line = content.strip_suffix('\n').map_or(content.as_str(), |line| line.strip_suffix('\r').unwrap_or(line));
                    if line.is_empty() {
                        return Err(variable.written());
                    }
                    text.push_str(line);
                }
            }
        }
        Ok(text)
    }
}

fn variable(inside: &str) -> Result<Part, String> {
    if inside.contains("${") {
        return Err("a variable stands inside of another one".to_owned());
    }
    if let Some(path) = inside.strip_prefix("file:") {
        return if path.trim().is_empty() { Err("`${file:` names no file".to_owned()) } else { Ok(Part::File { path: path.to_owned() }) };
    }
    let Some(rest) = inside.strip_prefix("env:") else { return Err("a variable starts with neither `${env:` nor `${file:`".to_owned()) };
    let (name, default) = rest.split_once(":-").map_or((rest, None), |(name, default)| (name, Some(default.to_owned())));
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err("the name behind `${env:` is not made of letters, digits and `_`".to_owned());
    }
    Ok(Part::Environment { name: name.to_owned(), default })
}

/// A finding (YM006) for every variable of the connections that is unset or empty. For runs that contact clusters.
pub fn unset_variables(workspace: &Workspace, lookup: impl Fn(Variable<'_>) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, connection) in &workspace.clusters {
        let Connection::Kafka { bootstrap, properties, id: _ } = connection else { continue };
        let texts = std::iter::once(("bootstrap", bootstrap)).chain(properties.iter().map(|(key, text)| (key.as_str(), text)));
        for (key, text) in texts {
            if let Err(variable) = text.value.resolve(&lookup) {
                let (what, help) = if variable.starts_with("${file:") {
                    ("is missing, unreadable or empty", "check the path, which is relative to the folder of isotopic.yaml")
                } else {
                    ("is unset or empty", "set it, or give a default as ${env:NAME:-default}")
                };
                let message = format!("{variable} {what}, so `{key}` of cluster {name} has no value");
                findings.push(Finding::new(Code::Ym006, message).at(text.place).cluster(name).help(help));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<String, String> {
        Template::parse(text).unwrap().resolve(|variable| match variable {
            Variable::Environment("HOST") => Some("kafka".to_owned()),
            Variable::Environment("EMPTY") => Some(String::new()),
            Variable::File("pw") => Some("s3cret\n\n".to_owned()),
            Variable::File("blank") => Some("\n".to_owned()),
            Variable::Environment(_) | Variable::File(_) => None,
        })
    }

    #[test]
    fn variables_are_filled_in() {
        assert_eq!(resolve("${env:HOST}:9092,${env:NONE:-b:1}"), Ok("kafka:9092,b:1".to_owned()));
        assert_eq!(resolve("a$b{c}"), Ok("a$b{c}".to_owned()));
        assert_eq!(resolve(""), Ok(String::new()));
        assert_eq!(resolve("${env:EMPTY:-x}"), Ok("x".to_owned()));
        assert_eq!(resolve("${env:NONE:-}"), Ok(String::new()));
        assert_eq!(resolve("${file:pw}"), Ok("s3cret\n".to_owned()), "only the last newline is dropped");
    }

    #[test]
    fn what_is_unset_or_empty_is_named() {
        for (text, variable) in
            [("x${env:NONE}", "${env:NONE}"), ("${env:EMPTY}", "${env:EMPTY}"), ("${file:no}", "${file:no}"), ("${file:blank}", "${file:blank}")]
        {
            assert_eq!(resolve(text), Err(variable.to_owned()));
        }
    }

    #[test]
    fn malformed_variables_are_refused_without_repeating_the_text() {
        for text in [
            "hunter2${env:X",
            "hunter2${PASSWORD}",
            "${env:hunter2 x}",
            "${env:}",
            "${env:1X}",
            "${file:}hunter2",
            "${env:A:-${env:hunter2}}",
            "${vault:hunter2}",
        ] {
            let why = Template::parse(text).unwrap_err();
            assert!(!why.contains("hunter2"), "{why}");
        }
    }
}
