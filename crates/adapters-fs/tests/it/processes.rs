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
