//! Waits for replies, and listens meanwhile to why none may come.

#![expect(clippy::disallowed_methods, reason = "waits for replies, and measures for how long")]

use super::failure::{self, Cause};
use super::ffi::{Event, Failure, Reply, Serial, Session, code};
use super::trouble::Trouble;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long a cluster may go on refusing connections on all addresses before nobody waits any longer: a wrong address stays wrong.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long to wait for the very first reply after a trouble that will not pass, where some other broker can be reached: it may be the one that answers.
/// Later replies may be long and slow, so they have all the time that is left.
const OTHERS: Duration = Duration::from_secs(5);

/// How long to wait for librdkafka's counters. They come many times in it.
const COUNTERS: Duration = Duration::from_millis(500);

/// What was heard so far.
#[derive(Default)]
pub(super) struct Watch {
    /// The last trouble that a connection had since the last answer.
    notice: Option<Failure>,
    /// Since when no broker can be reached.
    down_since: Option<Instant>,
    /// Since when a trouble is known that will not pass.
    certain_since: Option<Instant>,
    /// Whether anything was ever answered.
    answered: bool,
}

impl Watch {
    /// The next reply, whoever waits for it.
    pub(super) fn next<'session>(&mut self, session: &'session Session, deadline: Instant) -> Result<Reply<'session>, Cause> {
        loop {
            match self.hear(session, deadline)? {
                Some(Event::Reply(reply)) => {
                    (self.down_since, self.answered) = (None, true);
                    return Ok(reply);
                }
                Some(Event::Error(_) | Event::Log(_) | Event::Statistics(_)) | None => {}
            }
        }
    }

    /// The ids and addresses of the cluster's brokers, once it has told them.
    pub(super) fn brokers(&mut self, session: &Session, deadline: Instant) -> Result<Vec<(u32, String)>, Cause> {
        loop {
            match self.hear(session, deadline)? {
                Some(Event::Statistics(json)) => {
                    let brokers = brokers(&json);
                    if !brokers.is_empty() {
                        self.recovered();
                        (self.down_since, self.answered) = (None, true);
                        return Ok(brokers);
                    }
                }
                Some(Event::Error(_) | Event::Log(_) | Event::Reply(_)) | None => {}
            }
        }
    }

    /// The next event. What tells of trouble is kept, and what makes waiting useless ends it.
    fn hear<'session>(&mut self, session: &'session Session, deadline: Instant) -> Result<Option<Event<'session>>, Cause> {
        let now = Instant::now();
        if now >= deadline {
            return Err(Cause::TimedOut(self.notice.take()));
        }
        // Counters come all the time, so this is looked at often enough.
        if !self.answered && self.is_certain() && *self.certain_since.get_or_insert(now) + OTHERS <= now {
            return Err(Cause::Down(self.notice.take()));
        }
        let Some(event) = session.poll(deadline.saturating_duration_since(now)) else { return Ok(None) };
        match &event {
            Event::Error(failure) if failure.code == code::AUTHENTICATION => return Err(Cause::NotAuthorised(failure.clone())),
            // It comes again with every attempt to connect, and no more once one succeeds.
            Event::Error(failure) if failure.code == code::ALL_BROKERS_DOWN => {
                if self.is_certain() || self.down_since.is_some_and(|since| since + PATIENCE <= now) {
                    return Err(Cause::Down(self.notice.take()));
                }
                self.down_since.get_or_insert(now);
            }
            Event::Error(_) | Event::Log(_) | Event::Reply(_) | Event::Statistics(_) => self.note(&event),
        }
        Ok(Some(event))
    }

    /// Whether trouble was heard that no patience mends.
    fn is_certain(&self) -> bool {
        self.notice.as_ref().is_some_and(|notice| Trouble::of(notice).is_certain())
    }

    /// Keeps what an event tells of a connection's trouble. One that is certain is not forgotten for one that is not: it is the cause of what comes after it. A line
    /// of the log counts where nothing else is known, or where it knows for certain.
    fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::Error(failure) if failure.code != code::ALL_BROKERS_DOWN => {
                if !self.is_certain() || Trouble::of(failure).is_certain() {
                    self.notice = Some(failure.clone());
                }
            }
            Event::Log(text) if failure::names_a_broker(text) => {
                let failure = Failure { code: code::TRANSPORT, text: text.clone() };
                if self.notice.is_none() || Trouble::of(&failure).is_certain() {
                    self.notice = Some(failure);
                }
            }
            Event::Error(_) | Event::Reply(_) | Event::Log(_) | Event::Statistics(_) => {}
        }
    }

    /// The reply to this request. Replies to other ones come too late, and are thrown away.
    pub(super) fn reply<'session>(&mut self, session: &'session Session, serial: Serial, deadline: Instant) -> Result<Reply<'session>, Cause> {
        loop {
            let reply = self.next(session, deadline)?;
            if reply.serial() == serial {
                return Ok(reply);
            }
        }
    }

    /// A request was answered as it should be: the trouble before it is over.
    pub(super) fn recovered(&mut self) {
        self.notice = None;
    }

    /// The last trouble that a connection had, with what waits in the queue.
    pub(super) fn notice(&mut self, session: &Session) -> Option<Failure> {
        while let Some(event) = session.poll(Duration::ZERO) {
            self.note(&event);
        }
        self.notice.clone()
    }

    /// How many requests were sent, by counters that were taken after now.
    pub(super) fn requests(&mut self, session: &Session) -> Option<u64> {
        self.notice(session);
        let deadline = Instant::now() + COUNTERS;
        while Instant::now() < deadline {
            match session.poll(deadline.saturating_duration_since(Instant::now())) {
                Some(Event::Statistics(json)) => return requests(&json),
                Some(Event::Reply(_) | Event::Error(_) | Event::Log(_)) | None => {}
            }
        }
        None
    }
}

