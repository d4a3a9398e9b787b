//! Waits for replies, and listens meanwhile to why none may come.

#![expect(clippy::disallowed_methods, reason = "waits for replies, and measures for how long")]

use super::failure::{self, Cause};
use super::ffi::{Answer, Event, Failure, Reply, Serial, Session, code};
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
    /// The last trouble that a connection had since the last reply.
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
            let now = Instant::now();
            if now >= deadline {
                return Err(Cause::TimedOut(self.notice.take()));
            }
            // Counters come all the time, so this is looked at often enough.
            if !self.answered && self.is_certain() && *self.certain_since.get_or_insert(now) + OTHERS <= now {
                return Err(Cause::Down(self.notice.take()));
            }
            match session.poll(deadline.saturating_duration_since(now)) {
                Some(Event::Reply(reply)) => {
                    (self.down_since, self.answered) = (None, true);
                    return Ok(reply);
                }
                Some(Event::Error(failure)) => match failure.code {
                    code::AUTHENTICATION => return Err(Cause::NotAuthorised(failure)),
                    // It comes again with every attempt to connect, and no more once one succeeds.
                    code::ALL_BROKERS_DOWN if self.is_certain() || self.down_since.is_some_and(|since| since + PATIENCE <= now) => {
                        return Err(Cause::Down(self.notice.take()));
                    }
                    code::ALL_BROKERS_DOWN => drop(self.down_since.get_or_insert(now)),
                    _ => self.hear(failure),
                },
                Some(Event::Log(text)) => self.hear_log(text),
                Some(Event::Statistics(_)) | None => {}
            }
        }
    }

    /// Whether trouble was heard that no patience mends.
    fn is_certain(&self) -> bool {
        self.notice.as_ref().is_some_and(|notice| Trouble::of(notice).is_certain())
    }

    /// Takes in a trouble. One that is certain is not forgotten for one that is not: it is the cause of what comes after it.
    fn hear(&mut self, failure: Failure) {
        if !self.is_certain() || Trouble::of(&failure).is_certain() {
            self.notice = Some(failure);
        }
    }

    /// Takes in a line of the log: where nothing else is known, or where it knows for certain.
    fn hear_log(&mut self, text: String) {
        let failure = Failure { code: code::TRANSPORT, text };
        if failure::names_a_broker(&failure.text) && (self.notice.is_none() || Trouble::of(&failure).is_certain()) {
            self.hear(failure);
        }
    }

    /// The answer to this request. Replies to other ones come too late, and are thrown away.
    pub(super) fn reply<'session>(&mut self, session: &'session Session, serial: Serial, deadline: Instant) -> Result<Answer<'session>, Cause> {
        loop {
            let reply = self.next(session, deadline)?;
            if reply.serial() == serial {
                let answer = reply.open().map_err(|failure| Cause::of(failure, self.notice.clone()));
                if answer.is_ok() {
                    self.notice = None;
                }
                return answer;
            }
        }
    }

    /// The last trouble that a connection had, with what waits in the queue.
    pub(super) fn notice(&mut self, session: &Session) -> Option<Failure> {
        while let Some(event) = session.poll(Duration::ZERO) {
            match event {
                Event::Error(failure) if failure.code != code::ALL_BROKERS_DOWN => self.hear(failure),
                Event::Error(_) | Event::Reply(_) | Event::Log(_) | Event::Statistics(_) => {}
            }
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
    /// By kind of request: how many.
    #[serde(default)]
    req: BTreeMap<String, u64>,
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
}
