//! Which processes are agents.

use bailiwick_adapters_fs::{AgentProcesses, ancestors};

use crate::place::Place;

// D-16
#[cfg(target_os = "linux")]
#[test]
fn the_agent_above_a_hook_is_found_again_by_its_descendants() {
    let place = Place::new();
    let agents = AgentProcesses::new(place.layout());
    assert_eq!(agents.governed_ancestor(), None);
    agents.record("claude-code").unwrap();
    agents.record("claude-code").unwrap();
    let parent = ancestors(std::process::id()).into_iter().next().unwrap();
    assert_eq!(parent.pid, std::os::unix::process::parent_id());
    assert_eq!(agents.governed_ancestor().map(|agent| agent.pid), Some(parent.pid));
    let names: Vec<_> =
        std::fs::read_dir(place.private("agents")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, [format!("{}-{}", parent.pid, parent.started).as_str()]);
}

// A15, D-16: an agent of one repository answers in no other repository of the same user
#[cfg(target_os = "linux")]
#[test]
fn an_agent_of_another_root_is_found_as_well() {
    let place = Place::new();
    let here = place.layout();
    AgentProcesses::new(here.clone()).record("claude-code").unwrap();
    let other = bailiwick_adapters_fs::Layout::new(
        place.private("other-root"),
        place.private("other-private"),
        here.user_state().map(std::path::Path::to_owned),
    );
    assert!(AgentProcesses::new(other).governed_ancestor().is_some());
    let nobody = bailiwick_adapters_fs::Layout::new(place.private("r"), place.private("p"), None);
    assert_eq!(AgentProcesses::new(nobody).governed_ancestor(), None);
}

#[cfg(target_os = "linux")]
#[test]
fn a_later_process_with_the_same_id_is_another_one() {
    let place = Place::new();
    let parent = ancestors(std::process::id()).into_iter().next().unwrap();
    let dir = place.private("agents");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join(format!("{}-{}", parent.pid, parent.started + 1)), "{}").unwrap();
    assert_eq!(AgentProcesses::new(place.layout()).governed_ancestor(), None);
}

// A host that goes on without its plugin: it is loaded for as long as the process lives that said so.
#[cfg(target_os = "linux")]
#[test]
fn a_plugin_is_loaded_in_its_own_session_while_its_process_lives() {
    let place = Place::new();
    let agents = AgentProcesses::new(place.layout());
    assert!(!agents.is_loaded("cline", "s1"));
    agents.note_loaded("cline", "s1").unwrap();
    agents.note_loaded("cline", "s1").unwrap();
    assert!(agents.is_loaded("cline", "s1"));
    assert!(!agents.is_loaded("cline", "s2") && !agents.is_loaded("codex", "s1"));

    let note = std::fs::read_dir(place.private("loaded")).unwrap().next().unwrap().unwrap().path();
    let (session, _) = note.to_str().unwrap().rsplit_once(".by.").unwrap();
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    for process in [format!("{}-1", gone.id()), "1".to_owned(), String::new()] {
        let _ = std::fs::remove_file(&note);
        let over = format!("{session}.by.{process}");
        std::fs::write(&over, "loaded\n").unwrap();
        assert!(!agents.is_loaded("cline", "s1"), "{process}");
        std::fs::remove_file(over).unwrap();
    }
}
