//! Certificates for the tests, made anew each time: two authorities, servers that are right and wrong in one way each, and clients.

use openssl::asn1::Asn1Time;
use openssl::bn::{BigNum, MsbOption};
use openssl::ec::{EcGroup, EcKey};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Private};
use openssl::symm::Cipher;
use openssl::x509::extension::{BasicConstraints, KeyUsage, SubjectAlternativeName};
use openssl::x509::{X509, X509Builder, X509Name, X509NameBuilder};
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The passphrase of `client-encrypted.key`.
pub(crate) const PASSPHRASE: &str = "passphrase-canary";

/// A certificate with its key.
struct Pair {
    certificate: X509,
    key: PKey<Private>,
}

/// The names of all files that [`write`] makes and a client may want.
pub(crate) const CLIENT_FILES: [&str; 7] = ["ca.pem", "other-ca.pem", "client.pem", "client.key", "client-encrypted.key", "stranger.pem", "stranger.key"];

/// Writes, into a folder: `ca.pem` and `other-ca.pem`; `server.pem`, `expired.pem` and `elsewhere.pem` (key and certificate in one file, as Kafka's PEM
/// key stores are), signed by the first; `client.pem`, `client.key` and `client-encrypted.key`, and `stranger.pem` with `stranger.key` of the second.
pub(crate) fn write(folder: &Path) {
    let (ca, other) = (authority("Isotopic Test CA"), authority("Another CA"));
    let server = issue(&ca, "server", (-1, 30), Some("127.0.0.1"));
    let expired = issue(&ca, "expired", (-30, -1), Some("127.0.0.1"));
    let elsewhere = issue(&ca, "elsewhere", (-1, 30), Some("192.0.2.1"));
    let client = issue(&ca, "client", (-1, 30), None);
    let stranger = issue(&other, "stranger", (-1, 30), None);

    let put = |name: &str, text: &[u8]| fs::write(folder.join(name), text).unwrap();
    put("ca.pem", &ca.certificate.to_pem().unwrap());
    put("other-ca.pem", &other.certificate.to_pem().unwrap());
    for (name, pair) in [("server.pem", &server), ("expired.pem", &expired), ("elsewhere.pem", &elsewhere)] {
        put(name, &[pair.key.private_key_to_pem_pkcs8().unwrap(), pair.certificate.to_pem().unwrap()].concat());
    }
    for (name, pair) in [("client", &client), ("stranger", &stranger)] {
        put(&format!("{name}.pem"), &pair.certificate.to_pem().unwrap());
        put(&format!("{name}.key"), &pair.key.private_key_to_pem_pkcs8().unwrap());
    }
    let encrypted = client.key.private_key_to_pem_pkcs8_passphrase(Cipher::aes_256_cbc(), PASSPHRASE.as_bytes()).unwrap();
    put("client-encrypted.key", &encrypted);
}

/// An authority that signs itself.
fn authority(name: &str) -> Pair {
    let (mut builder, key) = begin(name, (-1, 30));
    let subject = named(name);
    builder.set_issuer_name(&subject).unwrap();
    builder.append_extension(BasicConstraints::new().critical().ca().build().unwrap()).unwrap();
    builder.append_extension(KeyUsage::new().critical().key_cert_sign().crl_sign().build().unwrap()).unwrap();
    builder.sign(&key, MessageDigest::sha256()).unwrap();
    Pair { certificate: builder.build(), key }
}

/// A certificate by an authority, valid between two days from today, for a server at an IP address or for a client.
fn issue(by: &Pair, name: &str, days: (i64, i64), address: Option<&str>) -> Pair {
    let (mut builder, key) = begin(name, days);
    builder.set_issuer_name(by.certificate.subject_name()).unwrap();
    if let Some(address) = address {
        let names = SubjectAlternativeName::new().ip(address).build(&builder.x509v3_context(Some(&by.certificate), None)).unwrap();
        builder.append_extension(names).unwrap();
    }
    builder.sign(&by.key, MessageDigest::sha256()).unwrap();
    Pair { certificate: builder.build(), key }
}

fn begin(name: &str, (from, to): (i64, i64)) -> (X509Builder, PKey<Private>) {
    let key = PKey::from_ec_key(EcKey::generate(&EcGroup::from_curve_name(Nid::X9_62_PRIME256V1).unwrap()).unwrap()).unwrap();
    let mut builder = X509::builder().unwrap();
    builder.set_version(2).unwrap();
    let mut serial = BigNum::new().unwrap();
    serial.rand(120, MsbOption::MAYBE_ZERO, false).unwrap();
    builder.set_serial_number(&serial.to_asn1_integer().unwrap()).unwrap();
    builder.set_subject_name(&named(name)).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let day = |days: i64| Asn1Time::from_unix(i64::try_from(now).unwrap() + days * 86_400).unwrap();
    builder.set_not_before(&day(from)).unwrap();
    builder.set_not_after(&day(to)).unwrap();
    builder.set_pubkey(&key).unwrap();
    (builder, key)
}

fn named(name: &str) -> X509Name {
    let mut builder = X509NameBuilder::new().unwrap();
    builder.append_entry_by_text("CN", name).unwrap();
    builder.build()
}
