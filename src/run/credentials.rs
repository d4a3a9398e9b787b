//! The files that a cluster's properties name: where they are, and whether they can be read.
//!
//! librdkafka looks for them from the current folder; users mean the workspace's. No message repeats a path, because it stands where a secret may have been
//! pasted.
#![expect(clippy::disallowed_methods, reason = "only the shell reads files")]

use crate::cluster::Property;
use crate::finding::{Code, Finding};
use crate::kafka::name::ClusterName;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The properties that name a file.
const FILES: [&str; 5] = ["ssl.ca.location", "ssl.certificate.location", "ssl.crl.location", "ssl.key.location", "ssl.keystore.location"];

/// The authorities' certificates, which may be a folder too, or the system's own.
const AUTHORITIES: &str = "ssl.ca.location";

/// What [`AUTHORITIES`] may be instead of a path: librdkafka looks in the usual places.
const PROBE: &str = "probe";

const KEY: &str = "ssl.key.location";
const PASSPHRASE: &str = "ssl.key.password";

/// Makes the paths relative to the workspace's folder. The findings are for files that cannot be read (YM014), and for an encrypted key without its
/// passphrase (YM012).
pub(super) fn settle(cluster: &ClusterName, folder: &Path, properties: &mut BTreeMap<String, Property>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let has_passphrase = properties.contains_key(PASSPHRASE);
    for name in FILES {
        let Some(property) = properties.get_mut(name) else { continue };
        if name == AUTHORITIES && property.value == PROBE {
            continue;
        }
        let path = folder.join(&property.value);
        match read(&path, name == AUTHORITIES) {
            Err(error) => {
                let message = format!("the file that {name} of cluster {cluster} names cannot be read: {error}");
                let help = "check the path, which is relative to the workspace's folder, and its permissions";
                findings.push(Finding::new(Code::Ym014, message).at(property.place).cluster(cluster).help(help));
            }
            Ok(content) if name == KEY && !has_passphrase && is_encrypted(&content) => {
                let message = format!("the key that {name} of cluster {cluster} names is encrypted, and there is no {PASSPHRASE}");
                let help = "add ssl.key.password, best read from a variable or a file";
                findings.push(Finding::new(Code::Ym012, message).at(property.place).cluster(cluster).help(help));
            }
            Ok(_) => {}
        }
        property.value = path.to_string_lossy().into_owned();
    }
    findings
}

/// A file's content; empty for a folder, where one may be.
fn read(path: &Path, may_be_folder: bool) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return if may_be_folder { fs::read_dir(path).map(|_| Vec::new()) } else { Err(ErrorKind::IsADirectory.into()) };
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    fs::read(path)
}

/// Whether a key in PEM is encrypted: in PKCS#8 (RFC 5958) or in the older form of OpenSSL (RFC 1421).
fn is_encrypted(pem: &[u8]) -> bool {
    let pem = String::from_utf8_lossy(pem);
    pem.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || pem.contains("Proc-Type: 4,ENCRYPTED")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Place, Sources};

    fn settled(folder: &Path, properties: &[(&str, &str)]) -> (Vec<(Code, String)>, BTreeMap<String, Property>) {
        let place = Place { file: Sources::default().add("isotopic.yaml", ""), start: 3, end: 4 };
        let property = |value: &str| Property { value: value.to_owned(), place };
        let mut properties = properties.iter().map(|(name, value)| ((*name).to_owned(), property(value))).collect();
        let findings = settle(&"dr".into(), folder, &mut properties);
        assert!(findings.iter().all(|finding| finding.place == Some(place)));
        (findings.into_iter().map(|finding| (finding.code, finding.message)).collect(), properties)
    }

    #[test]
    fn paths_are_relative_to_the_workspace_and_other_values_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ca.pem"), "").unwrap();
        let absolute = folder.path().join("ca.pem").display().to_string();
        let (findings, properties) =
            settled(folder.path(), &[("ssl.ca.location", "ca.pem"), ("ssl.crl.location", &absolute), ("sasl.password", "ca.pem"), ("sasl.username", "u")]);
        assert_eq!(findings, []);
        assert_eq!((&properties["ssl.ca.location"].value, &properties["ssl.crl.location"].value), (&absolute, &absolute));
        assert_eq!(properties["sasl.password"].value, "ca.pem");
        for authorities in ["probe", "."] {
            assert_eq!(settled(folder.path(), &[("ssl.ca.location", authorities)]).0, []);
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_told_without_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let (findings, _) = settled(folder.path(), &[("ssl.ca.location", "canary.pem"), ("ssl.key.location", ".")]);
        assert_eq!(findings.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [Code::Ym014, Code::Ym014]);
        assert!(findings[0].1.starts_with("the file that ssl.ca.location of cluster dr names cannot be read: No such file"), "{findings:?}");
        assert!(!format!("{findings:?}").contains("canary"));
    }

    #[test]
    fn an_encrypted_key_needs_its_passphrase() {
        let folder = tempfile::tempdir().unwrap();
        let of = |header: &str, more: &[(&str, &str)]| {
            fs::write(folder.path().join("key"), header).unwrap();
            settled(folder.path(), &[&[("ssl.key.location", "key")], more].concat()).0.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
        };
        assert_eq!(of("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", &[]), [Code::Ym012]);
        assert_eq!(of("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n", &[]), [Code::Ym012]);
        assert_eq!(of("-----BEGIN PRIVATE KEY-----\n", &[]), []);
        assert_eq!(of("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", &[("ssl.key.password", "x")]), []);
    }
}
