//! The names of the gate's own tools, which move an agent's state and no file.
//!
//! Deliberately absent: what they do, and the tools of our server that work on files and run commands.

macro_rules! own_tools {
    ($($(#[$doc:meta])* $tool:ident = $name:literal;)*) => {
        /// One of the gate's own tools.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum OwnTool {
            $($(#[$doc])* $tool,)*
        }

        impl OwnTool {
            /// All of them, in the order in which they are listed.
            pub const ALL: &[Self] = &[$(Self::$tool,)*];

            /// The name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$tool => $name,)* }
            }

            /// The names that hosts make of it when our MCP server has it.
            pub const fn remote_names(self) -> &'static [&'static str] {
                match self { $(Self::$tool => &[concat!("mcp__bailiwick__", $name)],)* }
            }
        }
    };
}

own_tools! {
    /// Declares under which intent the following changes are made.
    SelectActiveIntent = "select_active_intent";
    /// Lists the intents that a human approved.
    ListIntents = "list_intents";
    /// Shows which intent is active.
    CurrentIntent = "current_intent";
    /// Drafts an intent.
    ProposeIntent = "propose_intent";
    /// Asks for more scope for the active intent.
    RequestScopeExpansion = "request_scope_expansion";
    /// Says that the work is done.
    ReportDone = "report_done";
}

impl OwnTool {
    /// The tool of exactly that name.
    ///
    /// ```
    /// use bailiwick_domain::OwnTool;
    /// assert_eq!(OwnTool::named("list_intents"), Some(OwnTool::ListIntents));
    /// assert_eq!(OwnTool::named("List_Intents"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.as_str() == name)
    }

    /// The tool that hosts call by exactly that name. That the name leads to our server is the caller's to prove.
    ///
    /// ```
    /// use bailiwick_domain::OwnTool;
    /// assert_eq!(OwnTool::remotely_named("mcp__bailiwick__list_intents"), Some(OwnTool::ListIntents));
    /// assert_eq!(OwnTool::remotely_named("list_intents"), None);
    /// ```
    pub fn remotely_named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.remote_names().contains(&name))
    }
}
