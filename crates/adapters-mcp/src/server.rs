//! The protocol: frames in and out, calls handed to [`OwnTools`]. Knows no tool by name.

use std::sync::Arc;
use std::time::Duration;

use bailiwick_domain::{ErrorCode, Params, ToolError};
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, serve_server};
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::OwnTools;
use crate::catalogue::{SERVER_NAME, misfit, tool_names, tools};

/// Longer frames are dropped without being kept.
const MAX_FRAME_BYTES: usize = 4 * 1024 * 1024;

const INSTRUCTIONS: &str = "Select an intent before you change anything: call list_intents, then \
                            select_active_intent; when none covers the task, propose_intent. Reading \
                            needs no intent.";

/// Why the server ended other than by the end of its input.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client did not begin as the protocol says.
    #[error("the client did not initialize the connection: {0}")]
    Initialize(String),
    /// The server's task failed.
    #[error("the server failed: {0}")]
    Failed(String),
}

/// Serves on standard input and output until the input ends. Nothing else may write to standard output meanwhile. No call
/// takes longer than the limit; one that blocks for ever keeps its thread until the process ends.
pub async fn serve_stdio(own: Arc<dyn OwnTools>, limit: Duration) -> Result<(), ServeError> {
    serve(own, limit, tokio::io::stdin(), tokio::io::stdout()).await
}

/// Serves on any pair of streams until the input ends.
pub async fn serve<R, W>(
    own: Arc<dyn OwnTools>,
    limit: Duration,
    input: R,
    output: W,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MAX_FRAME_BYTES);
    let running = match serve_server(Server { own, limit }, transport).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Initialize(error.to_string())),
    };
    running.waiting().await.map(|_| ()).map_err(|error| ServeError::Failed(error.to_string()))
}

#[derive(Debug)]
struct Server {
    own: Arc<dyn OwnTools>,
    limit: Duration,
}

impl Server {
    async fn answer(&self, name: &'static str, params: Params) -> Result<String, ToolError> {
        if let Some(why) = misfit(name, &params) {
            return Err(ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}")));
        }
        let own = Arc::clone(&self.own);
        let work = tokio::task::spawn_blocking(move || own.call(name, params));
        match tokio::time::timeout(self.limit, work).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(failed("the gate failed on this request".to_owned())),
            Err(_) => Err(failed(format!(
                "the gate has no answer after {} seconds; try again",
                self.limit.as_secs()
            ))),
        }
    }
}

fn failed(why: String) -> ToolError {
    ToolError::new(ErrorCode::InternalError, why)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(SERVER_NAME, env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(name) = tool_names().find(|name| *name == request.name) else {
            return Err(ErrorData::invalid_params(format!("unknown tool: {}", request.name), None));
        };
        let result = match self.answer(name, request.arguments.unwrap_or_default()).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_json())]),
        };
        Ok(result.into())
    }
}
