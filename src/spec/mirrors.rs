//! `mirrors:` as written, made into flows between known clusters.

use super::settings::Clusters;
use super::{At, Mirror, shapes};
use crate::finding::{Code, Finding, Place};
use crate::kafka::name::ClusterName;
use crate::yaml::{Field, Given, Problems};
use std::collections::{BTreeMap, HashMap};

/// The flows that are right, in the order of the file.
pub(super) fn mirrors(written: &[Given<shapes::Mirror>], clusters: &Clusters, problems: &Problems) -> Vec<Mirror> {
    let mut seen: HashMap<(ClusterName, ClusterName), Place> = HashMap::new();
    let mut mirrors = Vec::new();
    for given in written {
        let Some(mirror) = mirror(given, clusters, problems) else { continue };
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

fn mirror(given: &Given<shapes::Mirror>, clusters: &Clusters, problems: &Problems) -> Option<Mirror> {
    let shapes::Mirror { source, target, aliases, mm2 } = &given.value;
    let end = |field: &Field<String>, name: &str| {
        if field.is_missing() {
            let message = format!("a mirror has no `{name}`, so nothing says which clusters it connects");
            problems.add(Finding::new(Code::Ym012, message).at(given.place).help("write the name of one of the `clusters`"));
        }
        field.given().map(|name| (clusters.find(&name.value, name.place, problems), name.place))
    };
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
        fill: Vec::new(),
    })
}
