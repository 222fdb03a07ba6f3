//! What a person asked for, kept beside the session: bounded, for the questions that came after it, and not for long.

use std::fs;

use bailiwick_adapters_fs::FsPrompts;
use bailiwick_domain::Actor;
use bailiwick_domain::testing::sample;

use crate::place::Place;

fn session(name: &str) -> Actor {
    Actor::root("claude-code", name)
}

// D-15
#[test]
fn a_prompt_stands_beside_the_questions_that_came_after_it() {
    let place = Place::new();
    let prompts = FsPrompts::new(&place.layout());
    let (asked, now) = (session("s1"), sample::now());
    assert_eq!(prompts.before(&asked, now), None);
    prompts.keep(&asked, "  Make the login faster\n", now).unwrap();
    assert_eq!(prompts.before(&asked, now.plus_seconds(60)).as_deref(), Some("Make the login faster"));
    let helper = Actor { agent: Some("explore".to_owned()), ..asked.clone() };
    assert_eq!(prompts.before(&helper, now).as_deref(), Some("Make the login faster"), "its sub-agents too");
    assert_eq!(prompts.before(&session("s2"), now), None);
    prompts.keep(&asked, "Now the logout", now.plus_seconds(90)).unwrap();
    assert_eq!(prompts.before(&asked, now.plus_seconds(60)), None, "a question from before this prompt");
    assert_eq!(fs::read_dir(place.private("prompts")).unwrap().count(), 1, "one file for a session");
    prompts.forget(&helper).unwrap();
    assert_eq!(prompts.before(&asked, now.plus_seconds(95)), None);
    prompts.forget(&asked).unwrap();
}

// D-15
#[test]
fn a_prompt_is_cut_and_goes_by_itself_when_nobody_ends_its_session() {
    let place = Place::new();
    let prompts = FsPrompts::new(&place.layout());
    let now = sample::now();
    prompts.keep(&session("s1"), &"é".repeat(100_000), now).unwrap();
    let kept = prompts.before(&session("s1"), now).unwrap();
    assert!(kept.chars().count() == 2_001 && kept.ends_with('…'), "{}", kept.chars().count());
    assert_eq!(prompts.before(&session("s1"), now.plus_seconds(86_400)), None);
    let file = fs::read_dir(place.private("prompts")).unwrap().next().unwrap().unwrap().path();
    let written = fs::metadata(&file).unwrap().modified().unwrap();
    let written = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let written = bailiwick_domain::Timestamp::from_unix_ms(i64::try_from(written).unwrap());
    prompts.keep(&session("s2"), "Soon after", written.plus_seconds(86_000)).unwrap();
    assert!(file.exists(), "younger than a day");
    prompts.keep(&session("s2"), "A day later", written.plus_seconds(86_401)).unwrap();
    assert!(!file.exists());
}

// D-15: however many sessions there were
#[test]
fn all_prompts_of_yesterday_go_with_the_next_one() {
    let place = Place::new();
    let prompts = FsPrompts::new(&place.layout());
    for at in 0..300 {
        prompts.keep(&session(&at.to_string()), "Yesterday", sample::now()).unwrap();
    }
    let kept = || fs::read_dir(place.private("prompts")).unwrap().count();
    assert_eq!(kept(), 300);
    let now = bailiwick_domain::Clock::now(&bailiwick_adapters_fs::SystemClock);
    prompts.keep(&session("new"), "Today", now.plus_seconds(86_401)).unwrap();
    assert_eq!(kept(), 1);
    prompts.forget_all().unwrap();
    assert!(!place.private("prompts").exists());
    prompts.forget_all().unwrap();
}

// D-15: what was put there is shown to nobody
#[test]
fn a_file_that_is_no_prompt_of_the_session_is_none() {
    let place = Place::new();
    let prompts = FsPrompts::new(&place.layout());
    let now = sample::now();
    prompts.keep(&session("s1"), "Mine", now).unwrap();
    let file = fs::read_dir(place.private("prompts")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    for other in [text.replace("s1", "s2"), String::new(), "null".to_owned(), text.replace("Mine", "")] {
        fs::write(&file, &other).unwrap();
        assert_eq!(prompts.before(&session("s1"), now), None, "{other}");
    }
}
