//! Moments in UTC with millisecond precision.

use alloc::string::{String, ToString};
use core::fmt;

use serde::{Deserialize, Serialize};

const MS_PER_DAY: i64 = 86_400_000;

/// A moment in UTC, written as RFC 3339 with milliseconds and `Z`.
///
/// ```
/// use bailiwick_domain::Timestamp;
/// let moment = Timestamp::from_unix_ms(1_771_416_000_000);
/// assert_eq!(moment.to_string(), "2026-02-18T12:00:00.000Z");
/// assert_eq!(Timestamp::parse("2026-02-18T12:00:00.000Z").unwrap(), moment);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

/// A text that is not a timestamp in our form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 timestamp in UTC with milliseconds")]
pub struct TimestampError;

impl Timestamp {
    /// From milliseconds since 1970-01-01T00:00:00Z.
    pub fn from_unix_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn unix_ms(self) -> i64 {
        self.0
    }

    /// The moment that many seconds later.
    pub fn plus_seconds(self, seconds: u64) -> Self {
        Self(self.0.saturating_add(i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX)))
    }

    /// Reads `YYYY-MM-DDTHH:MM:SS.mmmZ`.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        let number = |range: core::ops::Range<usize>| -> Result<i64, TimestampError> {
            let part = text.as_bytes().get(range).ok_or(TimestampError)?;
            part.iter().try_fold(0, |number, byte| match byte {
                b'0'..=b'9' => Ok(number * 10 + i64::from(byte - b'0')),
                _ => Err(TimestampError),
            })
        };
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        let ms = number(20..23)?;
        let moment = Self(
            days_from_civil(year, month, day) * MS_PER_DAY + ((hour * 60 + minute) * 60 + second) * 1000 + ms,
        );
        if moment.to_string() == text { Ok(moment) } else { Err(TimestampError) }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(self.0.div_euclid(MS_PER_DAY));
        let ms = self.0.rem_euclid(MS_PER_DAY);
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        if !(0..10_000).contains(&year) {
            return write!(
                out,
                "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z",
                ms % 1000
            );
        }
        // Digit by digit: each call writes several moments, and the machinery of formats costs tenfold.
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let parts =
            [(3, year), (6, month), (9, day), (12, hour), (15, minute), (18, second), (22, ms % 1000)];
        for (end, number) in parts {
            put(&mut text, end, number);
        }
        out.write_str(core::str::from_utf8(&text).unwrap_or_default())
    }
}

/// Writes the decimal digits of a number so that the last one stands at `end`.
fn put(text: &mut [u8], end: usize, number: i64) {
    let (mut at, mut rest) = (end, number);
    while let (Some(place), true) = (text.get_mut(at), rest > 0) {
        *place = b'0'.wrapping_add(u8::try_from(rest % 10).unwrap_or_default());
        rest /= 10;
        at = at.wrapping_sub(1);
    }
}

impl TryFrom<String> for Timestamp {
    type Error = TimestampError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<Timestamp> for String {
    fn from(moment: Timestamp) -> Self {
        moment.to_string()
    }
}

/// Days since 1970-01-01 of a date in the proleptic Gregorian calendar (years start in March, so that the leap day
/// is last).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}
