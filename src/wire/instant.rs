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

/// The instant of a text that [`rfc3339`] writes, and of no other text.
pub fn from_rfc3339(text: &str) -> Option<Instant> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let number = |text: &str| text.parse::<i64>().ok();
    let (year_and_month, day) = date.rsplit_once('-')?;
    let (year, month) = year_and_month.rsplit_once('-')?;
    let mut parts = time.split(':').map(number);
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    let days = days(number(year)?, number(month)?, number(day)?)?;
    let of_day = hour.checked_mul(3_600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
    let seconds = days.checked_mul(86_400)?.checked_add(of_day)?;
    // What is out of its range or written otherwise does not come back as it was.
    Some(Instant(seconds)).filter(|instant| rfc3339(*instant) == text)
}

/// Days from 1970-01-01 to a date: [`civil`] backwards.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month.checked_add(9)?) };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = month.checked_mul(153)?.checked_add(2)?.div_euclid(5).checked_add(day)?.checked_sub(1)?;
    let day_of_era = (year_of_era * 365 + year_of_era / 4 - year_of_era / 100).checked_add(day_of_year)?;
    era.checked_mul(146_097)?.checked_add(day_of_era)?.checked_sub(719_468)
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

    #[test]
    fn only_what_is_written_is_read_back() {
        for instant in [0, 951_782_400, 1_796_040_000, -1, 253_402_300_800, i64::from(i32::MAX) * 1_000].map(Instant) {
            assert_eq!(from_rfc3339(&rfc3339(instant)), Some(instant));
        }
        let i = i64::MAX;
        for wrong in [
            "",
            "Z",
            "TZ",
            "2026-11-30",
            "2026-11-30T12:00:00",
            "2026-11-30T12:00Z",
            "2026-11-30T12:00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-30T12:00:00+01:00Z",
            "026-11-30T12:00:00Z",
            "2026-11-30T12:00:00.5Z",
            &format!("{i}-{i}-{i}T{i}:{i}:{i}Z"),
            &format!("-{i}-01-01T00:00:00Z"),
        ] {
            assert_eq!(from_rfc3339(wrong), None, "{wrong}");
        }
    }

    /// Walks the calendar day by day, as a person would.
    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..150_000 {
            assert_eq!(civil(days), (year, month, day));
            assert_eq!(super::days(year, month, day), Some(days));
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
