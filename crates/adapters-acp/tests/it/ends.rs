//! What each end means for a question that is open in the editor.

use bailiwick_adapters_acp::Said;

use crate::room::Room;

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
