//! Instants as text: RFC 3339, UTC, whole seconds.

use crate::live::Instant;

/// `2026-11-30T12:00:00Z`. Years outside 0 to 9999, which no clock of ours shows, are written with the digits that they need.
pub fn rfc3339(instant: Instant) -> String {
    let (days, second) = (instant.0.div_euclid(86_400), instant.0.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// The Gregorian date so many days after 1970-01-01. Counted in eras of 400 years that start on March 1st, so that the leap day comes last.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carried) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year_of_era + era * 400 + carried, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_read_as_a_calendar_does() {
        assert_eq!(rfc3339(Instant(0)), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(Instant(951_782_400)), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(Instant(1_796_040_000)), "2026-11-30T12:00:00Z");
        assert_eq!(rfc3339(Instant(-1)), "1969-12-31T23:59:59Z");
    }

    /// Walks the calendar day by day, as a person would.
    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..150_000 {
            assert_eq!(civil(days), (year, month, day));
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 if is_leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (year, month, day) = match (month, day) {
                (12, 31) => (year + 1, 1, 1),
                (month, day) if day == last => (year, month + 1, 1),
                (month, day) => (year, month, day + 1),
            };
        }
    }
}
