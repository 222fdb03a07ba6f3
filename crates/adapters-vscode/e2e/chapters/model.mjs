// A model on loopback that says what a chapter tells it to, over the wire of chat completions.
import { createServer } from 'node:http';
import { until } from '../editor.mjs';

/** The text of a message, which comes whole or in parts. */
const text = content => (typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join(''));

export class Model {
  #open;
  #calls = 0;

  static async start() {
    const model = new Model();
    model.server = createServer((request, response) => {
      const parts = [];
      request.on('data', part => parts.push(part));
      request.on('end', () => model.#asked(JSON.parse(Buffer.concat(parts)), response));
    });
    await new Promise(done => model.server.listen(0, '127.0.0.1', done));
    model.url = `http://127.0.0.1:${model.server.address().port}/v1/chat/completions`;
    return model;
  }

  /** Requests without tools are about titles and the like. */
  #asked(body, response) {
    if (body.tools?.length) this.#open = { body, response };
    else Model.#send(response, { content: 'ok' }, 'stop');
  }

  /** The request that waits for an answer. */
  #waiting() {
    return until('a request of the agent', () => this.#open);
  }

  async #answer(delta, reason) {
    const { response } = await this.#waiting();
    this.#open = undefined;
    Model.#send(response, delta, reason);
  }

  static #send(response, delta, reason) {
    const chunk = choice => `data: ${JSON.stringify({ id: 'script', object: 'chat.completion.chunk', created: 1, model: 'script', choices: [{ index: 0, ...choice }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null }) + chunk({ delta: {}, finish_reason: reason }) + 'data: [DONE]\n\n');
  }

  /** Everything that the agent sent to be answered next. */
  async told() {
    const { body } = await this.#waiting();
    return body.messages.map(message => text(message.content)).join('\n');
  }

  /** The names of the tools that the agent offers. */
  async tools() {
    const { body } = await this.#waiting();
    return body.tools.map(tool => tool.function.name);
  }

  /** Calls a tool, and gives what the agent says came of it. */
  call(tool, input) {
    const result = this.#call(tool, input);
    // Whoever waits for something else first learns of a failure when it comes to the result.
    result.catch(() => {});
    return result;
  }

  async #call(tool, input) {
    const id = `call_${++this.#calls}`;
    await this.#answer({ tool_calls: [{ index: 0, id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }] }, 'tool_calls');
    const { body } = await this.#waiting();
    return text(body.messages.findLast(message => message.role === 'tool').content);
  }

  /** Ends the turn. */
  say(words) {
    return this.#answer({ content: words }, 'stop');
  }

  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
