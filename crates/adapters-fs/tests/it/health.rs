//! Whether the store can be believed, and the ignore files' texts (K-07, D-14, K-33).

use std::fs;

use bailiwick_adapters_fs::{FsIntentRepo, FsPolicySource, GovernedRoots};
use bailiwick_domain::{Diagnostic, Health, HealthFault, IgnoreFile, IgnoreSource, IntentRepo, PolicySource};
use pollster::block_on;

use crate::governed::Place;

fn health(place: &Place) -> Health {
    block_on(FsPolicySource::new(place.layout()).health())
}

#[track_caller]
fn invalid(place: &Place) -> Diagnostic {
    match health(place) {
        Health::Broken(HealthFault::Invalid(diagnostic)) => diagnostic,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn missing(place: &Place) -> String {
    match health(place) {
        Health::Broken(HealthFault::Missing(why)) => why,
        other => panic!("{other:?}"),
    }
}

// K-07
#[test]
fn a_sound_store_is_healthy() {
    assert_eq!(health(&Place::new()), Health::Ok);
}

// K-07
#[test]
fn a_missing_folder_or_file_names_the_command_that_brings_it_back() {
    let place = Place::new();
    let root = place.root().display().to_string();
    fs::remove_file(place.layout().intents_file()).unwrap();
    let why = missing(&place);
    assert!(why.contains("`.orchestration/active_intents.yaml` is missing"), "{why}");
    fs::remove_dir_all(place.layout().orchestration()).unwrap();
    let why = missing(&place);
    assert!(why.contains("`.orchestration` is missing"), "{why}");
    assert!(why.contains(&format!("cd {root} && bailiwick init`")), "{why}");
    assert!(why.contains("bailiwick uninstall"), "{why}");
}

// K-07
#[test]
fn a_corrupt_store_is_broken_at_its_place() {
    let place = Place::new();
    fs::write(place.layout().intents_file(), "active_intents: [\n").unwrap();
    assert_eq!(invalid(&place).file, ".orchestration/active_intents.yaml");
    let twice =
        "active_intents:\n  - {id: A, name: a, status: PENDING}\n  - {id: A, name: b, status: PENDING}\n";
    fs::write(place.layout().intents_file(), twice).unwrap();
    let fault = invalid(&place);
    assert_eq!((fault.line, fault.message.contains("on line 2")), (3, true), "{fault}");
    fs::write(place.layout().intents_file(), "active_intents: []\n").unwrap();
    fs::write(place.layout().config_file(), "scope: {on_violation: maybe}\n").unwrap();
    assert_eq!((invalid(&place).file.as_str(), invalid(&place).line), (".orchestration/config.yaml", 1));
    fs::remove_file(place.layout().config_file()).unwrap();
    assert_eq!(health(&place), Health::Ok);
}

// D-14, K-07
#[cfg(unix)]
#[test]
fn no_part_of_the_store_may_be_a_symlink() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let layout = place.layout();
    let elsewhere = place.user_state().join("elsewhere");
    for part in [layout.intents_file(), layout.orchestration()] {
        fs::rename(&part, &elsewhere).unwrap();
        symlink(&elsewhere, &part).unwrap();
        assert!(invalid(&place).message.contains("symlink"), "{}", part.display());
        fs::remove_file(&part).unwrap();
        fs::rename(&elsewhere, &part).unwrap();
        assert_eq!(health(&place), Health::Ok);
    }
    fs::write(&elsewhere, "handshake: {strict: true}\n").unwrap();
    symlink(&elsewhere, layout.config_file()).unwrap();
    assert!(invalid(&place).message.contains("symlink"));
    assert!(block_on(FsPolicySource::new(layout).settings()).is_err());
}

#[test]
fn a_folder_where_a_file_belongs_is_no_store() {
    let place = Place::new();
    fs::remove_file(place.layout().intents_file()).unwrap();
    fs::create_dir(place.layout().intents_file()).unwrap();
    assert_eq!(invalid(&place).message, "it is not a regular file");
    fs::remove_dir_all(place.layout().orchestration()).unwrap();
    fs::write(place.layout().orchestration(), "").unwrap();
    assert_eq!(invalid(&place).message, "it is not a folder");
}

#[test]
fn private_state_that_is_missing_is_a_fault_of_its_own() {
    let place = Place::new();
    fs::remove_dir_all(place.layout().private()).unwrap();
    let Health::Broken(HealthFault::StateUnavailable(why)) = health(&place) else {
        panic!("{:?}", health(&place))
    };
    assert!(why.contains("bailiwick init"), "{why}");
    fs::write(place.layout().private(), "").unwrap();
    assert!(matches!(health(&place), Health::Broken(HealthFault::StateUnavailable(_))));
}

// REQ 43
#[test]
fn health_and_intents_share_one_parse() {
    let place = Place::new();
    let intents = FsIntentRepo::new(place.layout());
    let source = FsPolicySource::sharing(place.layout(), intents.clone());
    assert_eq!(block_on(source.health()), Health::Ok);
    assert!(block_on(intents.load()).unwrap().is_empty());
    assert_eq!(intents.parses(), 1);
}

fn ignore(place: &Place) -> IgnoreSource {
    block_on(FsPolicySource::new(place.layout()).ignore())
}

// K-33
#[test]
fn ignore_files_are_given_root_first() {
    let place = Place::new();
    assert_eq!(ignore(&place), IgnoreSource::Absent);
    let [(_, root), (_, store)] = place.layout().ignore_files();
    fs::write(store, "dist/\n").unwrap();
    fs::write(root, "vendor/\n").unwrap();
    let file = |name: &str, text: &str| IgnoreFile { name: name.into(), text: text.into() };
    let expected = vec![file(".intentignore", "vendor/\n"), file(".orchestration/.intentignore", "dist/\n")];
    assert_eq!(ignore(&place), IgnoreSource::Files(expected));
}

// REQ 26, K-33
#[test]
fn an_ignore_file_that_cannot_be_read_says_why() {
    let place = Place::new();
    let [(_, root), _] = place.layout().ignore_files();
    fs::write(&root, b"\xff\n").unwrap();
    assert_eq!(ignore(&place), IgnoreSource::Unreadable(".intentignore: the file is not UTF-8".into()));
    fs::remove_file(&root).unwrap();
    fs::create_dir(&root).unwrap();
    assert_eq!(ignore(&place), IgnoreSource::Unreadable(".intentignore: it is not a regular file".into()));
}

// REQ 26
#[cfg(unix)]
#[test]
fn an_ignore_file_that_is_a_symlink_is_unreadable_even_when_it_dangles() {
    let place = Place::new();
    let [_, (_, store)] = place.layout().ignore_files();
    std::os::unix::fs::symlink("nowhere", store).unwrap();
    let why = ".orchestration/.intentignore: the file is a symlink";
    assert_eq!(ignore(&place), IgnoreSource::Unreadable(why.into()));
}

// D-14, K-07
#[test]
fn governed_roots_are_remembered_by_path() {
    let (place, other) = (Place::new(), Place::new());
    let roots = GovernedRoots::new(&place.user_state());
    assert_eq!(roots.contains(&place.root()), Ok(false));
    roots.add(&place.root()).unwrap();
    roots.add(&place.root()).unwrap();
    assert_eq!(roots.all(), Ok(vec![place.root()]));
    let again = GovernedRoots::new(&place.user_state());
    assert_eq!((again.contains(&place.root()), again.contains(&other.root())), (Ok(true), Ok(false)));
    again.remove(&place.root()).unwrap();
    again.remove(&place.root()).unwrap();
    assert_eq!(roots.contains(&place.root()), Ok(false));
    fs::write(place.user_state().join("roots.json"), "[]").unwrap();
    assert!(roots.contains(&place.root()).is_err());
}
