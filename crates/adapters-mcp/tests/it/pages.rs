//! Resources and prompts.

use bailiwick_domain::{Value, json};
use rmcp::model::{ErrorCode, GetPromptRequestParams, ReadResourceRequestParams};
use rmcp::service::ServiceError;

use crate::Recorder;
use crate::client::connected;

fn code(error: ServiceError) -> ErrorCode {
    let ServiceError::McpError(error) = error else { panic!("{error:?}") };
    error.code
}

// D-39
#[tokio::test]
async fn each_listed_resource_and_prompt_can_be_read() {
    let client = connected(Recorder::new()).await;
    let listed = client.list_all_resources().await.unwrap();
    let uris: Vec<&str> = listed.iter().map(|resource| resource.uri.as_str()).collect();
    assert_eq!(uris, ["bailiwick://intents", "bailiwick://intents/active", "bailiwick://map"]);
    for (uri, page) in [
        (uris[0], "Intents"),
        (uris[1], "ActiveIntent"),
        (uris[2], "Map"),
        ("bailiwick://intents/INT-001", "Intent(\"INT-001\")"),
    ] {
        let read = client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
        let read = serde_json::to_value(read).unwrap();
        assert_eq!((&read["contents"][0]["text"], &read["contents"][0]["uri"]), (&json!(page), &json!(uri)));
    }
    assert_eq!(
        client.list_all_resource_templates().await.unwrap()[0].uri_template,
        "bailiwick://intents/{id}"
    );
    let prompts = client.list_all_prompts().await.unwrap();
    assert_eq!(
        prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>(),
        ["handshake", "work_on_intent"]
    );
    let asked = |name: &str, arguments: Value| {
        let request =
            GetPromptRequestParams::new(name).with_arguments(arguments.as_object().cloned().unwrap());
        client.get_prompt(request)
    };
    let told = serde_json::to_value(asked("work_on_intent", json!({"intent_id": "INT-001"})).await.unwrap())
        .unwrap();
    assert_eq!(told["messages"][0]["content"]["text"], "WorkOn(\"INT-001\")");
    asked("handshake", json!({})).await.unwrap();
    for (name, arguments) in [("work_on_intent", json!({})), ("other", json!({}))] {
        assert_eq!(code(asked(name, arguments).await.unwrap_err()), ErrorCode::INVALID_PARAMS, "{name}");
    }
}

// threat D12
#[tokio::test]
async fn what_is_not_listed_is_not_read() {
    let client = connected(Recorder::new()).await;
    for uri in [
        "file:///etc/passwd",
        "bailiwick://",
        "bailiwick://intents/",
        "bailiwick://intents/a/b",
        "bailiwick://intents/../map",
        "BAILIWICK://intents",
        "",
    ] {
        let error = client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap_err();
        assert_eq!(code(error), ErrorCode::RESOURCE_NOT_FOUND, "{uri}");
    }
    let gone = client.read_resource(ReadResourceRequestParams::new("bailiwick://intents/INT-404")).await;
    assert_eq!(code(gone.unwrap_err()), ErrorCode::INVALID_PARAMS);
}
