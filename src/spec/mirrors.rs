//! `mirrors:` as written, made into flows between known clusters.

use super::layer::Reader;
use super::settings::Clusters;
use super::{At, Mirror, shapes};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::{ClusterName, ConfigKey};
use crate::yaml::{Field, Given, List};
use std::collections::{BTreeMap, HashMap};

/// The flows that are right, in the order of the file.
pub(super) fn mirrors(written: &[Given<shapes::Mirror>], clusters: &Clusters, reader: &Reader<'_>) -> Vec<Mirror> {
    let problems = reader.problems;
    let mut seen: HashMap<(ClusterName, ClusterName), Place> = HashMap::new();
    let mut mirrors = Vec::new();
    for given in written {
        let Some(mirror) = mirror(given, clusters, reader) else { continue };
        let pair = (mirror.source.clone(), mirror.target.clone());
        if let Some(first) = seen.get(&pair) {
            let message = format!("a flow from {} to {} is declared twice, and only one of the two could hold", pair.0, pair.1);
            problems.add(Finding::new(Code::Ym013, message).at(mirror.place).and_at(*first, "first here").help("remove one of the two"));
            continue;
        }
        seen.insert(pair, mirror.place);
        mirrors.push(mirror);
    }
    mirrors
}

fn mirror(given: &Given<shapes::Mirror>, clusters: &Clusters, reader: &Reader<'_>) -> Option<Mirror> {
    let problems = reader.problems;
    let shapes::Mirror { source, target, aliases, mm2, fill } = &given.value;
    let end = |field: &Field<String>, name: &str| {
        if field.is_missing() {
            let message = format!("a mirror has no `{name}`, so nothing says which clusters it connects");
            problems.add(Finding::new(Code::Ym012, message).at(given.place).help("write the name of one of the `clusters`"));
        }
        field.given().map(|name| (clusters.find(&name.value, name.place, problems), name.place))
    };
    let fill = filled(fill, reader);
    let (source, target) = (end(source, "source"), end(target, "target"));
    let (source, (target, target_place)) = (source?.0?, target?);
    let target = target?;
    if source == target {
        let message = format!("a mirror goes from {source} to itself, and MirrorMaker needs two clusters");
        problems.add(Finding::new(Code::Ym013, message).at(target_place).help("name another cluster as the target"));
        return None;
    }
    let aliases = aliases.value();
    let alias = |field: Option<&Field<String>>| {
        let given = field?.given()?;
        if given.value.trim().is_empty() {
            problems.add(
                Finding::new(Code::Ym008, "an alias is empty, so nothing says what the copies are called")
                    .at(given.place)
                    .help("write MirrorMaker's name of the cluster, or remove the line"),
            );
            return None;
        }
        Some(At { value: given.value.clone(), place: given.place })
    };
    let mm2 = mm2.value();
    let config = mm2.and_then(|mm2| mm2.config.value()).map_or(&[][..], |entries| &entries.0);
    let config = config.iter().filter_map(|entry| {
        let value = entry.value.as_ref()?;
        Some((entry.key.clone(), (entry.place, At { value: value.value.0.clone(), place: value.place })))
    });
    let version = mm2.and_then(|mm2| mm2.version.given()).map(|version| At { value: version.value.0.clone(), place: version.place });
    Some(Mirror {
        place: given.place,
        source,
        target,
        source_alias: alias(aliases.map(|aliases| &aliases.source)),
        target_alias: alias(aliases.map(|aliases| &aliases.target)),
        config: config.collect::<BTreeMap<_, _>>(),
        version,
        fill,
    })
}

/// `fill`: configs, each once. Whether MirrorMaker leaves them out is for the judge, who knows its version.
fn filled(field: &Field<List<String>>, reader: &Reader<'_>) -> Vec<At<ConfigKey>> {
    let mut keys: Vec<At<ConfigKey>> = Vec::new();
    for item in field.value().map_or(&[][..], |list| &list.0) {
        if !reader.configs.is_possible(&item.value, item.place, reader.problems) {
            continue;
        }
        if let Some(first) = keys.iter().find(|key| key.value.as_str() == item.value) {
            let message = format!("`fill`: {} stands twice in one list", item.value);
            reader.problems.add(Finding::new(Code::Ym008, message).at(item.place).and_at(first.place, "first here").help("remove one of the two"));
        } else {
            keys.push(At { value: ConfigKey::new(item.value.as_str()), place: item.place });
        }
    }
    keys
}
