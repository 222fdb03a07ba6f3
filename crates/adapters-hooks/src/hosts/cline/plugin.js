const actors = new Map(); // who acts, by agent
const prompts = new Map(); // why the last prompt of an agent was refused, and what its model shall be told
const skipped = new Set(); // calls that were refused
let session = {};

function actor({ agentId, parentAgentId, conversationId }) {
  const who = { session: session.id ?? conversationId, cwd: session.root };
  if (!parentAgentId) return who;
  const agent = { ...who, agent: agentId };
  // A sub-agent is told once what its parent is told from its start.
  if (!actors.has(agentId)) actors.set(agentId, ask({ event: "subagent.start", ...agent }).catch(() => undefined));
  return agent;
}

function prompted({ messages }) {
  const last = [...messages].reverse().find(({ role }) => role === "user");
  const texts = (last?.content ?? []).filter(({ type }) => type === "text").map(({ text }) => text);
  return texts.join("\n").replace(/^<user_input[^>]*>|<\/user_input>$/g, "");
}

// The root's refusal counts for its sub-agents, too: they act on the same prompt.
const refusedPrompt = () => [...prompts.values()].find(({ refused }) => refused)?.refused;

// What an agent was to be told, once.
async function news(agentId) {
  const { now, ...rest } = prompts.get(agentId) ?? {};
  prompts.set(agentId, rest);
  const start = actors.get(agentId);
  if (start) actors.set(agentId, undefined);
  return [await start, now];
}

// What a tool printed; a file comes with a number before each line.
function printed({ toolName }, { output } = {}) {
  const texts = [output].flat().map((part) => part?.result);
  if (!texts.every((text) => typeof text === "string")) return {};
  const text = texts.join("\n");
  return { text: toolName === "read_files" ? text.replace(/^ *\d+ \| /gm, "") : text };
}

const all = (...texts) => texts.filter(Boolean).join("\n") || undefined;

export const plugin = {
  name: "bailiwick",
  manifest: { capabilities: ["hooks", "rules"] },

  // Cline goes on without a plugin that is not ready in four seconds, so nothing is asked here.
  setup(api, { session: { sessionId } = {}, workspaceInfo } = {}) {
    session = { id: sessionId, root: workspaceInfo?.rootPath };
    const start = { event: "session.start", session: sessionId, cwd: session.root };
    const content = async () => (await ask(start).catch(() => undefined)) ?? "";
    if (sessionId) api.registerRule({ id: "bailiwick", content });
  },

  hooks: {
    async beforeRun({ snapshot }) {
      const who = actor(snapshot);
      if (who.agent) return;
      // Cline tells nobody why a run was not begun. So it goes on, and its tools are refused with the reason.
      const heard = await ask({ event: "chat.message", ...who, prompt: prompted(snapshot) }).then(
        (now) => ({ now }),
        (error) => ({ refused: error.message }),
      );
      prompts.set(snapshot.agentId, heard);
    },

    async beforeTool({ snapshot, toolCall, input }) {
      const who = actor(snapshot);
      const refuse = (reason) => {
        skipped.add(toolCall.toolCallId);
        return { skip: true, reason };
      };
      const refused = refusedPrompt();
      if (refused) return refuse(refused);
      const args = typeof input === "object" && input && !Array.isArray(input) ? input : { input };
      const call = { event: "tool.execute.before", ...who, call: toolCall.toolCallId, tool: toolCall.toolName, args };
      return ask(call).then(
        async (note) => ({ appendContext: all(...(await news(snapshot.agentId)), note) }),
        (error) => refuse(error.message),
      );
    },

    async afterTool({ snapshot, toolCall, input, result }) {
      if (skipped.delete(toolCall.toolCallId)) return;
      const args = typeof input === "object" && input && !Array.isArray(input) ? input : { input };
      const event = result?.isError ? "tool.execute.failed" : "tool.execute.after";
      const showed = result?.isError ? { error: String(result.output?.error ?? "") } : { output: printed(toolCall, result) };
      const call = { event, ...actor(snapshot), call: toolCall.toolCallId, tool: toolCall.toolName, args, ...showed };
      const tell = await ask(call).catch((error) => `Bailiwick could not record this call: ${error.message}`);
      return { appendContext: tell };
    },
  },
};

export default plugin;
