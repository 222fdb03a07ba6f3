//! Moments against a calendar that counts day by day.

use bailiwick_domain::Timestamp;
use bailiwick_domain::testing::arbitrary;
use proptest::prelude::*;

/// The date of a day after 1970-01-01, by counting years and months, as a person would.
fn naive_date(days: u32) -> (u32, u32, u32) {
    let leap = |year: u32| (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    let (mut year, mut left) = (1970, days);
    while left >= if leap(year) { 366 } else { 365 } {
        left -= if leap(year) { 366 } else { 365 };
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

#[test]
fn every_day_until_2400_is_the_day_that_counting_gives() {
    for days in 0..157_054_u32 {
        let (year, month, day) = naive_date(days);
        let written = Timestamp::from_unix_ms(i64::from(days) * 86_400_000).to_string();
        assert_eq!(written, format!("{year:04}-{month:02}-{day:02}T00:00:00.000Z"));
    }
}

proptest! {
    // REQ 136
    #[test]
    fn writing_and_reading_gives_the_same_moment(moment in arbitrary::timestamp()) {
        prop_assert_eq!(Timestamp::parse(&moment.to_string()), Ok(moment));
        let json = serde_json::to_string(&moment).unwrap();
        prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), moment);
    }

    #[test]
    fn text_order_is_time_order(a in arbitrary::timestamp(), b in arbitrary::timestamp()) {
        prop_assert_eq!(a.to_string().cmp(&b.to_string()), a.cmp(&b));
    }

    #[test]
    fn reading_never_panics_and_accepts_only_the_written_form(text in "\\PC*|[0-9TZ:.+-]{0,30}") {
        if let Ok(moment) = Timestamp::parse(&text) {
            prop_assert_eq!(moment.to_string(), text);
        }
    }

    #[test]
    fn adding_seconds_saturates(ms: i64, seconds: u64) {
        let (start, later) = (Timestamp::from_unix_ms(ms), Timestamp::from_unix_ms(ms).plus_seconds(seconds));
        prop_assert!(later >= start);
        if let Some(expected) = seconds.checked_mul(1000).and_then(|add| i64::try_from(add).ok()).and_then(|add| ms.checked_add(add)) {
            prop_assert_eq!(later.unix_ms(), expected);
        }
    }
}

#[test]
fn other_spellings_of_a_moment_are_refused() {
    for text in [
        "",
        "2026-02-18",
        "2026-02-18T12:00:00Z",
        "2026-02-18T12:00:00.000+00:00",
        "2026-02-18 12:00:00.000Z",
        "2026-02-18t12:00:00.000z",
        "2026-02-30T12:00:00.000Z",
        "2026-13-01T12:00:00.000Z",
        "2026-02-18T24:00:00.000Z",
        "2026-02-18T12:60:00.000Z",
        "2026-02-18T12:00:60.000Z",
        "2026-02-18T12:00:00.0000Z",
        " 2026-02-18T12:00:00.000Z",
        "+026-02-18T12:00:00.000Z",
        "2026-00-18T12:00:00.000Z",
        "2026-02-00T12:00:00.000Z",
        "２026-02-18T12:00:00.000Z",
    ] {
        assert!(Timestamp::parse(text).is_err(), "{text}");
        assert!(serde_json::from_value::<Timestamp>(text.into()).is_err(), "{text}");
    }
}
