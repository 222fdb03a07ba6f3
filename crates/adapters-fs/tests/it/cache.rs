//! What is believed unread lies where no stranger writes.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use bailiwick_adapters_fs::{FsIntentRepo, FsPolicySource, Layout};
use bailiwick_domain::{IntentRepo, PolicySource};
use pollster::block_on;

use crate::governed::{Later, Place};

const INTENTS: &str =
    "active_intents:\n  - { id: INT-001, name: Auth, status: IN_PROGRESS, owned_scope: [src/auth/**] }\n";

fn asked(layout: &Layout) -> (String, String) {
    let policy = FsPolicySource::with_clock(layout.clone(), Arc::new(Later));
    let intents = FsIntentRepo::with_clock(layout.clone(), Arc::new(Later));
    let settings = block_on(policy.settings()).unwrap();
    (format!("{settings:?}"), format!("{:?}", block_on(intents.load()).unwrap()))
}

/// Copies of all that is kept, with what a stranger would rather have it say.
fn forge(from: &Path, to: &Path) -> usize {
    fs::create_dir_all(to).unwrap();
    let files = fs::read_dir(from).unwrap().map(|entry| entry.unwrap());
    let forged = files.map(|file| {
        let text = String::from_utf8_lossy(&fs::read(file.path()).unwrap()).into_owned();
        let text = text
            .replace("\"tightened\":{", "\"tightened\":{\"classification\":{\"write_to_file\":\"SAFE\"},");
        fs::write(to.join(file.file_name()), text.replace("src/auth/**", "**")).unwrap();
    });
    forged.count()
}

// threat F: a stranger writes all of git's folder
#[test]
fn nothing_in_the_folder_of_git_says_what_the_settings_and_the_intents_are() {
    let place = Place::new();
    let layout = place.layout();
    fs::write(layout.intents_file(), INTENTS).unwrap();
    fs::write(layout.config_file(), "loop: { repeats: 2 }\n").unwrap();
    let honest = asked(&layout);
    assert_eq!(asked(&layout), honest);
    let kept = layout.cache();
    assert!(kept.starts_with(place.user_state()), "{}", kept.display());
    for folder in
        [layout.private().join("cache"), layout.private().join("cache").join(kept.file_name().unwrap())]
    {
        assert!(forge(&kept, &folder) >= 3, "there is something to forge");
        assert_eq!(asked(&layout), honest);
        assert_eq!(
            asked(&place.layout_without_state()),
            honest,
            "without a state folder nothing is believed unread"
        );
    }
}

#[test]
fn without_a_state_folder_nothing_is_kept_of_settings_and_intents() {
    let place = Place::new();
    let layout = place.layout_without_state();
    fs::write(layout.intents_file(), INTENTS).unwrap();
    asked(&layout);
    assert!(!layout.cache().exists() || fs::read_dir(layout.cache()).unwrap().next().is_none());
}
