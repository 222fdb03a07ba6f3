//! Resources and prompts: what they show is what the tools say, and showing moves nobody.

use bailiwick_domain::json;

use super::client::Client;
use crate::process::machine::Machine;
use crate::world::write;

// D-39, D-19
#[test]
fn what_is_shown_is_of_this_connection_and_changes_nothing() {
    let machine = Machine::new();
    let (client, other) = (Client::selected(&machine), Client::of(&machine));
    assert!(client.page("bailiwick://intents").contains("INT-002"));
    assert!(client.page("bailiwick://intents/active").contains(r#""id":"INT-001""#));
    assert!(other.page("bailiwick://intents/active").contains(r#""active_intent":null"#));
    assert!(other.page("bailiwick://intents/INT-002").starts_with("<intent_context>"));
    assert!(other.prompt("work_on_intent", &json!({"intent_id": "INT-001"})).contains("<intent_context>"));
    assert!(other.prompt("handshake", &json!({})).contains(bailiwick_domain::HANDSHAKE_SENTENCE));
    let file = json!({"path": "src/auth/new.rs", "content": "one\n"});
    assert_eq!(other.code("write_to_file", &file), "STATE_VIOLATION", "nothing was selected by looking");
    client.approved(&machine, "write_to_file", &file);
    let map = other.page("bailiwick://map");
    assert!(map.contains("INT-001") && map.contains("src/auth/new.rs"), "{map}");
    write(&machine.root().join(".orchestration/active_intents.yaml"), "not: [intents");
    assert!(client.page("bailiwick://map").contains("ORCHESTRATION_INVALID"), "a broken store shows nothing");
    client.end();
    other.end();
}
