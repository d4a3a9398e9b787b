//! The clock.

use crate::live::Instant;
use crate::spec::Day;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Now, to the second.
pub(super) fn now() -> Instant {
    Instant(Timestamp::now().as_second())
}

/// The day of the calendar that an instant is in, UTC. The last day that there is for one that no calendar has.
pub(super) fn day(instant: Instant) -> Day {
    let date = TimeZone::UTC.to_datetime(Timestamp::from_second(instant.0).unwrap_or(Timestamp::MAX)).date();
    let small = |number: i8| u8::try_from(number).unwrap_or(1);
    Day { year: u16::try_from(date.year()).unwrap_or(0), month: small(date.month()), day: small(date.day()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_at_midnight_utc() {
        let midnight = Instant(1_796_083_200);
        assert_eq!(day(Instant(midnight.0 - 1)).to_string(), "2026-11-30");
        assert_eq!(day(midnight).to_string(), "2026-12-01");
    }
}
