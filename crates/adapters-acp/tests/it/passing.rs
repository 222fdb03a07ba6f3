//! What passes, and what does not.

use crate::room::Room;

/// Messages as no program would write them again.
const EDITORS: [&str; 6] = [
    r#"{"method":"initialize","jsonrpc":"2.0","id":0,  "params":{"protocolVersion":1,"clientInfo":{"name":"zed"},"n":1.00}}"#,
    r#"{"jsonrpc":"2.0","id":"a","method":"session/new","params":{"cwd":"/repo","mcpServers":[]}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"\u00e4"}]}}"#,
    r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}"#,
    r#"{"jsonrpc":"2.0","id":4,"method":"_zed/unheard_of","params":{"b":12345678901234567890123}}"#,
    r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no such method"}}"#,
];

const AGENTS: [&str; 6] = [
    r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"x"} , "n":1e3}}"#,
    r#"{"jsonrpc":"2.0","id":"a","result":{"sessionId":"s"}}"#,
    r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c"}}}"#,
    r#"{"jsonrpc":"2.0","id":7,"method":"terminal/create","params":{"sessionId":"s","command":"ls"}}"#,
    r#"{"jsonrpc":"2.0","id":8,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"x","name":"x","kind":"allow_once"}]}}"#,
    r#"{"jsonrpc":"2.0","method":"_auth/status_update","params":{"a":[1,2,{}]}}"#,
];

