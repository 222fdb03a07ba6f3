//! The human's off switch on disk: what pauses the gate, and what only looks like it.

use std::fs;

use bailiwick_adapters_fs::{FsPauses, Layout};
use bailiwick_domain::testing::{contract, sample};
use bailiwick_domain::{Pause, PauseLook, Pauses, Value};
use pollster::block_on;

use crate::place::Place;

fn at_ten_minutes() -> Option<i64> {
    Some(600_000)
}

fn pauses(place: &Place) -> FsPauses {
    FsPauses::new(&place.layout()).with_uptime(at_ten_minutes)
}

fn begun(place: &Place) -> Pause {
    let pause = Pause::new("ada", sample::now(), 60);
    pauses(place).begin(&pause).unwrap();
    pause
}

// D-07
#[test]
fn pauses_keep_the_contract() {
    let place = Place::new();
    block_on(contract::pauses(&pauses(&place), |pause| pauses(&place).begin(pause).unwrap()));
}

// D-07, D-16
#[test]
fn a_file_never_pauses() {
    let place = Place::new();
    let pause = begun(&place);
    let file = place.private("pause.json");
    let sealed: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut value = sealed.clone();
        change(&mut value);
        fs::write(&file, value.to_string()).unwrap();
        block_on(pauses(&place).look(pause.from))
    };
    assert_eq!(forged(&|_| {}), PauseLook::Running(pause.clone()));
    let longer = pause.from.plus_seconds(3600).to_string();
    assert_eq!(forged(&|value| value["pause"]["until"] = longer.as_str().into()), PauseLook::None);
    assert_eq!(forged(&|value| value["pause"]["by"] = "eve".into()), PauseLook::None);
    assert_eq!(forged(&|value| value["uptime_ms"] = Value::Null), PauseLook::None);
    assert_eq!(forged(&|value| value["format"] = 2.into()), PauseLook::None);
    assert_eq!(forged(&|value| value["seal"] = format!("sha256:{}", "0".repeat(64)).into()), PauseLook::None);
    for text in ["", "{}", "null", "\0"] {
        fs::write(&file, text).unwrap();
        assert_eq!(block_on(pauses(&place).look(pause.from)), PauseLook::None, "{text}");
    }
}

// D-07, D-15
#[test]
fn a_pause_counts_only_where_and_for_whom_it_was_given() {
    let (place, other) = (Place::new(), Place::new());
    let pause = begun(&place);
    fs::create_dir_all(other.layout().private()).unwrap();
    fs::copy(place.private("pause.json"), other.private("pause.json")).unwrap();
    assert_eq!(block_on(pauses(&other).look(pause.from)), PauseLook::None, "another repository");
    let stranger = |user| Layout::new(place.layout().root(), place.layout().private(), user);
    for user in [Some(other.dir.path().join("user")), None] {
        let seen = FsPauses::new(&stranger(user)).with_uptime(at_ten_minutes);
        assert_eq!(block_on(seen.look(pause.from)), PauseLook::None, "another person");
    }
    assert!(FsPauses::new(&stranger(None)).begin(&pause).is_err());
}

// D-07
#[test]
fn no_clock_prolongs_a_pause() {
    let place = Place::new();
    let pause = begun(&place);
    type Uptime = fn() -> Option<i64>;
    let uptimes: [(Uptime, bool); 6] = [
        (|| Some(600_000), true),
        (|| Some(659_999), true),
        (|| Some(660_000), false),
        (|| Some(599_999), false),
        (|| Some(0), false),
        (|| None, false),
    ];
    for (uptime, runs) in uptimes {
        let found = block_on(pauses(&place).with_uptime(uptime).look(pause.from));
        assert_eq!(matches!(found, PauseLook::Running(_)), runs, "{:?}", uptime());
    }
    let moved_back = bailiwick_domain::Timestamp::from_unix_ms(pause.from.unix_ms() - 1);
    for now in [pause.until, pause.until.plus_seconds(1), moved_back] {
        assert_eq!(block_on(pauses(&place).look(now)), PauseLook::Over(pause.clone()), "{now}");
    }
    let endless = Pause { until: pause.from.plus_seconds(Pause::LONGEST_S + 1), ..pause };
    pauses(&place).begin(&endless).unwrap();
    assert_eq!(
        block_on(pauses(&place).look(endless.from)),
        PauseLook::Over(endless),
        "longer than a pause may be"
    );
}

// D-07
#[test]
fn the_clock_since_the_machine_started_is_used_where_there_is_one() {
    let place = Place::new();
    let pause = Pause::new("ada", sample::now(), 60);
    FsPauses::new(&place.layout()).begin(&pause).unwrap();
    let stored: Value = serde_json::from_slice(&fs::read(place.private("pause.json")).unwrap()).unwrap();
    assert_eq!(stored["uptime_ms"].is_number(), cfg!(unix));
    assert_eq!(block_on(FsPauses::new(&place.layout()).look(pause.from)), PauseLook::Running(pause));
}
