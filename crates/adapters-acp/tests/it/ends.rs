//! What each end means for a question that is open in the editor.

use bailiwick_adapters_acp::Said;

use crate::room::{LONG, Room};

fn why(said: Option<(String, Said)>) -> &'static str {
    match said {
        Some((_, Said::No(Some(why)) | Said::Nobody(why))) => why,
        other => panic!("{other:?}"),
    }
}

// D-38
#[tokio::test(start_paused = true)]
async fn req_074_an_editor_that_is_gone_has_said_no() {
    let mut room = Room::prompted().await;
    room.asks("ap-1").await;
    let (desk, is_agent) = room.without(true).await;
    assert!(!is_agent && why(desk.state().answers.pop()).contains("closed"));
}

// D-38
#[tokio::test(start_paused = true)]
async fn req_074_a_question_of_an_agent_that_is_gone_is_rejected() {
    let mut room = Room::prompted().await;
    room.asks("ap-1").await;
    let (desk, is_agent) = room.without(false).await;
    assert!(is_agent && why(desk.state().answers.pop()).contains("agent"));
}

// D-38
#[tokio::test(start_paused = true)]
async fn req_074_a_cancelled_turn_rejects_its_questions_and_reaches_the_agent() {
    let cancel = |session: &str| {
        format!(r#"{{"jsonrpc":"2.0","method":"session/cancel","params":{{"sessionId":"{session}"}}}}"#)
    };
    let mut room = Room::prompted().await;
    room.asks("ap-1").await;
    room.editor.say(&cancel("another")).await;
    assert_eq!(room.agent.hears().await, cancel("another"));
    assert!(room.desk.state().answers.is_empty(), "the turn of another session");
    room.editor.say(&cancel("s")).await;
    assert_eq!(room.agent.hears().await, cancel("s"));
    assert!(why(room.desk.state().answers.pop()).contains("cancelled"));
    assert!(room.editor.hears().await.contains("$/cancel_request"));
}

/// More than a pipe takes, in small messages.
async fn flooded(room: &mut Room) {
    let told = format!(r#"{{"jsonrpc":"2.0","method":"_x","params":{{"text":"{}"}}}}"#, "z".repeat(20_000));
    for _ in 0..200 {
        room.editor.say(&told).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_editor_is_heard_and_its_end_is_noticed_while_the_agent_does_not_read() {
    let mut room = Room::prompted().await;
    room.asks("ap-1").await;
    let told = tokio::time::timeout(LONG, flooded(&mut room)).await;
    assert!(told.is_ok(), "the editor is heard");
    room.editor.say(r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#).await;
    assert!(room.editor.hears().await.contains("$/cancel_request"));
    assert!(why(room.desk.state().answers.pop()).contains("cancelled"));
    let (_, is_agent) = room.without(true).await;
    assert!(!is_agent);
}

#[tokio::test(start_paused = true)]
async fn what_an_agent_that_does_not_read_is_asked_too_much_is_refused() {
    let mut room = Room::prompted().await;
    let text = "z".repeat(20_000_000);
    let asked = |id: u32| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"session/list","params":{{"text":"{text}"}}}}"#)
    };
    for id in 10..14 {
        room.editor.say(&asked(id)).await;
    }
    let refused = room.editor.hears_json().await;
    assert_eq!(refused["id"], 13, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("does not read"), "{refused}");
}
