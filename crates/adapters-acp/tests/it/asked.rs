//! Questions in the editor, and what the agent asks by itself.

use bailiwick_adapters_acp::Said;
use bailiwick_domain::json;

use crate::room::{Room, question, yes};

const PERMISSION: &str = r#"{"jsonrpc":"2.0","id":8,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c1"},"options":[{"optionId":"always","name":"A","kind":"allow_always"},{"optionId":"once","name":"O","kind":"allow_once"}]}}"#;

// D-40, K-42: one request, with what it changes and two answers
#[tokio::test(start_paused = true)]
async fn req_144_a_question_is_one_request_for_permission_with_its_diff() {
    let mut room = Room::prompted().await;
    let asked = room.asks("ap-1").await;
    let (method, params) = (&asked["method"], &asked["params"]);
    assert_eq!((method, &params["sessionId"]), (&json!("session/request_permission"), &json!("s")));
    let call = &params["toolCall"];
    assert_eq!(call["content"][0]["content"]["text"], "Intent INT-001");
    let diff = json!({"type": "diff", "path": "/repo/src/a.rs", "oldText": null, "newText": "fn a() {}\n"});
    assert_eq!(call["content"][1], diff);
    assert_eq!(call["locations"], json!([{"path": "/repo/src/a.rs"}]));
    let kinds: Vec<_> = params["options"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["allow_once", "reject_once"], "nothing that lasts is offered");
    room.answers(&asked, 300, &yes()).await;
    let ended = room.editor.hears_json().await;
    assert_eq!(ended["params"]["update"]["status"], "completed");
    assert_eq!(room.desk.state().answers, [("ap-1".to_owned(), Said::Yes)]);
    // A second answer to the same question is none.
    room.answers(&asked, 300, &yes()).await;
    room.agent.hears_nothing().await;
    assert_eq!(room.desk.state().answers.len(), 1);
}

// D-38: anything but the positive choice is a no
#[tokio::test(start_paused = true)]
async fn req_074_everything_that_is_no_yes_rejects() {
    let mut room = Room::prompted().await;
    for (at, answer) in [
        json!({"outcome": {"outcome": "selected", "optionId": "reject"}}),
        json!({"outcome": {"outcome": "selected", "optionId": "Approve"}}),
        json!({"outcome": {"outcome": "cancelled"}}),
        json!({"outcome": {"outcome": "cancelled", "optionId": "approve"}}),
        json!({"optionId": "approve"}),
        json!("approve"),
        json!(null),
    ]
    .into_iter()
    .enumerate()
    {
        let asked = room.asks(&format!("ap-{at}")).await;
        room.answers(&asked, 5000, &answer).await;
        assert_eq!(room.editor.hears_json().await["params"]["update"]["status"], "failed");
        let said = room.desk.state().answers.pop().unwrap();
        assert_eq!(said, (format!("ap-{at}"), Said::No(None)), "{answer}");
    }
    let asked = room.asks("ap-odd").await;
    let odd = json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes(), "more": 1});
    room.editor.say(&odd.to_string()).await;
    room.editor.hears().await;
    assert!(matches!(room.desk.state().answers.pop(), Some((_, Said::Nobody(_)))), "it cannot be read");
    let asked = room.asks("ap-last").await;
    let failed = json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": 1, "message": "x"}});
    room.editor.say(&failed.to_string()).await;
    room.editor.hears().await;
    assert!(matches!(room.desk.state().answers.pop(), Some((_, Said::Nobody(_)))));
}

// D-16, D-37: an editor that allows everything by itself is no person
#[tokio::test(start_paused = true)]
async fn a_yes_that_comes_faster_than_a_person_reads_is_a_no() {
    let mut room = Room::prompted().await;
    for (id, after, is_person) in [("ap-1", 0, false), ("ap-2", 200, false), ("ap-3", 251, true)] {
        let asked = room.asks(id).await;
        room.answers(&asked, after, &yes()).await;
        room.editor.hears().await;
        let said = room.desk.state().answers.pop().unwrap();
        assert_eq!(said.1 == Said::Yes, is_person, "{after} ms");
    }
}

// D-06: a retry of the same call is no second question
#[tokio::test(start_paused = true)]
async fn a_question_that_is_handed_over_again_is_not_asked_again() {
    let mut room = Room::prompted().await;
    room.asks("ap-1").await;
    room.desk.state().questions.push(question("ap-1"));
    room.editor.hears_nothing().await;
}