/// The part of librdkafka's statistics that is read.
#[derive(Deserialize)]
struct Statistics {
    brokers: BTreeMap<String, Broker>,
}

#[derive(Deserialize)]
struct Broker {
    /// Its id in the cluster; negative for an address that a user gave, until the cluster has told whose it is.
    #[serde(default = "unknown")]
    nodeid: i32,
    /// Its address: `host:port`.
    #[serde(default)]
    nodename: String,
    /// By kind of request: how many.
    #[serde(default)]
    req: BTreeMap<String, u64>,
}

fn unknown() -> i32 {
    -1
}

/// The ids and addresses of the brokers that the cluster told.
fn brokers(json: &str) -> Vec<(u32, String)> {
    let told = |broker: Broker| Some((u32::try_from(broker.nodeid).ok()?, broker.nodename));
    serde_json::from_str(json).map(|statistics: Statistics| statistics.brokers.into_values().filter_map(told).collect()).unwrap_or_default()
}

fn requests(json: &str) -> Option<u64> {
    let statistics: Statistics = serde_json::from_str(json).ok()?;
    Some(statistics.brokers.values().flat_map(|broker| broker.req.values()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_over_all_brokers_and_kinds() {
        let json = r#"{"name":"x","brokers":{"a":{"nodeid":1,"req":{"Metadata":2,"ApiVersion":1}},"b":{"req":{"DescribeConfigs":4}}}}"#;
        assert_eq!(requests(json), Some(7));
        assert_eq!(requests("{}"), None);
    }

    #[test]
    fn brokers_are_those_that_the_cluster_told() {
        let json = r#"{"brokers":{"a:9092/bootstrap":{"nodeid":-1,"nodename":"a:9092"},"b:9092/3":{"nodeid":3,"nodename":"b:9092"},"c:9092/0":{"nodeid":0,"nodename":"c:9092"},"x":{}}}"#;
        assert_eq!(brokers(json), [(3, "b:9092".to_owned()), (0, "c:9092".to_owned())]);
        assert_eq!(brokers("{}"), []);
    }
}
