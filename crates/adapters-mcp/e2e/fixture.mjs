// A server over pipes with what the official conformance suite asks of one, for the suite behind the proxy.

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as kinds from "@modelcontextprotocol/sdk/types.js";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

const text = (words) => ({ type: "text", text: words });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = (uri, mimeType, words) => ({ type: "resource", resource: { uri, mimeType, text: words } });
const soon = () => new Promise((done) => setTimeout(done, 50));
const object = (properties = {}, required = []) => ({ type: "object", properties, required });
const oneOf = (...pairs) => pairs.map(([value, title]) => ({ const: value, title }));

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} };
const server = new Server({ name: "fixture", version: "1" }, { capabilities });

async function asks(schema, message = "Please say") {
  return server.request({ method: "elicitation/create", params: { message, requestedSchema: schema } }, kinds.ElicitResultSchema);
}

const DEFAULTS = object({
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
});
const ENUMS = object({
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: { type: "string", oneOf: oneOf(["value1", "First Option"], ["value2", "Second Option"], ["value3", "Third Option"]) },
  legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
  untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
  titledMulti: { type: "array", items: { anyOf: oneOf(["value1", "First Choice"], ["value2", "Second Choice"], ["value3", "Third Choice"]) } },
});

const completed = ({ action, content }) => [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)];

const tools = {
  test_simple_text: { does: () => [text("This is a simple text response for testing.")] },
  test_image_content: { does: () => [image] },
  test_audio_content: { does: () => [{ type: "audio", data: SOUND, mimeType: "audio/wav" }] },
  test_embedded_resource: { does: () => [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")] },
  test_multiple_content_types: {
    does: () => [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
    ],
  },
  test_tool_with_logging: {
    async does() {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await server.sendLoggingMessage({ level: "info", data });
        await soon();
      }
      return [text("done")];
    },
  },
  test_tool_with_progress: {
    async does(_args, { progressToken } = {}) {
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          await server.notification({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        }
        await soon();
      }
      return [text("done")];
    },
  },
  test_error_handling: {
    does() {
      throw new Error("This tool intentionally returns an error for testing");
    },
  },
  test_sampling: {
    schema: object({ prompt: { type: "string" } }, ["prompt"]),
    async does({ prompt }) {
      const params = { messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 };
      const said = await server.request({ method: "sampling/createMessage", params }, kinds.CreateMessageResultSchema);
      return [text(`LLM response: ${said.content.text}`)];
    },
  },
  test_elicitation: {
    schema: object({ message: { type: "string" } }, ["message"]),
    async does({ message }) {
      const wanted = object({ username: { type: "string", description: "User's response" }, email: { type: "string", description: "User's email address" } }, ["username", "email"]);
      const { action, content } = await asks(wanted, message);
      return [text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`)];
    },
  },
  test_elicitation_sep1034_defaults: { does: async () => completed(await asks(DEFAULTS)) },
  test_elicitation_sep1330_enums: { does: async () => completed(await asks(ENUMS)) },
  json_schema_2020_12_tool: {
    schema: {
      $schema: DIALECT,
      type: "object",
      $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    does: () => [text("done")],
  },
};

const resources = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched." },
};

const prompts = {
  test_simple_prompt: { says: () => [text("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    says: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    says: ({ resourceUri }) => [
      embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: { says: () => [image, text("Please analyze the image above.")] },
};

const on = (schema, answer) => server.setRequestHandler(schema, ({ params }) => answer(params ?? {}));

on(kinds.ListToolsRequestSchema, () => ({
  tools: Object.entries(tools).map(([name, { schema }]) => ({ name, description: `The fixture ${name}.`, inputSchema: schema ?? object() })),
}));
on(kinds.CallToolRequestSchema, async (params) => {
  try {
    return { content: await tools[params.name].does(params.arguments ?? {}, params._meta) };
  } catch (error) {
    return { isError: true, content: [text(error.message)] };
  }
});
on(kinds.ListResourcesRequestSchema, () => ({
  resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, description: uri, mimeType })),
}));
on(kinds.ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
}));
on(kinds.ReadResourceRequestSchema, ({ uri }) => {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  const data = id && { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) };
  return { contents: [{ uri, ...(data ?? resources[uri]) }] };
});
on(kinds.SubscribeRequestSchema, () => ({}));
on(kinds.UnsubscribeRequestSchema, () => ({}));
on(kinds.ListPromptsRequestSchema, () => ({
  prompts: Object.entries(prompts).map(([name, { arguments: names = [] }]) => ({
    name,
    description: `The fixture ${name}.`,
    arguments: names.map((one) => ({ name: one, description: one, required: true })),
  })),
}));
on(kinds.GetPromptRequestSchema, (params) => ({
  messages: prompts[params.name].says(params.arguments ?? {}).map((content) => ({ role: "user", content })),
}));
on(kinds.CompleteRequestSchema, () => ({ completion: { values: ["paris", "park", "party"], total: 3, hasMore: false } }));
on(kinds.SetLevelRequestSchema, () => ({}));

await server.connect(new StdioServerTransport());