// D-40: else the queue
#[tokio::test(start_paused = true)]
async fn a_question_of_no_session_stays_in_the_queue() {
    let mut room = Room::new();
    room.desk.state().questions.push(question("ap-1"));
    room.editor.hears_nothing().await;
    assert!(room.desk.state().told[0].contains("stays in the queue"));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_was_answered_elsewhere_is_taken_back() {
    let mut room = Room::prompted().await;
    let asked = room.asks("ap-1").await;
    room.desk.state().over.push("ap-1".to_owned());
    let taken = room.editor.hears_json().await;
    assert_eq!((&taken["method"], &taken["params"]["requestId"]), (&json!("$/cancel_request"), &asked["id"]));
    room.editor.hears().await;
    room.answers(&asked, 300, &yes()).await;
    room.agent.hears_nothing().await;
    assert!(room.desk.state().answers.is_empty(), "an answer that comes too late is none");
}

// D-16: never both
#[tokio::test(start_paused = true)]
async fn the_agents_own_request_is_answered_once_for_a_call_that_was_let_through() {
    let mut room = Room::prompted().await;
    room.agent.say(PERMISSION).await;
    assert_eq!(room.editor.hears().await, PERMISSION, "nobody said yes to it");
    room.desk.state().let_through.push("c1".to_owned());
    room.agent.say(PERMISSION).await;
    let answer = room.agent.hears_json().await;
    let once = json!({"outcome": {"outcome": "selected", "optionId": "once"}});
    assert_eq!((&answer["id"], &answer["result"]), (&json!(8), &once));
    room.editor.hears_nothing().await;
    let lasting = PERMISSION.replace("allow_once", "allow_always");
    room.agent.say(&lasting).await;
    assert_eq!(room.editor.hears().await, lasting, "nothing that lasts is chosen");
    let twice = PERMISSION.replace("allow_always", "allow_once");
    room.agent.say(&twice).await;
    assert_eq!(room.editor.hears().await, twice, "nobody can say which");
    room.desk.state().is_broken = true;
    room.agent.say(PERMISSION).await;
    assert_eq!(room.editor.hears().await, PERMISSION, "a fault answers nothing");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_no_call_may_write_is_not_written_by_the_editor() {
    let write = r#"{"jsonrpc":"2.0","id":9,"method":"fs/write_text_file","params":{"sessionId":"s","path":"/repo/a","content":"x"}}"#;
    let mut room = Room::prompted().await;
    room.agent.say(write).await;
    assert_eq!(room.editor.hears().await, write);
    room.desk.state().no_write = Some("no call".to_owned());
    room.agent.say(write).await;
    assert_eq!(room.agent.hears_json().await["error"]["message"], "no call");
    room.desk.state().no_write = None;
    room.desk.state().is_broken = true;
    room.agent.say(write).await;
    assert!(room.agent.hears_json().await["error"].is_object(), "a fault refuses");
    let nameless = write.replace(r#""sessionId":"s","#, "");
    room.desk.state().is_broken = false;
    room.agent.say(&nameless).await;
    assert!(room.agent.hears_json().await["error"].is_object(), "a request of no session is refused");
    room.editor.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_may_not_be_given_does_not_reach_the_agent() {
    let prompt = r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s"}}"#;
    let mut room = Room::new();
    room.desk.state().no_prompt = Some("its tools are not judged".to_owned());
    room.editor.say(prompt).await;
    let refused = room.editor.hears_json().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["message"]),
        (&json!(3), &json!("its tools are not judged"))
    );
    room.desk.state().is_broken = true;
    room.editor.say(prompt).await;
    assert!(room.editor.hears_json().await["error"].is_object(), "a fault refuses");
    room.agent.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_turn_whose_calls_nothing_judges_is_cancelled() {
    let update = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c1"}}}"#;
    let mut room = Room::prompted().await;
    room.desk.state().is_unjudged = true;
    let chunk = update.replace("tool_call", "agent_message_chunk");
    room.agent.say(&chunk).await;
    assert_eq!(room.editor.hears().await, chunk, "a word is no call");
    room.agent.say(update).await;
    assert_eq!(room.agent.hears_json().await["method"], "session/cancel");
    assert!(room.editor.hears().await.contains("nothing judges it"));
    assert_eq!(room.editor.hears().await, update);
    room.desk.state().is_unjudged = false;
    room.agent.say(update).await;
    assert_eq!(room.editor.hears().await, update);
    room.desk.state().is_unjudged = true;
    room.agent.say(update).await;
    assert_eq!(room.editor.hears().await, update, "it was seen to be judged");
    room.agent.hears_nothing().await;
}

// A session that is loaded tells its old calls before its folder is known.
#[tokio::test(start_paused = true)]
async fn calls_that_a_session_tells_while_it_is_loaded_do_not_count_as_judged() {
    let update = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"old","update":{"sessionUpdate":"tool_call_update","toolCallId":"c1"}}}"#;
    let load =
        r#"{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"old","cwd":"/repo"}}"#;
    let mut room = Room::new();
    room.editor.say(load).await;
    room.agent.hears().await;
    room.agent.say(update).await;
    assert_eq!(room.editor.hears().await, update);
    room.agent.say(r#"{"jsonrpc":"2.0","id":3,"result":null}"#).await;
    room.editor.hears().await;
    room.desk.state().is_unjudged = true;
    room.agent.say(update).await;
    assert_eq!(room.agent.hears_json().await["method"], "session/cancel");
}
