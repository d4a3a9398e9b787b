//! `clusters:` as written, made into connections. No message repeats the value of a property.

use super::shapes::Cluster;
use super::template::FORMS;
use super::{At, Connection, Template};
use crate::finding::{Code, Finding};
use crate::kafka::address;
use crate::kafka::name::ClusterName;
use crate::yaml::{Entry, Given, Problems, Verbatim};
use std::collections::BTreeMap;

/// librdkafka's properties that load code or run programs.
const LOAD_CODE: [&str; 5] = ["plugin.library.paths", "sasl.kerberos.kinit.cmd", "ssl.engine.location", "ssl.engine.id", "ssl.providers"];

/// The connection of a cluster. `None` where it is wrong, which a finding says.
pub(super) fn connection(name: &ClusterName, entry: &Entry<Cluster>, problems: &Problems) -> Option<Connection> {
    let given = entry.value.as_ref()?;
    let cluster = &given.value;
    let missing = |code: Code, message: String| Finding::new(code, message).at(entry.place).cluster(name);
    let id = cluster.id.given().map(|id| At { value: id.value.clone(), place: id.place });
    if let Some(id) = id.as_ref().filter(|id| id.value.trim().is_empty()) {
        problems.add(
            Finding::new(Code::Ym008, format!("the id of cluster {name} is empty, so it pins nothing"))
                .at(id.place)
                .help("write the cluster's id, or remove the line"),
        );
    }
    let places = [
        ("bootstrap", cluster.bootstrap.given().map(|given| given.key)),
        ("simulated", cluster.simulated.given().map(|given| given.key)),
        ("snapshot", cluster.snapshot.given().map(|given| given.key)),
    ];
    let mut given = places.into_iter().filter_map(|(field, place)| Some((field, place?)));
    if let (Some((one, first)), Some((other, second))) = (given.next(), given.next()) {
        let message = format!("cluster {name} has both `{one}` and `{other}`, and can be only one of them");
        problems.add(Finding::new(Code::Ym013, message).at(second).and_at(first, one).cluster(name).help("remove one of the two"));
        return None;
    }
    let file = |field: &str, file: &Given<String>| {
        if let Some(properties) = cluster.properties.given() {
            let message = format!("cluster {name} has both `{field}` and `properties`, and a file takes no settings");
            problems.add(Finding::new(Code::Ym013, message).at(properties.key).and_at(file.key, field).help("remove one of the two"));
        }
        if file.value.trim().is_empty() {
            let message = format!("`{field}` of cluster {name} names no file, so there is nothing to read");
            problems.add(Finding::new(Code::Ym008, message).at(file.place).help("write the file's path"));
            return None;
        }
        Some(At { value: file.value.clone(), place: file.place })
    };
    match (cluster.bootstrap.given(), cluster.simulated.given(), cluster.snapshot.given()) {
        (None, Some(simulated), _) => Some(Connection::Simulated { file: file("simulated", simulated)?, id }),
        (None, None, Some(snapshot)) => Some(Connection::Snapshot { file: file("snapshot", snapshot)?, id }),
        (None, None, None) => {
            if cluster.bootstrap.is_missing() && cluster.simulated.is_missing() && cluster.snapshot.is_missing() {
                let message = format!("cluster {name} has none of `bootstrap`, `simulated` and `snapshot`, so nothing says where it is");
                problems.add(missing(Code::Ym012, message).help("give its bootstrap addresses, or with `simulated` the file of a cluster model"));
            }
            None
        }
        (Some(bootstrap), _, _) => {
            let bootstrap = template(bootstrap, "bootstrap", name, problems);
            let properties = cluster.properties.value().map_or(&[][..], |entries| &entries.0);
            let properties = properties.iter().filter_map(|entry| property(name, entry, problems)).collect::<BTreeMap<_, _>>();
            Some(Connection::Kafka { bootstrap: bootstrap?, id, properties })
        }
    }
}

fn property(cluster: &ClusterName, entry: &Entry<Verbatim>, problems: &Problems) -> Option<(String, At<Template>)> {
    let value = entry.value.as_ref()?;
    let key = entry.key.as_str();
    if LOAD_CODE.contains(&key) {
        let message = format!("the property `{key}` of cluster {cluster} makes librdkafka load code or run a program, which a workspace under review must not");
        problems.add(Finding::new(Code::Ym011, message).at(entry.place).cluster(cluster).help("remove the line"));
        return None;
    }
    if matches!(key, "bootstrap.servers" | "metadata.broker.list") {
        let message = format!("the property `{key}` of cluster {cluster} says the same as its `bootstrap`, so one of them would be ignored");
        problems.add(Finding::new(Code::Ym013, message).at(entry.place).cluster(cluster).help("remove it, and write the addresses in `bootstrap`"));
        return None;
    }
    // What has other characters may hold a piece of a value that lost its quotes, so it is not repeated.
    if !key.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-')) {
        let message = format!("a property of cluster {cluster} has a name that cannot be one of librdkafka's (not shown, because it may be a secret)");
        problems.add(
            Finding::new(Code::Ym002, message).at(entry.place).cluster(cluster).help("write `name: value`, and quotes around a value with special characters"),
        );
        return None;
    }
    // The value is masked, so findings about it point at the name.
    Some((key.to_owned(), At { place: entry.place, ..template(value, "a property", cluster, problems)? }))
}

fn template(given: &Given<Verbatim>, what: &str, cluster: &ClusterName, problems: &Problems) -> Option<At<Template>> {
    let finding = |why: String, help: &str| problems.add(Finding::new(Code::Ym008, why).at(given.place).cluster(cluster).help(help));
    if given.value.0.trim().is_empty() && what == "bootstrap" {
        finding(
            format!("`bootstrap` of cluster {cluster} is empty, so nothing says where it is"),
            "write the addresses of some brokers, as host:port,host:port",
        );
        return None;
    }
    match Template::parse(&given.value.0) {
        // What a variable holds is checked when it is read.
        Ok(value) if what == "bootstrap" && value.resolve(|_| None).is_ok_and(|text| address::check(&text).is_err()) => {
            let why = address::check(&given.value.0).err().map(|why| why.to_string()).unwrap_or_default();
            finding(format!("the `bootstrap` of cluster {cluster} is no list of addresses: {why}"), "write host:port, or several separated by commas");
            None
        }
        Ok(value) => Some(At { value, place: given.place }),
        Err(why) => {
            finding(format!("in {what} of cluster {cluster} {why}"), FORMS);
            None
        }
    }
}
