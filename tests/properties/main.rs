//! What must hold for every workspace and every pair of clusters, tried on random ones.
//!
//! The worlds are written as YAML and cluster files and read back through the same doors as a user's. What steps and predictions do to a cluster is done
//! here by hand, so that a plan is checked against what it says and not against isotopic's own idea of it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "writes cluster files")]

mod world;

use isotopic::judge::{World, asked, judge, offline};
use isotopic::mirror::flow::flows;
use isotopic::plan::{Attribute, Class, Plan, Value, Verdict};
use proptest::prelude::*;
use world::{Cluster, Pair, pair};

/// Reads and judges a pair of clusters. `files` says into how many topic files the declarations are spread.
fn plan(pair: &Pair, files: usize) -> Plan {
    let folder = tempfile::tempdir().unwrap();
    let loaded = isotopic::spec::load(pair.inputs(files));
    assert!(loaded.findings.is_empty(), "{:?}", loaded.findings);
    let workspace = loaded.workspace.unwrap();
    let (flows, findings) = flows(&workspace);
    assert!(findings.is_empty(), "{findings:?}");
    let clusters = pair.observe(folder.path(), &workspace, &asked(&workspace, &flows));
    let today = isotopic::spec::Day { year: 2026, month: 11, day: 30 };
    let plan = judge(&World { workspace: &workspace, flows: &flows, clusters: &clusters, today });
    assert!(offline(&workspace, &flows).is_empty());
    plan
}

/// A plan as text, without places: those depend on how declarations are spread over files.
fn without_places(plan: &Plan) -> String {
    let mut plan = plan.clone();
    let steps = plan.steps.iter_mut();
    for step in steps {
        step.place = world::nowhere();
        step.fields.iter_mut().for_each(|field| field.place = None);
    }
    plan.drift.iter_mut().for_each(|drift| drift.place = None);
    plan.refusals.iter_mut().chain(&mut plan.diagnostics).for_each(|finding| finding.place = None);
    format!("{plan:#?}")
}

/// Does to a cluster what Kafka would do for one attribute.
fn write(cluster: &mut Cluster, topic: &str, attribute: &Attribute, value: Option<&Value>) {
    let topic = cluster.topics.entry(topic.to_owned()).or_default();
    match (attribute, value) {
        (Attribute::Existence, Some(_)) => {}
        (Attribute::Partitions, Some(Value::Count(count))) => {
            assert!(*count >= topic.partitions, "Kafka cannot shrink a topic");
            topic.partitions = *count;
        }
        (Attribute::ReplicationFactor, Some(Value::Count(count))) => {
            assert_eq!(topic.replication_factor, 0, "a replication factor is set at creation only");
            topic.replication_factor = *count;
        }
        (Attribute::Config(key), Some(Value::Text(text))) => drop(topic.overrides.insert(key.as_str().to_owned(), text.clone())),
        (Attribute::Config(key), None) => drop(topic.overrides.remove(key.as_str())),
        (attribute, value) => panic!("{attribute} cannot become {value:?}"),
    }
}

fn run_steps(pair: &mut Pair, plan: &Plan) {
    for step in &plan.steps {
        assert_eq!(step.cluster.as_str(), "primary", "MirrorMaker owns the copies");
        for field in &step.fields {
            write(&mut pair.primary, step.topic.as_str(), &field.attribute, field.after.as_ref());
        }
    }
}

fn let_mirrormaker_run(pair: &mut Pair, plan: &Plan) {
    for prediction in plan.predictions.iter().filter(|prediction| prediction.verdict == Verdict::Heals) {
        write(&mut pair.dr, prediction.topic.as_str(), &prediction.attribute, prediction.after.as_ref());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn judging_is_deterministic_and_the_order_of_files_is_irrelevant(pair in pair()) {
        let one = plan(&pair, 1);
        prop_assert_eq!(format!("{one:?}"), format!("{:?}", plan(&pair, 1)));
        prop_assert_eq!(without_places(&one), without_places(&plan(&pair, 3)));
        prop_assert_eq!(without_places(&one), without_places(&plan(&pair.reversed(), 3)));
    }

    #[test]
    fn a_plan_of_what_is_already_so_is_empty(mut pair in pair()) {
        let first = plan(&pair, 2);
        prop_assume!(first.refusals.is_empty());
        run_steps(&mut pair, &first);
        let second = plan(&pair, 2);
        prop_assert!(second.steps.is_empty(), "{:#?}", second.steps);
        prop_assert_eq!(&second.fingerprint, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        prop_assert_eq!(second.unchanged, second.declared);
    }

    #[test]
    fn what_is_predicted_is_all_that_mirrormaker_has_to_do(mut pair in pair()) {
        let first = plan(&pair, 2);
        prop_assume!(first.refusals.is_empty());
        run_steps(&mut pair, &first);
        let_mirrormaker_run(&mut pair, &first);
        let healed = plan(&pair, 2);
        prop_assert!(healed.predictions.iter().all(|prediction| prediction.verdict != Verdict::Heals), "{:#?}", healed.predictions);
        prop_assert!(healed.drift.iter().all(|drift| drift.class != Class::Lag), "{:#?}", healed.drift);
        // What cannot heal is still there: the copies that are ahead, counted by hand. Under MirrorMaker 4.0 every one of the names is mirrored.
        let ahead = pair.declared_names().filter(|name| {
            let copy = pair.dr.topics.get(&format!("primary.{name}"));
            copy.is_some_and(|copy| copy.partitions > pair.primary.topics[*name].partitions)
        });
        let permanent = healed.drift.iter().filter(|drift| drift.class == Class::Permanent && drift.attribute == Attribute::Partitions);
        prop_assert_eq!(permanent.count(), ahead.count());
    }

    #[test]
    fn no_step_takes_partitions_away(pair in pair()) {
        for step in plan(&pair, 2).steps {
            for field in step.fields.iter().filter(|field| field.attribute == Attribute::Partitions) {
                prop_assert!(field.after > field.before.own, "{step:?}", step = field);
            }
        }
    }
}
