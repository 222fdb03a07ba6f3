//! A real client over an in-memory pair of streams.

use std::sync::Arc;

use bailiwick_adapters_mcp::{governed_names, serve, tool_names};
use bailiwick_domain::{Map, ToolError, Value, json};
use rmcp::model::{CallToolRequestParams, CallToolResult, ErrorCode};
use rmcp::service::{RoleClient, RunningService, ServiceError, ServiceExt};

use crate::{LONG, Recorder};

pub(crate) async fn connected(own: Arc<Recorder>) -> RunningService<RoleClient, ()> {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(ours);
    tokio::spawn(serve(own, LONG, read, write));
    ().serve(theirs).await.unwrap()
}

fn call(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let arguments: Map<String, Value> = arguments.as_object().cloned().unwrap();
    CallToolRequestParams::new(name).with_arguments(arguments)
}

fn text(result: &CallToolResult) -> String {
    serde_json::to_value(&result.content).unwrap()[0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_server_is_named_as_its_tools_are_prefixed() {
    // D-19
    let client = connected(Recorder::new()).await;
    let info = client.peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "bailiwick");
    assert!(info.capabilities.tools.is_some());
}

#[tokio::test]
async fn every_tool_is_listed_with_schema_and_hint() {
    let client = connected(Recorder::new()).await;
    let listed = serde_json::to_value(client.list_all_tools().await.unwrap()).unwrap();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "select_active_intent",
            "list_intents",
            "current_intent",
            "propose_intent",
            "request_scope_expansion",
            "report_done",
            "read_file",
            "list_files",
            "search_files",
            "write_to_file",
            "edit_file",
            "apply_patch",
            "delete_file",
            "move_file",
            "execute_command"
        ]
    );
    assert_eq!(names, tool_names().collect::<Vec<_>>());
    for tool in listed.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let drafts = ["propose_intent", "request_scope_expansion", "report_done"].contains(&name);
        let looks = ["read_file", "list_files", "search_files"].contains(&name);
        let changes = governed_names().any(|governed| governed == name) && !looks;
        assert_eq!(tool["annotations"]["readOnlyHint"], !drafts && !changes, "{tool}");
        assert_eq!(tool["annotations"]["destructiveHint"], changes, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        assert!(!tool["description"].as_str().unwrap().is_empty());
    }
    assert_eq!(listed[0]["inputSchema"]["required"], json!(["intent_id"]));
    assert_eq!(listed[0]["inputSchema"]["properties"]["intent_id"]["type"], "string");
}

// D-01, K-01
#[tokio::test]
async fn the_schema_of_a_draft_names_every_parameter_and_its_type() {
    let client = connected(Recorder::new()).await;
    let listed = serde_json::to_value(client.list_all_tools().await.unwrap()).unwrap();
    let schema = |name: &str| {
        let tool = listed.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        tool["inputSchema"].clone()
    };
    let proposal = schema("propose_intent");
    assert_eq!(proposal["required"], json!(["name", "why", "owned_scope", "acceptance_criteria"]));
    for key in ["owned_scope", "acceptance_criteria"] {
        assert_eq!(proposal["properties"][key]["type"], "array", "{key}");
        assert_eq!(proposal["properties"][key]["items"]["type"], "string", "{key}");
    }
    assert_eq!(proposal["properties"]["name"]["type"], "string");
    assert_eq!(schema("request_scope_expansion")["required"], json!(["paths", "reason"]));
    assert_eq!(schema("report_done")["required"], json!(["intent_id", "summary"]));
}

// D-01
#[tokio::test]
async fn a_draft_whose_lists_are_no_lists_of_texts_never_reaches_the_tool() {
    let own = Recorder::new();
    let client = connected(own.clone()).await;
    for scope in [json!("src/**"), json!([7]), json!(null)] {
        let params = json!({"name": "a", "why": "b", "owned_scope": scope, "acceptance_criteria": ["c"]});
        let result = client.call_tool(call("propose_intent", params.clone())).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{params}");
    }
    assert!(own.names().is_empty());
}

#[tokio::test]
async fn a_call_is_answered_with_the_tools_text() {
    let own = Recorder::new();
    let client = connected(own.clone()).await;
    let result =
        client.call_tool(call("select_active_intent", json!({"intent_id": "INT-001"}))).await.unwrap();
    assert_eq!((result.is_error, text(&result).as_str()), (Some(false), "answer of select_active_intent"));
    let without_arguments = client.call_tool(CallToolRequestParams::new("list_intents")).await.unwrap();
    assert_eq!(text(&without_arguments), "answer of list_intents");
    assert_eq!(own.names(), ["select_active_intent", "list_intents"]);
}

#[tokio::test]
async fn req_008_an_error_reaches_the_model_as_the_tool_errors_json() {
    let client = connected(Recorder::new()).await;
    let result =
        client.call_tool(call("select_active_intent", json!({"intent_id": "INT-404"}))).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    let error: ToolError = serde_json::from_str(&text(&result)).unwrap();
    assert_eq!(error.code(), bailiwick_domain::ErrorCode::IntentNotFound);
}

#[tokio::test]
async fn parameters_that_do_not_fit_never_reach_the_tool() {
    let own = Recorder::new();
    let client = connected(own.clone()).await;
    for params in [json!({}), json!({"intent_id": 7}), json!({"intent_id": "INT-001", "force": true})] {
        let result = client.call_tool(call("select_active_intent", params.clone())).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{params}");
        let error: ToolError = serde_json::from_str(&text(&result)).unwrap();
        assert_eq!(error.code(), bailiwick_domain::ErrorCode::MalformedCall);
    }
    assert!(own.names().is_empty());
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error() {
    let own = Recorder::new();
    let client = connected(own.clone()).await;
    let error = client.call_tool(call("rm", json!({"path": "a"}))).await.unwrap_err();
    let ServiceError::McpError(error) = error else { panic!("{error:?}") };
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    assert!(own.names().is_empty());
}

// D-39
#[tokio::test]
async fn parameters_of_each_kind_are_checked_before_the_tool() {
    let own = Recorder::new();
    let client = connected(own.clone()).await;
    for (name, params) in [
        ("read_file", json!({"path": "a", "offset": 0})),
        ("read_file", json!({"path": "a", "limit": 1.5})),
        ("list_files", json!({"recursive": "yes"})),
        ("edit_file", json!({"path": "a", "old_string": "b", "new_string": null})),
        ("write_to_file", json!({"path": "a", "content": "b", "mutation_class": "HARMLESS"})),
        ("execute_command", json!({"command": "ls", "timeout_ms": -1})),
    ] {
        let result = client.call_tool(call(name, params.clone())).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{name} {params}");
    }
    assert!(own.names().is_empty());
    for (name, params) in [
        ("read_file", json!({"path": "a", "offset": 1, "limit": null})),
        ("list_files", json!({})),
        ("write_to_file", json!({"path": "a", "content": "", "mutation_class": "AST_REFACTOR"})),
    ] {
        let result = client.call_tool(call(name, params)).await.unwrap();
        assert_eq!(result.is_error, Some(false));
    }
    assert_eq!(own.names(), ["read_file", "list_files", "write_to_file"]);
}
