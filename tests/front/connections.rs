//! Answers that come late, broken, in part or not at all: the cluster is not read, in bounded time, and the reason names what happened.

use crate::pair::Pair;
use crate::protocol::Kind;
use crate::runner::Run;
use crate::script::{Rule, Then};
use kafka_protocol::protocol::StrBytes;
use std::time::Duration;

/// Every kind of request, for a pair in which `refunds` has to be asked for by name.
const KINDS: [Kind; 5] = [Kind::Versions, Kind::Brokers, Kind::AllTopics, Kind::NamedTopics, Kind::Configs];

const WITH_ABSENT: &str = "topics:\n  orders: {partitions: 6, config: {retention.ms: 7d}}\n  refunds: {partitions: 1}\n";

fn spoiled(rules: Vec<Rule>) -> Pair {
    Pair::with(rules).topics(WITH_ABSENT)
}

/// The run could not look at primary, and says so in one sentence, which this gives. Nothing is said of its topics.
#[track_caller]
fn unread(run: &Run) -> String {
    run.exits(7);
    let plan = run.json();
    let found: Vec<_> = plan["diagnostics"].as_array().unwrap().iter().filter(|found| found["code"] == "EN001").collect();
    assert_eq!(found.len(), 1, "{plan:#}");
    assert_eq!(found[0]["cluster"], "primary");
    assert_eq!(plan["coverage"]["clusters_failed"], serde_json::json!(["primary"]));
    assert_eq!(plan["summary"]["create"], 0);
    assert_eq!(plan["applyable"], false);
    format!("{} | {}", found[0]["message"].as_str().unwrap(), found[0]["help"].as_str().unwrap())
}

/// The run went well: only `refunds` is to be made.
#[track_caller]
fn read(run: &Run) {
    run.exits(0);
    let plan = run.json();
    assert_eq!((&plan["summary"]["create"], &plan["summary"]["unchanged"]), (&1.into(), &1.into()), "{plan:#}");
    assert_eq!(plan["complete"], true);
}

/// Runs every case at the same time: most of them only wait.
fn each<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(case));
        }
    });
}

#[test]
fn a_request_without_an_answer_ends_with_the_timeout() {
    each(KINDS, |kind| {
        let pair = spoiled(vec![Rule::always(kind, Then::Silence)]);
        let message = unread(&pair.plan_within(3));
        let expected = format!("{} did not answer within 3s, so nothing of cluster primary was read", pair.primary.address());
        assert!(message.starts_with(&expected), "{kind:?}: {message}");
    });
}

#[test]
fn a_late_answer_is_an_answer() {
    each(KINDS, |kind| read(&spoiled(vec![Rule::always(kind, Then::Wait(Duration::from_millis(300)))]).plan()));
}

/// The two ways to break: before the answer and in the middle of it.
const BREAKS: [fn() -> Then; 2] = [|| Then::Close, || Then::CloseHalfway];

#[test]
fn a_connection_that_breaks_once_is_made_again() {
    each(KINDS, |kind| BREAKS.iter().for_each(|then| read(&spoiled(vec![Rule::first(kind, then())]).plan())));
}

#[test]
fn a_connection_that_always_breaks_is_told_as_such() {
    each(KINDS, |kind| {
        for then in BREAKS {
            let pair = spoiled(vec![Rule::always(kind, then())]);
            let message = unread(&pair.plan_within(10));
            let expected = format!("{} cannot be reached (it closed the connection", pair.primary.address());
            assert!(message.starts_with(&expected), "{kind:?}: {message}");
        }
    });
}

#[test]
fn a_web_server_is_told_as_such() {
    let web = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let pair = spoiled(vec![Rule::always(Kind::Versions, Then::Bytes(web.to_vec()))]);
    let message = unread(&pair.plan_within(10));
    assert!(message.starts_with(&format!("{} answers as a web server does", pair.primary.address())), "{message}");
}

#[test]
fn what_is_no_answer_ends_in_bounded_time() {
    // A length and the number of a request that nobody sent; bytes that make no sense; the beginning of a frame that never ends.
    let stray = b"\x00\x00\x00\x04\xff\xff\xff\xff".to_vec();
    let noise: Vec<u8> = [0, 0, 0, 64].into_iter().chain((0..64).map(|n: u8| n.wrapping_mul(167).wrapping_add(13))).collect();
    let endless = b"\x00\x00\xff\xff\x00".to_vec();
    let cases = [stray, noise, endless].into_iter().flat_map(|bytes| KINDS.map(|kind| (bytes.clone(), kind)));
    each(cases, |(bytes, kind)| {
        let pair = spoiled(vec![Rule::always(kind, Then::Bytes(bytes))]);
        let message = unread(&pair.plan_within(4));
        assert!(message.contains(&pair.primary.address()), "{kind:?}: {message}");
    });
}

#[test]
fn an_answer_that_promises_more_than_it_holds_is_told_as_such() {
    for kind in [Kind::Brokers, Kind::AllTopics, Kind::NamedTopics, Kind::Configs] {
        let pair = spoiled(vec![Rule::always(kind, Then::Resize(24))]);
        let message = unread(&pair.plan_within(6));
        assert!(message.starts_with(&format!("{} sent an answer that is not in the form of Kafka's protocol", pair.primary.address())), "{kind:?}: {message}");
    }
}

#[test]
fn an_answer_above_the_limit_is_told_with_the_limit_and_how_to_raise_it() {
    for kind in [Kind::AllTopics, Kind::Configs] {
        let pair = spoiled(vec![Rule::always(kind, Then::Resize(100_000_001))]);
        let message = unread(&pair.plan());
        let expected = format!("{} sent an answer of 100000001 bytes, which is above the limit of 100000000", pair.primary.address());
        assert!(message.starts_with(&expected) && message.contains("raise receive.message.max.bytes"), "{kind:?}: {message}");
    }
}

#[test]
fn an_answer_above_the_limit_is_read_once_the_limit_is_raised() {
    let mut pair = spoiled(vec![Rule::always(Kind::Configs, Then::Resize(100_000_001))]);
    let raised = format!("{{bootstrap: \"{}\", properties: {{receive.message.max.bytes: 200000000}}}}", pair.primary.address());
    pair.files = pair.files.file("isotopic.yaml", crate::pair::workspace(&raised, &crate::pair::cluster(&pair.dr)));
    read(&pair.plan());
}

#[test]
fn a_broker_that_gives_an_address_that_does_not_resolve_is_named() {
    let pair = spoiled(
        [Kind::Brokers, Kind::AllTopics, Kind::NamedTopics]
            .map(|kind| {
                Rule::always(
                    kind,
                    Then::metadata(|answer| answer.brokers.iter_mut().for_each(|broker| broker.host = StrBytes::from_static_str("kafka.invalid"))),
                )
            })
            .into(),
    );
    let message = unread(&pair.plan_within(8));
    assert!(message.starts_with("kafka.invalid:") && message.contains("its name does not resolve"), "{message}");
}

#[test]
fn one_dead_cluster_hides_nothing_of_the_other() {
    let pair = Pair::with_dr(vec![Rule::always(Kind::Brokers, Then::Close)]).topics("topics:\n  orders: {partitions: 6, config: {retention.ms: 8d}}\n");
    let run = pair.plan_within(6);
    run.exits(7);
    let plan = run.json();
    assert_eq!(plan["coverage"]["clusters_failed"], serde_json::json!(["dr"]));
    assert_eq!((&plan["steps"][0]["cluster"], &plan["steps"][0]["action"]), (&"primary".into(), &"configure".into()));
    assert_eq!(plan["predictions"], serde_json::json!([]));
}