// D-40: everything else passes unchanged and in its order
#[tokio::test(start_paused = true)]
async fn what_both_say_passes_byte_for_byte_and_in_its_order() {
    let mut room = Room::new();
    for line in EDITORS {
        room.editor.say(line).await;
    }
    for line in EDITORS {
        assert_eq!(room.agent.hears().await, line);
    }
    for line in AGENTS {
        room.agent.say(line).await;
    }
    for line in AGENTS {
        assert_eq!(room.editor.hears().await, line);
    }
    room.editor.hears_nothing().await;
    room.agent.hears_nothing().await;
    let (desk, _) = room.ended().await;
    assert_eq!(desk.state().heard, [r#"editor Some("zed")"#, r#"agent Some("x")"#, "s in /repo"]);
    assert!(desk.state().told.is_empty() && desk.state().answers.is_empty());
}

// threat D: what two readers could take differently reaches neither
#[tokio::test(start_paused = true)]
async fn lines_that_are_no_frames_go_nowhere() {
    let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{}"#, "[".repeat(5000));
    for line in [
        r#"[{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{}}]"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"session/prompt"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"a","Method":"session/prompt"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#,
        r#"{"id":1,"method":"a"}"#,
        "Loading…",
        &deep,
    ] {
        let mut room = Room::new();
        room.editor.say(line).await;
        assert!(room.editor.hears_json().await["error"]["code"].is_i64(), "{line}");
        room.agent.say(line).await;
        room.agent.say(AGENTS[1]).await;
        let mut heard = room.editor.hears().await;
        if heard.contains("\"error\"") {
            heard = room.editor.hears().await;
        }
        assert_eq!(heard, AGENTS[1], "{line}");
        assert_eq!(room.desk.state().told.len(), 1, "{line}");
        room.editor.say(EDITORS[3]).await;
        let mut heard = room.agent.hears().await;
        if heard.contains("\"error\"") {
            heard = room.agent.hears().await;
        }
        assert_eq!(heard, EDITORS[3], "{line}");
    }
}

// limits
#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_long_is_refused_by_its_id_and_the_next_one_passes() {
    let mut room = Room::new();
    let begins = r#"{"jsonrpc":"2.0","id":"long","method":"session/prompt","params":{"text":""#;
    room.editor.bytes(begins.as_bytes()).await;
    let piece = vec![b'a'; 1 << 20];
    for _ in 0..33 {
        room.editor.bytes(&piece).await;
    }
    room.editor.say("\"}}").await;
    let refused = room.editor.hears_json().await;
    assert_eq!((&refused["id"], refused["error"]["code"].as_i64()), (&"long".into(), Some(-32600)));
    room.editor.say(EDITORS[0]).await;
    assert_eq!(room.agent.hears().await, EDITORS[0]);
}

// An answer of the agent that cannot be read must not leave the editor waiting; a request of it is no answer.
#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_broken_line_is_told() {
    let mut room = Room::new();
    room.agent.say(r#"{"jsonrpc":"2.0","id":5,"result":{},"extra":1}"#).await;
    let failed = room.editor.hears_json().await;
    assert_eq!((failed["id"].as_i64(), failed["error"]["code"].as_i64()), (Some(5), Some(-32603)));
    room.agent.say(r#"{"jsonrpc":"2.0","id":5,"method":"fs/read_text_file","extra":1}"#).await;
    assert_eq!(room.agent.hears_json().await["error"]["code"], -32600);
    room.agent.say(r#"{"jsonrpc":"2.0","id":4,"result":{"a":1,"a":2}}"#).await;
    assert_eq!(room.editor.hears_json().await["id"], 4);
    room.editor.say(r#"{"jsonrpc":"2.0","id":6,"result":{},"extra":1}"#).await;
    let failed = room.agent.hears_json().await;
    assert_eq!((failed["id"].as_i64(), failed["error"]["code"].as_i64()), (Some(6), Some(-32603)));
    room.editor.hears_nothing().await;
}

// Agents write their logs where they should not.
#[tokio::test(start_paused = true)]
async fn a_line_of_a_log_answers_nobody() {
    let mut room = Room::prompted().await;
    for line in [r#"{"level":30,"id":2,"msg":"GET /x"}"#, r#"{"level":"info","id":{"req":1},"msg":"hello"}"#]
    {
        room.agent.say(line).await;
        room.editor.hears_nothing().await;
    }
    assert_eq!(room.desk.state().told.len(), 2);
    let ends = r#"{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}"#;
    room.agent.say(ends).await;
    assert_eq!(room.editor.hears().await, ends);
}

// Two answers for one request would be taken for those of two.
#[tokio::test(start_paused = true)]
async fn an_answer_after_the_one_that_could_not_be_read_goes_nowhere() {
    let mut room = Room::prompted().await;
    let ends = r#"{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}"#;
    room.agent.say(&ends.replace("}}", "},\"more\":1}")).await;
    assert_eq!(room.editor.hears_json().await["error"]["code"], -32603);
    room.agent.say(ends).await;
    room.editor.hears_nothing().await;
    room.editor.say(r#"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s"}}"#).await;
    room.agent.hears().await;
    room.agent.say(ends).await;
    assert_eq!(room.editor.hears().await, ends, "another request has its id by now");
}

// A program that cuts a text anywhere leaves half a sign.
#[tokio::test(start_paused = true)]
async fn a_text_that_is_cut_inside_a_sign_passes_with_the_sign_for_that() {
    let mut room = Room::prompted().await;
    let chunk = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a\ud83d"}}}}"#;
    room.agent.say(chunk).await;
    assert_eq!(room.editor.hears().await, chunk.replace("ud83d", "ufffd"));
    let asks = r#"{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"x \ud83d"},"options":[]}}"#;
    room.agent.say(asks).await;
    assert_eq!(room.editor.hears().await, asks.replace("ud83d", "ufffd"));
    let prompt = r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"\ud83d"}]}}"#;
    room.editor.say(prompt).await;
    assert_eq!(room.agent.hears().await, prompt.replace("ud83d", "ufffd"));
}

// D-16: no side can pretend to be the gate
#[tokio::test(start_paused = true)]
async fn ids_of_the_gate_are_nobody_elses() {
    let mut room = Room::new();
    room.agent.say(r#"{"jsonrpc":"2.0","id":"bailiwick-1","method":"fs/read_text_file","params":{}}"#).await;
    assert_eq!(room.agent.hears_json().await["error"]["code"], -32600);
    room.editor.say(r#"{"jsonrpc":"2.0","id":"bailiwick-1","result":{}}"#).await;
    room.editor.say(r#"{"jsonrpc":"2.0","id":"bailiwick-2","error":{"code":1,"message":"x"}}"#).await;
    room.agent.hears_nothing().await;
    room.editor.hears_nothing().await;
    assert!(room.desk.state().answers.is_empty());
}

// D-16: no agent ends or covers a question of the gate
#[tokio::test(start_paused = true)]
async fn an_agent_says_nothing_about_calls_of_the_gate_and_no_name_twice() {
    let mut room = Room::new();
    for line in [
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"bailiwick-ap-1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"bailiwick-1"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"bailiwick-ap-1"},"options":[]}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"fs/write_text_file","params":{"sessionId":"s","path":"/a","Path":"/b","content":""}}"#,
    ] {
        room.agent.say(line).await;
        if line.contains("\"id\"") {
            assert_eq!(room.agent.hears_json().await["error"]["code"], -32600, "{line}");
        }
    }
    room.editor.hears_nothing().await;
}

// An editor may do what a message says whether or not it waits for an answer.
#[tokio::test(start_paused = true)]
async fn what_is_judged_as_a_request_does_not_pass_without_an_id() {
    let mut room = Room::prompted().await;
    for line in [
        r#"{"jsonrpc":"2.0","method":"fs/write_text_file","params":{"sessionId":"s","path":"/repo/a","content":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[]}}"#,
    ] {
        room.agent.say(line).await;
        room.editor.hears_nothing().await;
    }
    room.editor.say(r#"{"jsonrpc":"2.0","method":"session/prompt","params":{"sessionId":"s"}}"#).await;
    room.agent.hears_nothing().await;
    let told = room.desk.state().told.clone();
    assert_eq!(told.len(), 3);
    assert!(told[0].contains("`fs/write_text_file` without an id"), "{told:?}");
}
