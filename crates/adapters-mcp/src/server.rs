//! The protocol: what is asked for is handed to [`ServedTools`], each call on its own. Knows no tool by name.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_domain::{ErrorCode, Params, ToolError};
use bailiwick_frames::told_to_end;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, PromptMessage, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, Role,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, serve_server};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::catalogue::{SERVER_NAME, command_time, misfit, only_looks, tool_names, tools};
use crate::frames::Frames;
use crate::session::Session;
use crate::shown::{prompts, resources, templates};
use crate::{Page, ServedTools, Stop};

const INSTRUCTIONS: &str = "Select an intent before you change anything: call list_intents, then \
                            select_active_intent; when none covers the task, propose_intent. Reading \
                            needs no intent. Change files and run commands with the tools of this server: \
                            they are checked against the intent and recorded.";

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

/// Serves on standard input and output until the input ends or the process is told to end. Nothing else may write to
/// standard output meanwhile. No call takes longer than the limit, or a command longer than that beside its own; one that
/// blocks for ever keeps its thread until the process ends.
pub async fn serve_stdio(tools: Arc<dyn ServedTools>, limit: Duration) -> Result<(), ServeError> {
    serve_until(tools, limit, (tokio::io::stdin(), tokio::io::stdout()), told_to_end()).await
}

/// Serves on any pair of streams until the input ends. Then all work is called off.
pub async fn serve<R, W>(
    tools: Arc<dyn ServedTools>,
    limit: Duration,
    input: R,
    output: W,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve_until(tools, limit, (input, output), std::future::pending()).await
}

async fn serve_until<R, W>(
    tools: Arc<dyn ServedTools>,
    limit: Duration,
    (input, output): (R, W),
    end: impl Future<Output = ()>,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let session = Arc::new(Session::new(tools, CancellationToken::new(), None));
    let transport = Frames::new(input, output, session.over().clone());
    let server =
        Server { session: Some(Arc::clone(&session)), limit, versions: ProtocolVersion::KNOWN_VERSIONS };
    let serving = async {
        let running = match serve_server(server, transport).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Initialize(error.to_string())),
        };
        running.waiting().await.map(|_| ()).map_err(|error| ServeError::Failed(error.to_string()))
    };
    let served = tokio::select! {
        served = serving => served,
        () = end => Ok(()),
        () = session.is_left() => Ok(()),
    };
    session.end().await;
    served
}

/// The protocol for one session; over HTTP each request says which one it is of.
#[derive(Debug)]
pub(crate) struct Server {
    /// The session of a connection that is one.
    pub(crate) session: Option<Arc<Session>>,
    pub(crate) limit: Duration,
    /// What is spoken.
    pub(crate) versions: &'static [ProtocolVersion],
}

impl Server {
    fn session(&self, context: &RequestContext<RoleServer>) -> Result<Arc<Session>, ErrorData> {
        let session = self.session.as_ref().or_else(|| context.extensions.get::<Arc<Session>>());
        session.cloned().ok_or_else(|| ErrorData::invalid_request("this request is of no session", None))
    }

    async fn answer(
        &self,
        session: &Session,
        name: &'static str,
        params: Params,
        stop: Stop,
    ) -> Result<String, ToolError> {
        if let Some(why) = misfit(name, &params) {
            return Err(ToolError::new(ErrorCode::MalformedCall, format!("Malformed call: {why}")));
        }
        let limit = self.limit.saturating_add(command_time(name, &params));
        let stopped = stop.clone();
        session.within(limit, only_looks(name), &stop, move |tools| tools.call(name, params, &stopped)).await
    }

    async fn page(&self, page: Page, context: RequestContext<RoleServer>) -> Result<String, ErrorData> {
        let session = self.session(&context)?;
        let stop = session.stop(context.ct);
        let shown = session.within(self.limit, true, &stop, move |tools| tools.show(&page)).await;
        shown.map_err(|error| {
            ErrorData::invalid_params(error.message().to_owned(), serde_json::to_value(&error).ok())
        })
    }
}

impl ServerHandler for Server {
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.versions)
    }

    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities)
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
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(name) = tool_names().find(|name| *name == request.name) else {
            return Err(ErrorData::invalid_params(format!("unknown tool: {}", request.name), None));
        };
        let session = self.session(&context)?;
        let stop = session.stop(context.ct);
        let params = request.arguments.unwrap_or_default();
        let result = match self.answer(&session, name, params, stop).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_json())]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources()))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let Some(page) = Page::at(&uri) else {
            return Err(ErrorData::resource_not_found(format!("there is no resource {uri}"), None));
        };
        let mime_type = page.mime_type();
        let text = self.page(page, context).await?;
        let contents = ResourceContents::text(text, uri).with_mime_type(mime_type);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let id = arguments.get("intent_id").and_then(|id| id.as_str());
        let Some(page) = Page::of_prompt(&request.name, id) else {
            let message = format!("there is no prompt {} with these arguments", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let text = self.page(page, context).await?;
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }
}
