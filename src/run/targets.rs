//! From declared connections to clusters that can be asked: variables and cluster files are read here.
#![expect(clippy::disallowed_methods, reason = "only the shell reads variables and files")]

use super::credentials;
use crate::cluster::{Connection, Property, Simulated, Snapshot, Target};
use crate::finding::{Code, Finding};
use crate::kafka::address;
use crate::kafka::name::{ClusterName, TopicName};
use crate::spec::{self, At, Template, Variable, Workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// Every cluster of the workspace, with the topics to ask for. All that is missing is reported at once.
pub(super) fn targets(
    workspace: &Workspace,
    mut asked: BTreeMap<ClusterName, BTreeSet<TopicName>>,
    folder: &Path,
    timeout: Duration,
) -> Result<Vec<Target>, Vec<Finding>> {
    let lookup = |variable: Variable<'_>| match variable {
        Variable::Environment(name) => std::env::var(name).ok(),
        Variable::File(path) => secret(&folder.join(path)),
    };
    let mut findings = spec::unset_variables(workspace, lookup);
    let mut targets = Vec::new();
    for (name, connection) in &workspace.clusters {
        let (id, place, connection) = match connection {
            spec::Connection::Kafka { bootstrap, id, properties } => {
                let resolved = |text: &At<Template>| Some(Property { value: text.value.resolve(lookup).ok()?, place: text.place });
                let all = properties.iter().map(|(key, text)| (key.as_str(), text)).chain([("bootstrap.servers", bootstrap)]);
                // One that cannot be resolved is among the findings already.
                let mut settings = all.filter_map(|(key, text)| Some((key.to_owned(), resolved(text)?))).collect();
                findings.extend(credentials::settle(name, folder, &mut settings));
                if let Some(why) = resolved(bootstrap).and_then(|addresses| address::check(&addresses.value).err()) {
                    let finding = Finding::new(Code::Ym008, format!("the `bootstrap` of cluster {name} is no list of addresses: {why}"));
                    findings.push(finding.at(bootstrap.place).cluster(name).help("write host:port, or several separated by commas"));
                }
                (id, bootstrap.place, Connection::Kafka(settings))
            }
            spec::Connection::Simulated { file, id } => match Simulated::load(folder, &file.value, file.place) {
                Ok(simulated) => (id, file.place, Connection::Simulated(simulated)),
                Err(why) => {
                    findings.extend(why.into_iter().map(|finding| finding.cluster(name)));
                    continue;
                }
            },
            spec::Connection::Snapshot { file, id } => match Snapshot::load(folder, &file.value, file.place) {
                Ok(snapshot) => (id, file.place, Connection::Snapshot(snapshot)),
                Err(why) => {
                    findings.extend(why.into_iter().map(|finding| finding.cluster(name)));
                    continue;
                }
            },
        };
        let asked = asked.remove(name).unwrap_or_default();
        targets.push(Target { name: name.clone(), id: id.clone(), place, connection, asked, timeout });
    }
    if findings.is_empty() { Ok(targets) } else { Err(findings) }
}

/// The text of a file that holds a secret. Pipes and devices are none, and neither is anything of more than a megabyte.
fn secret(path: &Path) -> Option<String> {
    const LARGEST: u64 = 1 << 20;
    let metadata = std::fs::metadata(path).ok()?;
    (metadata.is_file() && metadata.len() <= LARGEST).then(|| std::fs::read_to_string(path).ok()).flatten()
}
