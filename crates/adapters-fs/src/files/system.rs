//! The system's clock and randomness, as ports.

use std::time::{SystemTime, UNIX_EPOCH};

use bailiwick_domain::{Clock, IdSource, Timestamp};

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        to_timestamp(SystemTime::now())
    }
}

/// A moment of the system's clock in the domain's form.
pub(crate) fn to_timestamp(moment: SystemTime) -> Timestamp {
    let ms = match moment.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    };
    Timestamp::from_unix_ms(ms)
}

/// Version 4 UUIDs from the system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

impl IdSource for RandomIds {
    fn uuid(&self) -> String {
        uuid::Uuid::new_v4().to_string()
    }
}
